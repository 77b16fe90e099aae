/// The part of a resolved request that is a WebSocket.
struct ResolvedWebSocket: Sendable, Equatable {
    var subprotocols: [String] = []
    /// With their templates filled in.
    var messages: [SavedMessage] = []
    /// True where all messages are sent as soon as the WebSocket is open.
    var sendsMessages = false
}

extension Resolution {
    /// Returns nil for a request that is no WebSocket.
    mutating func webSocket(_ address: Address) throws(ResolveError) -> ResolvedWebSocket? {
        guard request.webSocket != nil || address.isWebSocket else { return nil }
        guard request.method == .get, request.body == nil else {
            throw error("method", "a WebSocket is opened with GET and without a body")
        }
        var resolved = ResolvedWebSocket(subprotocols: request.webSocket?.subprotocols ?? [])
        for message in request.webSocket?.messages ?? [] {
            let text = try fill(message.text, "message \"\(message.name)\"")
            resolved.messages.append(SavedMessage(name: message.name, text: text))
        }
        sources.body.formUnion(scope.takeSources())
        return resolved
    }
}
