import Foundation

/// An sshd of the system on 127.0.0.1, with keys of its own, and an `ssh` that knows it. It runs until `stop()`.
public final class SSHServer: Sendable {
    public static var isInstalled: Bool { program != nil && isExecutable("/usr/bin/ssh") }
    public static let hint: String = "sshd is not installed: apt-get install openssh-server openssh-client"

    public struct StartFailed: Error {
        public let log: String
    }

    public let port: Int
    private let folder: TemporaryFolder
    private let process: ChildProcess

    private static var program: String? { ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].first(where: isExecutable) }

    private static func isExecutable(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    public init() throws {
        guard let program = Self.program else { throw StartFailed(log: Self.hint) }
        let port = try LoopbackSocket.freePort()
        self.port = port
        folder = try TemporaryFolder()
        let root = folder.url.path
        for name in ["host", "user"] {
            try Self.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", name], in: root)
        }
        let hostKey = folder.text("host.pub")
        try Self.write(
            [
                "server": """
                ListenAddress 127.0.0.1:\(port)
                HostKey \(root)/host
                AuthorizedKeysFile \(root)/user.pub
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                PermitRootLogin yes

                """,
                "client": """
                IdentityFile \(root)/user
                IdentitiesOnly yes
                UserKnownHostsFile \(root)/known_hosts
                StrictHostKeyChecking yes

                """, "known_hosts": "[127.0.0.1]:\(port) \(hostKey)",
                "bin/ssh": "#!/bin/sh\nexec /usr/bin/ssh -F \(root)/client \"$@\"\n",
            ], in: folder.url)
        // The folder into which it locks its child; packages make it at the start of the service.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        let log = open(root + "/server.log", O_CREAT | O_RDWR | O_APPEND, 0o600)
        let null = open("/dev/null", O_RDWR)
        defer { for file in [log, null] { close(file) } }
        process = try ChildProcess(
            program, ["-D", "-e", "-f", root + "/server"], folder: root, input: null, output: log, errors: log)
        for _ in 0..<2500 {
            if LoopbackSocket.canConnect(port: port) { return }
            poll(nil, 0, 2)
        }
        stop()
        throw StartFailed(log: self.log)
    }

    /// A folder for the front of `PATH`, whose `ssh` uses the key of this server's user and knows its host.
    public var binaries: String { folder.url.appending(path: "bin").path }

    public var url: String { "ssh://127.0.0.1:\(port)" }

    public var log: String { folder.text("server.log") }

    /// Makes it a host that nobody knows.
    public func forgetHost() throws { try Self.write(["known_hosts": ""], in: folder.url) }

    public func stop() {
        process.end()
        folder.remove()
    }

    private static func write(_ files: [String: String], in folder: URL) throws {
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            chmod(file.path, name.hasPrefix("bin/") ? 0o755 : 0o600)
        }
    }

    private static func run(_ program: String, _ arguments: [String], in folder: String) throws {
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let process = try ChildProcess(
            program, arguments, folder: folder, input: null, output: null, errors: null)
        guard process.wait() == 0 else { throw StartFailed(log: "\(program) failed") }
    }
}
