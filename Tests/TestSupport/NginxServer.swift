import Foundation

/// nginx on 127.0.0.1 with TLS and HTTP/2, for tests. It runs in a folder of its own, which goes with `stop()`.
public final class NginxServer: Sendable {
    public struct StartFailed: Error, CustomStringConvertible {
        public let description: String
    }

    public let port: Int
    /// The certificate to trust, as a file.
    public var authorityFile: String { folder.appending(path: "authority.pem").path }
    private let folder: URL
    /// The reading end of a pipe whose other end only nginx holds: it ends when the last process of nginx has.
    private let end: Int32
    private static let program = [
        "/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    public static var isInstalled: Bool { program != nil }

    /// Every path answers with the number of the connection and the protocol, "7 HTTP/2.0", but for those below `/behind/`,
    /// which go to another server, and `/file`, which is `file`, compressed when the client takes that.
    /// - Parameters:
    ///   - requestsPerConnection: nginx ends a connection after so many.
    ///   - port: That of the other server, on 127.0.0.1.
    public init(requestsPerConnection: Int = 100_000, before port: Int = 9, file: Data = Data()) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ombi-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (socket, ownPort) = try LoopbackSocket.listen()
        self.port = ownPort
        close(socket)
        let ends = try Self.pipe()
        end = ends.reading
        defer { close(ends.writing) }
        let files = [
            ("authority.pem", TestCertificates.authority), ("server.pem", TestCertificates.server),
            ("server.key", TestCertificates.serverKey),
            ("nginx.conf", configuration(requestsPerConnection, before: port)),
        ]
        try file.write(to: folder.appending(path: "file"))
        for (name, text) in files { try Data((text + "\n").utf8).write(to: folder.appending(path: name)) }
        // It goes into the background when it listens, so that whoever comes next is heard.
        try run([], keeping: ends.writing)
    }

    public var host: String { "https://127.0.0.1:\(port)" }

    public func stop() {
        try? run(["-s", "stop"])
        // Until its last process has ended it may still put something into the folder.
        var byte: UInt8 = 0
        while read(end, &byte, 1) < 0, errno == EINTR {}
        close(end)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A pipe that no other program gets.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        let isOpen = Foundation.pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
        guard isOpen else { throw StartFailed(description: "there is no pipe for nginx") }
        return (ends[0], ends[1])
    }

    /// Not through `Process`: it would take nginx for running as long as anything of it is in the background.
    /// - Parameter descriptor: what the program is to hold as long as it runs.
    private func run(_ arguments: [String], keeping descriptor: Int32? = nil) throws {
        guard let program = Self.program else { throw StartFailed(description: "nginx is not installed") }
        let log = folder.appending(path: "start.log").path
        let words = [program, "-p", folder.path, "-c", "nginx.conf", "-e", log] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
        var process = pid_t()
        var status: Int32 = 0
        guard posix_spawn(&process, program, &actions, nil, &pointers, nil) == 0 else {
            throw StartFailed(description: "\(program) cannot be started")
        }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw StartFailed(description: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "nginx failed")
        }
    }

    private func configuration(_ requestsPerConnection: Int, before other: Int) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temp;" }
        return """
            worker_processes 1;
            pid nginx.pid;
            error_log error.log;
            events { worker_connections 64; }
            http {
                access_log off;
                keepalive_requests \(requestsPerConnection);
                \(folders.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate server.pem;
                    ssl_certificate_key server.key;
                    client_max_body_size 0;
                    location /behind/ { proxy_pass http://127.0.0.1:\(other); proxy_http_version 1.1; }
                    location = /file { root .; gzip on; gzip_types *; }
                    location / { default_type text/plain; return 200 "$connection $server_protocol"; }
                }
            }
            """
    }
}
