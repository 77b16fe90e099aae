/// Code around a request and its response.
///
/// It may change the request, respond without the network, change the response, or throw.
///
///     struct Tracing: RequestMiddleware {
///         func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
///             var request = request
///             request.headers["X-Trace-ID"] = .string(UUID().uuidString)
///             return try await next(request)
///         }
///     }
///
/// `next` throws a `TransportError` if no response arrived, and a `RequestError` if nothing could be sent. An error
/// thrown by a middleware counts for the attempt: a `TransportError` is a network failure, and is retried like one; a
/// `RequestError` of the request's own type is that error. Any other error ends the run with
/// `RequestError.middlewareFailed(_:_:)`.
///
/// It runs in a Swift task, which is cancelled with the run, when the SLA ends, and when the attempt is abandoned. The
/// run does not wait for a middleware that ignores cancellation, and discards its result.
///
/// For streams and downloads, middlewares get the head without a body: of a stream when it arrives, of a download and
/// of server-sent events at the end of the connection. Around a WebSocket's opening handshake they run once for each
/// connection, whatever their scope. If nothing has to wait, a `RequestInterceptor` is the simple form.
public protocol RequestMiddleware: Sendable {
    /// A function that passes the request on to the next middleware, and finally to the network.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// The unit that the middleware surrounds; an attempt by default.
    var scope: MiddlewareScope { get }

    /// Calls `next` with the request to send, and returns the response to continue with.
    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse
}

extension RequestMiddleware {
    public var scope: MiddlewareScope { .attempt }
}

/// The unit that a middleware surrounds.
public enum MiddlewareScope: Sendable, Hashable {
    /// Once for each attempt, retries included. It may call `next` several times.
    case attempt
    /// Once for the run, around all of its attempts and waits. It may call `next` once; a second call throws. It gets
    /// the response of the last attempt, even if the validator rejects it; the response it returns is decoded and
    /// validated.
    case run
}

/// The middlewares and the authenticator around the requests of a run. Most runs have none, and do not pay for them.
struct Surroundings: Sendable {
    /// Middlewares around the whole run, outermost first.
    var aroundRun: [any RequestMiddleware] = []
    /// Middlewares around each attempt, outermost first.
    var aroundAttempt: [any RequestMiddleware] = []
    var authenticator: (any Authenticator)?

    init(middlewares: [any RequestMiddleware], authenticator: (any Authenticator)?) {
        for middleware in middlewares {
            switch middleware.scope {
            case .run: aroundRun.append(middleware)
            case .attempt: aroundAttempt.append(middleware)
            }
        }
        self.authenticator = authenticator
    }

    /// True if an attempt has to be a Swift task.
    var surroundsAttempts: Bool { !aroundAttempt.isEmpty || authenticator != nil }

    /// Passes a request through middlewares, and finally to `send`.
    static func pass(
        _ request: TransportRequest, through middlewares: ArraySlice<any RequestMiddleware>,
        to send: @escaping RequestMiddleware.Next
    ) async throws -> TransportResponse {
        guard let first = middlewares.first else { return try await send(request) }
        return try await first.send(request) { request in
            try await pass(request, through: middlewares.dropFirst(), to: send)
        }
    }
}

/// The error of a middleware of the scope `run` that calls `next` again.
struct SecondCall: Error, CustomStringConvertible {
    let description = "a middleware around a run called next a second time"
}

extension RequestManager {
    /// Returns the request and its surroundings; nil if it has none.
    final func buildSurrounded<T: Requestable>(
        _ requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, _ authentication: RequestAuthentication?
    ) throws -> (TransportRequest, Surroundings?) {
        let own = requestable._authenticator
        let credentials = own == nil ? try self.credentials(for: requestable, call: authentication) : nil
        let request = try buildRequest(for: requestable, decoder, credentials: credentials)
        let middlewares = self.middlewares
        let authenticator = own ?? (credentials == nil ? self.authenticator : nil)
        guard !middlewares.isEmpty || authenticator != nil else { return (request, nil) }
        return (request, Surroundings(middlewares: middlewares, authenticator: authenticator))
    }
}

/// An attempt with middlewares or an authenticator around it: a Swift task that passes the request through them to the
/// transport. A run treats it like an attempt of a transport.
///
/// Cancelling it cancels the task. Code that ignores cancellation delays nothing: a run ignores the events of an
/// abandoned attempt.
final class SurroundedAttempt: TransportTask {
    private struct State {
        /// nil after cancellation.
        var work: (any RunWork)?
        var task: LaterTask?
        /// The last request sent.
        var call: NetworkCall?
    }

