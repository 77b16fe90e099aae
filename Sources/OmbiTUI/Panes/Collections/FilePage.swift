/// Facts about the folder or the collection under the cursor of the tree, below its settings; or the problems of a file in place of
/// a request.
struct FilePage {
    private(set) var rows: [[Span]] = []
    /// They are looked up for every frame.
    private static let maximumCounted = 500
    private let columns: Int
    private let undefined: [String]

    /// - Parameters:
    ///   - runs: those of the requests, to be counted.
    ///   - undefined: the variables of the collection that have no value, a sentence each.
    init(_ workbench: Workbench, _ runs: Runs? = nil, undefined: [String] = [], columns: Int) {
        self.columns = columns
        self.undefined = undefined
        guard let file = workbench.currentFile ?? workbench.file else { return }
        add(file, workbench.node, runs)
    }

    private mutating func add(_ file: OpenFile, _ node: TreeNode?, _ runs: Runs?) {
        guard let collection = file.collection else { return addProblems(of: file) }
        if let id = node?.item, case .folder(let folder)? = collection.item(id) {
            addFolder(folder, in: collection, of: file, runs)
        } else {
            addCollection(collection, of: file, runs)
        }
    }

    func draw(on surface: inout Surface, in rect: Rect, from first: Int = 0) {
        for (line, spans) in rows.dropFirst(first).enumerated() where line < rect.rows {
            var pen = Pen(rect.line(line))
            pen.write(spans, on: &surface)
        }
    }

    // MARK: Rows

    private mutating func add(_ text: String, _ role: Role = .plain) {
        rows += WrappedText.lines(of: text, columns: columns).map { [Span(text: $0, role: role)] }
    }

    private mutating func addSpace() { rows.append([]) }

    private mutating func addFolder(_ folder: Folder, in collection: Collection, of file: OpenFile, _ runs: Runs?) {
        var requests: [SavedRequest] = []
        collection.forEachRequest(in: folder.id) { request, _ in requests.append(request) }
        add("\(Count.of(requests.count, "request")) in \(file.path)", .dim)
        addRuns(of: requests, runs)
        if !requests.isEmpty { add("s runs them, one after the other or several at a time", .dim) }
        add("a adds a request, A a folder, R renames it, Enter folds it", .dim)
    }

    private mutating func addCollection(_ collection: Collection, of file: OpenFile, _ runs: Runs?) {
        guard !file.isScratch else { return addScratch() }
        if file.disk != .known || !file.conflicts.isEmpty { add(collection.name, .title) }
        let requests = collection.requests
        add("\(Count.of(requests.count, "request")) in \(file.path)", .dim)
        if let format = file.foreignFormat {
            add("This is \(format), read-only: w makes a collection of it.", .warning)
            if file.awaitsEnvironment { add("Nothing is sent until E chooses an environment.", .warning) }
        }
        addRuns(of: requests, runs)
        if !requests.isEmpty { add("s runs them, one after the other or several at a time", .dim) }
        add("a adds a request, A a folder, e opens the file in $EDITOR", .dim)
        addDisk(of: file)
        guard !file.problems.isEmpty || !undefined.isEmpty else { return }
        addSpace()
        if file.foreignFormat != nil, !file.problems.isEmpty { add("Left out:", .dim) }
        for problem in file.problems { addProblem(problem, mark: "! ") }
        for sentence in undefined { add("! " + sentence) }
    }

    private mutating func addScratch() {
        add("Scratch requests belong to no file.", .title)
        add("w saves one in a collection, d deletes it, Ctrl+N opens another.", .dim)
        add("They are sent in the environment of the collection worked on last.", .dim)
    }

    /// `✓ 3 passed  ✗ 1 failed  4 not sent`
    private mutating func addRuns(of requests: [SavedRequest], _ runs: Runs?) {
        guard requests.count <= Self.maximumCounted else { return }
        let marks = requests.compactMap { runs?.summary(of: $0.id) }.filter { !$0.isOld }.map(\.mark)
        guard !marks.isEmpty else { return }
        let words: [(RunSummary.Mark, String)] = [(.succeeded, "passed"), (.failed, "failed"), (.running, "running")]
        var spans = words.flatMap { mark, word -> [Span] in
            let count = marks.count { $0 == mark }
            return count == 0
                ? [] : [Span(text: mark.glyph, role: mark.role), Span(text: " \(count) \(word)  ", role: .plain)]
        }
        let unsent = requests.count - marks.count
        if unsent > 0 { spans.append(Span(text: "\(unsent) not sent", role: .dim)) }
        rows.append(spans)
    }

    // MARK: Files

    private mutating func addProblems(of file: OpenFile) {
        guard !file.isMissing else {
            add("There is no \(file.path).", .warning)
            return add("Enter creates it as a new collection.", .dim)
        }
        add("\(file.path) could not be read:", .failure)
        for problem in file.problems { addProblem(problem) }
        addSpace()
        add("Enter opens it in $EDITOR; the file stays as it is until then.", .dim)
    }

    /// The place in front of the message, and under it as much of it as has no room.
    private mutating func addProblem(_ problem: Problem, mark: String = "") {
        let place = mark + (problem.position.map { "line \($0.line), column \($0.column): " } ?? "")
        let lines = WrappedText.lines(of: place + problem.message, columns: columns)
        for (index, line) in lines.enumerated() {
            let head = index == 0 && line.hasPrefix(place) ? place : ""
            rows.append([Span(text: head, role: .title), Span(text: String(line.dropFirst(head.count)), role: .plain)])
        }
    }

    private mutating func addDisk(of file: OpenFile) {
        if file.disk != .known || !file.conflicts.isEmpty { addSpace() }
        switch file.disk {
        case .known: break
        case .removed: add("The file was removed from disk; \(file.rescue).", .warning)
        case .unreadable(let problem):
            add("The file changed on disk, and cannot be read any more:", .failure)
            add(problem)
        }
        if !file.conflicts.isEmpty { add("It was edited here and on disk; w shows the conflicts.", .warning) }
    }
}

/// The last runs of a request in its row: a bar for the time of each, a cross for one that failed.
enum RecentRuns {
    static let columns = 8

    /// - Parameter runs: the oldest first; the newest one is at the right.
    static func spans(_ runs: [RecentRun]) -> [Span] {
        let shown = Array(runs.suffix(columns))
        let passed = shown.filter(\.passed).map { $0.duration / .milliseconds(1) }
        // Bars compare what passed: a failure that took a minute would make all of them the same.
        var bars = Array(Sparkline.text(passed, columns: columns)).makeIterator()
        let cells: [Span] = shown.map { run in
            run.passed
                ? Span(text: bars.next().map(String.init) ?? " ", role: .phaseWait) : Span(text: "✗", role: .failure)
        }
        return [Span(text: String(repeating: " ", count: columns - shown.count), role: .plain)] + cells.merged
    }
}

extension [Span] {
    /// Neighbours of one role as one.
    fileprivate var merged: [Span] {
        reduce(into: []) { spans, span in
            if let last = spans.last, last.role == span.role {
                spans[spans.count - 1].text += span.text
            } else {
                spans.append(span)
            }
        }
    }
}
