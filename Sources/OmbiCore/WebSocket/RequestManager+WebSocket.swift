#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Opening WebSockets.
extension RequestManager {
    /// Opens a WebSocket, which starts to connect at once. Its methods, `WebSocket.messages` and `WebSocket.events`
    /// report failures.
    ///
    /// Path, query, headers, credentials, interceptors and timeouts of the request apply, and so do the settings of the
    /// manager; `https` in its host stands for `wss`, `http` for `ws`. The timeout limits connection and handshake
    /// together. Coders, validators and fallbacks have no effect; a method other than GET, or a body, makes the request
    /// malformed. Redirects are not followed. The request is built again for each connection, and passes the
    /// middlewares and the authenticator; after a 401 that refreshes credentials once, and another connection is made
    /// at once.
    ///
    /// - Parameters:
    ///   - requestable: The description of the opening handshake.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - options: Subprotocols, limits, pings and reconnects.
    public final func webSocket<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil,
        options: WebSocketOptions = WebSocketOptions()
    ) -> WebSocket {
        let core = WebSocketCore(
            WebSocketCore.Plan(options: options, transport: transport, clock: clock, log: log),
            make: { try self.buildSurrounded(requestable, requestable._responseDecoder, authentication) })
        core.connect()
        return WebSocket(core: core)
    }

    /// Opens a WebSocket at a path, with the settings of the manager.
    public final func webSocket(_ path: String, options: WebSocketOptions = WebSocketOptions()) -> WebSocket {
        webSocket(for: ComposableRequest<NoBody, NoBody, NoError>().path(path), options: options)
    }
}
