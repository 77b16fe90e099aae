import CNcurses
import OmbiPlatform

/// The terminal as a display. A `FrameWriter` finds the way from one frame to the next; each goes to the terminal in one
/// `write`. The modes of the terminal are managed by Ombi.
@MainActor
package final class Screen: Display {
    package private(set) var size: Size
    /// Bytes of the last frame, brackets included; 0 when nothing had to change.
    private(set) var lastFrameBytes = 0

    /// The resources that are opened once and released by `close`.
    private struct Parts {
        var writer: FrameWriter
        var modes: TerminalModes
        var output: Int32
        var log: ErrorLog?
        var sequences: ScreenSequences
    }

    private var parts: Parts
    private var isActive = false
    private var isClosed = false
    private var pacer = FramePacer()
    /// True once the terminal was queried.
    private var hasAsked = false

    /// From this many bytes on a frame is bracketed, so that the terminal shows it in one go (mode 2026).
    private static let bracketedFrom = 200

    /// Opens the terminal on standard input and output (or, in tests, on other descriptors). When it cannot be used,
    /// nothing has been changed.
    /// - Parameters:
    ///   - mouse: true makes clicks and the wheel events; selecting text then needs Shift.
    ///   - theme: the theme that the settings name; `NO_COLOR` overrides it.
    ///   - glyphs: the characters that the terminal can show.
    package static func open(
        environment: (String) -> String? = Screen.environment, mouse: Bool,
        theme: ThemeChoice = .auto, glyphs: GlyphSet = .unicode, input: Int32 = 0, output: Int32 = 1
    ) throws(TerminalError) -> Screen {
        guard isatty(input) == 1 else { throw .inputIsNotATerminal }
        guard isatty(output) == 1 else { throw .outputIsNotATerminal }
        guard let modes = TerminalModes(input: input) else {
            throw .system(step: "read the terminal's modes", code: errno)
        }
        guard let name = environment("TERM"), !name.isEmpty else { throw .noName }
        useUTF8()
        let isPlain = !(environment("NO_COLOR") ?? "").isEmpty
        let background = environment("COLORFGBG").flatMap { Background(colorFGBG: $0) }
        let writer = try Self.writer(on: name, glyphs: glyphs) { colors in
            Theme(theme, depth: isPlain ? .none : ColorDepth(colors: colors), background: background)
        }
        return Screen(
            Parts(
                writer: writer, modes: modes, output: output, log: output == 1 ? ErrorLog() : nil,
                sequences: ScreenSequences(mouse: mouse)))
    }

    private static func writer(
        on name: String, glyphs: GlyphSet, theme: (_ colors: Int) -> Theme
    ) throws(TerminalError) -> FrameWriter {
        guard TerminalName.candidates(for: name).contains(where: { ombi_use_terminal($0) }) else {
            throw .unknown(name: name)
        }
        guard let sequences = TerminalSequences() else {
            ombi_forget_terminal()
            throw .cannotMoveCursor(name: name)
        }
        return FrameWriter(sequences, theme: theme(sequences.colors), glyphs: glyphs)
    }

    package nonisolated static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private init(_ parts: Parts) {
        self.parts = parts
        size = TerminalOutput.size(of: parts.output)
        takeTerminal()
        resize()
    }

    var colorDepth: ColorDepth { parts.writer.depth }

    // MARK: Display

    package func show(_ surface: Surface, cursor: Point?) {
        if isActive { send(parts.writer.frame(surface, cursor: cursor)) }
    }

    package func ringBell() {
        if isActive { TerminalOutput.write([0x07], to: parts.output) }
    }

    package var isBehindUntil: ContinuousClock.Instant? { pacer.blocked(at: .now) }

    package func replied() { pacer.replied(at: .now) }

    package func hasMargins() { parts.writer.useMargins() }

    package var lag: Duration { pacer.lag }

    @discardableResult
    package func adapt(to background: Background?) -> Bool { parts.writer.adapt(to: background) }

    package func use(_ theme: ThemeChoice) { parts.writer.use(theme) }

    package func suspend() {
        guard isActive else { return }
        isActive = false
        TerminalOutput.write(parts.writer.end() + parts.sequences.leave, to: parts.output)
        // A reply that comes later would be typed into the next program.
        parts.modes.discardInput(until: UInt8(ascii: "n"), times: pacer.awaited(at: .now))
        pacer.reset()
        parts.modes.restore()
        CrashGuard.disarm()
        parts.log?.end()
    }

    package func resume() {
        guard !isActive, !isClosed else { return }
        takeTerminal()
        resize()
    }

    package func resized() {
        guard isActive else { return }
        resize()
    }

    package func close() {
        guard !isClosed else { return }
        suspend()
        isClosed = true
        ombi_forget_terminal()
        parts.log?.dispose()
    }

    // MARK: Drawing

    private func takeTerminal() {
        parts.log?.begin()
        CrashGuard.arm(
            modes: parts.modes, output: parts.output, leaving: parts.sequences.leaveAfterCrash, log: parts.log)
        parts.modes.enterRaw()
        isActive = true
        // A reply on the way while another program has the terminal would be typed into that one.
        let asks =
            hasAsked
            ? []
            : (parts.writer.adapts ? parts.sequences.askForBackground : [])
                + (parts.writer.scrolls ? parts.sequences.askForMargins : [])
        hasAsked = true
        TerminalOutput.write(parts.sequences.enter + asks, to: parts.output)
    }

    /// Queries the size, and makes the next `show` redraw everything.
    private func resize() {
        size = TerminalOutput.size(of: parts.output)
        parts.writer.begin(size)
    }

    private func send(_ frame: [UInt8]) {
        let bracketed = frame.count >= Self.bracketedFrom
        let bytes = bracketed ? parts.sequences.beginFrame + frame + parts.sequences.endFrame : frame
        lastFrameBytes = bytes.count
        let asks = parts.sequences.askForStatus.isEmpty ? false : pacer.sent(bytes.count, at: .now)
        guard !bytes.isEmpty else { return }
        TerminalOutput.write(asks ? bytes + parts.sequences.askForStatus : bytes, to: parts.output)
    }

    /// The widths of characters need a UTF-8 locale; a bare system has only C.UTF-8.
    private static func useUTF8() {
        setlocale(LC_CTYPE, "")
        let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
        if codeset != "UTF-8", setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
    }
}

/// Ctrl+Z: back to the shell, and on again with `fg`.
extension Screen {
    /// True when a shell can wake the program again. Without one it would stop for ever: in the session leader's own
    /// process group, or when its parent is of another session.
    static var canStop: Bool {
        getpgrp() != getsid(0) && getsid(getppid()) == getsid(0)
    }

    /// Restores the terminal, stops the process (its whole pipeline), and takes the terminal again when continued.
    /// Sends SIGSTOP, because a SIGTSTP would only come back to the program's own handler.
    /// - Returns: false when there is no shell to return to; nothing was done then.
    package func stop() -> Bool {
        guard Self.canStop else { return false }
        suspend()
        kill(0, SIGSTOP)
        resume()
        return true
    }
}
