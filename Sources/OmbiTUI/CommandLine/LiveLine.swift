import OmbiCore
import OmbiTerminal

/// A line at the end of what a terminal shows, which each text takes the place of.
///
/// It needs no sequence of the terminal: a carriage return, and spaces over what was there.
final class LiveLine: Sendable {
    private let descriptor: Int32
    /// The columns of the text that is shown.
    private let shown = Lock(0)

    init(on descriptor: Int32 = 2) { self.descriptor = descriptor }

    func show(_ text: String) {
        let columns = max(1, TerminalOutput.size(of: descriptor).columns - 1)
        var line = StandardError.glyphs.text(SafeText.line(text))
        while TextWidth.of(line) > columns { line.removeLast() }
        let width = TextWidth.of(line)
        shown.withLock { shown in
            let rest = String(repeating: " ", count: max(0, shown - width))
            shown = width
            TerminalOutput.write(Array(("\r" + line + rest).utf8), to: descriptor)
        }
    }

    /// Takes the text away, so that another one can be printed.
    func clear() {
        shown.withLock { shown in
            guard shown > 0 else { return }
            let spaces = String(repeating: " ", count: shown)
            shown = 0
            TerminalOutput.write(Array("\r\(spaces)\r".utf8), to: descriptor)
        }
    }
}
