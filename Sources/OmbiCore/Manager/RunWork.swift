/// The part of a run that knows the types of its request. The engine itself knows none, so that it is compiled once,
/// and well.
///
/// It holds what belongs to the caller: the request, the manager and the handler. A run lets go of it when it ends,
/// whoever still keeps a handle.
protocol RunWork: AnyObject, Sendable {
    var anyRequestable: any Requestable { get }
    var transport: any Transport { get }
    var log: RequestLog? { get }

    func build() throws -> (TransportRequest, Surroundings?)
    /// nil where the request has no closures for it.
    func progress() -> ProgressDelivery?
    /// Decodes, then validates.
    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult
    /// The fallback response, validated; nil when there is none.
    func fallBack() -> RunResult?
    /// The `RequestError` of the request.
    func error(_ failure: RunFailure) -> any Error
    /// What an error stands for that a middleware or an authenticator has thrown.
    func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure
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
    case authentication(any Error, TransportResponse?)
    case middleware(any Error, TransportResponse?)

    init(_ error: TransportError) {
        switch error.code {
        case .timedOut: self = .timedOut(error)
        case .cancelled: self = .cancelled
        default: self = .connection(error)
        }
    }

    /// A failure of the network stays one: what an authenticator asked for its credentials may be asked again.
    init(ofAuthenticator error: any Error, after response: TransportResponse?) {
        self =
            switch error {
            case let error as TransportError: RunFailure(error)
            default: (error as? any AnyRequestError)?.networkFailure ?? .authentication(error, response)
            }
    }

    /// Whether the network failed, so that another attempt may fare better.
    var isOfNetwork: Bool {
        switch self {
        case .connection, .timedOut: true
        default: false
        }
    }
}

/// A `RequestError` of any request.
private protocol AnyRequestError: Error {
    /// nil where the network did not fail.
    var networkFailure: RunFailure? { get }
}

extension RequestError: AnyRequestError {
    fileprivate var networkFailure: RunFailure? {
        switch self {
        case .connectionError(let error): .connection(error)
        case .timedOut(let error): .timedOut(error ?? TransportError(code: .timedOut))
        default: nil
        }
    }
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
        case .authentication(let cause, let response): self = .authenticationFailed(cause, response)
        case .middleware(let cause, let response): self = .middlewareFailed(cause, response)
        }
    }

    /// The same without the type of the request.
    private var failure: RunFailure {
        switch self {
        case .malformedRequest: .malformed(self)
        case .authenticationFailed(let cause, let response): .authentication(cause, response)
        case .middlewareFailed(let cause, let response): .middleware(cause, response)
        case .cancelled: .cancelled
        case .unknownError: .unknown
        case .connectionError, .timedOut: networkFailure ?? .unknown
        case .slaExceeded, .fileNotWritten, .decodingError, .validationError: .rejected(self, stage)
        }
    }

    /// What an error stands for that was thrown around a request with this type of error.
    static func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure {
        switch error {
        case let error as TransportError: RunFailure(error)
        case let error as Self: error.failure
        default: (error as? any AnyRequestError)?.networkFailure ?? .middleware(error, response)
        }
    }
}
