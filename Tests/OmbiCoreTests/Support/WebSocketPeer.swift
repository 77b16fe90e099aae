import Foundation
import TestSupport

/// A WebSocket server of another implementation (Debian's python3-websockets).
struct WebSocketPeer {
    private let process: ServerProcess
    private let isSecure: Bool
    /// The certificate to trust, as a file.
    let authorityFile: String

    static let python = ChildProgram.find("python3").flatMap { python in
        FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/websockets") ? python : nil
    }

    var port: Int { process.port }
    var host: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }

    /// One for the length of a test, with TLS and the certificate of `TestCertificates` if it is to be secure.
    static func use(isSecure: Bool = false, _ body: (WebSocketPeer) async throws -> Void) async throws {
        guard let python else { return }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/websocket_peer.py").path
        let authority = FileManager.default.temporaryDirectory.appending(path: "ombi-test-\(UUID().uuidString).pem")
        try Data(TestCertificates.authority.utf8).write(to: authority)
        defer { try? FileManager.default.removeItem(at: authority) }
        let process = try ServerProcess(
            python, [script] + (isSecure ? ["server.pem", "server.key"] : []),
            files: ["server.pem": TestCertificates.server + "\n", "server.key": TestCertificates.serverKey + "\n"])
        defer { process.stop() }
        try await body(WebSocketPeer(process: process, isSecure: isSecure, authorityFile: authority.path))
    }
}
