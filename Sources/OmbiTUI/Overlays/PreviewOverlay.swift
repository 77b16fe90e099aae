/// Rows to read: a request as it would leave, or a value over time.
struct PreviewOverlay: Equatable, Sendable {
    private let title: String
    private var rows: [[Span]]
    /// The runs whose rows it shows, as they change; nil for rows that stay.
    var follows: RunID?
    /// The request whose values differ from run to run, with their paths; nil without any.
    private(set) var proposal: Proposal?
    /// The request of which a comparison is shown; nil for other rows.
    var compared: ItemID?
    private var top = 0
    /// The columns that are scrolled out to the left.
    private var left = 0

    struct Proposal: Equatable, Sendable {
        var item: ItemID
        var paths: [String]
    }

    private static let maximumColumns = 110
    private static let step = 8

    init(_ title: String, _ rows: [[Span]]) {
        self.title = title
        self.rows = rows
    }

    /// Shows other rows in the place of those before.
    mutating func show(_ rows: [[Span]]) { self.rows = rows }

    /// Adds rows with paths that differ from run to run, which a key adds to those that may differ.
    mutating func propose(_ paths: [String], of item: ItemID, _ rows: [[Span]]) {
        guard proposal == nil, compared == item, !paths.isEmpty else { return }
        proposal = Proposal(item: item, paths: paths)
        self.rows += rows
    }

    static func columns(on screen: Rect) -> Int { max(20, min(maximumColumns, screen.columns - 6)) }

    /// False for an action that means nothing to what is shown.
    func offers(_ action: Action) -> Bool {
        switch action {
        case .run(.send): compared == nil
        case .batch(.ignoreProposed): proposal != nil
        default: true
        }
    }

    /// Returns nil while it stays, and its answer when it closes.
    mutating func handle(_ action: Action, on screen: Size) -> [Action]? {
        switch action {
        case .move(let movement): move(movement, on: screen)
        case .mouse(.wheel(_, let lines)): scroll(to: top + lines, on: screen)
        case .run(.send) where offers(action): return [action]
        case .batch(.ignoreProposed): return proposal.map { [.batch(.ignore($0.item, $0.paths))] }
        default: break
        }
        return nil
    }

    private mutating func move(_ movement: Movement, on screen: Size) {
        switch movement {
        case .left: left = max(0, left - Self.step)
        case .right: left = max(left, min(left + Self.step, columns - inside(in: Rect(screen)).columns))
        default:
            let page = inside(in: Rect(screen).dropBottom(1)).rows
            scroll(to: top + movement.rows(page: page, halfPage: page), on: screen)
        }
    }

    private mutating func scroll(to row: Int, on screen: Size) {
        top = min(max(0, row), max(0, rows.count - inside(in: Rect(screen).dropBottom(1)).rows))
    }

    private var columns: Int { rows.map { TextWidth.of($0.map(\.text).joined()) }.max() ?? 0 }

    func inside(in screen: Rect) -> Rect {
        OverlayFrame.inside(
            columns: Self.columns(on: screen), rows: min(rows.count, screen.rows - 4),
            in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        for line in 0..<min(inside.rows, rows.count - top) {
            var pen = Pen(inside.line(line))
            pen.write(rows[top + line].dropping(left), on: &surface)
        }
        let mark = ListMark.spans(first: top, page: inside.rows, count: rows.count)
        OverlayFrame.mark(mark, around: inside, on: &surface)
        return nil
    }
}
