import ArgumentParser
import OmbiPlatform

extension GlyphSet {
    /// The characters of a stream: those that its terminal can show, and elsewhere those of the locale.
    fileprivate init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        self.init(environment: { isTerminal || $0 != "TERM" ? Screen.environment($0) : nil }, wanted: nil)
    }
}

/// The descriptors of the three streams.
enum StandardStreams {
    /// Takes the place of each stream that is closed: the next file or socket would get its number and all output.
    static func keepPlaces() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The other direction, so that reading and writing fail.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}

/// The stream for progress and errors.
enum StandardError {
    static let glyphs = GlyphSet(descriptor: 2)

    static func print(_ text: String) {
        OwedReports.hear(text)
        // Both may go to one file.
        ResultOutput.standard.flush()
        var line = glyphs.text(text) + "\n"
        if isTerminal { line = SafeText.terminal(line) }
        // A failure cannot be reported anywhere.
        _ = line.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: 2) }
    }

    /// Prints a text as one line, whatever is in it.
    static func print(line text: String) { print(SafeText.line(text)) }

    /// Prints a message of the program.
    static func report(_ message: String) { print(line: "ombi: " + message) }

    static var isTerminal: Bool { isatty(2) == 1 }
}

/// Results on a descriptor. A failure is reported once, at the end.
///
/// A terminal gets it as `SafeText.terminal`, whatever a command writes, but for `write(safe:)`; files and pipes get it as
/// it is.
/// On a terminal each row is written at once. Elsewhere rows that come close behind each other share a write, 20 ms later at most: a
/// run of ten thousand requests a second would spend as much time on writing as on showing a row.
final class ResultOutput: Sendable {
    static let standard = ResultOutput(1, isPaced: isatty(1) != 1, isTerminal: isatty(1) == 1)

    private static let pause = Duration.milliseconds(20)
    /// In bytes. More is written at once.
    private static let maximumPending = 1 << 14

    private let descriptor: Int32
    private let isPaced: Bool
    private let isTerminal: Bool
    private let state = Lock(State())

    private struct State {
        var error: Int32?
        var pending: [UInt8] = []
        /// The time of the last write that was not held back.
        var writtenAt: ContinuousClock.Instant?
        /// True while a timer is set for what is pending. The first write sets none: it would need a thread.
        var isTimed = false
    }

    init(_ descriptor: Int32, isPaced: Bool = false, isTerminal: Bool = false) {
        (self.descriptor, self.isPaced, self.isTerminal) = (descriptor, isPaced, isTerminal)
    }

    /// Does nothing after a failure.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard isTerminal else { return writeAsIs(bytes) }
        var text = SafeText.terminal(String(decoding: bytes, as: UTF8.self))
        text.withUTF8 { writeAsIs(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text that is safe for a terminal, with the sequences of a `TextPainter`.
    func write(safe text: String) {
        var text = text
        text.withUTF8 { writeAsIs(UnsafeRawBufferPointer($0)) }
    }

    private func writeAsIs(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.error == nil else { return }
            guard isPaced, bytes.count + state.pending.count <= Self.maximumPending else {
                flush(&state)
                if state.error == nil { state.error = Descriptor.write(bytes, to: descriptor) }
                return
            }
            state.pending.append(contentsOf: bytes)
            if !state.isTimed { flushOrWait(&state) }
        }
    }

    /// Writes what waits for its turn.
    func flush() { state.withLock { flush(&$0) } }

    private func flush(_ state: inout State) {
        guard !state.pending.isEmpty else { return }
        let pending = state.pending
        state.pending.removeAll(keepingCapacity: true)
        if state.error == nil { state.error = pending.withUnsafeBytes { Descriptor.write($0, to: descriptor) } }
    }

    private func flushOrWait(_ state: inout State) {
        let now = ContinuousClock.now
        guard let last = state.writtenAt, now - last < Self.pause else {
            state.writtenAt = now
            return flush(&state)
        }
        state.isTimed = true
        let wait = DispatchTimeInterval.nanoseconds(Int((Self.pause - (now - last)) / .nanoseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [self] in
            self.state.withLock { state in
                (state.isTimed, state.writtenAt) = (false, .now)
                flush(&state)
            }
        }
    }

    /// True after a failure, and when the reader is gone, as with `| head`, whether anything was written since or not.
    var isClosed: Bool { hasFailed || Descriptor.isHungUp(descriptor) }

    /// True after a write that failed. Unlike `isClosed` it asks the system nothing, so it may be read for each value.
    var hasFailed: Bool { state.withLock { $0.error != nil } }

    /// The cause of a failure other than a reader that is gone.
    var failure: String? {
        state.withLock { $0.error.flatMap { $0 == EPIPE ? nil : String(cString: strerror($0)) } }
    }
}

/// The stream for results. A failure ends the program with `ExitStatus.inputOutput` (see `Ombi.run`).
enum StandardOutput {
    static let glyphs = GlyphSet(descriptor: 1)

    /// Prints a text for people, with the symbols that can be shown.
    static func show(_ text: String) { print(glyphs.text(text)) }

    static func print(_ text: String) { write(text + "\n") }

    /// Prints JSON without characters that a terminal would not show.
    static func print(json: JSONValue) { write(RunJSON.escaped(json.text)) }

    static func write(_ text: String) {
        var text = text
        text.withUTF8 { ResultOutput.standard.write(UnsafeRawBufferPointer($0)) }
    }

    static func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { ResultOutput.standard.write($0) } }

    /// Writes a body: as it came into a file or a pipe, with a line end behind it on a terminal.
    static func write(body: [UInt8]) {
        write(body)
        if isTerminal { write("\n") }
    }

    /// Lets the program continue where the reader of its output is gone, such as `head`: a file is still to be written.
    static func outliveReader() { signal(SIGPIPE, SIG_IGN) }

    static var isTerminal: Bool { isatty(1) == 1 }
    /// True on a terminal, unless `NO_COLOR` is set.
    static var isColored: Bool { isTerminal && getenv("NO_COLOR").map { $0[0] == 0 } ?? true }
}

/// The form of results: lines for people, or JSON for other programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// Prints the one form or the other.
    func show(_ lines: @autoclosure () -> [String], _ json: @autoclosure () -> JSONValue) {
        switch self {
        case .text: lines().forEach(StandardOutput.show)
        case .json: StandardOutput.print(json: json())
        }
    }
}

