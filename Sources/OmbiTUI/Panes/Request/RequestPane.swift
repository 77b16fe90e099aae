/// The request pane: its tab, the row under the cursor, and the field that is edited.
struct RequestPane: Equatable, Sendable {
    enum Editing: Equatable, Sendable {
        case field(RequestField, TextField)
        case body(BodyEditor)
    }

    var tab: RequestTab {
        get { isSettings ? settingsTab : requestTab }
        set { if isSettings { settingsTab = newValue } else { requestTab = newValue } }
    }
    private var requestTab = RequestTab.params
    private var settingsTab = RequestTab.params
    /// True for the settings of a folder or a collection.
    private(set) var isSettings = false
    /// Row 0 is the URL; the rows of the tab follow.
    private(set) var position = ListPosition()
    @Rare var editing: Editing?
    /// True while the fields of a row are typed that was added for them: all of it is one step to undo.
    var addsRow = false
    var completion = FieldCompletion()
    var editorSettings = BodyEditor.Settings()
    /// The text that was cut or copied last.
    var clipboard = ""
    private(set) var context = RequestContext()
    /// The schema of the query that was read last.
    @Rare var schema: KnownSchema?

    /// Rows above those of the tab: the URL, what it becomes, the tabs.
    var headRows: Int { showsAddress ? 3 : 2 }

    /// The URL with everything filled in, or the end of one that is too wide, shows where a row can be spared. Among
    /// tabs it stays, so that they do not move.
    var showsAddress: Bool {
        (context.address != nil || context.problem != nil || isCut) && size.rows >= 3 + Self.minimumRows
    }

    private var isCut: Bool { context.columns > size.columns }
    private static let minimumRows = 3

    private var item: TreeNode?
    private(set) var size = Size(columns: 78, rows: 3)

    /// The URL of the request with everything filled in, where that differs from the one that is written.
    var target: String? { context.target }

