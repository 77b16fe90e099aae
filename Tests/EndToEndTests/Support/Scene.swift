import Foundation
import Testing

/// Where one story happens: a folder of its own that is home as well, and the programs started in it. At the end
/// nothing of it is left.
final class Scene {
    let folder: String
    private var server: DemoServerProcess?
    private var sessions: [Session] = []
    private var backgrounds: [BackgroundProgram] = []

    /// Plays a story and clears up after it, however it ends.
    static func play(_ story: (Scene) throws -> Void) throws {
        let scene = try Scene()
        defer { scene.end() }
        try story(scene)
    }

    private init() throws {
        var template = Array(NSTemporaryDirectory().utf8CString.dropLast()) + Array("/ombi-story-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoryFailure("no temporary folder: error \(errno)") }
        // Links followed: the programs tell the real path.
        folder = String(cString: realpath(template, nil))
    }

    private func end() {
        sessions.forEach { $0.end() }
        backgrounds.forEach { $0.end() }
        server?.stop()
        for pid in processes() { kill(pid, SIGKILL) }
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Files

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    // MARK: Programs

    /// The environment of every program of the story, and nothing of that of the tests but the options of a sanitizer,
    /// which the program has in it, too.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        let sanitizer = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        return [
            "HOME": folder, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8",
        ].merging(sanitizer) { $1 }.merging(more) { $1 }
    }

    /// The port of the demo server of this story, which is started by the first to ask.
    func port() throws -> Int {
        if let server { return server.port }
        let started = try DemoServerProcess(environment: environment())
        server = started
        return started.port
    }

    /// Opens the explorer in a terminal.
    func explore(
        _ arguments: String..., columns: Int = 120, rows: Int = 34, environment: [String: String] = [:]
    ) throws -> Session {
        try start(Program.ombi, arguments, columns: columns, rows: rows, environment: environment)
    }

    func start(
        _ program: String, _ arguments: [String], columns: Int = 120, rows: Int = 34,
        environment: [String: String] = [:]
    ) throws -> Session {
        let session = try Session(
            program, arguments, columns: columns, rows: rows, environment: self.environment(environment),
            directory: folder)
        sessions.append(session)
        return session
    }

    /// Runs `ombi` without a terminal, to its end.
    func ombi(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try background(Program.ombi, arguments, environment: environment).outcome()
    }

    func shell(_ script: String) throws -> Outcome {
        try background("/bin/sh", ["-c", script, Program.ombi]).outcome()
    }

    func background(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> BackgroundProgram {
        let started = try BackgroundProgram(
            program, arguments, environment: self.environment(environment), directory: folder)
        backgrounds.append(started)
        return started
    }

    /// The processes of this story that run, known by their home; without those that only wait to be buried.
    func processes() -> [pid_t] {
        let home = Data("HOME=\(folder)\0".utf8)
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.compactMap { pid_t($0) }.filter { pid in
            let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
            return environment.range(of: home) != nil
        }
    }
}
