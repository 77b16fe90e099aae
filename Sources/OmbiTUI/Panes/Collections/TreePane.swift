/// The pane of collections: the folded nodes, the row under the cursor, and the look of the rows.
struct TreePane: Equatable, Sendable {
    private(set) var rows: [TreeRow] = []
    private(set) var position = ListPosition()
    private(set) var closed: Set<TreeNode> = []
    /// The items that are marked, to be moved, copied or deleted together.
    var marked: Set<ItemID> = []
    var drag: TreeDrag?
    /// The text that is searched for; nil while the tree shows.
    private(set) var search: TextField?
    /// The node at which the search began, to which Esc goes back.
    private var searchStart: TreeNode?
    private(set) var size = Size(columns: 0, rows: 1)
    /// The columns of the pane in which every name that the files had at the start is whole.
    private(set) var columnsOfNames = 0
    /// The revision of the workbench that the rows show.
    private var revision = 0

    /// Folders but that of the first request start folded when there are more rows than this.
    private static let maximumOpenRows = 60

    var current: TreeRow? { rows.indices.contains(position.cursor) ? rows[position.cursor] : nil }

    /// Takes the files over as at the start: folded where they are long, the cursor on the first request.
    mutating func open(_ workbench: inout Workbench) {
        closed = []
        marked = []
        search = nil
        rows = TreeRow.rows(of: workbench, closed: [])
        columnsOfNames = rows.reduce(0) { max($0, $1.neededColumns) }
        if rows.count > Self.maximumOpenRows {
            // Those before the first request are its own.
            let others = rows.drop { $0.method == nil }.map(\.node)
            closed = Set(others.filter { if case .folder = $0 { true } else { false } })
        }
        if closed.isEmpty { revision = workbench.revision } else { refresh(workbench) }
        place(at: rows.firstIndex { $0.method != nil } ?? 0)
        workbench.select(current?.node)
    }

    /// Follows the files and the size of the pane; the cursor stays on its node where that still shows.
    mutating func follow(_ workbench: inout Workbench, size: Size) {
        if size != self.size || revision != workbench.revision {
            self.size = size
            refresh(workbench)
        }
        workbench.select(current?.node)
    }

    mutating func refresh(_ workbench: Workbench) {
        let node = current?.node
        revision = workbench.revision
        if !marked.isEmpty { marked.formIntersection(workbench.items(marked).map(\.id)) }
        rows = searched(workbench)?.rows ?? TreeRow.rows(of: workbench, closed: closed)
        let row = rows.firstIndex { $0.node == node } ?? position.cursor
        // Rows that come in above must not push the cursor off the screen, or to its edge.
        if row < position.offset || row >= position.offset + page {
            position.scroll(by: row - position.cursor, count: rows.count, page: page)
        }
        place(at: row)
    }

    /// Folds these nodes and no others, and goes to a node that shows.
    mutating func restore(closed: Set<TreeNode>, selecting node: TreeNode?, in workbench: inout Workbench) {
        if closed != self.closed || revision != workbench.revision {
            self.closed = closed
            refresh(workbench)
        }
        if let row = rows.firstIndex(where: { $0.node == node }) { place(at: row) }
        workbench.select(current?.node)
    }

    mutating func place(at row: Int) { position.place(at: row, count: rows.count, page: page) }

    /// The visible rows: the search field takes one.
    var page: Int { max(1, size.rows - (search == nil ? 0 : 1)) }

    // MARK: The cursor

    /// Folds or unfolds the node under the cursor.
    mutating func toggle(in workbench: Workbench) {
        guard let row = current, row.method == nil else { return }
        if row.isOpen { closed.insert(row.node) } else { closed.remove(row.node) }
        refresh(workbench)
    }

    private mutating func fold(in workbench: Workbench) {
        guard let row = current else { return }
        if row.method == nil, row.isOpen { return toggle(in: workbench) }
        let parent = rows[..<position.cursor].lastIndex { $0.depth < row.depth }
        if let parent { place(at: parent) }
    }

    mutating func select(_ node: TreeNode, in workbench: inout Workbench) {
        search = nil
        if let id = node.item, let file = workbench.file(of: id) {
            closed.remove(.file(file.path))
            closed.subtract((file.collection?.ancestors(of: id) ?? []).map(TreeNode.folder))
        }
        refresh(workbench)
        if let row = rows.firstIndex(where: { $0.node == node }) { place(at: row) }
        workbench.select(current?.node)
    }
}

// MARK: - Searching

extension TreePane {
    private func searched(_ workbench: Workbench) -> (rows: [TreeRow], best: Int)? {
        guard let query = search.map({ FuzzyMatch($0.text) }), !query.isEmpty else { return nil }
        return TreeRow.rows(of: workbench, matching: query)
    }

    /// Handles an action while the search field is open; nil when it is not the field's.
    mutating func search(_ action: Action, in workbench: inout Workbench) -> [Outcome]? {
        guard search != nil else { return nil }
        switch action {
        case .text(let edit):
            search?.perform(edit)
            refresh(workbench)
            place(at: searched(workbench)?.best ?? rows.firstIndex { $0.node == searchStart } ?? 0)
            workbench.select(current?.node)
        case .accept where searched(workbench)?.rows.isEmpty ?? false:
            return .notify(.info, "No request matches \"\(search?.text ?? "")\"; Backspace shows more")
        case .accept, .leave:
            let start = action == .leave ? searchStart : nil
            guard let node = start ?? current?.node ?? workbench.selected.map(TreeNode.request) else {
                search = nil
                refresh(workbench)
                return []
            }
            select(node, in: &workbench)
        default: return nil
        }
        return []
    }
}

