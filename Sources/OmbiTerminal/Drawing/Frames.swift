/// The frames of panes that share their dividers: light lines, and heavy ones around the pane with the focus.
package struct Frames: Sendable {
    private struct Frame {
        var rect: Rect
        var isHeavy: Bool
    }

    private var frames: [Frame] = []
    private let isWarning: Bool

    /// - Parameter isWarning: gives every line the colour of a warning.
    package init(isWarning: Bool = false) { self.isWarning = isWarning }

    package mutating func add(_ rect: Rect, isHeavy: Bool) {
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        frames.append(Frame(rect: rect, isHeavy: isHeavy))
    }

    /// Draws the heavy frames over the light ones, and joins them where they meet.
    package func draw(on surface: inout Surface) {
        let ordered = frames.filter { !$0.isHeavy } + frames.filter(\.isHeavy)
        for frame in ordered { draw(frame, on: &surface) }
        // Lines meet nowhere but at the corner of some frame.
        for frame in ordered {
            for corner in frame.rect.corners { join(at: corner, on: &surface) }
        }
    }

    private func draw(_ frame: Frame, on surface: inout Surface) {
        let rect = frame.rect
        let style = style(isHeavy: frame.isHeavy)
        let (horizontal, vertical): (Character, Character) = frame.isHeavy ? ("━", "┃") : ("─", "│")
        surface.fill(rect.top(1), with: horizontal, style: style)
        surface.fill(rect.bottom(1), with: horizontal, style: style)
        let sides = rect.dropTop(1).dropBottom(1)
        surface.fill(sides.left(1), with: vertical, style: style)
        surface.fill(sides.right(1), with: vertical, style: style)
    }

    private func join(at point: Point, on surface: inout Surface) {
        var arms = Arms()
        for frame in frames { arms.add(frame.rect, weight: frame.isHeavy ? 2 : 1, at: point) }
        surface.write(String(arms.character), at: point, style: style(isHeavy: arms.isHeavy))
    }

    private func style(isHeavy: Bool) -> Style { Style(isWarning ? .warning : isHeavy ? .focusedBorder : .border) }
}

/// The weights of the four lines that leave a cell: 0 for none, 1 for a light one, 2 for a heavy one.
private struct Arms {
    private var up = 0
    private var right = 0
    private var down = 0
    private var left = 0

    var isHeavy: Bool { max(up, right, down, left) == 2 }

    /// Adds the lines of a frame that go through the point or end in it.
    mutating func add(_ rect: Rect, weight: Int, at point: Point) {
        let (bottom, end) = (rect.endRow - 1, rect.endColumn - 1)
        if point.column == rect.column || point.column == end, (rect.row...bottom).contains(point.row) {
            if point.row > rect.row { up = max(up, weight) }
            if point.row < bottom { down = max(down, weight) }
        }
        if point.row == rect.row || point.row == bottom, (rect.column...end).contains(point.column) {
            if point.column > rect.column { left = max(left, weight) }
            if point.column < end { right = max(right, weight) }
        }
    }

    var character: Character { Self.characters[((up * 3 + right) * 3 + down) * 3 + left] }

    /// U+2500 to U+257F by their arms: up, right, down, left, the last one counting first.
    private static let characters = Array(
        " ╴╸╷╮┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵╯┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")
}

extension Rect {
    fileprivate var corners: [Point] {
        let (right, bottom) = (endColumn - 1, endRow - 1)
        return [
            origin, Point(column: right, row: row), Point(column: column, row: bottom),
            Point(column: right, row: bottom),
        ]
    }
}

/// The destination of a drawn surface: the terminal, or a list of frames in a test.
@MainActor
package protocol Display: AnyObject {
    var size: Size { get }
    /// Shows the surface, and the cursor at that position; no cursor when nil.
    func show(_ surface: Surface, cursor: Point?)
    /// Restores the terminal for another program or the shell.
    func suspend()
    /// Takes the terminal again after `suspend`; the next `show` redraws everything.
    func resume()
    /// Restores the terminal and stops the program until the shell continues it (Ctrl+Z, `fg`).
    /// - Returns: false when there is no shell to return to; nothing was done then.
    func stop() -> Bool
    /// Chooses colours for a background of the window; the next `show` redraws what changes.
    /// - Parameter background: nil for a terminal that does not report it.
    /// - Returns: True if a look changes.
    @discardableResult
    func adapt(to background: Background?) -> Bool
    /// The time until which frames are to wait, since the terminal has not taken the last ones; nil when it has.
    var isBehindUntil: ContinuousClock.Instant? { get }
    /// Takes note that the terminal has taken the frames before its status request.
    func replied()
    /// Switches to another theme; the next `show` redraws what changes.
    func use(_ theme: ThemeChoice)
    /// Takes note that a part of the terminal between two columns can be scrolled.
    func hasMargins()
    /// The time that the terminal took for its last reply.
    var lag: Duration { get }
    /// Queries the terminal's new size.
    func resized()
    /// Rings the bell of the terminal, or flashes, as its user has set it.
    func ringBell()
}

/// By default, a display takes each frame at once.
extension Display {
    package var isBehindUntil: ContinuousClock.Instant? { nil }
    package func replied() {}
    package func hasMargins() {}
    package func ringBell() {}
    package var lag: Duration { .zero }
}
