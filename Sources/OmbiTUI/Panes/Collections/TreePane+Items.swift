/// Actions on the items that are marked, or on the one under the cursor.
extension TreePane {
    var targets: Set<ItemID> { marked.isEmpty ? Set([current?.node.item].compactMap { $0 }) : marked }

    mutating func performOnItems(_ action: TreeAction, in workbench: inout Workbench) -> [Outcome] {
        switch action {
        case .mark: return mark(in: &workbench)
        case .delete: return askToDelete(in: &workbench)
        case .deleteItems(let ids): return delete(ids, in: &workbench)
        case .duplicate: return duplicate(in: &workbench)
        case .move(let distance): return workbench.step(targets, by: distance)
        case .moveIn: return workbench.moveIn(targets)
        case .moveOut: return workbench.moveOut(targets)
        case .chooseTarget(let transfer): return chooseTarget(transfer, workbench)
        case .put(let node, let transfer): return put(at: node, transfer, in: &workbench)
        case .putInNewFolder(let name, let path, let transfer):
            return put(at: TreeDestination(path: path, place: .root, newFolder: name), transfer, in: &workbench)
        case .putHere(let transfer):
            guard !marked.isEmpty else { return .notify(.info, "Select items with v first, then put them here") }
            return current.map { put(at: $0.node, transfer, in: &workbench) } ?? []
        default: return []
        }
    }

    // MARK: Marks

    private mutating func mark(in workbench: inout Workbench) -> [Outcome] {
        guard let id = current?.node.item else {
            return .notify(.info, "A collection is a file; requests and folders can be selected")
        }
        if marked.remove(id) == nil { marked.insert(id) }
        place(at: position.cursor + 1)
        workbench.select(current?.node)
        return []
    }

    /// Ends a drag, or removes the marks; false when there was neither.
    mutating func clearMarks() -> Bool {
        guard drag?.target != nil || !marked.isEmpty else { return false }
        if drag?.target == nil { marked = [] }
        drag = nil
        return true
    }

    // MARK: Deleting and duplicating

    /// Deletes a request at once; a folder with requests, and several items, after a question.
    private mutating func askToDelete(in workbench: inout Workbench) -> [Outcome] {
        let items = workbench.items(targets)
        guard let first = items.first else { return askToClose(in: &workbench, isCertain: false) }
        let inside = items.map { Collection(schema: nil, name: "", items: $0.items).requestCount }.reduce(0, +)
        guard items.count > 1 || inside > 0 else { return delete([first.id], in: &workbench) }
        let requests = inside > 0 ? " with \(Count.of(inside, "request"))" : ""
        let text = items.count == 1 ? "the folder \(first.name)" : "\(items.count) items"
        return .question(
            "Delete", ["Delete \(text)\(requests)?"],
            yes: .init("delete \(items.count == 1 ? "it" : "them")", .tree(.deleteItems(Set(items.map(\.id))))),
            no: .init("keep \(items.count == 1 ? "it" : "them")", nil))
    }

    private mutating func delete(_ ids: Set<ItemID>, in workbench: inout Workbench) -> [Outcome] {
        let items = workbench.items(ids)
        guard let first = items.first else { return [] }
        let name = Workbench.name(of: items)
        let paths = Set(items.compactMap { workbench.file(of: $0.id)?.path })
        workbench.editAll(paths, "delete \(name)", item: first.id) { collections in
            for path in paths { collections[path]?.remove(ids) }
        }
        stay(at: neighbours, in: workbench)
        // The cursor may be in another file: in that of marked items, or the last scratch request is gone.
        workbench.undoesNext = paths.sorted().first
        return .notify(.info, "Deleted \(name); u brings \(items.count == 1 ? "it" : "them") back")
    }

    /// The rows of the file under the cursor, from there to its end, and then those before, the nearest first.
    private var neighbours: [TreeNode] {
        let cursor = position.cursor
        guard rows.indices.contains(cursor) else { return [] }
        let start = rows[...cursor].lastIndex { $0.depth == 0 } ?? 0
        let end = rows[(cursor + 1)...].firstIndex { $0.depth == 0 } ?? rows.endIndex
        return (rows[cursor..<end] + rows[start..<cursor].reversed()).map(\.node)
    }

    /// Puts the cursor on the first of the nodes that is still there.
    private mutating func stay(at nodes: [TreeNode], in workbench: Workbench) {
        refresh(workbench)
        let shown = Dictionary(rows.enumerated().map { ($1.node, $0) }) { first, _ in first }
        if let row = nodes.lazy.compactMap({ shown[$0] }).first { place(at: row) }
    }

    private mutating func duplicate(in workbench: inout Workbench) -> [Outcome] {
        let items = workbench.items(targets)
        let paths = Set(items.compactMap { workbench.file(of: $0.id)?.path })
        var copies: [ItemID] = []
        workbench.editAll(paths, "duplicate \(Workbench.name(of: items))", item: items.first?.id) { collections in
            for item in items {
                for path in paths { collections[path]?.duplicate(item.id).map { copies.append($0) } }
            }
        }
        guard let copy = copies.first.flatMap(workbench.node) else { return [] }
        select(copy, in: &workbench)
        return items.count == 1 ? [] : .notify(.success, "Duplicated \(items.count) items")
    }

    // MARK: Closing

