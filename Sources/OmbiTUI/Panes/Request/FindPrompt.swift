/// The prompt of a search in a body under edit.
struct FindPrompt: Equatable, Sendable {
    private(set) var pattern: TextField
    /// Nil when nothing is replaced.
    private(set) var replacement: TextField?
    private(set) var isInReplacement = false
    /// The selection when the search began.
    let origin: TextSelection

    private static let maximumMatches = 100_000

    init(_ pattern: String, replaces: Bool, origin: TextSelection) {
        self.pattern = TextField(pattern)
        self.pattern.perform(.selectAll)
        replacement = replaces ? TextField() : nil
        self.origin = origin
    }

    /// The matches of a text, in order; capitals in it make case matter.
    static func matches(of pattern: String, in buffer: TextBuffer) -> [ByteRange] {
        guard let pattern = try? SearchPattern(pattern) else { return [] }
        return buffer.read { Finder(pattern).matches(in: $0, 0..<$0.count, limit: maximumMatches) }
    }

    var rows: Int { replacement == nil ? 1 : 2 }

    mutating func perform(_ edit: TextEdit) {
        if isInReplacement { replacement?.perform(edit) } else { pattern.perform(edit) }
    }

    mutating func switchField() {
        if replacement != nil { isInReplacement.toggle() }
    }

    /// Places the caret at a point of the prompt, in the field that is there.
    mutating func click(_ point: Point, selecting: Bool, _ editor: TextEditor, in rect: Rect) {
        let columns = TextWidth.of(summary(editor)) + 1
        isInReplacement = replacement != nil && point.row >= 1
        let line = isInReplacement ? rect.line(1) : rect.top(1).dropRight(columns)
        let field = Self.field(in: line)
        let column = point.column - field.column
        if isInReplacement {
            replacement?.click(column: column, in: field.columns, selecting: selecting)
        } else {
            pattern.click(column: column, in: field.columns, selecting: selecting)
        }
    }

    /// Draws the prompt and returns the cursor's position.
    func draw(_ editor: TextEditor, on surface: inout Surface, in rect: Rect) -> Point? {
        let count = summary(editor)
        let top = rect.top(1)
        let columns = TextWidth.of(count)
        surface.write(
            count, at: top.right(min(columns, top.columns)).origin,
            style: Style(editor.matches.isEmpty && !pattern.text.isEmpty ? .warning : .dim), clip: top)
        let first = draw("find ", pattern, on: &surface, in: top.dropRight(columns + 1))
        guard let replacement else { return first }
        let second = draw("with ", replacement, on: &surface, in: rect.line(1))
        return isInReplacement ? second : first
    }

    /// The place behind the word in front of a field.
    private static func field(in line: Rect) -> Rect { line.dropLeft("find ".utf8.count) }

    private func draw(_ prompt: String, _ field: TextField, on surface: inout Surface, in rect: Rect) -> Point? {
        guard !rect.isEmpty else { return nil }
        surface.write(prompt, at: rect.origin, style: Style(.title, .bold), clip: rect)
        return field.draw(on: &surface, in: Self.field(in: rect))
    }

    /// `3 of 12`
    private func summary(_ editor: TextEditor) -> String {
        if pattern.text.isEmpty { return "" }
        let matches = editor.matches
        guard !matches.isEmpty else { return "no match" }
        let count = "\(matches.count)" + (matches.count == Self.maximumMatches ? " or more" : "")
        let current = matches.firstIndex(of: editor.text.selection.range)
        return current.map { "\($0 + 1) of \(count)" } ?? (matches.count == 1 ? "1 match" : count + " matches")
    }
}
