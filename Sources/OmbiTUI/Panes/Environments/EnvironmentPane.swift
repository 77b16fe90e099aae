/// The editor of a collection's environments, side by side. It covers the other panes while it is open.
struct EnvironmentPane: Equatable, Sendable {
    enum Editing: Equatable, Sendable {
        case cell(EnvironmentPart, TextField)
        /// The name of a row that is added to a list.
        case newRow(EnvironmentPart.List, TextField)
        case rowName(EnvironmentPart, TextField)

        var text: TextField {
            get {
                switch self {
                case .cell(_, let text), .newRow(_, let text), .rowName(_, let text): text
                }
            }
            set {
                switch self {
                case .cell(let part, _): self = .cell(part, newValue)
                case .newRow(let list, _): self = .newRow(list, newValue)
                case .rowName(let part, _): self = .rowName(part, newValue)
                }
            }
        }

        /// The words in an empty field; nil where there are none.
        var example: String? {
            switch self {
            case .cell(let part, _): part.list == .secrets ? "env NAME" : nil
            case .newRow: "name"
            case .rowName: nil
            }
        }
    }

    let path: String
    private(set) var table = EnvironmentTable()
    /// The variables that the command line sets, whatever the table says.
    private(set) var overridden: Set<String> = []
    var position = ListPosition()
    var column = 0
    var firstColumn = 0
    private(set) var size: Size
    var editing: Editing?
    var completion = FieldCompletion()
    /// A row that no environment has yet: it is there until its first value is submitted.
    var draft: EnvironmentPart?
    /// The outcome for each source of a secret that was looked for; an empty text for one that is present.
    private var checked: [Secret.Source: String] = [:]
    private var asked: Set<Secret.Source> = []
    private var revision: Int?
    private var shownDraft: EnvironmentPart?

    init(path: String, size: Size) {
        self.path = path
        self.size = size
    }

    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] {
        editing == nil ? [.environments, .lists] : completion.list == nil ? [.field] : [.completing, .field]
    }

    /// Shows the environment that is in use.
    mutating func open(_ workbench: Workbench) -> [Outcome] {
        follow(workbench, size: size)
        place(column: table.environments.firstIndex { $0.name == table.active } ?? 0)
        return check(workbench)
    }

    // MARK: Following

    mutating func follow(_ workbench: Workbench, size: Size) {
        if size != self.size {
            self.size = size
            place(column: column)
            place(row: position.cursor)
        }
        guard revision != workbench.revision || shownDraft != draft else { return }
        (revision, shownDraft) = (workbench.revision, draft)
        guard let file = workbench.file(at: path), let collection = file.collection else { return }
        let (name, row) = (environment?.name, row)
        table = EnvironmentTable(
            collection, uses: workbench.uses(in: collection), active: file.environment, overrides: workbench.overridden,
            draft: draft)
        overridden = Set(table.rows.compactMap(\.part?.label).filter(workbench.isOverridden))
        // Columns and rows that come in before it must not put another cell under the cursor.
        place(column: table.environments.firstIndex { $0.name == name } ?? column)
        place(row: row.flatMap { table.rows.firstIndex(of: $0) } ?? position.cursor)
    }

    /// Looks for the secrets that are new.
    mutating func check(_ workbench: Workbench) -> [Outcome] {
        follow(workbench, size: size)
        let sources = Set(table.environments.flatMap(\.secrets).map(\.source)).subtracting(asked)
        guard !sources.isEmpty, let file = workbench.file(at: path) else { return [] }
        asked.formUnion(sources)
        return [.effect(.checkSecrets(sources.sorted { $0.text < $1.text }, in: file.folder))]
    }

    mutating func receive(_ checks: [SecretCheck]) {
        for check in checks { checked[check.source] = check.problem ?? "" }
    }

    mutating func receive(_ listing: FolderListing) {
        if let text = editing?.text { completion.receive(listing, text.edited) }
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func markCompletion(at point: Point, cursor: Point, in area: Rect) -> Bool {
        editing.map { completion.mark(at: point, $0.text.edited, cursor: cursor, in: area) } ?? false
    }

    func problem(with source: Secret.Source) -> String? { checked[source] }

    // MARK: The cursor

    var environment: Environment? { table.environments[safe: column] }
    var row: EnvironmentTable.Row? { table.rows[safe: position.cursor] }
    /// The rows below the names of the environments and above the line that explains the cell.
    var page: Int { max(1, size.rows - 4) }

    mutating func place(row: Int) { position.place(at: row, count: table.rows.count, page: page) }

    mutating func place(at part: EnvironmentPart) {
        if let row = table.rows.firstIndex(of: .part(part)) { place(row: row) }
    }

    mutating func move(_ movement: Movement) {
        switch movement {
        case .left: place(column: column - 1)
        case .right: place(column: column + 1)
        default: position.move(movement, count: table.rows.count, page: page)
        }
    }

    mutating func place(column: Int) {
        self.column = min(max(0, column), max(0, table.environments.count - 1))
        let visible = columns.visible
        firstColumn = min(max(firstColumn, self.column - visible + 1), self.column)
        firstColumn = max(0, min(firstColumn, table.environments.count - visible))
    }

    var columns: EnvironmentColumns { EnvironmentColumns(table, width: size.columns - 4) }
}

/// The columns of the table: the names of the rows, and as many environments as fit.
struct EnvironmentColumns: Equatable {
    let name: Int
    /// Of one environment, with a space behind it.
    let width: Int
    let visible: Int

    private static let minimumWidth = 20
    private static let maximumWidth = 48

    init(_ table: EnvironmentTable, width: Int) {
        let longest = table.rows.compactMap(\.part).map { TextWidth.of($0.label) }.max() ?? 0
        name = min(max(longest, 12), width < 70 ? 14 : 24) + 2
        let room = max(1, width - name)
        let count = max(1, table.environments.count)
        visible = max(1, min(count, room / Self.minimumWidth))
        self.width = min(room / visible, max(Self.maximumWidth, room / count))
    }
}
