import Foundation

/// A WebSocket server on 127.0.0.1 from the packages of the system (python3-websockets). It runs until `stop()`, and not
/// longer than the test.
public final class WebSocketPeer: Sendable {
    public struct StartFailed: Error {
        public let reason: String
    }

    public let port: Int
    private let isSecure: Bool
    private let process: LoopbackLock<Process>
    private let input: LoopbackLock<FileHandle>
    private let folder: URL

    /// A Python that has the package; nil where there is none.
    private static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { path in
            guard FileManager.default.isExecutableFile(atPath: path) else { return false }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["-c", "import websockets"]
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

    /// Whether it can be started here; where not, a line says so.
    public static func isInstalled(for test: String = #function) -> Bool {
        if python != nil { return true }
        print("not tested here, python3-websockets is not installed: \(test)")
        return false
    }

    /// - Parameters:
    ///   - script: The path of websocket_peer.py.
    ///   - isSecure: With TLS, and the certificate of `TestCertificates`.
    public init(script: String, isSecure: Bool = false) throws {
        guard let python = Self.python else { throw StartFailed(reason: "there is no python3 with websockets") }
        self.isSecure = isSecure
        folder = FileManager.default.temporaryDirectory.appending(path: "ombi-websocket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = [
            ("authority.pem", TestCertificates.authority), ("server.pem", TestCertificates.server),
            ("server.key", TestCertificates.serverKey),
        ]
        for (name, text) in files { try Data((text + "\n").utf8).write(to: folder.appending(path: name)) }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        let certificate = ["server.pem", "server.key"].map { [folder] in folder.appending(path: $0).path }
        process.arguments = [script] + (isSecure ? certificate : [])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = LoopbackLock(process)
        self.input = LoopbackLock(input.fileHandleForWriting)
        guard let port = Self.firstLine(of: output).flatMap({ Int($0) }) else {
            process.terminate()
            throw StartFailed(reason: "\(script) did not say its port")
        }
        self.port = port
    }

    private static func firstLine(of pipe: Pipe) -> String? {
        var line = Data()
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 0x0A {
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    public var host: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)" }

    /// The certificate to trust, as a file.
    public var authorityFile: String { folder.appending(path: "authority.pem").path }

    public func stop() {
        input.withLock { try? $0.close() }
        let process = process.withLock { $0 }
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
