import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs a shell command with bytes on its standard input, and takes what it writes, for a limited time.
enum ShellCommand {
    private static let mostOutput = 256 << 20
    private static let mostComplaint = 4096

    static func run(_ command: String, input: Bytes, flag: CancelFlag) -> CommandAnswer {
        var answer = CommandAnswer(command: command, output: .empty, complaint: "", status: 127)
        // A command may end before it has read everything. What is started gets the default back (see Subprocess).
        signal(SIGPIPE, SIG_IGN)
        guard let pipes = Pipes() else {
            answer.complaint = String(cString: strerror(errno))
            return answer
        }
        defer { pipes.closeAll() }
        do throws(Subprocess.Failure) {
            let process = try Subprocess(
                ["/bin/sh", "-c", command],
                files: [0: pipes.input.read, 1: pipes.output.write, 2: pipes.errors.write], ownGroup: true)
            pipes.closeChildSide()
            var exchange = Exchange(pipes: pipes, input: input)
            let isDone = exchange.run(until: .now + .seconds(CommandAnswer.limit), flag)
            if !isDone { kill(-process.pid, SIGKILL) }
            let status = process.wait()
            answer.status = isDone ? status : nil
            answer.output = BodyDocument(Bytes(exchange.output), contentType: nil)
            answer.complaint = String(decoding: exchange.errors.prefix(mostComplaint), as: UTF8.self)
                .split(whereSeparator: \.isNewline).suffix(3).joined(separator: " · ")
        } catch {
            answer.complaint = error.description
        }
        return answer
    }

    /// The three pipes between the command and us. The class closes each end once.
    private final class Pipes {
        private(set) var input: (read: Int32, write: Int32)
        private(set) var output: (read: Int32, write: Int32)
        private(set) var errors: (read: Int32, write: Int32)

        init?() {
            guard let input = Self.make(), let output = Self.make(), let errors = Self.make() else { return nil }
            (self.input, self.output, self.errors) = (input, output, errors)
            for descriptor in [input.write, output.read, errors.read] {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            }
        }

        private static func make() -> (read: Int32, write: Int32)? {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            // dup2 for the child clears the flag on its copies.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }

        func closeChildSide() {
            for end in [input.read, output.write, errors.write] where end >= 0 { close(end) }
            (input.read, output.write, errors.write) = (-1, -1, -1)
        }

        func closeInput() {
            if input.write >= 0 { close(input.write) }
            input.write = -1
        }

        func closeOutput() {
            if output.read >= 0 { close(output.read) }
            output.read = -1
        }

        func closeErrors() {
            if errors.read >= 0 { close(errors.read) }
            errors.read = -1
        }

        func closeAll() {
            closeChildSide()
            closeInput()
            closeOutput()
            closeErrors()
        }
    }

    /// Writes and reads at the same time: a command may answer before it has read all.
    private struct Exchange {
        let pipes: Pipes
        let input: Bytes
        var output: [UInt8] = []
        var errors: [UInt8] = []
        private var written = 0
        private var buffer = [UInt8](repeating: 0, count: 1 << 16)

        init(pipes: Pipes, input: Bytes) {
            self.pipes = pipes
            self.input = input
        }

        /// Whether the command closed its output in time.
        mutating func run(until deadline: ContinuousClock.Instant, _ flag: CancelFlag) -> Bool {
            if input.isEmpty { pipes.closeInput() }
            while pipes.output.read >= 0 || pipes.errors.read >= 0 {
                if flag.isCancelled || .now > deadline || output.count > mostOutput { return false }
                var waits = [
                    pollfd(fd: pipes.input.write, events: Int16(POLLOUT), revents: 0),
                    pollfd(fd: pipes.output.read, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: pipes.errors.read, events: Int16(POLLIN), revents: 0),
                ]
                _ = poll(&waits, 3, 50)
                if waits[0].revents != 0 { writeSome() }
                if waits[1].revents != 0, !readSome(pipes.output.read, into: \.output) { pipes.closeOutput() }
                if waits[2].revents != 0, !readSome(pipes.errors.read, into: \.errors) { pipes.closeErrors() }
            }
            return true
        }

        private mutating func writeSome() {
            let count = input.withUnsafeBytes(written..<min(input.count, written + 1 << 16)) {
                systemWrite(pipes.input.write, $0.baseAddress, $0.count)
            }
            if count > 0 { written += count } else if count < 0, errno == EAGAIN || errno == EINTR { return }
            if count < 0 || written >= input.count { pipes.closeInput() }
        }

        private mutating func readSome(_ descriptor: Int32, into bytes: WritableKeyPath<Exchange, [UInt8]>) -> Bool {
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count > 0 { self[keyPath: bytes] += buffer[..<count] }
            return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
        }
    }
}