    /// The visible rows below the tabs.
    var page: Int { max(1, size.rows - headRows) }

    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] {
        switch editing {
        case .field: completion.list == nil ? [.field] : [.completing, .field]
        case .body(let body) where body.find == nil: completion.list == nil ? [.area] : [.completing, .area]
        case .body: [.finding]
        case nil: [.request, .lists, .everywhere]
        }
    }

    mutating func follow(_ workbench: Workbench, size: Size) {
        let rows = headRows
        isSettings = workbench.shared != nil
        context.follow(workbench, tab)
        if item != workbench.subjectNode {
            item = workbench.subjectNode
            position = ListPosition()
        }
        guard size != self.size || rows != headRows else { return }
        self.size = size
        let bodySize = bodySize
        withBody { $0.resize(to: bodySize) }
        place(at: position.cursor, workbench)
    }

    var isWriting: Bool { if case .body = editing { true } else { false } }

    var bodySize: Size { Size(columns: size.columns, rows: page) }

    func rows(_ workbench: Workbench) -> PaneRows {
        PaneRows(context.rows(in: workbench, tab), body: context.body(in: workbench, tab)?.buffer)
    }

    /// Shows a tab, with the cursor on its first row; in the Body tab on the first part of the body.
    mutating func show(_ tab: RequestTab, of workbench: Workbench) {
        self.tab = tab
        position = ListPosition()
        context.follow(workbench, tab)
        let rows = rows(workbench)
        guard !rows.isEmpty else { return }
        let isPart: (FormRow) -> Bool = { row in
            switch row.kind {
            case .pair, .bodyLine: true
            case .single, .choice, .inherited, .hint, .adder: false
            }
        }
        let first = tab == .body ? rows.firstIndex(where: isPart) ?? 0 : 0
        place(at: first + 1, workbench)
    }

    mutating func restore(_ tab: RequestTab) { requestTab = tab }

    mutating func move(_ movement: Movement, in workbench: Workbench) {
        guard workbench.subject != nil, !workbench.showsPage else { return scrollFile(movement, workbench) }
        let count = rows(workbench).count
        position.move(movement, count: count + 1, page: page + 1)
        uncover(count: count)
    }

    mutating func place(at row: Int, _ workbench: Workbench) {
        let count = rows(workbench).count
        position.place(at: row, count: count + 1, page: page + 1)
        uncover(count: count)
    }

    /// The row of a field under edit stays where it is.
    mutating func scroll(by lines: Int, in workbench: Workbench) {
        guard editing == nil else { return }
        guard workbench.subject != nil, !workbench.showsPage else {
            let count = FilePage(workbench, columns: size.columns).rows.count
            return position.scroll(by: lines, count: count, page: size.rows)
        }
        let count = rows(workbench).count
        position.scroll(by: lines, count: count + 1, page: page + 1)
        if isCovered { position.place(at: position.cursor + 1, count: count + 1, page: page + 1) }
    }

    private mutating func scrollFile(_ movement: Movement, _ workbench: Workbench) {
        let count = FilePage(workbench, columns: size.columns).rows.count
        let page = max(1, size.rows - 1)
        position.scroll(by: movement.rows(page: page, halfPage: page), count: count, page: size.rows)
    }

    mutating func click(_ point: Point, in workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.subject else { return [] }
        if point.row == headRows - 1 {
            if let index = tabBar(workbench, columns: size.columns).index(at: point.column) {
                show(RequestTab.tabs(ofSettings: isSettings)[index], of: workbench)
            }
            return []
        }
        if point.row == 0, !isSettings, point.column < request.method.rawValue.count {
            return perform(.chooseMethod, on: &workbench)
        }
        guard let row = row(atLine: point.row), row <= rows(workbench).count else { return [] }
        let isAgain = position.cursor == row
        place(at: row, workbench)
        if point.column < 2, row > 0, self.row.flatMap({ rows(workbench)[safe: $0] })?.isToggled ?? false {
            return perform(.toggleRow, on: &workbench)
        }
        guard isAgain else { return [] }
        let outcomes = perform(.edit, on: &workbench)
        placeCursor(at: point, workbench)
        withBody { $0.place(column: point.column) }
        return outcomes
    }

    /// True when the URL covers the row of the cursor, the first row of a scrolled list.
    private var isCovered: Bool { position.cursor > 0 && position.cursor == position.offset }

    private mutating func uncover(count: Int) {
        if isCovered { position.scroll(by: -1, count: count + 1, page: page + 1) }
    }

    /// The tab's row under the cursor; nil on the URL.
    var row: Int? { position.cursor == 0 ? nil : position.cursor - 1 }

    /// The row of the pane at a line inside its border: 0 is the URL; nil is the line of tabs.
    private func row(atLine line: Int) -> Int? {
        if line < headRows - 1 { return 0 }
        return line < headRows ? nil : line - headRows + 1 + firstRow
    }

    /// The first visible row of the tab. The URL always shows, so the list's own offset counts from it.
    var firstRow: Int { position.offset }

    /// False for an action that has no effect in this tab, or in this row.
    func isPossible(_ action: RequestAction, in workbench: Workbench) -> Bool {
        if action == .toggleRow, row == nil { return workbench.subject != nil && !isSettings }
        if action == .editExternally { return tab == .body || tab == .headers }
        guard [.addRow, .toggleRow, .deleteRow].contains(action) else { return true }
        guard let request = workbench.subject, list(of: request) != nil else { return false }
        if action == .addRow { return true }
        guard let row = row.flatMap({ rows(workbench)[safe: $0] }) else { return false }
        if action == .toggleRow { return row.isToggled }
        return switch row.kind {
        case .pair: true
        case .single: !row.value.isEmpty
        case .choice, .inherited, .bodyLine, .hint, .adder: false
        }
    }

    // MARK: The body under edit

    /// Changes the body under edit in place: its text may be long, so nothing else may hold it meanwhile.
    @discardableResult
    mutating func withBody<Result>(_ change: (inout BodyEditor) -> Result) -> Result? {
        guard case .body(var body) = editing else { return nil }
        editing = nil
        defer { editing = .body(body) }
        return change(&body)
    }
}

/// The lists to choose from.
extension RequestPane {
    static func methods(of request: SavedRequest) -> PickerOverlay {
        let items = RequestMethod.allCases.map { method in
            var changed = request
            changed.method = method
            return PickerOverlay.Item(name: method.rawValue, action: .request(.replace(changed)))
        }
        var picker = PickerOverlay(title: "Method", items: items, current: request.method.rawValue)
        picker.others = [.method(of: request)]
        return picker
    }

