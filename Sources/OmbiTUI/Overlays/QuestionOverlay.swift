import OmbiTerminal

/// A question with the answers yes, no, and back; one that must be decided offers to quit instead of back.
struct QuestionOverlay: Equatable, Sendable {
    struct Answer: Equatable, Sendable {
        /// The words beside its key.
        var label: String
        var action: Action

        init(_ label: String, _ action: Action) {
            self.label = label
            self.action = action
        }
    }

    var lines: [String]
    var yes: Answer
    var no: Answer
    /// True when the question must be decided before anything else is done.
    var isDecision = false

    /// Returns the action of the answer; nil while the question stays open.
    func handle(_ action: Action) -> [Action]? {
        guard case .confirm(let isYes) = action else { return nil }
        return [isYes ? yes.action : no.action]
    }

    private var answers: [(key: String, word: String)] {
        [("y", yes.label), ("n", no.label), isDecision ? ("q", "quit") : ("Esc", "back")]
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
