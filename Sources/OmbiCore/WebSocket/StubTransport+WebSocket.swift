extension StubTransport {
    /// A step of the server of a stubbed WebSocket, after it has accepted the handshake.
    public enum WebSocketStep: Sendable {
        /// Sends a message.
        case send(WebSocketMessage)
        /// Waits for a message of the client.
        case receive
        /// Waits for a message of the client, and sends what the function returns for it.
        case respond(@Sendable (WebSocketMessage) -> [WebSocketMessage])
        /// Starts the closing handshake.
        case close(WebSocketCloseCode, reason: String = "")
        /// Ends the connection without a close frame.
        case drop
        /// Refuses the handshake with a status, as the first step.
        case refuse(statusCode: Int)
    }

    /// Returns the same stub, which also plays the server of each WebSocket.
    ///
    /// After the last step the connection stays open. Pings and close frames of the client are answered. `Record.messages`
    /// has what the client has sent.
    public func playing(_ steps: WebSocketStep...) -> StubTransport { playing(scripts: [steps]) }

    /// Returns the same stub, which also plays the servers of successive connections, such as those of a WebSocket that
    /// reconnects; the last script repeats.
    public func playing(scripts: [[WebSocketStep]]) -> StubTransport {
        let count = Lock(0)
        return withChannels { record in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return StubChannel(index < scripts.count ? scripts[index] : scripts.last ?? [], record: record)
        }
    }
}

extension Transport where Self == StubTransport {
    /// Returns a stub that plays the server of each WebSocket, and has no reply to other requests:
    ///
    ///     let stub: StubTransport = .webSocket(.send("hello"), .receive, .close(.normal))
    public static func webSocket(_ steps: StubTransport.WebSocketStep...) -> StubTransport {
        StubTransport.stub(replies: []).playing(scripts: [steps])
    }
}

extension StubTransport.Record {
    /// The messages that the clients of stubbed WebSockets have sent so far, in order of arrival.
    public var messages: [WebSocketMessage] {
        sentMessages.map { $0.isText ? .text(String(decoding: $0.bytes, as: UTF8.self)) : .binary($0.bytes) }
    }

    func add(_ message: WebSocketMessage) { addMessage(isText: message.kind == .text, message.data) }
}
