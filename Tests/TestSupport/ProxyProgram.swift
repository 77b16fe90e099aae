import Foundation

/// A proxy from the packages of the system, on 127.0.0.1. It runs until `stop()`.
public final class ProxyProgram: Sendable {
    public enum Kind: String, Sendable {
        /// HTTP, with CONNECT (package tinyproxy-bin).
        case tinyproxy
        /// SOCKS 5 (package microsocks).
        case microsocks

        public var isInstalled: Bool { path != nil }

        fileprivate var path: String? {
            ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    public struct StartFailed: Error {
        public let kind: Kind
    }

    public let port: Int
    private let process: LoopbackLock<Process>
    private let folder: URL

    /// - Parameter user: A name and a password that it asks for; nobody's by default.
    public init(_ kind: Kind, user: (name: String, password: String)? = nil) throws {
        guard let path = kind.path else { throw StartFailed(kind: kind) }
        let port = try LoopbackSocket.freePort()
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "ombi-proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        switch kind {
        case .tinyproxy:
            let file = folder.appending(path: "tinyproxy.conf")
            let lines = [
                "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 50", "Allow 127.0.0.1",
                user.map { "BasicAuth \($0.name) \($0.password)" } ?? "",
            ]
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            process.arguments = ["-d", "-c", file.path]
        case .microsocks:
            let words = user.map { ["-u", $0.name, "-P", $0.password] } ?? []
            process.arguments = ["-i", "127.0.0.1", "-p", "\(port)"] + words
        }
        for handle in [\Process.standardOutput, \.standardError, \.standardInput] {
            process[keyPath: handle] = FileHandle.nullDevice
        }
        try process.run()
        self.process = LoopbackLock(process)
        guard isListening else {
            stop()
            throw StartFailed(kind: kind)
        }
    }

    /// Looks until it is, or its process has ended.
    private var isListening: Bool {
        while process.withLock({ $0.isRunning }) {
            if LoopbackSocket.canConnect(port: port) { return true }
            poll(nil, 0, 2)
        }
        return false
    }

    public func stop() {
        let process = process.withLock { $0 }
        // Not `terminate()`: the threads of tests block its signal, and so does what they start.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
