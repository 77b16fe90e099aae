#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A publisher that runs a request for each subscriber that demands a value.
struct RequestPublisher<T: Requestable>: Publisher {
    typealias Output = T.Response
    typealias Failure = T.Failure
    typealias Handler = @Sendable (Result<T.Response, T.Failure>) -> Void

    let manager: RequestManager
    let makeRun: @Sendable (@escaping Handler) -> RequestRun

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RequestSubscription(AnySubscriber(subscriber), self))
    }
}

/// One subscription to a request: starts the run on the first demand, and delivers the value and the end in one block.
/// The end of the subscription empties it, once, so that a retained subscription retains nothing else.
private final class RequestSubscription<T: Requestable>: Subscription, Sendable {
    private enum State {
        case idle(AnySubscriber<T.Response, T.Failure>, RequestPublisher<T>)
        case running(AnySubscriber<T.Response, T.Failure>, RequestRun)
        case ended
    }

    private let state: Lock<State>

    init(_ subscriber: AnySubscriber<T.Response, T.Failure>, _ publisher: RequestPublisher<T>) {
        state = Lock(.idle(subscriber, publisher))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, case .idle(_, let publisher) = state.withLock({ $0 }) else { return }
        let run = publisher.makeRun { self.finish($0) }
        let before = state.withLock { state in
            let before = state
            if case .idle(let subscriber, _) = state { state = .running(subscriber, run) }
            return before
        }
        if case .idle = before { publisher.manager.start(run) }
    }

    func cancel() {
        if case .running(_, let run) = take() { run.cancel() }
    }

    private func finish(_ result: Result<T.Response, T.Failure>) {
        guard case .running(let subscriber, _) = take() else { return }
        switch result {
        case .success(let response):
            _ = subscriber.receive(response)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = .ended }
            return state
        }
    }
}

// Sending requests with publishers.
extension RequestManager {
    /// Returns a cold publisher: nothing is sent before a subscriber demands a value, and each subscription sends the
    /// request.
    ///
    /// It emits one response and finishes, or fails with `RequestError`. Cancelling the subscription ends the run
    /// without further events; after `cancelRequests(with:passingTest:)` it fails with `RequestError.cancelled`. The
    /// request is evaluated on the subscribing thread, once per subscription, regardless of the number of attempts.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failed attempt is repeated at once,
    ///     whatever the method.
    ///   - sla: The limit over all attempts and waits; nil for none. Zero or less sends nothing and ends with
    ///     `RequestError.slaExceeded(_:)`.
    ///   - scheduler: The scheduler for response and completion; nil uses `callbackQueue`. With `ImmediateScheduler`
    ///     they arrive on a thread of the transport: requests that downstream code sends start when it returns, or after
    ///     5 ms.
    ///   - fallbackResponse: The response if every attempt fails and the request has no fallback of its own.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: scheduler,
            fallbackResponse: fallbackResponse)
    }

    /// Returns a cold publisher with a policy for retries. Everything else is as in
    /// `makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        let fallback = Lock(fallbackResponse)
        let delivery = delivery(on: scheduler)
        return RequestPublisher<T>(manager: self) { handler in
            self.makeRun(
                requestable, options, fallback: fallback.withLock { $0 }, delivery: delivery, handler: handler)
        }.eraseToAnyPublisher()
    }

    /// Returns a cold publisher with an SLA in the scheduler's unit of time; one without a notion of time has no limit.
    @_disfavoredOverload
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride, on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retries: retries, sla: .limit(sla), on: scheduler,
            fallbackResponse: fallbackResponse)
    }
}

extension Publisher {
    /// Replaces any failure with one `.empty` response.
    public func removeErrors<Body>() -> Publishers.ReplaceError<Self> where Output == RequestResponse<Body> {
        replaceError(with: .empty)
    }

    /// Fails with `ResponseMismatch.statusCode` unless the status of the response is one of `codes`.
    public func validateStatusCode<Codes: Sequence, Body>(in codes: Codes) -> Publishers.TryMap<Self, Output>
    where Output == RequestResponse<Body>, Codes.Element == Int {
        tryMap { response in
            guard let code = response.statusCode, codes.contains(code) else {
                throw ResponseMismatch.statusCode(response.statusCode)
            }
            return response
        }
    }

    /// Fails with `ResponseMismatch.contentType` unless the media type of the response is `type`, compared without case
    /// and parameters (RFC 9110 §8.3.1). A response without a body passes.
    public func hasContentType<Body>(_ type: String) -> Publishers.TryMap<Self, Output>
    where Output == RequestResponse<Body> {
        tryMap { response in
            if response.hasEmptyBody { return response }
            let found = response[.contentType]?.text
            guard let found, MediaType.essence(of: found) == MediaType.essence(of: type) else {
                throw ResponseMismatch.contentType(found, expected: type)
            }
            return response
        }
    }
}

extension RequestResponse {
    var hasEmptyBody: Bool {
        switch body {
        case nil: true
        case let data as Data: data.isEmpty
        case let text as String: text.isEmpty
        default: false
        }
    }
}
