import Foundation
import TestSupport

/// Scripts beside the tests that run as servers.
enum Peers {
    /// A WebSocket server for the length of a test; nil, and a line, where it cannot be started.
    static func webSocket(
        isSecure: Bool = false, test: String = #function, _ use: (WebSocketPeer) async throws -> Void
    ) async throws {
        guard WebSocketPeer.isInstalled(for: test) else { return }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/websocket_peer.py").path
        let peer = try WebSocketPeer(script: script, isSecure: isSecure)
        defer { peer.stop() }
        try await use(peer)
    }
}
