/// The prompt at the bottom of a viewer.
struct ViewerLine: Equatable, Sendable {
    enum Subject: Int, Equatable, Sendable {
        case find, filter, shell, goTo, save, join
    }

    let subject: Subject
    var field: TextField
    var syntax: SearchPattern.Syntax
    var form = BodyForm.raw
    /// The number of results when the prompt opened.
    let depth: Int
    /// True if the content to save was selected by a filter.
    private let isFiltered: Bool
    /// The error, and its column in the text, from 1; nil for the text as a whole.
    var problem: (column: Int?, reason: String)?
    /// True when Enter saves over a file that exists.
    var overwrites = false
    /// The number of steps back in the history; 0 is the text being typed.
    private var back = 0
    private var typed = ""

    init(
        _ subject: Subject, text: String = "", syntax: SearchPattern.Syntax = .text, depth: Int = 0,
        isFiltered: Bool = false
    ) {
        self.subject = subject
        self.syntax = syntax
        self.depth = depth
        self.isFiltered = isFiltered
        field = TextField(text)
    }

    static func == (left: ViewerLine, right: ViewerLine) -> Bool {
        left.subject == right.subject && left.field == right.field && left.syntax == right.syntax
            && left.form == right.form && left.problem?.column == right.problem?.column
            && left.problem?.reason == right.problem?.reason
    }

    mutating func recall(_ entries: [String], by step: Int) {
        if back == 0 { typed = field.text }
        back = min(max(0, back + step), entries.count)
        field = TextField(back == 0 ? typed : entries[entries.count - back])
    }

    var prompt: String {
        switch subject {
        case .find: "/"
        case .filter: "| "
        case .join: "joined: "
        case .shell: "! "
        case .goTo: "go to: "
        case .save: "save \(name(of: form)) to: "
        }
    }

    /// The kind of text that is typed.
    private var kind: String {
        switch subject {
        case .find: option
        case .filter, .join: "JSONPath"
        case .shell: "shell command"
        case .goTo: "path, line or offset"
        case .save: ""
        }
    }

    /// The effect of Enter, in a word for the footer.
    var acceptWord: String {
        switch subject {
        case .find, .filter, .join: "submit"
        case .shell: "run"
        case .goTo: "go"
        case .save: overwrites ? "overwrite" : "save"
        }
    }

    /// The effect of Tab, in a word for the footer; nil for none.
    var optionWord: String? {
        switch subject {
        case .find: otherOption
        case .save: name(of: form.next(isFiltered: isFiltered))
        case .filter, .join, .shell, .goTo: nil
        }
    }

    private func name(of form: BodyForm) -> String { form == .raw && isFiltered ? "one value per line" : form.rawValue }

    private var option: String {
        switch syntax {
        case .text: "text"
        case .regex: "regex"
        case .hex: "bytes"
        }
    }

    private var otherOption: String { syntax == .text ? "regex" : "text" }

    mutating func switchOption(isRaw: Bool) {
        switch (subject, syntax) {
        case (.save, _): form = form.next(isFiltered: isFiltered)
        case (.find, .text): syntax = isRaw ? .hex : .regex
        case (.find, _): syntax = .text
        default: break
        }
    }

    /// The state and the kind of text; where both have no room, the state.
    private func hint(_ state: String, in rect: Rect) -> String {
        let both = [state, kind].filter { !$0.isEmpty }.joined(separator: " · ")
        let room = rect.columns - TextWidth.of(prompt) - Self.fieldColumns
        return TextWidth.of(both) <= room || state.isEmpty ? both : state
    }

    /// The room that a text needs in any case.
    private static let fieldColumns = 24

    /// The place of the text in the prompt.
    func field(state: String, in rect: Rect) -> Rect {
        let start = min(rect.endColumn, rect.column + TextWidth.of(prompt))
        let hintColumns = min(TextWidth.of(hint(state, in: rect)), max(0, rect.endColumn - start - Self.fieldColumns))
        return Rect(column: start, row: rect.row, columns: rect.endColumn - start - hintColumns - 2, rows: 1)
    }

    /// Draws the prompt, with its error below, and returns the cursor's position.
    /// - Parameter state: a summary of the text's result so far.
    func draw(state: String, on surface: inout Surface, in rect: Rect) -> Point {
        let hint = hint(state, in: rect)
        var pen = Pen(rect.top(1))
        surface.fill(rect, style: .plain)
        pen.write(prompt, Style(.title, .bold), on: &surface)
        let place = field(state: state, in: rect)
        let start = place.column
        let hintColumns = max(0, rect.endColumn - place.endColumn - 2)
        let cursor = field.draw(on: &surface, in: place)
        surface.write(
            hint, at: Point(column: rect.endColumn - hintColumns, row: rect.row), style: Style(.dim), limit: hintColumns
        )
        guard rect.rows > 1, let problem else { return cursor }
        var below = Pen(rect.line(1))
        guard let errorColumn = problem.column else {
            below.write(problem.reason, Style(.warning), on: &surface)
            return cursor
        }
        let before = TextWidth.of(String(field.text.unicodeScalars.prefix(max(0, errorColumn - 1))))
        let column = start - rect.column + before
        let words = "column \(errorColumn): "
        // Under its column, unless that would cut more of it.
        let points = column + 2 <= max(words.count, rect.columns - TextWidth.of(problem.reason))
        if points { below.skip(column) }
        below.write((points ? "^ " : words) + problem.reason, Style(.warning), on: &surface)
        return cursor
    }
}