    static func choices(of field: RequestField, in request: SavedRequest) -> PickerOverlay {
        let items = field.choices.map { choice in
            var changed = request
            try? field.write(&changed, choice.name)
            return PickerOverlay.Item(name: choice.name, note: choice.note, action: .request(.replace(changed)))
        }
        return PickerOverlay(title: field.label, items: items, current: field.read(request))
    }
}

/// The completion of the text under edit.
extension RequestPane {
    mutating func beginCompletion(_ kind: CompletionKind, of workbench: Workbench) {
        completion.begin(CompletionSource(kind, in: workbench, environment: workbench.environment))
    }

    /// Handles an action for the list; nil when the action means what it means without one.
    mutating func complete(_ action: Action, in workbench: Workbench) -> [Outcome]? {
        guard let text = editedText else { return nil }
        switch completion.handle(action, text) {
        case .ignored: return nil
        case .handled: return []
        case .insert(let new, let range):
            replaceEdited(range, with: new)
            return editedText.map { completion.follow(inserted: new, $0, in: workbench.folder) } ?? []
        }
    }

    /// Opens, narrows or closes the list after an edit.
    mutating func followCompletion(_ edit: TextEdit, in workbench: Workbench) -> [Outcome] {
        editedText.map { completion.follow(edit, $0, in: workbench.folder) } ?? []
    }

    mutating func receive(_ listing: FolderListing) {
        editedText.map { completion.receive(listing, $0) }
    }

    func drawCompletion(on surface: inout Surface, at cursor: Point, in area: Rect) {
        guard completion.list != nil, let text = editedText else { return }
        completion.draw(text, on: &surface, at: cursor, in: area)
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func markCompletion(at point: Point, cursor: Point, in area: Rect) -> Bool {
        editedText.map { completion.mark(at: point, $0, cursor: cursor, in: area) } ?? false
    }

    /// The text of the field or the body; nil while a search has the keys.
    private var editedText: EditedText? {
        switch editing {
        case .field(_, let text): text.edited
        case .body(let body): body.find == nil ? body.editor.text : nil
        case nil: nil
        }
    }

    private mutating func replaceEdited(_ range: Range<Int>, with new: String) {
        if case .field(let field, var text) = editing {
            text.insert(new, at: range)
            editing = .field(field, text)
        }
        withBody { $0.replace(range, with: new) }
    }
}

/// Rows of kinds of their own: of a query as it is written, and of cookies.
extension RequestPane {
    func toggleRaw(of workbench: inout Workbench) -> [Outcome] {
        guard case .pair(.query, let item)? = row.flatMap({ rows(workbench)[safe: $0]?.kind }) else {
            return .notify(.info, "Only a row of the query can be sent as it is written; select one first")
        }
        workbench.editSubject { $0.query.change(item) { $0.isRaw.toggle() } }
        return []
    }

    mutating func addCookie(to workbench: inout Workbench) -> [Outcome] {
        guard !isSettings else { return .notify(.info, "Only a request has cookies; select one first") }
        show(.headers, of: workbench)
        return addRow(to: .cookies, of: &workbench)
    }
}

/// The responses that are saved with a request and those that a document describes, to read.
extension RequestPane {
    static func documentation(of request: SavedRequest) -> [Outcome] {
        let rows = DocumentedRows.rows(request.documentedResponses)
        guard !rows.isEmpty else { return .notify(.info, "No document describes the responses to \(request.name)") }
        return [.open(.preview(PreviewOverlay("Responses to \(request.name)", rows)))]
    }

    /// Shows the only one, or offers several.
    static func examples(of request: SavedRequest) -> [Outcome] {
        let examples = request.shownExamples
        guard !examples.isEmpty else { return .notify(.info, "\(request.name) has no saved examples") }
        guard examples.count > 1 else { return [.perform(.response(.showExample(0)))] }
        let items = examples.enumerated().map { index, example in
            PickerOverlay.Item(
                name: example.name, note: "\(example.status) \(example.contentType)",
                action: .response(.showExample(index)))
        }
        return [.open(.picker(PickerOverlay(title: "Saved examples of \(request.name)", items: items)))]
    }
}