// MARK: - Actions

extension TreePane {
    mutating func move(_ movement: Movement, in workbench: inout Workbench) -> [Outcome] {
        switch movement {
        case .left: fold(in: workbench)
        case .right where current?.method != nil: return [.focus(.request)]
        case .right: if current?.isOpen == false { toggle(in: workbench) }
        default: position.move(movement, count: rows.count, page: page)
        }
        workbench.select(current?.node)
        return []
    }

    /// Handles a click at a point inside the border, with which a drag may begin.
    mutating func click(_ point: Point, in workbench: inout Workbench) {
        drag = nil
        if point.row == 0 { placeCursor(at: point, selecting: false) }
        guard let row = row(atLine: point.row) else { return }
        place(at: row)
        toggle(in: workbench)
        drag = current.map { TreeDrag(node: $0.node) }
    }

    func row(atLine line: Int) -> Int? {
        let line = line - (search == nil ? 0 : 1)
        return line >= 0 && position.offset + line < rows.count ? position.offset + line : nil
    }

    /// Places the cursor of the search, or selects in its text.
    mutating func placeCursor(at point: Point, selecting: Bool) {
        let field = Self.searchField(in: Rect(size))
        search?.click(column: point.column - field.column, in: field.columns, selecting: selecting)
    }

    mutating func scroll(pages: Int) { scroll(by: pages * max(1, page - 1)) }

    mutating func scroll(by lines: Int) { position.scroll(by: lines, count: rows.count, page: page) }

    mutating func perform(_ action: TreeAction, on workbench: inout Workbench) -> [Outcome] {
        switch action {
        case .open: return open(in: workbench)
        case .select(let node): select(node, in: &workbench)
        case .search: (search, searchStart) = (TextField(), current?.node)
        case .askForCollection: return workbench.askForCollection()
        case .askForHost(let name, let path):
            return [.open(.prompt(PromptOverlay(.newHost(name: name, path: path))))]
        case .begin(let name, let host, let path):
            workbench.saves.scratch = nil
            return Workbench.begin(name, host: host, path: path)
        case .askForPath: return [.open(.prompt(PromptOverlay(.path)))]
        case .openPath(let path): return [.effect(.open(path: path))]
        case .askToClose: return askToClose(in: &workbench)
        case .close(let path): return close(path, in: &workbench)
        case .askForRequest: return ask(workbench) { .newRequest(after: $0) }
        case .askForFolder: return ask(workbench) { .newFolder(after: $0) }
        case .askForName: return workbench.askForName(of: current?.node.item)
        case .addRequest(let name, let node):
            let request = SavedRequest(name: name, path: "/")
            add([.request(request)], at: node, in: &workbench)
            guard workbench.request(request.id) != nil else { return Self.isGone("added") }
            return [.focus(.request), .perform(.request(.editNew))] + workbench.warningOfTwin(of: request.id)
        case .addFolder(let name, let node):
            let folder = Folder(name: name)
            add([.folder(folder)], at: node, in: &workbench)
            if workbench.file(of: folder.id) == nil { return Self.isGone("added") }
        case .rename(let id, let name):
            guard workbench.file(of: id) != nil else { return Self.isGone("renamed") }
            workbench.edit(id, "rename to \(name)") { $0.rename(id, name) }
            return workbench.warningOfTwin(of: id)
        case .delete, .deleteItems, .duplicate, .mark, .move, .moveIn, .moveOut, .chooseTarget, .put,
            .putInNewFolder, .putHere:
            return performOnItems(action, in: &workbench)
        case .editFile: return workbench.editFile()
        case .askToSaveInNew: return [.open(.prompt(PromptOverlay(.newHome)))]
        case .saveInNew(let name): return workbench.saveInNew(name)
        }
        return []
    }

    /// The message about a name that was typed while another program took its place out of the file.
    private static func isGone(_ done: String) -> [Outcome] {
        .notify(.warning, "Not \(done): the file changed on disk meanwhile, and the item is gone")
    }

    private mutating func open(in workbench: Workbench) -> [Outcome] {
        if current?.method != nil { return [.focus(.request)] }
        if let file = workbench.currentFile, file.collection == nil { return workbench.editFile() }
        toggle(in: workbench)
        return []
    }

    private func ask(_ workbench: Workbench, _ subject: (TreeNode) -> PromptOverlay.Subject) -> [Outcome] {
        guard let node = current?.node, let file = workbench.currentFile else { return Workbench.noCollection }
        guard file.collection != nil else { return .notify(.info, file.unreadable) }
        if file.isScratch { return .notify(.info, "Scratch requests have no folders; Ctrl+N opens another") }
        return [.open(.prompt(PromptOverlay(subject(node))))]
    }

    private mutating func add(_ items: [CollectionItem], at node: TreeNode, in workbench: inout Workbench) {
        closed.remove(node)
        workbench.insert(items, at: node)
        switch items.first {
        case .request(let request): select(.request(request.id), in: &workbench)
        case .folder(let folder): select(.folder(folder.id), in: &workbench)
        case nil: break
        }
    }
}
