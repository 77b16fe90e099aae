import OmbiTerminal
import OmbiWorkspace

/// Shown in place of a request: the folder or the collection under the cursor of the tree, or the problems of a file.
struct FilePage {
    private(set) var rows: [[Span]] = []
    private let columns: Int

    init(_ workbench: Workbench, columns: Int) {
        self.columns = columns
        guard let file = workbench.currentFile ?? workbench.file else { return }
        add(file)
    }

    private mutating func add(_ file: OpenFile) {
        guard let collection = file.collection else { return addProblems(of: file) }
        addCollection(collection, of: file)
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

    private mutating func addCollection(_ collection: Collection, of file: OpenFile) {
        guard !file.isScratch else { return addScratch() }
        add(collection.name, .title)
        if !collection.description.isEmpty { add(collection.description) }
        addSpace()
        let requests = collection.requests
        add("\(Count.of(requests.count, "request")) in \(file.path)", .dim)
        if !requests.isEmpty { add("s runs them, one after the other or several at a time", .dim) }
        add("a adds a request, A a folder, e opens the file in $EDITOR", .dim)
        addDisk(of: file)
        guard !file.problems.isEmpty else { return }
        addSpace()
        for problem in file.problems { addProblem(problem, mark: "! ") }
    }

    private mutating func addScratch() {
        add("Scratch requests belong to no file.", .title)
        add("w saves one in a collection, d deletes it, Ctrl+N opens another.", .dim)
        add("They are sent in the environment of the collection worked on last.", .dim)
    }

    // MARK: Files

    private mutating func addProblems(of file: OpenFile) {
        guard !file.isMissing else {
            add("There is no \(file.path).", .warning)
            return add("n creates it as a new collection.", .dim)
        }
        add("\(file.path) could not be read.", .failure)
        add("Enter opens it in $EDITOR; the file stays as it is until then.", .dim)
        addSpace()
        for problem in file.problems { addProblem(problem) }
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
        case .removed: add("The file was removed from disk; w writes it again.", .warning)
        case .unreadable(let problem):
            add("The file changed on disk, and cannot be read any more:", .failure)
            add(problem)
        }
        if !file.conflicts.isEmpty { add("It was edited here and on disk; w shows the conflicts.", .warning) }
    }
}
