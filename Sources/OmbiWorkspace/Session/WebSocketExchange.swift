/// The conversation of a WebSocket as a run: its handshake is the response, its messages are the body.
struct WebSocketExchange: Exchange {
    private let sending: Sending
    private let plan: ResolvedWebSocket

    init(_ sending: Sending, _ plan: ResolvedWebSocket) {
        var plan = plan
        plan.sendsMessages = sending.order.sendsMessages
        (self.sending, self.plan) = (sending, plan)
    }

    /// Opens the WebSocket and notes its messages until one side closes it.
    func perform() async -> Session.Outcome {
        let (start, run, events) = (ContinuousClock.now, sending.run, sending.events)
        events.emit(.attemptStarted(number: 1, attempts: 1, at: .zero))
        events.emit(.phaseReached(attempt: 1, phase: .connect, at: .zero))
        let socket = sending.manager.webSocket(
            sending.built, options: WebSocketOptions { $0.subprotocols = plan.subprotocols })
        let conversation = conversation(socket, since: start)
        run.attach(conversation)
        let limit = sending.resolved.liftedLimits.contains(.sla) ? nil : sending.resolved.sla.value
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                socket.cancel()
            }
        }
        defer { timer?.cancel() }
        var head: ResponseHead?
        let failure = await talk(on: socket, conversation) { opened in
            head = opened
            events.emit(.phaseReached(attempt: 1, phase: .receive, at: .now - start))
            events.emit(.headReceived(attempt: 1, opened, at: .now - start))
            events.emit(.bodyStarted(attempt: 1, conversation.store, at: .now - start))
        }
        let (duration, metrics) = (ContinuousClock.now - start, await Self.metrics(of: socket))
        conversation.end()
        let response = head.map { TransportResponse(head: $0, body: conversation.store.data) }
        let result = Self.ending(failure, response, run, limit.flatMap { duration >= $0 ? $0 : nil })
        let isRefused = if case .refused? = failure { true } else { false }
        let report = Self.report(result, duration, metrics, sla: limit, isRefused: isRefused)
        for attempt in report.attempts { events.emit(.attemptFinished(attempt)) }
        events.emit(.finished(report))
        return Session.Outcome(ending: result, report: report)
    }

    private func conversation(_ socket: WebSocket, since start: ContinuousClock.Instant) -> Conversation {
        // Not the whole of what is sent, whose run holds the conversation.
        let (session, order, events) = (sending.session, sending.order, sending.events)
        return Conversation(socket, plan.messages, events.mask, since: start) {
            (text: String) throws(ResolveError) -> String in
            try session.fill(text, of: order, events.mask)
        } onGrowth: { bytes in
            events.emit(.bodyReceived(attempt: 1, bytes: bytes, expected: nil, at: .now - start))
        }
    }

    /// - Returns: nil after a regular close.
    private func talk(
        on socket: WebSocket, _ conversation: Conversation, onOpen: (ResponseHead) -> Void
    ) async -> WebSocketError? {
        do throws(WebSocketError) {
            onOpen(try await socket.opened())
            conversation.note("opened", socket.subprotocol.map { "subprotocol \($0)" } ?? "no subprotocol")
            // Messages that the peer sent before it closed are read, too.
            let sending = plan.sendsMessages ? Task { await conversation.sendAll() } : nil
            defer { sending?.cancel() }
            var messages = socket.messages.makeAsyncIterator()
            while let message = try await messages.next() { conversation.received(message) }
            noteClose(socket, conversation)
            return nil
        } catch {
            if case .closed = error { noteClose(socket, conversation) }
            return error
        }
    }

    private func noteClose(_ socket: WebSocket, _ conversation: Conversation) {
        guard let code = socket.closeCode else { return }
        let reason = socket.closeReason.flatMap { $0.isEmpty ? nil : ": " + $0 } ?? ""
        conversation.note("closed", code.description + reason)
    }

    private static func metrics(of socket: WebSocket) async -> TransportMetrics {
        for await event in socket.events {
            switch event.kind {
            case .connected(_, let metrics): return metrics
            case .closed, .skipped: return TransportMetrics()
            default: break
            }
        }
        return TransportMetrics()
    }

    private static func ending(
        _ failure: WebSocketError?, _ response: TransportResponse?, _ run: SessionRun, _ exceeded: Duration?
    ) -> Result<TransportResponse, RequestError<NoError>> {
        if let response, failure == nil || run.isFinished { return .success(response) }
        switch failure {
        case .cancelled? where exceeded != nil:
            return failed("the SLA of \(exceeded?.text ?? "") ended the WebSocket", .timedOut, response)
        case .cancelled?, nil: return .failure(.cancelled)
        case .refused(let reason, let refusal)?:
            // The status of an error says what is wrong.
            let status = refusal.statusCode ?? 0
            if status >= 400 { return .success(refusal) }
            return failed(reason, status >= 300 ? .redirectRefused : .malformedResponse, refusal)
        case .connectionError(var error)?:
            error.response = error.response ?? response
            return .failure(.connectionError(error))
        case let failure?: return failed(failure.description, .connectionLost, response)
        }
    }

    private static func failed(
        _ message: String, _ code: TransportError.Code, _ response: TransportResponse?
    ) -> Result<TransportResponse, RequestError<NoError>> {
        .failure(.connectionError(TransportError(code: code, message: message, response: response)))
    }

    /// - Parameter isRefused: true for a response that came as a whole, and opens no WebSocket.
    private static func report(
        _ result: Result<TransportResponse, RequestError<NoError>>, _ duration: Duration, _ metrics: TransportMetrics,
        sla: Duration?, isRefused: Bool
    ) -> RequestReport {
        let (outcome, whole): (AttemptReport.Outcome, RequestReport.Outcome) =
            switch result {
            case .success: (.succeeded, .succeeded)
            case .failure(.cancelled): (.cancelled, .cancelled)
            case .failure(let error):
                (.failed(isRefused ? .validation : .connection, error.description), .failed(error.description))
            }
        var attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: duration, metrics: metrics, outcome: outcome,
            response: try? result.get())
        if case .failure(.connectionError(let cause)) = result {
            attempt.errorCode = cause.code
            if let head = cause.response {
                attempt.received = TransportResponse(url: head.url, headers: head.headers, statusCode: head.statusCode)
                attempt.isPartial = !isRefused
            }
        }
        return RequestReport(attempts: [attempt], duration: duration, sla: sla, outcome: whole)
    }
}