/// The prompt, and the effects of what is entered.
extension Viewer {
    mutating func open(_ subject: ViewerLine.Subject) {
        let isRaw = page?.mode == .hex
        let syntax = settings.syntax == .hex && !isRaw ? .text : settings.syntax
        line = ViewerLine(
            subject, syntax: subject == .find ? syntax : .text, depth: results.count,
            isFiltered: page?.document.isFiltered ?? false)
        start = nil
    }

    mutating func handleLine(_ input: ViewerInput) -> [ViewerEffect] {
        switch input {
        case .text(let edit):
            let before = line?.field.text
            line?.field.perform(edit)
            return line?.field.text == before ? [] : lineChanged()
        case .action(.switchOption):
            let isRaw = page?.mode == .hex
            line?.switchOption(isRaw: isRaw)
            return lineChanged()
        case .action(.historyBack): return recall(1)
        case .action(.historyForward): return recall(-1)
        case .accept: return acceptLine()
        case .leave: return leaveLine()
        case .move, .action: return []
        }
    }

    private mutating func recall(_ step: Int) -> [ViewerEffect] {
        guard let subject = line?.subject else { return [] }
        let before = line?.field.text
        line?.recall(settings.entries(subject), by: step)
        return line?.field.text == before ? [] : lineChanged()
    }

    /// Updates the search or the filter while it is typed.
    private mutating func lineChanged() -> [ViewerEffect] {
        guard let line else { return [] }
        self.line?.problem = nil
        self.line?.overwrites = false
        switch line.subject {
        case .find: return [search(for: line.field.text, line.syntax)].compactMap { $0 }
        case .filter, .join:
            guard !line.field.text.isEmpty else { return dropResult(of: line) }
            return [filter(line.field.text, over: line.depth, joins: line.subject == .join)]
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func dropResult(of line: ViewerLine) -> [ViewerEffect] {
        stopQuery() + (results.count > line.depth ? leaveResult() : []) + repeatFilters()
    }

    private mutating func leaveLine() -> [ViewerEffect] {
        guard let line else { return [] }
        self.line = nil
        switch line.subject {
        case .find:
            let rows = pageRows
            if let origin = find?.origin { page?.go(toByte: origin, page: rows) }
            dropFind()
            return [order(.stopFinding)]
        case .filter, .join: return dropResult(of: line)
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func acceptLine() -> [ViewerEffect] {
        guard let line else { return [] }
        let text = line.field.text
        if line.problem != nil, line.subject != .save { return [] }
        if line.subject == .save, text.isEmpty {
            self.line?.problem = (nil, "type the path of a file; Esc saves nothing")
            return []
        }
        self.line = nil
        settings.remember(text, for: line.subject)
        guard !text.isEmpty, page != nil else { return [] }
        switch line.subject {
        case .find:
            settings.syntax = line.syntax
            return []
        case .filter, .join: return []
        case .shell: return [run(text)]
        case .goTo: return go(to: text)
        case .save:
            return write { .save(path: text, $0, line.form, overwriting: line.overwrites) }
        }
    }

    /// Opens the prompt again, with the path that was typed. Enter overwrites a file that exists.
    mutating func askAgain(_ path: String, _ form: BodyForm, _ reason: String, _ exists: Bool) -> [ViewerEffect] {
        guard line == nil else { return [.notify(exists ? .warning : .failure, reason)] }
        open(.save)
        line?.field = TextField(path)
        line?.form = form
        line?.overwrites = exists
        line?.problem = (nil, exists ? "that file exists: Enter overwrites it, Esc leaves it" : reason)
        return []
    }

    // MARK: The path of a file

    /// The path in the save prompt; nil while it is closed.
    package var typedPath: EditedText? { line.flatMap { $0.subject == .save ? $0.field.edited : nil } }

    /// Replaces a part of that path.
    package mutating func completePath(_ range: Range<Int>, with text: String) {
        guard typedPath != nil else { return }
        line?.field.change { $0.replace(range, with: text) }
        _ = lineChanged()
    }

    // MARK: Go to

    private mutating func go(to text: String) -> [ViewerEffect] {
        guard let page else { return [] }
        let rows = pageRows
        let digits = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        if let number = digits, number >= 0 {
            if case .hex = page.content {
                self.page?.go(toByte: number, page: rows)
            } else {
                self.page?.go(to: page.rows.position(ofNumber: number), page: rows)
            }
            return []
        }
        let number = nextNumber()
        move = .path(number: number)
        return [order(.locate(text, page.document, number: number))]
    }

    mutating func located(_ offset: Int?, _ problem: String?, _ number: Int) -> [ViewerEffect] {
        guard move == .path(number: number) else { return [] }
        move = nil
        guard let offset else {
            return [.notify(.warning, problem ?? "There is no such value")]
        }
        guard page?.shows(byte: offset) ?? false else {
            return [.notify(.warning, "It is not in what the filter selected")]
        }
        let rows = pageRows
        page?.go(toByte: offset, page: rows)
        find?.current = nil
        return []
    }
}
