import OmbiCore

extension WebSocketEvent {
    /// The event in a few words, without its time.
    var words: String {
        switch kind {
        case .connecting(let attempt): "connecting \(attempt)"
        case .connected(let head, _): "connected \(head.statusCode)"
        case .sent(let kind, let bytes): "sent \(kind) \(bytes)"
        case .received(let kind, let bytes): "received \(kind) \(bytes)"
        case .pingSent: "ping sent"
        case .pingReceived: "ping received"
        case .pongReceived(let time): "pong after \(time)"
        case .closing(let code, let reason, let byPeer): "closing \(code.rawValue) \(reason)\(byPeer ? "<" : ">")"
        case .reconnecting(let attempt, let wait, let cause): "reconnecting \(attempt) after \(wait): \(cause)"
        case .closed(let error): "closed\(error.map { ": \($0)" } ?? "")"
        case .skipped(let count): "skipped \(count)"
        }
    }
}

extension WebSocket {
    /// Every event to the end, in words.
    var story: [String] {
        get async {
            var words: [String] = []
            for await event in events { words.append(event.words) }
            return words
        }
    }

    /// Waits until an event has happened that is told with these words.
    func waitFor(_ words: String) async {
        for await event in events where event.words.hasPrefix(words) { return }
    }
}

/// What an operation throws, as a sentence; "no error" without.
func sentence<Value>(_ operation: () async throws -> Value) async -> String {
    do {
        _ = try await operation()
        return "no error"
    } catch {
        return "\(error)"
    }
}
