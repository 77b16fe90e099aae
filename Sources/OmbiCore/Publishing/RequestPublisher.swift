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

    private func take() -> State { state.withLock { exchange(&$0, with: .ended) } }
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

/// The events of one run as a publisher that honors demand: nothing is dropped, and nothing is buffered twice.
struct EventPublisher: Publisher {
    typealias Output = RequestEvent
    typealias Failure = Never

    let run: RequestRun

    func receive<S: Subscriber>(subscriber: S) where S.Input == RequestEvent, S.Failure == Never {
        subscriber.receive(subscription: EventSubscription(AnySubscriber(subscriber), run))
    }
}

extension RequestTask {
    /// The events of the run as a publisher; each subscriber gets them from the start of the run.
    public var eventPublisher: AnyPublisher<RequestEvent, Never> { EventPublisher(run: run).eraseToAnyPublisher() }
}

/// One subscription to the events of a run. Everything is delivered on its own queue, one event at a time.
private final class EventSubscription: Subscription, Sendable {
    private struct State {
        var subscriber: AnySubscriber<RequestEvent, Never>?
        var demand = Subscribers.Demand.none
        var index = 0
    }

    private let queue = DispatchQueue(label: "ombi.events")
    private let run: RequestRun
    private let state: Lock<State>

    init(_ subscriber: AnySubscriber<RequestEvent, Never>, _ run: RequestRun) {
        self.run = run
        state = Lock(State(subscriber: subscriber))
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        queue.async { self.deliver() }
    }

    /// The subscriber is released outside the lock.
    func cancel() {
        let subscriber = state.withLock { $0.subscriber.take() }
        withExtendedLifetime(subscriber) {}
    }

    /// Runs on the queue.
    private func deliver() {
        while let subscriber = state.withLock({ $0.subscriber }) {
            let index = state.withLock { $0.index }
            switch run.read(index) {
            case .nothingYet:
                _ = run.wait(for: index) { [self] in queue.async { self.deliver() } }
                return
            case .end:
                cancel()
                return subscriber.receive(completion: .finished)
            case .event(let event, let next):
                let isWanted = state.withLock { state in
                    guard state.demand > .none else { return false }
                    state.demand -= 1
                    state.index = next
                    return true
                }
                guard isWanted else { return }
                let more = subscriber.receive(event)
                state.withLock { $0.demand += more }
            }
        }
    }
}

#if canImport(CCurl)
extension ComposableRequest {
    /// Returns a cold publisher that sends the request to `host`. `retries`, `sla` and `scheduler` are those of
    /// `RequestManager.makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
    ///
    /// Each call creates a manager. Connections and threads belong to `transport`.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Duration? = .seconds(180),
        using scheduler: S? = DispatchQueue?.none, transport: any Transport = CurlTransport.shared,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, transport: transport, log: log)
            .makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }

    /// Returns a cold publisher that sends the request to `host`, with an SLA in seconds.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Double, using scheduler: S? = DispatchQueue?.none,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(
            on: host, retries: retries, sla: .limit(seconds: sla), using: scheduler, transport: transport, log: log)
    }

    /// Returns a cold publisher that sends the request to `host`, with an SLA in the scheduler's unit of time.
    @_disfavoredOverload
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride, using scheduler: S,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(on: host, retries: retries, sla: .limit(sla), using: scheduler, transport: transport, log: log)
    }
}
#endif

extension Duration {
    /// Returns the duration of a scheduler's stride; nil for no limit. Strides can only be compared, so the value is
    /// found by bisection; a scheduler without a notion of time (`ImmediateScheduler`) has no limit.
    static func limit<Stride: SchedulerTimeIntervalConvertible & Comparable>(_ stride: Stride) -> Duration? {
        var low = 0
        var high = Int(longest.components.seconds) * 1_000_000
        if Stride.microseconds(high) <= stride { return nil }
        while low < high {
            let middle = low + (high - low + 1) / 2
            if Stride.microseconds(middle) <= stride { low = middle } else { high = middle - 1 }
        }
        return .microseconds(low)
    }

    /// Returns a duration in seconds; nil for infinity, zero for NaN and negative times.
    static func limit(seconds: Double) -> Duration? {
        seconds == .infinity ? nil : Duration(clampingSeconds: seconds)
    }
}

#if !canImport(Combine)
/// Makes `decode(type:decoder:)` accept a JSON decoder without OpenCombineFoundation, which would link all of
/// Foundation.
extension JSONDecoder: @retroactive TopLevelDecoder {
    public typealias Input = Data
}

extension JSONEncoder: @retroactive TopLevelEncoder {
    public typealias Output = Data
}
#endif
