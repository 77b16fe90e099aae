import OmbiTerminal
import OmbiWorkspace

/// A question with the answers yes, no, and back; one that must be decided offers to quit instead of back.
struct QuestionOverlay: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        /// Yes saves everything and quits, no quits without.
        case quitUnsaved
        /// The file was changed by another program: yes overwrites it, no takes its version.
        case changedOnDisk(path: String)
        /// Edits were kept when Ombi was ended: yes restores them, no discards them. It is decided before there are
        /// others.
        case draft(path: String, Collection)
        /// Yes sends the request to a protected environment.
        case sendProtected
    }

    var subject: Subject
    var lines: [String]
    var yes: String
    var no: String

    /// True when the question must be decided before anything else is done.
    var isDecision: Bool { if case .draft = subject { true } else { false } }

    private var answers: [(key: String, word: String)] {
        [("y", yes), ("n", no), isDecision ? ("q", "quit") : ("Esc", "back")]
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let answers = answers
        let columns =
            (lines + [answers.map { "\($0.key) \($0.word)" }.joined(separator: "   ")]).map { TextWidth.of($0) }.max()
            ?? 0
        let inside = OverlayFrame.draw("Question", columns: columns, rows: lines.count + 2, on: &surface, in: screen)
        for (index, line) in lines.enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        var pen = Pen(inside.line(lines.count + 1))
        for (key, word) in answers {
            if key != "y" { pen.skip(3) }
            pen.write(key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + word, Style(.dim), on: &surface)
        }
        return nil
    }
}
