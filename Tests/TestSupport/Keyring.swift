import Foundation

/// A keyring of GNOME on a session bus of its own, empty and unlocked. It runs until `stop()`.
public final class Keyring: Sendable {
    public static var isInstalled: Bool { programs.allSatisfy { ChildProgram.find($0) != nil } }
    public static let hint: String =
        "there is no keyring: apt-get install gnome-keyring libsecret-tools dbus"

    public struct StartFailed: Error {
        public let log: String
    }

    private static let programs = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"]

    /// Makes programs use it.
    public let environment: [String: String]
    private let folder: TemporaryFolder
    private let process: ChildProcess
    /// The bus ends when this is closed, and the keyring with it.
    private let leash: Int32

    /// The keyring goes into the background when it listens, so that whoever comes next is heard.
    private static let script = """
        printf password | gnome-keyring-daemon --unlock --components=secrets >daemon.log 2>&1 || exit
        echo "$DBUS_SESSION_BUS_ADDRESS"
        exec cat >/dev/null
        """

    public init() throws {
        guard let program = ChildProgram.find(Self.programs[0]) else { throw StartFailed(log: Self.hint) }
        folder = try TemporaryFolder()
        let root = folder.url.path
        let (input, output) = (try Self.pipe(), try Self.pipe())
        leash = input.writing
        let log = open(root + "/log", O_CREAT | O_RDWR | O_APPEND, 0o600)
        defer { for descriptor in [input.reading, output.reading, log] { close(descriptor) } }
        let started = Result {
            try ChildProcess(
                program, ["--", "/bin/sh", "-c", Self.script],
                environment: ["XDG_RUNTIME_DIR": root, "XDG_DATA_HOME": root + "/data"], folder: root,
                input: input.reading, output: output.writing, errors: log)
        }
        close(output.writing)
        process = try started.get()
        var address: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.reading, &byte, 1) == 1, byte != UInt8(ascii: "\n") { address.append(byte) }
        environment = ["DBUS_SESSION_BUS_ADDRESS": String(decoding: address, as: UTF8.self)]
        guard address.isEmpty else { return }
        stop()
        throw StartFailed(log: folder.text("log") + folder.text("daemon.log"))
    }

    /// Adds an entry, by the program of the keyring.
    public func add(_ secret: String, service: String, account: String) throws {
        let attributes = ["service", service, "account", account]
        let output = try use(["store", "--label=Ombi's tests"] + attributes, input: secret)
        guard output.status == 0 else { throw StartFailed(log: output.errors) }
    }

    /// Returns the secret of an entry; nil where there is none.
    public func secret(service: String, account: String) throws -> String? {
        let output = try use(["lookup", "service", service, "account", account])
        return output.status == 0 ? output.output : nil
    }

    private func use(_ arguments: [String], input: String = "") throws -> ChildProgram.Output {
        try ChildProgram.runHere(
            "/usr/bin/env", ["secret-tool"] + arguments, input: input, environment: environment)
    }

    /// A pipe that no other program gets.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        let isOpen = Foundation.pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
        guard isOpen else { throw StartFailed(log: "there is no pipe for the keyring") }
        return (ends[0], ends[1])
    }

    public func stop() {
        close(leash)
        process.wait()
        folder.remove()
    }
}
