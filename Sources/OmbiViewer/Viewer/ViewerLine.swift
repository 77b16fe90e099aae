import OmbiDocument
import OmbiTerminal

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
    /// True when the content to save is what a filter selected.
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

    /// Recalls an earlier text.
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

    /// The effect of Tab, in a word for the footer; nil where it has none.
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
