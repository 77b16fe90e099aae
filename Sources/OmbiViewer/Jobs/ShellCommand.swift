import OmbiPlatform
import OmbiProcess

/// Runs a shell command with bytes on its standard input, and collects its output, up to a size and a time limit.
package enum ShellCommand {
    package static func run(
        _ command: String, input: BodyWriter, flag: CancelFlag, maximumOutput: Int = CommandAnswer.maximumOutput,
        limit: Duration = .seconds(CommandAnswer.limit),
        now: () -> ContinuousClock.Instant = { .now }
    ) -> CommandAnswer {
        var answer = CommandAnswer(command: command, output: .empty, errorOutput: "", ending: .failed)
        // A command may exit before it has read everything. Programs started get the default back (see Subprocess).
        signal(SIGPIPE, SIG_IGN)
        guard let pipes = Pipes(), let output = MappedMemory.reserve(maximumOutput + 1) else {
            answer.errorOutput = String(cString: strerror(errno))
            return answer
        }
        defer { pipes.closeAll() }
        do throws(Subprocess.Failure) {
            let process = try Subprocess(
                ["/bin/sh", "-c", command],
                files: [0: pipes.input.read, 1: pipes.output.write, 2: pipes.errors.write], ownSession: true)
            pipes.closeChildSide()
            var exchange = Exchange(pipes: pipes, input: input, output: output)
            answer.ending = exchange.run(process, until: now() + limit, now, flag)
            let bytes = Bytes(base: output.base, count: min(exchange.count, maximumOutput), owner: output)
            answer.output = BodyDocument(bytes, contentType: nil)
            answer.errorOutput = exchange.lastErrorLines
        } catch {
            answer.errorOutput = error.description
        }
        return answer
    }

    /// The three pipes between the command and Ombi. The class closes each end once.
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

        private static func closeOnce(_ end: inout Int32) {
            if end >= 0 { close(end) }
            end = -1
        }

        func closeInput() { Self.closeOnce(&input.write) }
        func closeOutput() { Self.closeOnce(&output.read) }
        func closeErrors() { Self.closeOnce(&errors.read) }

        func closeChildSide() {
            Self.closeOnce(&input.read)
            Self.closeOnce(&output.write)
            Self.closeOnce(&errors.write)
        }

        func closeAll() {
            closeChildSide()
            closeInput()
            closeOutput()
            closeErrors()
        }
    }

    /// Writes and reads at the same time: a command may write before it has read everything.
    private struct Exchange {
        let pipes: Pipes
        var input: BodyWriter
        /// Room for one byte more than the maximum output.
        let output: MappedMemory
        /// The bytes of output so far.
        private(set) var count = 0
        /// The end of its standard error.
        var errors: [UInt8] = []
        /// The next bytes to write.
        var portion: ArraySlice<UInt8> = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)

        private static let maximumErrorBytes = 4096

        /// The last lines of its standard error, without one whose beginning is missing.
        var lastErrorLines: String {
            let isCut = errors.count > Self.maximumErrorBytes
            let lines = String(decoding: errors.suffix(Self.maximumErrorBytes), as: UTF8.self)
                .split(whereSeparator: \.isNewline)
            return lines.dropFirst(isCut && lines.count > 1 ? 1 : 0).suffix(3).joined(separator: " · ")
        }

        /// Runs until the command has exited and its output is read. Its background processes may continue.
        mutating func run(
            _ process: Subprocess, until deadline: ContinuousClock.Instant, _ now: () -> ContinuousClock.Instant,
            _ flag: CancelFlag
        ) -> CommandAnswer.Ending {
            fill()
            var status: Int32?
            while true {
                status = status ?? process.status
                let isQuiet = !move(hasEnded: status != nil)
                if count == output.size { return end(process, status, .wroteTooMuch) }
                if let status, isQuiet { return .exited(status) }
                if flag.isCancelled { return end(process, status, .failed) }
                if now() > deadline { return end(process, status, .tookTooLong) }
            }
        }

        private func end(
            _ process: Subprocess, _ status: Int32?, _ ending: CommandAnswer.Ending
        ) -> CommandAnswer.Ending {
            kill(-process.pid, SIGKILL)
            if status == nil { _ = process.wait() }
            return ending
        }

        /// Reads and writes as much as is possible now. Returns false if there was nothing to read.
        private mutating func move(hasEnded: Bool) -> Bool {
            let isOpen = pipes.output.read >= 0 || pipes.errors.read >= 0
            var waits = [
                pollfd(fd: pipes.input.write, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: pipes.output.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.errors.read, events: Int16(POLLIN), revents: 0),
            ]
            // Once it has closed both, it is about to exit.
            _ = poll(&waits, 3, hasEnded ? 0 : isOpen ? 50 : 5)
            if waits[0].revents != 0 { writeSome() }
            if waits[1].revents != 0, !readOutput() { pipes.closeOutput() }
            if waits[2].revents != 0, !readErrors() { pipes.closeErrors() }
            return waits[1].revents != 0 || waits[2].revents != 0
        }

        /// Fetches the next bytes to write; at their end, closes the command's input.
        private mutating func fill() {
            guard portion.isEmpty else { return }
            portion = input.next(1 << 16)?[...] ?? []
            if portion.isEmpty { pipes.closeInput() }
        }

        private mutating func writeSome() {
            let count = portion.withUnsafeBytes { OmbiPlatform.write(pipes.input.write, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count >= 0 else { return pipes.closeInput() }
            portion = portion.dropFirst(count)
            fill()
        }

        /// Returns false at the end.
        private mutating func readOutput() -> Bool {
            let more = OmbiPlatform.read(pipes.output.read, output.base + count, output.size - count)
            count += max(0, more)
            return goesOn(more)
        }

        private mutating func readErrors() -> Bool {
            let more = OmbiPlatform.read(pipes.errors.read, &buffer, buffer.count)
            errors += buffer[..<max(0, more)]
            // Its standard error may be endless.
            if errors.count > 16 * Self.maximumErrorBytes {
                errors.removeFirst(errors.count - Self.maximumErrorBytes - 1)
            }
            return goesOn(more)
        }

        private func goesOn(_ more: Int) -> Bool { more > 0 || more < 0 && (errno == EAGAIN || errno == EINTR) }
    }
}
