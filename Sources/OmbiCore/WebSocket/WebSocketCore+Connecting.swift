// Connecting, and keeping the connection alive.
extension WebSocketCore {
    /// Builds the request on the thread of the caller or of a timer, and starts a connection.
    func connect() {
        guard let make = withState({ $0.make }) else { return }
        do {
            let (request, surroundings) = try make()
            if let surroundings { surround(request, surroundings) } else { open(request) }
        } catch {
            change { end(&$0, .malformedRequest(error)) }
        }
    }

    /// Opens a connection, and starts the handshake.
    func open(_ request: TransportRequest) {
        do {
            var request = try request.throughGate()
            if let jar = request.cookieJar { request.headers = jar.adding(to: request.headers, for: request.url) }
            let handshake = try OpeningHandshake(request, subprotocols: plan.options.subprotocols, key: .random())
            let messages = plan.options.firstMessages()
            plan.log?.request(request)
            begin(handshake, messages)
        } catch let refusal as TransportError {
            change { end(&$0, .connectionError(refusal)) }
        } catch {
            change { end(&$0, .malformedRequest(error)) }
        }
    }

    private func begin(_ handshake: OpeningHandshake, _ messages: [WebSocketMessage]) {
        var begun: Int?
        change { state in
            guard case .connecting = state.phase, state.link == nil else { return }
            state.linkCount += 1
            begun = state.linkCount
            var link = Link(
                number: state.linkCount, machine: WebSocketMachine(handshake, limits: limits), handshake: handshake,
                firstMessages: messages)
            link.deadline = (handshake.request.attemptTimeout ?? handshake.request.idleTimeout).map { now + $0 }
            state.link = link
            record(&state, .connecting(attempt: link.number))
        }
        guard let number = begun else { return }
        let channel = plan.transport.openChannel(for: handshake.request) { self.connected($0, link: number) }
        change { state in
            guard state.link?.number == number else { return state.effects.append { channel.close() } }
            state.link?.channel = channel
            pump(&state)
        }
    }

    private var limits: FrameDecoder.Limits {
        FrameDecoder.Limits(frame: plan.options.maximumFrameBytes, message: plan.options.maximumMessageBytes)
    }

    private func connected(_ result: Result<TransportMetrics, TransportError>, link number: Int) {
        change { state in
            guard state.link?.number == number else { return }
            switch result {
            case .failure(let error): lose(&state, .connectionError(error))
            case .success(let metrics):
                state.link?.metrics = metrics
                state.link?.connectedAt = now
                pump(&state)
            }
        }
    }

    func opened(_ state: inout State, _ head: ResponseHead, _ subprotocol: String?) {
        guard var link = state.link else { return }
        link.openedAt = now
        link.lastReceivedAt = now
        link.deadline = nil
        link.metrics?.timings.wait = now - link.connectedAt
        for message in link.firstMessages {
            let id = state.makeID()
            state.outgoing[id] = Outgoing(kind: message.kind, bytes: message.count)
            link.machine.send(frames(message), number: id)
        }
        state.link = link
        state.phase = .open
        state.refreshes = RefreshAllowance()
        (state.head, state.subprotocol) = (head, subprotocol)
        state.isHeadNew = true
        let response = TransportResponse(head: head)
        let request = link.handshake.request
        log(&state) { $0.response(response, to: request) }
        keepCookies(&state, of: response)
        record(&state, .connected(head, link.metrics ?? TransportMetrics()))
        state.resume(state.openers.removeAll(), .success(head))
    }

    /// Stores the cookies of any response to an opening handshake.
    func keepCookies(_ state: inout State, of response: TransportResponse) {
        guard let request = state.link?.handshake.request, let jar = request.cookieJar else { return }
        state.effects.append { jar.store(response.headers ?? [:], from: request.url) }
    }

    func log(_ state: inout State, _ entry: @escaping @Sendable (RequestLog) -> Void) {
        guard let log = plan.log else { return }
        state.effects.append { entry(log) }
    }

    func frames(_ message: WebSocketMessage) -> [Data] {
        let fragment = max(plan.options.fragmentBytes ?? .max, 1)
        let opcode: Opcode = message.kind == .text ? .text : .binary
        return message.data.withUnsafeBytes {
            FrameEncoder.message(opcode, $0, fragment: fragment) { UInt32.random(in: .min ... .max) }
        }
    }
}

// Deadlines.
extension WebSocketCore {
    /// The time of the next action if nothing happens before; nil for none.
    func deadline(_ state: State) -> Duration? {
        switch state.phase {
        case .connecting, .closing: state.link?.deadline
        case .waiting(let until): until
        case .open: keepAliveDeadline(state)
        case .ended: nil
        }
    }

    /// Returns nil while nothing is read: a peer that is blocked cannot show that it is alive.
    private func keepAliveDeadline(_ state: State) -> Duration? {
        guard let link = state.link else { return nil }
        if link.brokenBy != nil { return link.lastReceivedAt + plan.options.closeTimeout }
        guard link.isReceiving else { return nil }
        if let pingedAt = link.pingedAt { return pingedAt + plan.options.pingTimeout }
        return plan.options.pingInterval.map { link.lastReceivedAt + $0 }
    }

    /// Returns true when it is time to connect.
    func onDeadline(_ state: inout State) -> Bool {
        switch state.phase {
        case .connecting:
            lose(&state, openingTimedOut(state))
        case .closing: finishLink(&state)
        case .open where state.isBroken:
            lose(&state, .connectionError(state.link?.brokenBy ?? TransportError(code: .connectionLost)))
        case .open where state.link?.pingedAt != nil:
            lose(&state, timedOut(state, "no sign of life from", within: plan.options.pingTimeout, " of a ping"))
        case .open: keepAlive(&state)
        case .waiting:
            state.phase = .connecting
            return true
        case .ended: break
        }
        return false
    }

    private func keepAlive(_ state: inout State) {
        let id = state.makeID()
        if let last = state.link?.keepAliveID { state.pingTimes[last] = nil }
        state.link?.keepAliveID = id
        state.link?.pingedAt = now
        ping(&state, id)
    }

    func ping(_ state: inout State, _ id: Int) {
        state.pingTimes[id] = now
        state.link?.machine.ping(withUnsafeBytes(of: UInt64(id).bigEndian) { Data($0) })
        record(&state, .pingSent)
        pump(&state)
    }

    private func openingTimedOut(_ state: State) -> WebSocketError {
        guard let link = state.link else { return .cancelled }
        let request = link.handshake.request
        let limit = request.attemptTimeout ?? request.idleTimeout ?? .longest
        guard link.metrics != nil else { return timedOut(state, "no connection to", within: limit) }
        guard
            case .connectionError(let error) = timedOut(state, "no answer to the opening handshake from", within: limit)
        else { return .cancelled }
        return link.machine.end(error)
    }

    private func timedOut(
        _ state: State, _ what: String, within limit: Duration, _ rest: String = ""
    ) -> WebSocketError {
        let server = state.link?.server ?? "the server"
        return .connectionError(
            TransportError(code: .timedOut, message: "\(what) \(server) within \(limit.text)\(rest)"))
    }
}

extension WebSocketCore.Link {
    /// "127.0.0.1:8080"
    var server: String { handshake.request.url.server }
}
