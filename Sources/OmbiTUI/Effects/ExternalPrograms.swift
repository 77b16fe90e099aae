import OmbiPlatform
import OmbiProcess

/// Runs the user's editor (`$VISUAL`, `$EDITOR`, else vi) on a file and waits for it. The terminal has been restored.
enum ExternalEditor {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func edit(_ text: String, suffix: String, line: Int) throws -> String {
        let (folder, path) = try makePrivateFile("ombi" + suffix)
        defer { removeFolder(folder) }
        try BodyFile.write(BodyWriter(Bytes(text.utf8)), to: path, CancelFlag())
        try open(path, line: line)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(editor.command) left no file behind; nothing was changed")
        }
        guard let edited = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "The edited text is not UTF-8; nothing was changed")
        }
        return edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited
    }

    static func open(_ path: String, line: Int) throws {
        try run(editor, line > 1 ? "+\(line) " : "", path)
    }

    /// Opens a copy of a body; changes to it are discarded.
    /// - Returns: true when the copy was changed.
    static func show(_ copy: BodyCopy) throws -> Bool {
        switch copy.program {
        case .editor: try open(copy.path, line: 1)
        case .pager: try run(pager, "", copy.path)
        }
        return copy.wasChanged
    }

    // MARK: The user's programs

    /// A command line, and the variable that sets it.
    private struct UserCommand {
        var variable: String
        var command: String

        /// - Parameter names: the variables in order of precedence; the last is the one that is usually set.
        init(_ names: [String], else standard: String) {
            let environment = ProcessInfo.processInfo.environment
            let found = names.first { !(environment[$0] ?? "").isEmpty }
            variable = found ?? names[names.count - 1]
            command = found.flatMap { environment[$0] } ?? standard
        }
    }

    private static var editor: UserCommand { UserCommand(["VISUAL", "EDITOR"], else: "vi") }
    private static var pager: UserCommand { UserCommand(["PAGER"], else: "less") }

    /// The exit statuses of a shell that does not find a command, and of one that may not run it.
    private static let notThere: [Int32] = [127, 126]

    private static func run(_ program: UserCommand, _ options: String, _ path: String) throws {
        // Through a shell, because the variable may hold arguments ("code --wait").
        let status = try Subprocess(["/bin/sh", "-c", "\(program.command) \(options)\"$1\"", "sh", path]).wait()
        guard status != 0 else { return }
        throw Failure(
            description: notThere.contains(status)
                ? "Cannot run \(program.command): set $\(program.variable) to a program that is here"
                : "\(program.command) ended with status \(status)")
    }

    // MARK: Files of its own

    static var temporaryFolder: String { CurlTransport.Configuration.defaultTemporaryFolder }

    /// Creates an empty file in a folder of its own, both private to the user; a file that replaces it stays so.
    static func makePrivateFile(
        _ name: String, in base: String = ExternalEditor.temporaryFolder
    ) throws(Failure) -> (folder: String, path: String) {
        let folder = try makePrivateFolder(in: base)
        let path = folder + "/" + name
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw Failure(description: "Cannot write \(path): \(String(cString: strerror(errno)))")
        }
        return (folder, path)
    }

    static func makePrivateFolder(in base: String = ExternalEditor.temporaryFolder) throws(Failure) -> String {
        var template = Array("\(base)/ombi-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "Cannot make a temporary folder in \(base): \(String(cString: strerror(errno)))")
        }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? base }
    }

    static func removeFolder(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// The browser of the desktop, if the program runs on one.
enum Browser {
    /// The program that opens a page; nil where there is none, as over SSH.
    static func program(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isInstalled: (String) -> Bool = ClipboardSurroundings.isInstalled
    ) -> String? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Editors that work over SSH set it to a program that opens pages on the near machine.
        if let own = value("BROWSER"), !own.contains(where: { $0 == " " || $0 == ":" || $0 == "%" }) { return own }
        let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { value($0) != nil }
        guard !isRemote else { return nil }
        #if os(macOS)
        return "open"
        #else
        if value("WSL_DISTRO_NAME") != nil, isInstalled("wslview") { return "wslview" }
        let hasDisplay = value("WAYLAND_DISPLAY") != nil || value("DISPLAY") != nil
        return hasDisplay && isInstalled("xdg-open") ? "xdg-open" : nil
        #endif
    }

    /// Opens a page, and says once what came of it. Blocks until the program has ended.
    static func show(_ url: String, with program: String? = program(), report: (Notice) -> Void) {
        guard let program else {
            return report(Notice(.info, "There is no browser here; y copies the URL for another one"))
        }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        do throws(Subprocess.Failure) {
            let process = try Subprocess([program, url], files: [0: null, 1: null, 2: null], ownSession: true)
            if let status = process.wait(atMost: patience) { return report(notice(program, status)) }
            // A browser that was not running yet goes on as that program.
            report(notice(program, 0))
            _ = process.wait()
        } catch {
            report(Notice(.failure, "\(error.description); y copies the URL"))
        }
    }

    private static let patience = Duration.seconds(5)

    private static func notice(_ program: String, _ status: Int32) -> Notice {
        status == 0
            ? Notice(.success, "Opened in the browser")
            : Notice(.failure, "\(program) failed with status \(status); y copies the URL")
    }
}

