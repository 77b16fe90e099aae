import Foundation

/// nginx on 127.0.0.1 for tests, with a port for each site. It runs in a folder of its own, which goes with `stop()`.
public final class NginxServer: Sendable {
    public struct StartFailed: Error, CustomStringConvertible {
        public let description: String
    }

    /// What a port does. Each answers with the number of the connection and the protocol, "7 HTTP/2.0", and with the
    /// version of TLS in `X-TLS`.
    public enum Site: String, Sendable, CaseIterable {
        /// HTTP/2 and TLS, with the certificate of `TestCertificates.server`.
        case standard
        /// The same without HTTP/2.
        case http1
        /// HTTP/2 without TLS.
        case plainHTTP2
        /// Answers with the subject of the client's certificate, and 400 without one.
        case clientCertificate
        /// TLS 1.3 only.
        case newTLS
        /// TLS 1.0 and 1.1 only.
        case oldTLS
        /// The certificates of `TestCertificates+Chain`.
        case chain, expired, future, selfSigned
        /// A proxy for http URLs, to be talked to over TLS. It marks what it passes on with "Via: nginx".
        case proxy

        var hasTLS: Bool { self != .plainHTTP2 }
    }

    /// The port of the first site.
    public let port: Int
    private let ports: [Site: Int]
    private let folder: URL
    /// The reading end of a pipe whose other end only nginx holds: it ends when the last process of nginx has.
    private let end: Int32
    private static let program = [
        "/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    public static var isInstalled: Bool { program != nil }

    /// - Parameters:
    ///   - requestsPerConnection: nginx ends a connection after so many.
    ///   - port: That of another server on 127.0.0.1, which answers for `/behind/` on the standard site.
    ///   - file: What the standard site answers for `/file`, compressed when the client takes that.
    public init(
        _ sites: [Site] = [.standard], requestsPerConnection: Int = 100_000, before port: Int = 9, file: Data = Data()
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ombi-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let numbers = try sites.map { _ in try LoopbackSocket.freePort() }
        ports = Dictionary(uniqueKeysWithValues: zip(sites, numbers))
        self.port = numbers.first ?? 0
        let ends = try Self.pipe()
        end = ends.reading
        defer { close(ends.writing) }
        for (name, text) in Self.files + [("nginx.conf", configuration(sites, requestsPerConnection, before: port))] {
            try Data((text + "\n").utf8).write(to: folder.appending(path: name))
        }
        try Data(base64Encoded: TestCertificates.clientPKCS12, options: .ignoreUnknownCharacters)?
            .write(to: folder.appending(path: "client.p12"))
        try file.write(to: folder.appending(path: "file"))
        // It goes into the background when it listens, so that whoever comes next is heard.
        try run([], keeping: ends.writing)
    }

    private static let files = [
        ("authority.pem", TestCertificates.authority), ("server.pem", TestCertificates.server),
        ("server.key", TestCertificates.serverKey), ("root.pem", TestCertificates.root),
        ("chain.pem", TestCertificates.chain), ("chain.key", TestCertificates.chainKey),
        ("expired.pem", TestCertificates.expired), ("expired.key", TestCertificates.expiredKey),
        ("future.pem", TestCertificates.future), ("future.key", TestCertificates.futureKey),
        ("selfSigned.pem", TestCertificates.selfSigned), ("selfSigned.key", TestCertificates.selfSignedKey),
        ("client.pem", TestCertificates.client), ("client.key", TestCertificates.clientKey),
        ("encrypted.key", TestCertificates.encryptedClientKey),
        ("both.pem", TestCertificates.client + "\n" + TestCertificates.clientKey),
    ]

    /// A file in the folder of the server: "authority.pem" is the authority of most sites, "root.pem" of the others.
    public func file(_ name: String) -> String { folder.appending(path: name).path }

    /// The certificate to trust.
    public var authorityFile: String { file("authority.pem") }

    /// Of the first site.
    public var host: String { "https://127.0.0.1:\(port)" }

    public func port(_ site: Site) -> Int { ports[site] ?? 0 }

    public func host(_ site: Site) -> String { "\(site.hasTLS ? "https" : "http")://127.0.0.1:\(port(site))" }

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
        let log = file("start.log")
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

    private func configuration(_ sites: [Site], _ requestsPerConnection: Int, before other: Int) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temp;" }
        return """
            worker_processes 1;
            pid nginx.pid;
            error_log error.log;
            events { worker_connections 512; }
            http {
                access_log off;
                keepalive_requests \(requestsPerConnection);
                \(folders.joined(separator: " "))
            \(sites.map { server($0, before: other) }.joined(separator: "\n"))
            }
            """
    }

    private func server(_ site: Site, before other: Int) -> String {
        let certificate = [.chain, .expired, .future, .selfSigned].contains(site) ? site.rawValue : "server"
        let options = site == .http1 || site == .proxy ? "" : " http2"
        let tls = "ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key;"
        let answer = "add_header X-TLS $ssl_protocol; return 200 \"$connection $server_protocol\";"
        let (lines, body) =
            switch site {
            case .standard: (Self.locations(before: other), answer)
            case .clientCertificate:
                ("ssl_verify_client on; ssl_client_certificate root.pem;", "return 200 \"$ssl_client_s_dn\";")
            case .newTLS: ("ssl_protocols TLSv1.3;", answer)
            case .oldTLS: ("ssl_protocols TLSv1 TLSv1.1; ssl_ciphers DEFAULT:@SECLEVEL=0;", answer)
            case .proxy: ("", "proxy_pass http://$http_host$request_uri; proxy_set_header Via nginx;")
            default: ("", answer)
            }
        return """
                server {
                    listen 127.0.0.1:\(port(site))\(site.hasTLS ? " ssl" : "")\(options);
                    \(site.hasTLS ? tls : "") \(lines)
                    location / { default_type text/plain; \(body) }
                }
            """
    }

    private static func locations(before port: Int) -> String {
        """
        client_max_body_size 0;
        location /behind/ { proxy_pass http://127.0.0.1:\(port); proxy_http_version 1.1; }
        location = /file { root .; gzip on; gzip_types *; }
        """
    }
}
