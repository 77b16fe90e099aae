import Dispatch
import OmbiProcess
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
