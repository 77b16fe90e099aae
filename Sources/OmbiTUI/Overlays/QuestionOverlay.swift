import OmbiTerminal

/// A question with the answers yes, no, and back; one that must be decided offers to quit instead of back.
struct QuestionOverlay: Equatable, Sendable {
    struct Answer: Equatable, Sendable {
        /// The words beside its key.
        var label: String
        /// Nil for the answer that leaves all as it is, as Esc does.
        var action: Action?

        init(_ label: String, _ action: Action?) {
            self.label = label
            self.action = action
        }
    }

    /// The matter, in a word or two.
    var title: String
    var lines: [String]
    var yes: Answer
    var no: Answer
    /// True when the question must be decided before anything else is done.
    var isDecision = false
    /// True for the question before quitting, where Ctrl+C means yes.
    var isAboutQuitting = false
    /// The action of leaving it, where something waits for the answer.
    var onLeave: Action?

    var scope: KeyScope { isDecision ? .decision : isAboutQuitting ? .quitting : .question }

    /// Returns the action of the answer; nil while the question stays open.
    func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .confirm(let isYes): return answers[isYes ? 0 : 1].actions
        case .mouse(.click(let point)): return answer(at: point, in: screen)
        default: return nil
        }
    }

    /// True where Esc means no.
    var leavesAsNo: Bool { no.action == nil }

    private var answers: [(key: String, word: String, actions: [Action])] {
        let (yesActions, leaving) = (yes.action.map { [$0] } ?? [], onLeave.map { [$0] } ?? [])
        guard let action = no.action else { return [("y", yes.label, yesActions), ("n Esc", no.label, leaving)] }
        return [
            ("y", yes.label, yesActions), ("n", no.label, [action]),
            isDecision ? ("q", "quit", [.app(.quit)]) : ("Esc", "back", leaving),
        ]
    }

    private func answer(at point: Point, in screen: Rect) -> [Action]? {
        let line = inside(in: screen).line(shownLines(in: screen).count + 1)
        guard line.contains(point) else { return nil }
        var start = line.column
        for answer in answers {
            let end = start + TextWidth.of("\(answer.key) \(answer.word)")
            if (start..<end).contains(point.column) { return answer.actions }
            start = end + 3
        }
        return nil
    }

    private func shownLines(in screen: Rect) -> [String] {
        // A frame, and the answers below a line.
        OverlayFrame.wrapped(lines, columns: screen.columns - 4, rows: screen.rows - 4)
    }

    private func inside(in screen: Rect) -> Rect {
        let lines = shownLines(in: screen)
        let answers = answers.map { "\($0.key) \($0.word)" }.joined(separator: "   ")
        let columns = (lines + [answers]).map { TextWidth.of($0) }.max() ?? 0
        return OverlayFrame.inside(columns: columns, rows: lines.count + 2, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let lines = shownLines(in: screen)
        let inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        for (index, line) in lines.enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        var pen = Pen(inside.line(lines.count + 1))
        for (key, word, _) in answers {
            if key != "y" { pen.skip(3) }
            pen.write(key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + word, Style(.dim), on: &surface)
        }
        return nil
    }
}
