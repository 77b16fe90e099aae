import Foundation

/// A server that some other program is, on a free port of 127.0.0.1. It gets the listening socket as its standard input,
/// so that it can be reached as soon as it is started.
public final class ServerProcess: Sendable {
    private let process: ChildProcess
    private let folder: TemporaryFolder
    public let port: Int

    /// - Parameters:
    ///   - files: Written into a folder of the server's own, which is its working directory.
    public init(_ program: String, _ arguments: [String], files: [String: String] = [:]) throws {
        folder = try TemporaryFolder(files: files.mapValues { Data($0.utf8) })
        let (socket, port) = try LoopbackSocket.listen()
        self.port = port
        let log = open(folder.url.appending(path: "server.log").path, O_CREAT | O_RDWR | O_APPEND, 0o600)
        defer { for file in [socket, log] { close(file) } }
        process = try ChildProcess(
            program, arguments, folder: folder.url.path, input: socket, output: log, errors: log)
    }

    public var host: String { "http://127.0.0.1:\(port)" }

    /// What the server has written so far.
    public var log: String { folder.text("server.log") }

    public func stop() {
        process.end()
        folder.remove()
    }
}
