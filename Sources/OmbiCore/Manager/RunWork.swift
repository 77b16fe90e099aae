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

final class RequestWork<T: Requestable>: RunWork {
    typealias Result = Swift.Result<T.Response, T.Failure>
    typealias Handler = @Sendable (Result) -> Void

    private let requestable: T
    private let decoder: BodyDecoder<T.ResponseBody>
    private let manager: RequestManager
    let transport: any Transport
    private let options: RunOptions
    /// Of the call; the request's own wins.
    private let fallback: Lock<T.Response>?
    /// Passes the result to its waiters; nil where nothing can wait.
    private let outcome: RunOutcome<T>?
    private let delivery: Delivery
    private let handler: Handler?

    init(
        _ requestable: T, manager: RequestManager, transport: any Transport, options: RunOptions, fallback: T.Response?,
        outcome: RunOutcome<T>?, delivery: Delivery, handler: Handler?
    ) {
        self.requestable = requestable
        decoder = requestable._responseDecoder
        self.manager = manager
        self.transport = transport
        self.options = options
        self.fallback = fallback.map { Lock($0) }
        self.outcome = outcome
        self.delivery = delivery
        self.handler = handler
    }

    var anyRequestable: any Requestable { requestable }
    var log: RequestLog? { manager.log }

    func build() throws -> (TransportRequest, Surroundings?) {
        var (request, surroundings) = try manager.buildSurrounded(requestable, decoder, options.authentication)
        request.addIdempotencyKey(options.policy)
        return (request, surroundings)
    }

    func progress() -> ProgressDelivery? {
        let (onSent, onReceived) = (requestable._uploadProgress, requestable._downloadProgress)
        return onSent == nil && onReceived == nil ? nil : ProgressDelivery(onSent: onSent, onReceived: onReceived)
    }

    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult {
        let response = response.bodiless(to: method)
        let validator = requestable._responseValidator
        if let refusal = validator.refusal(of: response) { return rejected(.validationError(refusal, response)) }
        do {
            let body = try decoder.decode(response)
            return accept(
                validator.examine(
                    T.Response(
                        url: response.url, headers: response.headers, statusCode: response.statusCode, body: body)),
                response)
        } catch {
            return rejected((error as? T.Failure ?? .decodingError(error)).completed(by: response))
        }
    }

    func fallBack() -> RunResult? {
        (requestable._fallbackResponse ?? fallback?.withLock { $0 }).map {
            accept(requestable._responseValidator.validate($0), nil)
        }
    }

    func error(_ failure: RunFailure) -> any Error { T.Failure(failure) }

    func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure {
        T.Failure.failure(error, after: response)
    }

    func sentence(_ failure: RunFailure) -> String { T.Failure(failure).description }

    func finish(_ result: RunResult, of run: RequestRun, record: () -> Void) {
        manager.forget(run)
        switch result {
        case .response(let handOver): handOver(record)
        case .failure(let failure): finish(.failure(T.Failure(failure)), record)
        }
    }

    private func finish(_ result: Result, _ record: () -> Void) {
        outcome?.set(result)
        record()
        if let handler { delivery.handOver(result, to: handler) }
    }

    private func accept(
        _ result: Swift.Result<T.Response, T.ResponseError>, _ response: TransportResponse?
    ) -> RunResult {
        switch result {
        case .success(let response): .response { self.finish(.success(response), $0) }
        case .failure(let error): rejected(.validationError(error, response))
        }
    }

    private func rejected(_ error: T.Failure) -> RunResult { .failure(.rejected(error, error.stage)) }
}

extension TransportRequest {
    /// Adds the key by which a server knows a repeated request, where the policy asks for it and none is given.
    mutating func addIdempotencyKey(_ policy: RetryPolicy) {
        guard policy.addsIdempotencyKey, !method.isIdempotent, headers[.idempotencyKey] == nil else { return }
        headers[.idempotencyKey] = .string(UUID().uuidString)
    }
}

extension TransportResponse {
    /// Without a body where HTTP allows none, so that a decoder need not make something of nothing.
    func bodiless(to method: RequestMethod) -> TransportResponse {
        guard let body, body.isEmpty, method == .head || [204, 205, 304].contains(statusCode ?? 0) else { return self }
        return TransportResponse(url: url, headers: headers, statusCode: statusCode)
    }
}

struct RunOptions: Sendable {
    var authentication: RequestAuthentication?
    var policy: RetryPolicy
    /// The limit over all attempts and waits; nil is none.
    var sla: Duration?
    /// The event stream whose connections are the attempts; nil for a single response.
    var stream: EventStreamTransport?
}
