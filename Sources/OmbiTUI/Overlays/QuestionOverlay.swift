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

    /// An answer with its key, and its actions.
    private typealias Choice = (key: String, word: String, actions: [Action])

    private var answers: [Choice] {
        let (yesActions, leaving) = (yes.action.map { [$0] } ?? [], onLeave.map { [$0] } ?? [])
        guard let action = no.action else { return [("y", yes.label, yesActions), ("n Esc", no.label, leaving)] }
        return [
            ("y", yes.label, yesActions), ("n", no.label, [action]),
            isDecision ? ("q", "quit", [.app(.quit)]) : ("Esc", "back", leaving),
        ]
    }

    /// The spaces between two answers.
    private static let gap = 3

    /// The answers in rows, each with as many as it has room for.
    private func answerRows(in screen: Rect) -> [[Choice]] {
        var rows: [[Choice]] = []
        var left = 0
        for answer in answers {
            let columns = TextWidth.of("\(answer.key) \(answer.word)")
            if rows.isEmpty || columns > left {
                rows.append([])
                left = screen.columns - 4
            }
            rows[rows.count - 1].append(answer)
            left -= columns + Self.gap
        }
        return rows
    }

    private func answer(at point: Point, in screen: Rect) -> [Action]? {
        let first = shownLines(in: screen).count + 1
        for (row, answers) in answerRows(in: screen).enumerated() {
            let line = inside(in: screen).line(first + row)
            guard line.contains(point) else { continue }
            var start = line.column
            for answer in answers {
                let end = start + TextWidth.of("\(answer.key) \(answer.word)")
                if (start..<end).contains(point.column) { return answer.actions }
                start = end + Self.gap
            }
        }
        return nil
    }

    private func shownLines(in screen: Rect) -> [String] {
        // A frame, and the answers below a line.
        let rows = max(1, screen.rows - 3 - answerRows(in: screen).count)
        let shown = OverlayFrame.wrapped(lines, columns: screen.columns - 4, rows: rows)
        return shown.count <= rows ? shown : Array(shown.prefix(rows - 1)) + ["…"]
    }

    private func inside(in screen: Rect) -> Rect {
        let (lines, answers) = (shownLines(in: screen), answerRows(in: screen))
        let gap = String(repeating: " ", count: Self.gap)
        let texts = answers.map { row in row.map { "\($0.key) \($0.word)" }.joined(separator: gap) }
        let columns = (lines + texts).map { TextWidth.of($0) }.max() ?? 0
        return OverlayFrame.inside(columns: columns, rows: lines.count + 1 + answers.count, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let lines = shownLines(in: screen)
        let inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        for (index, line) in lines.enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        for (row, answers) in answerRows(in: screen).enumerated() {
            var pen = Pen(inside.line(lines.count + 1 + row))
            for (index, answer) in answers.enumerated() {
                if index > 0 { pen.skip(Self.gap) }
                pen.write(answer.key, Style(.footerKey, .bold), on: &surface)
                pen.write(" " + answer.word, Style(.dim), on: &surface)
            }
        }
        return nil
    }
}

/// The question whether a collection may send something of this machine somewhere. A yes counts only once all of it has been
/// on the screen, and not for a key that was on its way before that.
struct GateOverlay: Equatable, Sendable {
    private let id: SessionQuestion.ID
    private let lines: [String]
    /// The time before which a yes is none.
    private var opensAt = Duration.zero
    /// True once that time has come.
    private var isAwake = false
    private var top = 0
    /// True once the last line has been on the screen.
    private var isRead = false

    var takesYes: Bool { isRead && isAwake }

    /// A key takes that long from a hand to here, over a slow line, too.
    private static let pause = Duration.seconds(1)

    init(_ question: GateQuestion, _ id: SessionQuestion.ID) {
        self.id = id
        let name = SafeText.line(question.name)
        lines = ["\(name) wants to use secrets or files of this machine:", ""] + question.lines.map(SafeText.line)
    }

    /// - Parameter now: the time at which it is shown.
    mutating func open(at now: Duration, on screen: Size) {
        opensAt = now + Self.pause
        notice(screen)
    }

    mutating func wake(at now: Duration) {
        if now >= opensAt { isAwake = true }
    }

    /// Returns nil while it stays, and its answer when it closes.
    /// - Parameter now: the time of the action.
    mutating func handle(_ action: Action, on screen: Size, at now: Duration) -> [Action]? {
        wake(at: now)
        // A key that is held down comes again and again.
        if !isAwake { opensAt = now + Self.pause }
        defer { notice(screen) }
        let page = max(1, area(in: Rect(screen).dropBottom(1)).rows)
        switch action {
        case .confirm(true): return takesYes ? [.app(.answer(id, "yes"))] : nil
        case .confirm(false), .leave: return [.app(.answer(id, nil))]
        case .move(.up), .mouse(.wheel(_, ..<0)): scroll(by: -1, on: screen)
        case .move(.down), .mouse(.wheel): scroll(by: 1, on: screen)
        case .move(.pageUp): scroll(by: -page, on: screen)
        case .move(.pageDown): scroll(by: page, on: screen)
        default: break
        }
        return nil
    }

    private mutating func scroll(by count: Int, on screen: Size) {
        let screen = Rect(screen).dropBottom(1)
        top = max(0, min(top + count, shown(in: screen).count - area(in: screen).rows))
    }

    private mutating func notice(_ screen: Size) {
        let screen = Rect(screen).dropBottom(1)
        if top + area(in: screen).rows >= shown(in: screen).count { isRead = true }
    }

    /// Lines that are too wide go on below: nothing of them may be missing.
    private func shown(in screen: Rect) -> [String] {
        OverlayFrame.wrapped(lines, columns: max(20, screen.columns - 4))
    }

    private func inside(in screen: Rect) -> Rect {
        let lines = shown(in: screen)
        let columns = max(lines.map { TextWidth.of($0) }.max() ?? 0, TextWidth.of(Self.answers))
        return OverlayFrame.inside(columns: columns, rows: lines.count + 2, in: screen)
    }

    private func area(in screen: Rect) -> Rect { inside(in: screen).dropBottom(2) }

    private static let answers = "y allow it   n Esc do not allow it"

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw("Grant", around: inside(in: screen), on: &surface)
        let (lines, area) = (shown(in: screen), area(in: screen))
        for (index, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        var pen = Pen(inside.line(inside.rows - 1))
        let left = lines.count - top - area.rows
        if !isRead {
            pen.write("↓", Style(.footerKey, .bold), on: &surface)
            pen.write(" \(left) more to read", Style(.dim), on: &surface)
        } else {
            pen.write("y", Style(isAwake ? .footerKey : .dim, .bold), on: &surface)
            pen.write(isAwake ? " allow it" : " in 1 s", Style(.dim), on: &surface)
        }
        pen.skip(3)
        pen.write("n Esc", Style(.footerKey, .bold), on: &surface)
        pen.write(" do not allow it", Style(.dim), on: &surface)
        return nil
    }
}
