/// The table of a batch: a row for each request, which follows its run. It covers the panes while it is open; the batch goes
/// on while it is closed.
struct BatchPane: Equatable, Sendable {
    private(set) var isOpen = false
    private(set) var position = ListPosition()
    /// The text that narrows the rows down; nil for all rows.
    private(set) var filter: TextField?
    private(set) var isTyping = false
    /// The rows that match the filter, in order.
    private var matches: [Int] = []
    private(set) var size = Size(columns: 80, rows: 10)
    /// True while the cursor goes along with what runs, and in the end to the first failure: until it is moved.
    private var isFollowing = true
    /// The batch that it shows, and the times that what failed of it was run again.
    private var id = 0
    private var restarts = 0
    private var count = 0
    /// The changes of the batch that are taken in.
    private var seen = 0

    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] { isTyping ? [.filtering] : [.batch, .lists] }

    /// The part of a frame in which the table is.
    static func inside(_ rect: Rect) -> Rect { rect.inset(by: 1).dropLeft(1).dropRight(1) }

    // MARK: Following

    mutating func open() { isOpen = true }

    mutating func close() { isOpen = false }

    /// Follows the batch and the size of the screen. The table of another batch begins at its first row.
    mutating func follow(_ batch: Batch?, size: Size) {
        guard isOpen, let batch else { return }
        if id != batch.id {
            self = BatchPane()
            (id, isOpen) = (batch.id, true)
        }
        if count != batch.rows.count || size != self.size {
            (count, self.size) = (batch.rows.count, size)
            place(at: position.cursor)
        }
        if filter != nil {
            for index in batch.changes[min(seen, batch.changes.count)...] { match(index, batch) }
        }
        seen = batch.changes.count
        if restarts != batch.restarts { (restarts, isFollowing) = (batch.restarts, true) }
        let row = batch.isEnded ? batch.firstFailure ?? batch.latest : batch.latest
        if isFollowing, let row, let line = line(of: row) { place(at: line) }
    }

    // MARK: Rows

    /// The number of rows that show.
    var shown: Int { filter == nil ? count : matches.count }

    func row(at line: Int) -> Int? {
        guard line >= 0, line < shown else { return nil }
        return filter == nil ? line : matches[line]
    }

    var current: Int? { row(at: position.cursor) }

    private func line(of row: Int) -> Int? {
        guard filter != nil else { return row }
        let line = insertionPoint(of: row)
        return matches[safe: line] == row ? line : nil
    }

    var page: Int { max(1, BatchLayout(Rect(size)).list.rows) }

    private mutating func place(at line: Int) { position.place(at: line, count: shown, page: page) }

    // MARK: The filter

    /// Narrows the rows down to those that match the text.
    private mutating func search(_ batch: Batch) {
        let text = filter?.text ?? ""
        matches = batch.rows.indices.filter { batch.rows[$0].matches(text) }
        seen = batch.changes.count
        place(at: 0)
    }

    /// Puts a row that changed in or out. Only the row itself is compared: there may be thousands of others.
    private mutating func match(_ row: Int, _ batch: Batch) {
        let isMatch = batch.rows[row].matches(filter?.text ?? "")
        let line = insertionPoint(of: row)
        let isShown = matches[safe: line] == row
        if isMatch, !isShown {
            matches.insert(row, at: line)
            if line <= position.cursor, matches.count > 1 { place(at: position.cursor + 1) }
        } else if !isMatch, isShown {
            matches.remove(at: line)
            if line < position.cursor { place(at: position.cursor - 1) } else { place(at: position.cursor) }
        }
    }

    private func insertionPoint(of row: Int) -> Int { matches.partitioningIndex { $0 >= row } }

    private mutating func endFilter() {
        let row = current
        (filter, isTyping, matches) = (nil, false, [])
        place(at: row ?? position.cursor)
    }
}

// MARK: - Actions

extension BatchPane {
    /// Handles an action while the table is open; nil for one of the whole program.
    mutating func handle(
        _ action: Action, on runs: inout Runs, _ workbench: Workbench, in rect: Rect, at time: Duration
    ) -> [Outcome]? {
        guard let batch = runs.batch else { return nil }
        switch action {
        case .move(let movement):
            isFollowing = false
            position.move(movement, count: shown, page: page)
        case .mouse(let action): return perform(action, batch, runs, workbench, in: rect)
        case .text(let edit) where isTyping:
            isFollowing = false
            filter?.perform(edit)
            search(batch)
        case .view(.find):
            isTyping = true
            if filter == nil {
                filter = TextField()
                search(batch)
            }
        case .accept where isTyping:
            isTyping = false
            if filter?.text.isEmpty ?? true { endFilter() }
        case .accept: return accept(batch, runs, workbench)
        case .leave: return leave()
        case .run(let action): return perform(action, on: &runs, batch, at: time)
        case .app, .files, .tree, .batch: return nil
        default: break
        }
        return []
    }

