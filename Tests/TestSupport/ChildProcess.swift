import Foundation

/// A program that was started. Not by `Process`, which takes a program for running as long as another one that was
/// started at the same time.
struct ChildProcess: Sendable {
    struct StartFailed: Error, CustomStringConvertible {
        let description: String
    }

    private let process: pid_t

    /// The program runs in `folder`, with these three files.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: String, input: Int32,
        output: Int32, errors: Int32
    ) throws {
        let environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        // The shell goes to the folder, and becomes the program.
        let shell = "/bin/sh"
        var words = ([shell, "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        }
        // Threads of libdispatch block all signals, and a program would go on blocking them.
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let result = posix_spawn(&process, shell, &actions, &attributes, &words, &variables)
        guard result == 0 else {
            throw StartFailed(description: "\(program) cannot be started: \(String(cString: strerror(result)))")
        }
        self.process = process
    }

    func end() {
        kill(process, SIGTERM)
        wait()
    }

    /// The exit code, or the signal that killed it as a negative number.
    @discardableResult func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}

/// A folder that goes when it is not needed any more.
struct TemporaryFolder: Sendable {
    let url: URL

    init(files: [String: Data] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ombi-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, data) in files {
            let file = url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: url.appending(path: name))) ?? Data(), as: UTF8.self)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