/// The stream for input.
enum StandardInput {
    static var isTerminal: Bool { isatty(0) == 1 }

    /// Says what the program waits for, if that is a terminal.
    static func announce() {
        if isTerminal { StandardError.report("reads standard input from the terminal; Ctrl+D ends it") }
    }

    /// Throws if more than one of the files is the standard input.
    static func checkOnce(_ paths: [String?]) throws {
        guard paths.compactMap(\.self).count(where: PipedFile.isStandardInput) > 1 else { return }
        throw ValidationError("The standard input can be read once; name a file in place of the other -.")
    }
}

/// A file that an option names and that is read once: also a pipe, and `-` for the standard input.
enum InputFile {
    /// Returns the whole content. Reports a file that cannot be read, and throws the exit status.
    static func content(_ path: String) throws -> [UInt8] {
        if path == "-" { StandardInput.announce() }
        let bytes = try ExitStatus.inputOutput.onError { try ViewInput(path).all() }
        return bytes.array(0..<bytes.count)
    }
}

/// A file that the command line names for what is written at the end. A regular file is replaced in one step; an open
/// descriptor, a pipe and a device have nothing to replace and are written into: `/dev/stderr`, `>(…)` of a shell.
enum OutputFile {
    /// The bytes of a large file that are written at a time.
    private static let portion = 1 << 20

    /// - Parameter mode: the permissions of a new file; nil for those of any new file.
    static func write(
        _ text: String, to path: String, overwriting: Bool, mode: UInt32? = 0o600
    ) throws(FileError) {
        guard isStream(path) else {
            return try FileReplacement.save(text, to: path, overwriting: overwriting, mode: mode)
        }
        var text = text
        let code = text.withUTF8 { write(UnsafeRawBufferPointer($0), into: path) }
        if let code { throw FileError(operation: "write", path: path, code: code) }
    }

    /// Writes what was too large for the memory, over what is there.
    static func write(_ store: ResponseStore, to path: String) throws(FileError) {
        guard !isStream(path) else {
            let code = store.withUnsafeBytes { write($0, into: path) }
            if let code { throw FileError(operation: "write", path: path, code: code) }
            return
        }
        var position = 0
        try FileReplacement.save(to: path) { () throws(FileError) in
            guard position < store.count else { return nil }
            let start = position
            let bytes = store.withUnsafeBytes { Array($0[start..<min(start + portion, $0.count)]) }
            position += bytes.count
            return bytes
        }
    }

    /// Returns the errno of a failure; nil on success.
    private static func write(_ bytes: UnsafeRawBufferPointer, into path: String) -> Int32? {
        // Without O_NONBLOCK, opening a FIFO waits for a reader that may never come.
        let descriptor =
            descriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            ?? open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        StandardOutput.outliveReader()
        // Both may go to one file.
        ResultOutput.standard.flush()
        return Descriptor.write(bytes, to: descriptor)
    }

    /// Returns true for an open descriptor, a pipe and a device. Opens nothing.
    static func isStream(_ path: String) -> Bool {
        if descriptor(of: path) != nil { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFCHR
    }

    /// The open descriptor that a path names, `-` the standard output; nil for the standard input and any other path.
    private static func descriptor(of path: String) -> Int32? {
        path == "-" ? 1 : PipedFile.descriptor(of: path).flatMap { $0 > 0 ? $0 : nil }
    }
}
