/// One request by HTTP with all its attempts.
struct HTTPExchange: Exchange {
    let sending: Sending

    func perform() async -> Session.Outcome {
        guard sending.run.isWatched else { return await unwatched() }
        let receive = sending.events.receive
        return await watched {
            receive(.step($0))
        } onRedirect: {
            receive(.redirected($0))
        }
    }

    /// Sends the request without a receiver of its events.
    private func unwatched() async -> Session.Outcome {
        var task: RequestTask<BuiltRequest>?
        let (resolved, built) = (sending.resolved, sending.built)
        let ending = await withCheckedContinuation { continuation in
            let sent = sending.manager.send(built, retry: resolved.retry, sla: resolved.sla.value, on: nil) {
                continuation.resume(returning: $0)
            }
            sending.run.attach(sent)
            task = sent
        }
        return Session.Outcome(ending: ending, report: task?.finalReport)
    }

    /// Sends the request.
    /// - Parameters:
    ///   - onEvent: gets the masked events on the queue.
    ///   - onRedirect: gets the redirects among them.
    func watched(
        _ onEvent: @escaping @Sendable (RequestEvent) -> Void,
        onRedirect: @escaping @Sendable (FollowedRedirect) -> Void = { _ in }
    ) async -> Session.Outcome {
        let (run, mask) = (sending.run, sending.events.mask)
        let (resolved, built) = (sending.resolved, sending.built)
        let report = Lock<RequestReport?>(nil)
        let keeper = Lock(StreamKeeper())
        let ending = await withCheckedContinuation { continuation in
            let handle = sending.manager.send(
                built, retry: resolved.retry, sla: resolved.sla.value, on: sending.events.queue
            ) {
                continuation.resume(returning: $0)
            } onEvent: { event in
                keeper.withLock { $0.take(event) }
                let event = run.isFinished ? keeper.withLock { $0.finished(event) } : event
                if case .finished(let finished) = event { report.withLock { $0 = finished } }
                if let redirect = mask.redirect(event) { onRedirect(redirect) }
                if let event = mask.redactor.redact(event) { onEvent(event) }
            }
            run.attach(handle)
        }
        if run.isFinished, case .failure(.cancelled) = ending, let part = keeper.withLock({ $0.response }) {
            return Session.Outcome(ending: .success(part), report: report.withLock { $0 })
        }
        return Session.Outcome(ending: ending, report: report.withLock { $0 })
    }
}

/// The received part of an open-ended response: the result of a run that its user finishes.
///
/// Such a response has no end, so finishing it is no failure.
private struct StreamKeeper {
    private var head: ResponseHead?
    private var store: ResponseStore?

    mutating func take(_ event: RequestEvent) {
        switch event {
        case .attemptStarted: (head, store) = (nil, nil)
        case .headReceived(_, let head, _): self.head = head
        case .bodyStarted(_, let store, _): self.store = store
        default: break
        }
    }

    /// Nil before the head of an open-ended response.
    var response: TransportResponse? {
        guard let head, OpenEndedResponse.isAnnounced(by: head.headers) else { return nil }
        return TransportResponse(head: head, body: store?.data ?? Data())
    }

    /// Returns the event of a run that its user has finished: its last attempt is no cancelled one.
    func finished(_ event: RequestEvent) -> RequestEvent {
        guard let response else { return event }
        switch event {
        case .attemptFinished(let report): return .attemptFinished(finished(report, response))
        case .finished(var report):
            if case .cancelled = report.outcome { report.outcome = .succeeded }
            report.attempts = report.attempts.map { finished($0, response) }
            return .finished(report)
        default: return event
        }
    }

    private func finished(_ report: AttemptReport, _ response: TransportResponse) -> AttemptReport {
        guard case .cancelled = report.outcome else { return report }
        var report = report
        report.outcome = .succeeded
        report.response = response
        return report
    }
}

/// A protocol for sending a prepared request: HTTP, its pages, a WebSocket. The session performs the steps before and
/// after it, such as grants, captures and the verdict, which are the same for all.
protocol Exchange {
    /// Sends the request, delivers what happens, and returns the end.
    func perform() async -> Session.Outcome
}