    /// Closes the file under the cursor: with edits that are not saved after a question.
    /// - Parameter isCertain: false to ask about one without edits, too.
    mutating func askToClose(in workbench: inout Workbench, isCertain: Bool = true) -> [Outcome] {
        guard let file = workbench.currentFile else { return Workbench.noCollection }
        if file.isScratch { return .notify(.info, "Scratch requests are in no file; d on one deletes it") }
        let isGone = file.hasCollection && file.disk == .removed
        let isUnsaved = isGone || file.isDirty && workbench.saves.writing[file.path] != file.collection
        guard isUnsaved || !isCertain && !file.isMissing else { return close(file.path, in: &workbench) }
        let closing = Action.tree(.close(path: file.path))
        guard isUnsaved else {
            return .question(
                "Close", ["\(file.path) stays on disk."], yes: .init("close it", closing),
                no: .init("keep it open", nil))
        }
        let state = isGone ? "is not on disk any more" : "has edits that are not saved"
        return .question(
            "Close", ["\(file.path) \(state)."],
            yes: .init("save and close", .files(.saveAndClose(path: file.path))), no: .init("close without", closing))
    }

    /// Closes a file, one that is being written after that; the cursor goes on to what follows it.
    mutating func close(_ path: String, in workbench: inout Workbench) -> [Outcome] {
        guard let file = workbench.file(at: path) else { return [] }
        // A save that fails would take the edits along.
        guard !file.isDirty || workbench.saves.writing[path] != file.collection else {
            workbench.saves.closed = path
            return []
        }
        let row = workbench.currentFile?.path == path ? rows.firstIndex { $0.node == .file(path) } : nil
        workbench.close(path)
        refresh(workbench)
        if let row { place(at: row) }
        workbench.select(current?.node)
        return .notify(.info, "Closed \(file.name); o opens it again")
    }

    // MARK: Moving and copying

    private func chooseTarget(_ transfer: Transfer, _ workbench: Workbench) -> [Outcome] {
        let items = workbench.items(targets)
        guard !items.isEmpty else {
            return .notify(.info, "A collection is a file; its requests and folders can be moved")
        }
        let verb = transfer == .copy ? "Copy" : "Move"
        let list = workbench.targets(for: items, transfer)
        guard !list.isEmpty else {
            return .notify(.info, "No collection is open; w saves a scratch request in a new one")
        }
        var picker = PickerOverlay(title: "\(verb) \(Workbench.name(of: items)) to", items: list)
        picker.others = workbench.newFolders(transfer)
        return [.open(.picker(picker))]
    }

    mutating func put(at node: TreeNode, _ transfer: Transfer, in workbench: inout Workbench) -> [Outcome] {
        guard let destination = workbench.destination(node) else {
            return .notify(.info, "Only collections that could be read take items")
        }
        return put(at: destination, transfer, in: &workbench)
    }

    private mutating func put(
        at destination: TreeDestination, _ transfer: Transfer, in workbench: inout Workbench
    ) -> [Outcome] {
        switch transfer {
        case .save: return workbench.saveScratch(at: destination)
        case .move, .copy:
            let ids = drag?.items(marked) ?? targets
            marked = []
            drag = nil
            return workbench.put(ids, at: destination, transfer)
        }
    }
}

/// A row that the mouse drags to another place.
struct TreeDrag: Equatable, Sendable {
    /// The row where the button was pressed.
    let node: TreeNode
    /// True once the pointer has left that row.
    var hasMoved = false
    /// The row under the pointer, if it takes what is dragged.
    var target: TreeNode?

    /// The items that are dragged: the marked ones with one of them.
    func items(_ marked: Set<ItemID>) -> Set<ItemID> {
        guard let id = node.item else { return [] }
        return marked.contains(id) ? marked : [id]
    }
}

extension TreePane {
    /// Follows the pointer, and scrolls at the edges.
    /// - Returns: a message that names the place where the items would be put.
    mutating func drag(toLine line: Int, in workbench: Workbench) -> Notice? {
        guard var dragged = drag, dragged.node.item != nil else { return nil }
        if line < 0 { scroll(by: -1) } else if line >= size.rows { scroll(by: 1) }
        let items = workbench.items(dragged.items(marked))
        let row = row(atLine: line).map { rows[$0] }
        if !dragged.hasMoved, row?.node != dragged.node {
            dragged.hasMoved = true
            // It was no click that folds.
            if current?.node == dragged.node { toggle(in: workbench) }
        }
        dragged.target = row.flatMap { takes(items, $0.node, workbench) ? $0.node : nil }
        drag = dragged
        guard let row, dragged.target != nil else { return nil }
        let place = row.method == nil ? "into \(row.name)" : "after \(row.name)"
        return Notice(.info, "Drop \(Workbench.name(of: items)) \(place)")
    }

    private func takes(_ items: [CollectionItem], _ node: TreeNode, _ workbench: Workbench) -> Bool {
        guard workbench.destination(node) != nil else { return false }
        guard let id = node.item else { return true }
        return !items.contains { item in item.id == id || Collection(schema: nil, name: "", items: [item]).contains(id)
        }
    }

    /// Puts what is dragged where the button is released.
    mutating func drop(in workbench: inout Workbench) -> [Outcome] {
        defer { drag = nil }
        return drag?.target.map { put(at: $0, .move, in: &workbench) } ?? []
    }
}
