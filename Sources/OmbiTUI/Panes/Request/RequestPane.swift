import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The request pane: its tab, the row under the cursor, and the field that is edited.
struct RequestPane: Equatable, Sendable {
    enum Editing: Equatable, Sendable {
        case field(RequestField, TextField)
        case body(TextArea)
    }

    private(set) var tab = RequestTab.params
    /// Row 0 is the URL; the rows of the tab follow.
    private(set) var position = ListPosition()
    var editing: Editing?

    /// Rows above those of the tab: the URL, the tabs.
    static let headRows = 2

    /// The item that the pane shows, and its size.
    private var item: ItemID?
    private var size = Size(columns: 0, rows: 3)

    /// The visible rows below the tabs.
    private var page: Int { max(1, size.rows - Self.headRows) }

    /// Follows the selected request and the size of the pane.
    mutating func follow(_ workbench: Workbench, size: Size) {
        if item != workbench.selected {
            item = workbench.selected
            position = ListPosition()
        }
        guard size != self.size else { return }
        self.size = size
        place(at: position.cursor, workbench)
    }

    /// The rows of the current tab.
    func rows(_ workbench: Workbench) -> [FormRow] {
        guard let request = workbench.request else { return [] }
        return RequestForm.rows(
            of: tab, in: request, environment: workbench.environment, defaults: workbench.defaults)
    }

    mutating func show(_ tab: RequestTab) {
        self.tab = tab
        position = ListPosition()
    }

    mutating func move(_ movement: Movement, in workbench: Workbench) {
        let count = rows(workbench).count
        position.move(movement, count: count + 1, page: page + 1)
        uncover(count: count)
    }

    mutating func place(at row: Int, _ workbench: Workbench) {
        let count = rows(workbench).count
        position.place(at: row, count: count + 1, page: page + 1)
        uncover(count: count)
    }

    mutating func scroll(by lines: Int, in workbench: Workbench) {
        let count = rows(workbench).count
        position.scroll(by: lines, count: count + 1, page: page + 1)
        if isCovered { position.place(at: position.cursor + 1, count: count + 1, page: page + 1) }
    }

    /// Handles a click at a point inside the border.
    mutating func click(_ point: Point, in workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.request else { return [] }
        if point.row == 1 {
            let titles = RequestTab.allCases.map { $0.title(for: request, environment: workbench.environment) }
            if let index = TabBar.index(at: point.column, of: titles) { show(RequestTab.allCases[index]) }
            return []
        }
        if point.row == 0, point.column < request.method.rawValue.count {
            return perform(.chooseMethod, on: &workbench)
        }
        guard let row = row(atLine: point.row), row <= rows(workbench).count else { return [] }
        let isAgain = position.cursor == row
        place(at: row, workbench)
        if point.column < 2, row > 0 { return perform(.toggleRow, on: &workbench) }
        return isAgain ? perform(.edit, on: &workbench) : []
    }

    /// True when the URL covers the row of the cursor, the first row of a scrolled list.
    private var isCovered: Bool { position.cursor > 0 && position.cursor == position.offset }

    private mutating func uncover(count: Int) {
        if isCovered { position.scroll(by: -1, count: count + 1, page: page + 1) }
    }

    /// The tab's row under the cursor; nil on the URL.
    var row: Int? { position.cursor == 0 ? nil : position.cursor - 1 }

    mutating func perform(_ edit: TextEdit) {
        switch editing {
        case .field(let field, var text):
            text.perform(edit)
            editing = .field(field, text)
        case .body(var area):
            area.perform(edit, page: page)
            editing = .body(area)
        case nil: break
        }
    }

    /// The row of the pane at a line inside its border: 0 is the URL; nil is the line of tabs.
    private func row(atLine line: Int) -> Int? {
        if line == 0 { return 0 }
        return line == 1 ? nil : line - 1 + firstRow
    }

    /// The first visible row of the tab. The URL always shows, so the list's own offset counts from it.
    var firstRow: Int { position.offset }
}
