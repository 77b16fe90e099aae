import OmbiTerminal
import OmbiWorkspace

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
        case .confirm(true): return isRead && isAwake ? [.app(.answer(id, "yes"))] : nil
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
            pen.skip(3)
        } else if isAwake {
            pen.write("y", Style(.footerKey, .bold), on: &surface)
            pen.write(" allow it", Style(.dim), on: &surface)
            pen.skip(3)
        }
        pen.write("n Esc", Style(.footerKey, .bold), on: &surface)
        pen.write(" do not allow it", Style(.dim), on: &surface)
        return nil
    }
}
