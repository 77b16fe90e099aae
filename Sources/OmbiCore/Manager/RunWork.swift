/// The part of a run that knows the types of its request. The engine itself knows none, so that it is compiled once,
/// and well.
///
/// It holds what belongs to the caller: the request, the manager and the handler. A run lets go of it when it ends,
/// whoever still keeps a handle.
protocol RunWork: AnyObject, Sendable {
    var anyRequestable: any Requestable { get }
    var transport: any Transport { get }
    var log: RequestLog? { get }

    func build() throws -> TransportRequest
    /// nil where the request has no closures for it.
    func progress() -> ProgressDelivery?
    /// Decodes, then validates.
    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult
    /// The fallback response, validated; nil when there is none.
    func fallBack() -> RunResult?
    /// The sentence for people.
    func sentence(_ failure: RunFailure) -> String
    /// Called once, at the end of the run: keeps the result for those who wait for it, calls `record`, and then the
    /// handler.
    func finish(_ result: RunResult, of run: RequestRun, record: () -> Void)
}

/// The result of a run. Stays on one thread.
enum RunResult {
    /// Hands over the `RequestResponse` of the request, as `RunWork.finish` does.
    case response(handOver: (_ record: () -> Void) -> Void)
    case failure(RunFailure)
}

/// A `RequestError` without the type of the request in it.
enum RunFailure {
    case malformed(any Error)
    case connection(TransportError)
    case timedOut(TransportError)
    case slaExceeded(SLAExceeded)
    case cancelled
    case unknown
    /// By the decoder or the validator, as the `RequestError` of the request.
    case rejected(any Error, RequestStage)
}

extension RequestError {
    init(_ failure: RunFailure) {
        switch failure {
        case .malformed(let error): self = error as? Self ?? .malformedRequest(error)
        case .connection(let error): self = .connectionError(error)
        case .timedOut(let error): self = .timedOut(error)
        case .slaExceeded(let details): self = .slaExceeded(details)
        case .cancelled: self = .cancelled
        case .unknown: self = .unknownError
        case .rejected(let error, _): self = error as? Self ?? .unknownError
        }
    }
}