/// A request that is ready, with all that sending it takes.
struct Sending: Sendable {
    let session: Session
    let order: RunOrder
    var shared: SharedRequest
    var authenticator: (any Authenticator)?
    /// The cookies of the environment; nil if they are off.
    let cookieJar: CookieJar?
    /// Nil for a request that may go anywhere.
    var parts: GuardedParts?
    /// The trace of the run; nil for none.
    var trace: TraceContext?
    let manager: RequestManager
    let run: SessionRun
    let events: RunEvents

    var resolved: ResolvedRequest { _read { yield shared.value } }

    /// The request for one run. A repeated request is built once, without the parts of one run: cookies, trace and
    /// gate.
    var built: BuiltRequest {
        let request = Result<TransportRequest, any Error> {
            var request = try shared.transportRequest(by: manager)
            request.cookieJar = cookieJar
            if let trace { request.beginTrace(trace.next()) }
            parts?.apply(to: &request)
            return request
        }
        return BuiltRequest(request, authenticator: authenticator)
    }

    var exchange: any Exchange {
        switch resolved.plan {
        case .http: HTTPExchange(sending: self)
        case .pages(let pages): PagesExchange(self, pages)
        case .webSocket(let plan): WebSocketExchange(self, plan)
        }
    }
}

/// The receiver of what happens in a run. Secrets of its steps are masked.
struct RunEvents: Sendable {
    let mask: RunMask
    let queue: DispatchQueue
    let receive: @Sendable (SessionEvent) -> Void

    func emit(_ event: RequestEvent) {
        guard let event = mask.redactor.redact(event) else { return }
        emit(.step(event))
    }

    func emit(_ event: SessionEvent) { queue.async { [receive] in receive(event) } }
}

/// A tunnel that a run goes through.
struct UsedTunnel: Sendable {
    private let tunnel: SSHTunnel
    private let mark: Int

    init(_ tunnel: SSHTunnel) {
        self.tunnel = tunnel
        mark = tunnel.mark
    }

    func carrying(_ request: ResolvedRequest) -> ResolvedRequest {
        var request = request
        request.connection.proxy = tunnel.proxy
        return request
    }

    /// Adds the output of ssh to the reason of a failed connection, because the proxy reports less.
    func explain(
        _ ending: Result<TransportResponse, RequestError<NoError>>
    ) -> Result<TransportResponse, RequestError<NoError>> {
        guard case .failure(.connectionError(var error)) = ending else { return ending }
        var lines = tunnel.complaints(since: mark)
        if lines.isEmpty, !tunnel.isRunning { lines = ["it has ended; the next run starts it again"] }
        guard !lines.isEmpty else { return ending }
        error.message = error.message.replacing("the proxy \(tunnel.path)", with: "ssh")
        error.message += "; " + SSHTunnel.quote(lines)
        return .failure(.connectionError(error))
    }
}

extension Session {
    enum TunnelError: Error {
        case cancelled
        case failed(ResolveError)

        var result: SessionResult {
            switch self {
            case .cancelled: SessionResult(.cancelled)
            case .failed(let error): SessionResult(.failure(error.description))
            }
        }
    }

    /// The limit for a host of ssh that is reached without `connectTimeout`.
    private static let tunnelLimit = Duration.seconds(15)

    /// Returns the tunnel of a request once it takes connections.
    func openTunnel(
        to host: SSHHost, of request: ResolvedRequest, for order: RunOrder
    ) async -> Result<UsedTunnel, TunnelError> {
        let key = SSHTunnels.Key(file: order.file, environment: order.environment, host: host)
        let limit = request.connection.connectTimeout ?? Self.tunnelLimit
        // The run ends when it is cancelled, whatever ssh does.
        let (results, source) = AsyncStream<Result<SSHTunnel, SSHTunnel.Failure>>.makeStream()
        let task = Task { [tunnels] in
            source.yield(await tunnels.tunnel(key, within: limit))
            source.finish()
        }
        for await result in results {
            switch result {
            case .success(let tunnel): return .success(UsedTunnel(tunnel))
            case .failure(let failure):
                return .failure(
                    .failed(ResolveError(request: request.name, field: "via \(host)", reason: failure.reason)))
            }
        }
        _ = task
        return .failure(.cancelled)
    }
}
