import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The terminal as a display. ncurses compares the previous frame with the next and writes the difference into a file
/// in memory; each frame goes from there to the terminal in one `write`. The modes of the terminal are managed by Ombi,
/// not by ncurses, which sees no terminal at all.
@MainActor
package final class Screen: Display {
    package private(set) var size: Size
    /// Bytes of the last frame, brackets included; 0 when nothing had to change.
    private(set) var lastFrameBytes = 0

    /// The resources that are opened once and released by `close`.
    private struct Parts {
        var frames: FrameFile
        var modes: TerminalModes
        var output: Int32
        /// The ncurses screen of the terminal.
        var opened: OpaquePointer
        var log: ErrorLog?
        var sequences: ScreenSequences
    }

    private let parts: Parts
    private var cells: CellRow
    private var shown: Surface?
    private var isActive = false
    private var isClosed = false
    private var cursorIsVisible: Bool?
    /// True while the next frame replaces all that the terminal shows.
    private var beginsBlank = true
    private var pacer = FramePacer()
    private var squeeze = FrameSqueeze()
    /// Asked for once: a reply on the way while another program has the terminal would be typed into that one.
    private var hasAskedForBackground = false

    /// From this many bytes on a frame is bracketed, so that the terminal shows it in one go (mode 2026).
    private static let bracketedFrom = 200

    /// Opens the terminal on standard input and output (or, in tests, on other descriptors). When it cannot be used,
    /// nothing has been changed.
    /// - Parameters:
    ///   - mouse: true makes clicks and the wheel events; selecting text then needs Shift.
    ///   - theme: the theme that the settings name; `NO_COLOR` overrides it.
    ///   - glyphs: the characters that the terminal can show.
    ///   - maximumPairs: the maximum number of colour pairs.
    package static func open(
        environment: (String) -> String? = Screen.environment, mouse: Bool,
        theme: ThemeChoice = .auto, glyphs: GlyphSet = .unicode,
        input: Int32 = 0, output: Int32 = 1, maximumPairs: Int32 = 1 << 16
    ) throws(TerminalError) -> Screen {
        guard isatty(input) == 1 else { throw .inputIsNotATerminal }
        guard isatty(output) == 1 else { throw .outputIsNotATerminal }
        guard let modes = TerminalModes(input: input) else {
            throw .system(step: "read the terminal's modes", code: errno)
        }
        guard let name = environment("TERM"), !name.isEmpty else { throw .noName }
        guard let frames = FrameFile() else { throw .system(step: "make a file for frames", code: errno) }
        useUTF8()
        guard let opened = newTerminal(named: name, frames: frames, size: TerminalOutput.size(of: output)) else {
            frames.close()
            throw .unknown(name: name)
        }
        guard ombi_capability("cup") != nil else {
            endwin()
            delscreen(opened)
            frames.close()
            throw .cannotMoveCursor(name: name)
        }
        let noColor = !(environment("NO_COLOR") ?? "").isEmpty
        let background = environment("COLORFGBG").flatMap { Background(colorFGBG: $0) }
        let parts = Parts(
            frames: frames, modes: modes, output: output, opened: opened, log: output == 1 ? ErrorLog() : nil,
            sequences: ScreenSequences(mouse: mouse))
        let palette = Palette(theme, plain: noColor, background: background, maximumPairs: maximumPairs)
        return Screen(parts, cells: CellRow(palette: palette, glyphs: glyphs))
    }

    /// A variable of the process environment.
    package nonisolated static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Knowing the size beforehand, ncurses need not build everything twice.
    private static func newTerminal(named name: String, frames: FrameFile, size: Size) -> OpaquePointer? {
        for candidate in TerminalName.candidates(for: name) {
            let opened = ombi_newterm(candidate, frames.descriptor, Int32(size.rows), Int32(size.columns))
            if let opened { return opened }
        }
        return nil
    }

    private init(_ parts: Parts, cells: CellRow) {
        self.parts = parts
        self.cells = cells
        size = TerminalOutput.size(of: parts.output)
        typeahead(-1)
        takeTerminal()
        resize()
    }

    var colorDepth: ColorDepth { cells.depth }

    // MARK: Display

    package func show(_ surface: Surface, cursor: Point?) {
        guard isActive else { return }
        let painted = beginsBlank ? paint(surface) : 0
        beginsBlank = false
        put(surface)
        if cells.forgetPictures() {
            shown = nil
            put(surface)
        }
        place(cursor)
        ombi_refresh()
        shown = surface
        send(takeFrame())
        lastFrameBytes += painted
    }

    /// Writes a frame onto a screen that ncurses clears, and tells ncurses of it once the terminal has it. Writes nothing
    /// where the terminal or the frame is not for the painter. Returns the number of bytes.
    private func paint(_ surface: Surface) -> Int {
        guard parts.sequences.setsColorsLikeXterm, surface.size == size else { return 0 }
        var painter = FramePainter()
        for row in 0..<size.rows {
            guard cells.paint(row, of: surface, columns: size.columns, with: &painter) else { return 0 }
        }
        place(nil)
        ombi_refresh()
        send(takeFrame() + painter.finished())
        put(surface)
        ombi_adopt()
        shown = surface
        return lastFrameBytes
    }

    private func put(_ surface: Surface) {
        for row in 0..<min(surface.size.rows, size.rows) {
            let all = 0..<size.columns
            // Cells that did not change since the last surface need not go through ncurses, which compares the rest.
            guard let changed = shown.map({ surface.changedColumns(in: row, since: $0) }) ?? all else { continue }
            cells.put(row, changed, of: surface, columns: size.columns)
        }
    }

    package func ringBell() {
        if isActive { TerminalOutput.write([0x07], to: parts.output) }
    }

    package var isBehindUntil: ContinuousClock.Instant? { pacer.blocked(at: .now) }

    package func replied() { pacer.replied(at: .now) }

    package var lag: Duration { pacer.lag }

    @discardableResult
    package func adapt(to background: Background?) -> Bool {
        guard cells.adapt(to: background) else { return false }
        shown = nil
        return true
    }

    package func suspend() {
        guard isActive else { return }
        isActive = false
        endwin()
        TerminalOutput.write(squeeze.end() + takeFrame() + parts.sequences.leave, to: parts.output)
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
        delscreen(parts.opened)
        parts.log?.dispose()
        parts.frames.close()
    }

    // MARK: Drawing

    private func takeTerminal() {
        parts.log?.begin()
        CrashGuard.arm(
            modes: parts.modes, output: parts.output, leaving: parts.sequences.leaveAfterCrash, log: parts.log)
        parts.modes.enterRaw()
        isActive = true
        let asks = cells.adapts && !hasAskedForBackground
        if asks { hasAskedForBackground = true }
        TerminalOutput.write(
            parts.sequences.enter + (asks ? parts.sequences.askForBackground : []), to: parts.output)
    }

    /// Queries the size, and makes the next `show` redraw everything.
    private func resize() {
        size = TerminalOutput.size(of: parts.output)
        resizeterm(Int32(size.rows), Int32(size.columns))
        ombi_erase()
        ombi_paint_everything()
        shown = nil
        cursorIsVisible = nil
        beginsBlank = true
    }

    private func place(_ cursor: Point?) {
        let visible = cursor.map(Rect(size).contains) ?? false
        if visible, let cursor { ombi_move(Int32(cursor.row), Int32(cursor.column)) }
        if visible != cursorIsVisible {
            curs_set(visible ? 1 : 0)
            ombi_leave_cursor(visible ? 0 : 1)
            cursorIsVisible = visible
        }
    }

    private func takeFrame() -> [UInt8] {
        let written = parts.frames.take()
        return parts.sequences.switchesDrawingSet ? squeeze.squeezed(written, columns: size.columns) : written
    }

    private func send(_ frame: [UInt8]) {
        let bracketed = frame.count >= Self.bracketedFrom
        let bytes = bracketed ? parts.sequences.beginFrame + frame + parts.sequences.endFrame : frame
        lastFrameBytes = bytes.count
        let asks = parts.sequences.askForStatus.isEmpty ? false : pacer.sent(bytes.count, at: .now)
        guard !bytes.isEmpty else { return }
        TerminalOutput.write(asks ? bytes + parts.sequences.askForStatus : bytes, to: parts.output)
    }

    /// ncurses needs a UTF-8 locale; a bare system has only C.UTF-8.
    private static func useUTF8() {
        setlocale(LC_CTYPE, "")
        let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
        if codeset != "UTF-8", setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
    }
}