    /// Ends the filter, or closes the table.
    private mutating func leave() -> [Outcome] {
        if filter != nil { endFilter() } else { isOpen = false }
        return []
    }

    /// Shows what differs in a replay; otherwise goes to the request.
    private func accept(_ batch: Batch, _ runs: Runs, _ workbench: Workbench) -> [Outcome] {
        guard let row = current.map({ batch.rows[$0] }), let comparison = row.comparison?.comparison else {
            return open(batch, runs, workbench)
        }
        var preview = PreviewOverlay(row.name, ComparisonRows.rows(comparison))
        preview.compared = row.item
        guard !comparison.body.changes.isEmpty else { return [.open(.preview(preview))] }
        let question = VolatileQuestion(
            request: comparison.request, item: row.item, environment: comparison.new.environment,
            status: comparison.new.status, ignored: workbench.request(row.item)?.ignoredPaths ?? [])
        return [.open(.preview(preview)), .effect(.history(.volatile(question)))]
    }

    func goTo(_ runs: Runs, _ workbench: Workbench) -> [Outcome] {
        runs.batch.map { open($0, runs, workbench) } ?? []
    }

    /// Goes to the request under the cursor and its response, of a failed one to the tab that says why, of one that waits
    /// for a sign-in to the page; to what has to be mended where nothing was sent.
    private func open(_ batch: Batch, _ runs: Runs, _ workbench: Workbench) -> [Outcome] {
        guard let row = current.map({ batch.rows[$0] }) else { return [] }
        guard workbench.request(row.item) != nil else {
            return .notify(.info, "\(row.name) is no longer in the collection")
        }
        let tab = runs.signIn(of: row) == nil ? row.cause : .body
        return [
            .perform(.batch(.close)), .focus(row.hasResponse ? .response : .request),
            .perform(.tree(.select(.request(row.item)))),
        ] + (tab.map { [Outcome.perform(.response(.showTab($0.number)))] } ?? [])
    }

    private mutating func perform(
        _ action: RunAction, on runs: inout Runs, _ batch: Batch, at time: Duration
    ) -> [Outcome] {
        guard let current else { return [] }
        let effect: (RunID) -> Effect
        switch action {
        case .send, .sendProtected:
            return [.perform(.batch(batch.replay == nil ? .ask(batch.node) : .chooseReplayOf(batch.node)))]
        case .cancel:
            if runs.batch?.cancelWaiting(current, at: time) ?? false {
                // It may have held up those after it, as its request runs by itself.
                return runs.beginNext(at: time).map(Outcome.effect)
            }
            effect = { .cancel($0) }
        case .retryNow: effect = { .retryNow($0) }
        case .addAttempt: effect = { .addAttempts($0, 1) }
        default: return []
        }
        guard case .running(let id) = batch.rows[current].state else {
            return .notify(.info, "\(batch.rows[current].name) is not running")
        }
        return [.effect(effect(id))]
    }

    private mutating func perform(
        _ action: MouseAction, _ batch: Batch, _ runs: Runs, _ workbench: Workbench, in rect: Rect
    ) -> [Outcome] {
        switch action {
        case .click(let point):
            let list = BatchLayout(Self.inside(rect)).list
            guard list.contains(point) else { return [] }
            let line = position.offset + point.row - list.row
            guard line < shown else { return [] }
            isFollowing = false
            if line == position.cursor { return accept(batch, runs, workbench) }
            place(at: line)
        case .wheel(_, let lines):
            isFollowing = false
            position.scroll(by: lines, count: shown, page: page)
        case .drag, .release: break
        }
        return []
    }
}

/// Requests of a folder's run that wait for a person.
extension Runs {
    func signIn(of row: Batch.Row) -> SignIn? {
        guard case .running(let id) = row.state else { return nil }
        return self[id: id]?.pendingSignIn
    }

    /// The number of requests of the folder's run that wait for a sign-in.
    var signInsOfBatch: Int { batch?.running.count { self[id: $0]?.pendingSignIn != nil } ?? 0 }
}

extension Batch.Row {
    /// The tab of the response that says why the request failed; nil where it did not, or nothing was sent.
    fileprivate var cause: ResponseTab? {
        guard case .ended(let result) = state, result.wasPrepared, !result.failures.isEmpty else { return nil }
        return result.missesExpectation ? .expect : .body
    }

    /// True for a request that was sent, or is about to be.
    fileprivate var hasResponse: Bool {
        switch state {
        case .waiting: false
        case .running: true
        case .ended(let result): result.wasPrepared
        }
    }
}
