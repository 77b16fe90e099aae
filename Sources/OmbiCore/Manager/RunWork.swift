/// The typed part of a run. The engine itself knows no request types, so that it is compiled once, and optimized.
///
/// It holds the caller's objects: the request, the manager and the handler. A run releases it at its end, even if a
/// handle remains.
protocol RunWork: AnyObject, Sendable {
    var anyRequestable: any Requestable { get }
    var transport: any Transport { get }
    var log: RequestLog? { get }

    func build() throws -> (TransportRequest, Surroundings?)
    /// Returns nil if the request has no progress closures.
    func progress() -> ProgressDelivery?
    /// Decodes, then validates a response.
    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult
    /// Returns the fallback response, validated; nil if there is none.
    func fallBack() -> RunResult?
    /// Returns the `RequestError` of the request.
    func error(_ failure: RunFailure) -> any Error
    /// Classifies an error thrown by a middleware or an authenticator.
    func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure
    /// Returns a description for people.
    func sentence(_ failure: RunFailure) -> String
    /// Ends the run; called once. Stores the result for its waiters, calls `record`, and then the handler.
    func finish(_ result: RunResult, of run: RequestRun, record: () -> Void)
}

/// The result of a run. Not shared between threads.
enum RunResult {
    /// Delivers the `RequestResponse` of the request, like `RunWork.finish`.
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
    /// A rejection by the decoder or the validator, as the `RequestError` of the request.
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

    /// Classifies an authenticator's error. Network failures remain such: the authenticator's own request may be
    /// repeated.
    init(ofAuthenticator error: any Error, after response: TransportResponse?) {
        self =
            switch error {
            case let error as TransportError: RunFailure(error)
            default: (error as? any AnyRequestError)?.networkFailure ?? .authentication(error, response)
            }
    }

    /// True for network failures, which another attempt may overcome.
    var isOfNetwork: Bool {
        switch self {
        case .connection, .timedOut: true
        default: false
        }
    }
}

/// A `RequestError` of any request.
private protocol AnyRequestError: Error {
    /// The network failure; nil for other errors.
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

    /// The untyped form of the error.
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

    /// Classifies an error thrown around a request with this type of error.
    static func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure {
        switch error {
        case let error as TransportError: RunFailure(error)
        case let error as Self: error.failure
        default: (error as? any AnyRequestError)?.networkFailure ?? .middleware(error, response)
        }
    }
}