/// The command that is run when a watched request changes. It gets what changed as a line on its standard input: a text that a
/// server wrote is in no argument and passes no shell.
///
/// Only the user's own settings and command line name one, never a collection.
final class ChangeCommand: Sendable {
    private let words: [String]
    private let onProblem: @Sendable (String) -> Void
    /// One at a time, in the order of the changes.
    private let queue = DispatchQueue(label: "ombi.change", qos: .utility)

    private let limit: Duration
    /// The bytes of a line, which a pipe holds as a whole.
    private static let maximumLine = 4000

    /// Nil without a command.
    init?(_ words: [String], limit: Duration = .seconds(30), onProblem: @escaping @Sendable (String) -> Void) {
        guard !words.isEmpty else { return nil }
        self.words = words
        self.limit = limit
        self.onProblem = onProblem
    }

    func run(_ line: String) {
        queue.async { [self] in
            if let problem = perform(line) { onProblem("the command of the watch \(problem)") }
        }
    }

    /// Waits for the commands that have been started, but not for long.
    func finish() { queue.sync {} }

    /// Returns the problem, as a sentence without its subject; nil for none.
    private func perform(_ line: String) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return "could not be run: \(String(cString: strerror(errno)))" }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let bytes = Array(line.utf8.prefix(Self.maximumLine)) + [0x0A]
        _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        defer { close(ends[0]) }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        do throws(Subprocess.Failure) {
            let process = try Subprocess(words, files: [0: ends[0], 1: null, 2: null], ownSession: true)
            if let status = process.wait(atMost: limit) {
                return status == 0 ? nil : "failed with status \(status)"
            }
            kill(-process.pid, SIGKILL)
            _ = process.wait()
            return "took longer than \(limit.components.seconds) s and was stopped"
        } catch { return "failed: \(error.description)" }
    }
}

/// The locations of the files installed with `ombi`: next to it in the build folder, or under the same prefix.
enum Installation {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static func demoServer() throws -> String {
        let path = folder + "/ombi-demo-server"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Missing(
                description:
                    "the demo server is missing: \(path); scripts/build makes it, scripts/install puts it there")
        }
        return path
    }

    static func demoCollection() throws -> String { try file("collections/demo.json", called: "the demo collection") }

    static func collectionSchema() throws -> String {
        try file("collections/ombi.schema.json", called: "the schema of collections")
    }

    /// The pages of the manual, in its order: what begins with building comes last.
    static func manual() throws -> [String] {
        let pages = [
            "tour", "tasks", "collections", "trust", "bodies", "variables", "environments", "inheritance",
            "authentication", "connection", "expectations", "running", "headless", "history", "streams", "pages",
            "files", "curl", "import", "configuration", "keys", "format", "building", "library",
        ]
        return try (pages.map { "docs/\($0).md" } + ["README.md"]).map { try file($0, called: "the manual") }
    }

    /// Installed under `share/ombi`; in a checkout, above the build folder.
    private static func file(_ name: String, called title: String) throws -> String {
        let parents = parents(of: folder)
        // Beside the folder of programs.
        let installed = (parents.first ?? "") + "/share/ombi/" + name
        let candidates = [installed] + parents.map { $0 + "/" + name }
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw Missing(description: "\(title) is missing: \(installed); scripts/install puts it there")
        }
        return found
    }

    private static func parents(of folder: String) -> [String] {
        let parts = folder.split(separator: "/")
        return (1..<max(1, parts.count)).reversed().map { "/" + parts[..<$0].joined(separator: "/") }
    }

    /// The folder of this program, symbolic links resolved.
    private static var folder: String {
        #if os(Linux)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let path = count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        #else
        let path = realpath(CommandLine.arguments[0], nil).map { String(cString: $0) } ?? ""
        #endif
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