    private let run: RequestRun
    private let number: Int
    private let surroundings: Surroundings
    private let state: Lock<State>

    init(_ run: RequestRun, _ number: Int, _ surroundings: Surroundings, _ work: any RunWork) {
        self.run = run
        self.number = number
        self.surroundings = surroundings
        state = Lock(State(work: work))
    }

    /// - Parameter context: The task-local values of the attempt; nil for the caller's.
    func start(_ request: TransportRequest, in context: TaskContext?) {
        let task = LaterTask(in: context) { await self.attempt(request) }
        let isCancelled = state.withLock { state in
            if state.work != nil { state.task = task }
            return state.work == nil
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let (work, task) = state.withLock { ($0.work.take(), $0.task.take()) }
        withExtendedLifetime(work) {}
        task?.cancel()
    }

    private func attempt(_ request: TransportRequest) async {
        do {
            let response = try await Surroundings.pass(request, through: surroundings.aroundAttempt[...]) { request in
                try await self.send(request)
            }
            answer(response)
        } catch {
            let call = state.withLock { $0.call }
            run.hear(.threw(error, call?.metrics ?? TransportMetrics(), after: call?.received), attempt: number)
        }
        // A finished task need not be cancelled.
        state.withLock { $0.task = nil }
    }

    private func answer(_ response: TransportResponse) {
        let metrics = state.withLock { $0.call }?.metrics ?? TransportMetrics()
        run.receive(.finished(response, metrics), attempt: number)
    }

    /// Sends the request with its credentials, behind the last middleware.
    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let work = state.withLock({ $0.work }) else { throw TransportError.cancelled }
        let request = try await authenticated(request, work)
        do { try RequestBuilder.check(request) } catch { throw work.error(.malformed(error)) }
        guard run.sends(request, attempt: number) else { throw TransportError.cancelled }
        work.log?.request(request)
        let call = NetworkCall { [run, number] in run.receive($0, attempt: number) }
        state.withLock { $0.call = call }
        let response = try await call.response(to: request, from: work.transport)
        if !surroundings.aroundAttempt.isEmpty { run.handsBack(attempt: number) }
        if response.statusCode != 401 { surroundings.authenticator?.accepted(response, to: request) }
        return response
    }

    private func authenticated(_ request: TransportRequest, _ work: any RunWork) async throws -> TransportRequest {
        guard let authenticator = surroundings.authenticator else { return request }
        run.authenticates(attempt: number)
        do {
            return try await authenticator.authenticate(request).bindingFields(addedTo: request)
        } catch {
            throw work.error(RunFailure(ofAuthenticator: error, after: nil))
        }
    }
}

extension LaterTask: TransportTask {}

/// A request to a transport as an async call, which is cancelled with its task.
final class NetworkCall: Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: (any TransportTask)?
        var isCancelled = false
        var received: TransportResponse?
        var metrics = TransportMetrics()
    }

    private let forward: @Sendable (TransportEvent) -> Void
    private let state = Lock(State())

    /// - Parameter forward: Receives the transport's intermediate events.
    init(forward: @escaping @Sendable (TransportEvent) -> Void) { self.forward = forward }

    /// The cost of the request, once it has ended.
    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    var received: TransportResponse? { state.withLock { $0.received } }

    func response(
        to request: TransportRequest, from transport: any Transport
    ) async throws(TransportError) -> TransportResponse {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.continuation = continuation }
                    return state.isCancelled
                }
                if isCancelled { return continuation.resume(returning: .failure(TransportError.cancelled)) }
                keep(transport.startThroughGate(request) { self.receive($0) })
            }
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }

    private func keep(_ task: any TransportTask) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Ends the request at once, without waiting for the transport.
    private func cancel() {
        let before = state.withLock { state in
            exchange(&state, with: State(isCancelled: true, received: state.received, metrics: state.metrics))
        }
        before.task?.cancel()
        before.continuation?.resume(returning: .failure(TransportError.cancelled))
    }

    private func receive(_ event: TransportEvent) {
        switch event {
        case .finished(let response, let metrics): end(.success(response), metrics)
        case .failed(let error, let metrics): end(.failure(error), metrics)
        default: if !state.withLock({ $0.isCancelled }) { forward(event) }
        }
    }

    private func end(_ outcome: Outcome, _ metrics: TransportMetrics) {
        let continuation = state.withLock { state in
            state.metrics = metrics
            if state.continuation != nil, case .success(let response) = outcome { state.received = response }
            return state.continuation.take()
        }
        continuation?.resume(returning: outcome)
    }
}
