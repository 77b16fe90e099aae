extension TreePane {
    func draw(on surface: inout Surface, in rect: Rect, runs: Runs, isReading: Bool, focused: Bool) {
        // The column at the right keeps texts off the border.
        var list = rect.dropRight(1)
        if search != nil { _ = list.takeTop(1) }
        for line in 0..<list.rows where position.offset + line < rows.count {
            let index = position.offset + line
            let item = rows[index].node.item
            draw(
                rows[index], on: &surface, in: list.line(line),
                run: runs.summary(of: item) ?? item.flatMap { runs.recent[$0]?.last?.summary },
                recent: recent(of: rows[index], runs, columns: rect.columns))
            if let target = drag?.target, rows[index].node == target {
                // Into a folder, or below a request.
                surface.restyle(list.line(line), adding: rows[index].method == nil ? .highlight : .underline)
            }
            guard index == position.cursor else { continue }
            // The name only: a move then costs half the bytes of whole rows.
            let name = list.line(line).dropLeft(rows[index].nameColumn).left(TextWidth.of(rows[index].name))
            surface.restyle(name, adding: focused ? .highlight : .underline)
        }
        if rows.isEmpty { drawEmpty(isReading: isReading, on: &surface, in: list) }
    }

    /// The width of the pane from which on its rows show the last runs of their requests.
    static let columnsForSparklines = 40

    private func recent(of row: TreeRow, _ runs: Runs, columns: Int) -> [RecentRun] {
        // The border is part of the pane.
        guard columns + 2 >= Self.columnsForSparklines, row.method != nil, row.parents.isEmpty else { return [] }
        return row.node.item.flatMap { runs.recent[$0] } ?? []
    }

    /// Draws the search field, and returns the cursor's position in it.
    func drawSearch(on surface: inout Surface, in rect: Rect) -> Point? {
        guard let search else { return nil }
        surface.write("/", at: rect.origin, style: Style(.footerKey))
        return search.draw(on: &surface, in: Self.searchField(in: rect))
    }

    static func searchField(in rect: Rect) -> Rect { rect.top(1).dropLeft(2) }

    /// The position of the cursor among the rows, `12/48`, and arrows where the list goes on.
    func place(focused: Bool) -> [Span] {
        guard rows.count > 0 else { return [] }
        let marks = marked.isEmpty ? [] : [Span(text: "◆ \(marked.count) selected  ", role: .warning)]
        return marks + position.mark(count: rows.count, page: size.rows, focused: focused)
    }

    private func draw(
        _ row: TreeRow, on surface: inout Surface, in rect: Rect, run: RunSummary?, recent: [RecentRun]
    ) {
        var pen = Pen(rect)
        if let id = row.node.item, marked.contains(id) {
            pen.write("◆", Style(.warning, .bold), on: &surface)
        } else if let run, !run.isOld {
            pen.write(run.mark.glyph, Style(run.mark.role), on: &surface)
        } else if row.isDisabled {
            pen.write("·", Style(.dim), on: &surface)
        }
        pen.skip(to: row.indent)
        if let method = row.method {
            pen.write(row.isWebSocket ? "WS" : method.shortName, Style(method.role), on: &surface)
        } else {
            pen.write(row.isBroken ? "✗" : row.isOpen ? "▾" : "▸", Style(row.isBroken ? .failure : .dim), on: &surface)
        }
        pen.skip(to: row.nameColumn)
        let outcome = row.outcome(of: run)
        let end = outcome.reduce(outcome.isEmpty ? 0 : 1) { $0 + TextWidth.of($1.text) }
        let reserve = end + (row.isDirty ? 2 : 0) + (row.hasProblem ? 2 : 0)
        let role: Role = row.isDisabled ? .dim : .plain
        pen.write(row.name, Style(role, row.depth == 0 ? .bold : []), on: &surface, keeping: reserve)
        if row.isDirty { pen.write(" ●", Style(.warning), on: &surface) }
        if row.hasProblem { pen.write(" !", Style(.warning, .bold), on: &surface) }
        if !row.parents.isEmpty { pen.write("  " + row.parents, Style(.dim), on: &surface, keeping: end) }
        // Names come first: a row without room has no sparkline.
        let start = rect.columns - TreeRow.outcomeColumns - RecentRuns.columns - 1
        if !recent.isEmpty, pen.column - rect.column < start {
            pen.skip(to: start)
            pen.write(RecentRuns.spans(recent), on: &surface)
        }
        pen.skip(to: rect.columns - end + 1)
        pen.write(outcome, on: &surface)
    }

    private func drawEmpty(isReading: Bool, on surface: inout Surface, in rect: Rect) {
        let text =
            isReading
            ? "Reading the collections …" : search != nil ? "No match; Backspace shows more." : "No collections here."
        let place = rect.top(1).dropLeft(1)
        surface.write(text, at: place.origin, style: Style(.dim), limit: place.columns, clip: place)
    }
}

extension TreeRow {
    /// The column of the method, or of the sign of a folder.
    fileprivate var indent: Int { 1 + max(0, depth * 2 - 1) }

    /// The columns of a status and a time, with the space before them.
    fileprivate static let outcomeColumns = 12

    fileprivate var nameColumn: Int { indent + (method == nil ? 2 : 6) }

    /// The columns of a pane in which the row has room for its name and the result of a run: with the border, and the column
    /// that keeps texts off it.
    var neededColumns: Int { nameColumn + TextWidth.of(name) + 1 + Self.outcomeColumns + 3 }