extension Session {
    /// Fills in the templates of a message that was typed. Secrets in it are masked from then on.
    func fill(_ text: String, of order: RunOrder, _ mask: RunMask) throws(ResolveError) -> String {
        var resolution = Resolution(order, by: resolver(of: order, scope(of: order)))
        do throws(ResolveError) {
            let filled = try resolution.fill(text, "message")
            try check(resolution.scope.takeSources(), in: "message", of: order)
            mask.add(resolution.scope.revealed.sorted())
            return filled
        } catch { throw error.redacted(by: resolution.redactor) }
    }

    /// Throws where a text that is typed while a WebSocket is open would bring a source to a server that it may not go to.
    private func check(_ sources: Set<Source>, in field: String, of order: RunOrder) throws(ResolveError) {
        guard !sources.isEmpty else { return }
        let destination = try resolve(order, scope(of: order), standIn: nil).destination
        let flows = sources.map { Flow($0, to: destination ?? .undecided) }
        guard let question = steps.gate.question(about: flows, of: order.file) else { return }
        throw ResolveError(request: order.request.name, field: field, reason: question.refusal)
    }
}

/// A message to send on the WebSocket of a run.
package enum OutgoingMessage: Equatable, Sendable {
    case text(String)
    /// The message of the request with that index.
    case saved(Int)
}

/// The messages of a WebSocket in both directions, kept as a body of server-sent events: one event for each message,
/// with its direction as the type, its number as the id and its text as the data.
///
/// So they are shown, filtered, joined and printed as any other stream is.
final class Conversation: Sendable {
    let socket: WebSocket
    let store = ResponseStore()
    private let messages: [SavedMessage]
    private let mask: RunMask
    /// Fills in the templates of a message that was typed.
    private let fill: @Sendable (String) throws(ResolveError) -> String
    private let onGrowth: @Sendable (_ bytes: Int) -> Void
    private let written = Lock(Written())

    private struct Written {
        var count = 0
        var isEnded = false
    }

    /// Bytes of a message without text that are shown.
    private static let maximumDigits = 4096

    init(
        _ socket: WebSocket, _ messages: [SavedMessage], _ mask: RunMask, since start: ContinuousClock.Instant,
        fill: @escaping @Sendable (String) throws(ResolveError) -> String,
        onGrowth: @escaping @Sendable (_ bytes: Int) -> Void
    ) {
        (self.socket, self.messages, self.mask, self.onGrowth) = (socket, messages, mask, onGrowth)
        self.fill = fill
        store.recordArrivals(since: start)
    }

    // MARK: Out

    func send(_ message: OutgoingMessage) async throws {
        switch message {
        case .text(let text): try await send(try fill(text))
        case .saved(let index): if messages.indices.contains(index) { try await send(messages[index].text) }
        }
    }

    /// Sends all saved messages in turn. The peer may close meanwhile.
    func sendAll() async {
        for message in messages {
            do { try await send(message.text) } catch { return note("not sent", error.description) }
        }
    }

    private func send(_ text: String) async throws(WebSocketError) {
        // Before its answer.
        noteMessage("sent", mask.redactor.redact(text), bytes: text.utf8.count)
        try await socket.send(text)
    }

    // MARK: In

    func received(_ message: WebSocketMessage) {
        switch message {
        case .text(let text): noteMessage("received", text, bytes: text.utf8.count)
        case .binary(let data):
            let rest = data.count > Self.maximumDigits ? " …" : ""
            let digits = data.prefix(Self.maximumDigits).map { $0.digits(2, radix: 16) }
            noteMessage("received binary", digits.joined(separator: " ") + rest, bytes: data.count)
        }
    }

    /// Notes a step other than a message.
    func note(_ type: String, _ text: String) { write(["event: " + type] + Self.data(text)) }

    private func noteMessage(_ type: String, _ text: String, bytes: Int) {
        write(["event: \(type)", "bytes: \(bytes)"] + Self.data(text), isMessage: true)
    }

    private static func data(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map { "data: " + $0 }
    }

    private func write(_ lines: [String], isMessage: Bool = false) {
        // In the order of their numbers, and none of them after the end of the run.
        written.withLock { written in
            guard !written.isEnded else { return }
            if isMessage { written.count += 1 }
            let id = isMessage ? ["id: \(written.count)"] : []
            let text = (id + lines).joined(separator: "\n") + "\n\n"
            // A message without room for it is not kept.
            try? store.append(Data(text.utf8))
            onGrowth(store.count)
        }
    }

    /// Ends the notes: later messages belong to no run.
    func end() {
        written.withLock { $0.isEnded = true }
        store.finish()
    }
}
