#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The work of a run for one type of request.
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
    /// For those who wait for the result; nil where nobody can.
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
        if options.policy.addsIdempotencyKey, !request.method.isIdempotent, request.headers[.idempotencyKey] == nil {
            request.headers[.idempotencyKey] = .string(UUID().uuidString)
        }
        return (request, surroundings)
    }

    func progress() -> ProgressDelivery? {
        let (onSent, onReceived) = (requestable._uploadProgress, requestable._downloadProgress)
        return onSent == nil && onReceived == nil ? nil : ProgressDelivery(onSent: onSent, onReceived: onReceived)
    }

    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult {
        let response = Self.bodiless(response, to: method)
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

    /// Without a body where HTTP allows none, so that a decoder need not make something of nothing.
    private static func bodiless(_ response: TransportResponse, to method: RequestMethod) -> TransportResponse {
        guard let body = response.body, body.isEmpty,
            method == .head || [204, 205, 304].contains(response.statusCode ?? 0)
        else { return response }
        return TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode)
    }
}

/// The options of a call.
struct RunOptions: Sendable {
    var authentication: RequestAuthentication?
    var policy: RetryPolicy
    /// The limit over all attempts and waits; nil is none.
    var sla: Duration?
    /// The event stream whose connections are the attempts; nil for a single response.
    var stream: (any ContinuedStream)?
}