    /// The text at the end of the row: the requests in a folder, or the status and the time of the last run, dim for one
    /// of an earlier session. That one has no mark in front of the row, so it stands here where there was no response.
    fileprivate func outcome(of run: RunSummary?) -> [Span] {
        if method == nil { return count > 0 ? [Span(text: "\(count)", role: .dim)] : [] }
        guard let run, run.statusCode != nil || run.isOld else { return [] }
        let text = run.statusCode.map { "\($0)" } ?? run.mark.glyph.padded(to: 3)
        let time = run.duration.map(TimeText.duration) ?? ""
        return [
            Span(text: text, role: run.isOld ? .dim : .forStatus(run.statusCode, run.mark)),
            Span(text: String(repeating: " ", count: max(1, 8 - TextWidth.of(time))) + time, role: .dim),
        ]
    }
}

extension RunSummary.Mark {
    var glyph: String {
        switch self {
        case .running: "↻"
        case .succeeded: "✓"
        case .failed: "✗"
        }
    }

    var role: Role {
        switch self {
        case .running: .running
        case .succeeded: .success
        case .failed: .failure
        }
    }
}

/// One visible row of the tree of collections.
struct TreeRow: Equatable, Sendable {
    var node: TreeNode
    var depth: Int
    var name: String
    var method: RequestMethod?
    var isWebSocket = false
    /// True for a request that runs of its folder leave out.
    var isDisabled = false
    /// The number of requests in a folder or a file.
    var count = 0
    var isOpen = false
    var isDirty = false
    var isBroken = false
    /// True where the file has a problem that does not keep it from being shown.
    var hasProblem = false

    /// The names of the folders that the row of a search result is in.
    var parents = ""

    /// The visible rows when the nodes in `closed` are folded.
    static func rows(of workbench: Workbench, closed: Set<TreeNode>) -> [TreeRow] {
        var rows: [TreeRow] = []
        for file in workbench.files where !file.isScratch || file.collection?.items.isEmpty == false {
            let node = TreeNode.file(file.path)
            let index = rows.count
            rows.append(
                TreeRow(
                    node: node, depth: 0, name: file.name, isOpen: !closed.contains(node), isDirty: file.isDirty,
                    isBroken: file.collection == nil, hasProblem: file.collection != nil && file.hasProblem))
            guard let collection = file.collection else { continue }
            let dirty = file.dirtyRequests
            rows[index].count = append(
                collection.items, depth: 1, dirty, closed, to: &rows, isShown: rows[index].isOpen)
            guard !file.itemsWithProblems.isEmpty else { continue }
            for row in rows.indices[(index + 1)...] {
                rows[row].hasProblem = rows[row].node.item.map(file.itemsWithProblems.contains) ?? false
            }
        }
        return rows
    }

    /// Appends the rows of the items, and returns the number of requests in them.
    private static func append(
        _ items: [CollectionItem], depth: Int, _ dirty: Set<ItemID>, _ closed: Set<TreeNode>, to rows: inout [TreeRow],
        isShown: Bool
    ) -> Int {
        var count = 0
        for item in items {
            switch item {
            case .request(let request):
                count += 1
                guard isShown else { continue }
                rows.append(
                    TreeRow(
                        node: .request(request.id), depth: depth, name: request.name, method: request.method,
                        isWebSocket: request.isWebSocket, isDisabled: request.isDisabled,
                        isDirty: dirty.contains(request.id)))
            case .folder(let folder):
                let node = TreeNode.folder(folder.id)
                let index = rows.count
                let isOpen = !closed.contains(node)
                if isShown { rows.append(TreeRow(node: node, depth: depth, name: folder.name, isOpen: isOpen)) }
                let inside = append(
                    folder.items, depth: depth + 1, dirty, closed, to: &rows, isShown: isShown && isOpen)
                if isShown { rows[index].count = inside }
                count += inside
            }
        }
        return count
    }

    /// The requests that match the query by name, folders, collection, method or URL, in the order of the tree, and the
    /// index of the closest match.
    static func rows(of workbench: Workbench, matching query: FuzzyMatch) -> (rows: [TreeRow], best: Int) {
        var rows: [TreeRow] = []
        var best = (score: Int.min, index: 0)
        for file in workbench.files {
            let dirty = file.dirtyRequests
            guard let collection = file.collection else { continue }
            collection.forEachRequest { request, folders in
                let parents = folders.map(\.name).joined(separator: " › ")
                let text =
                    "\(request.name) \(parents) \(request.method.rawValue) \(request.path)"
                    + Tag.text(collection.tags(of: request, in: folders))
                // The name by which `ombi run` takes it; a collection shows all of its requests.
                let isNamed = {
                    let path = ([file.name] + folders.map(\.name) + [request.name]).joined(separator: "/")
                    return query.isFoundWhole(in: "\(text) \(path)")
                }
                guard let score = query.score(text) ?? (isNamed() ? Int.min + 1 : nil) else { return }
                if score > best.score { best = (score, rows.count) }
                rows.append(
                    TreeRow(
                        node: .request(request.id), depth: 1, name: request.name, method: request.method,
                        isWebSocket: request.isWebSocket, isDisabled: request.isDisabled,
                        isDirty: dirty.contains(request.id), parents: parents))
            }
        }
        return (rows, best.index)
    }
}
