/// The body of a request under edit: its text, its check, and the prompt of a search.
struct BodyEditor: Equatable, Sendable {
    private(set) var editor: TextEditor
    private(set) var check: BodyCheck
    /// Checks a query; nil for a text of another kind, and where none is known.
    private var schema: GraphQLSchema?
    private(set) var find: FindPrompt?
    private var lastPattern = ""
    private var checked = 0
    private var size: Size

    /// The text of a new JSON body. It makes way for JSON that is pasted while nothing is in it.
    private static let newText = "{}"

    init(_ body: BodyText, line: Int, settings: Settings, clipboard: String, size: Size) {
        self.size = size
        check = .none
        editor = TextEditor(body.buffer.text, line: line, size: size)
        editor.highlighter = body.highlighter
        if editor.buffer.text == Self.newText { editor.change { $0.place(at: 1) } }
        editor.change { $0.clipboard = clipboard }
        apply(settings)
        refreshCheck()
        resize(to: size)
    }

    /// The choices that outlive an editor.
    struct Settings: Equatable, Sendable {
        var wraps = false
        var showsNumbers = true
    }

    mutating func apply(_ settings: Settings) {
        editor.wraps = settings.wraps
        editor.showsNumbers = settings.showsNumbers
    }

    /// Checks the text, which is a query, with another schema.
    mutating func use(_ schema: GraphQLSchema?) {
        guard schema != self.schema else { return }
        self.schema = schema
        check = .none
        refreshCheck()
    }

    var text: String { editor.buffer.text }
    var isJSON: Bool { editor.highlighter == .json }
    var clipboard: String { editor.text.clipboard }

    // MARK: The text

    mutating func perform(_ edit: TextEdit) {
        guard find == nil else { return search { $0.perform(edit) } }
        if case .insert(let text) = edit, replacesBraces(text) {
            editor.change { $0.replace(0..<$0.buffer.count, with: text) }
        } else {
            editor.perform(edit)
        }
        refreshCheck()
    }

    mutating func replace(_ range: Range<Int>, with new: String) {
        editor.change { $0.replace(range, with: new) }
        refreshCheck()
    }

    /// An object or an array cannot be in braces without a key. Of braces that were opened already it is only a whole one.
    private func replacesBraces(_ text: String) -> Bool {
        guard isJSON, let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[", hasBareBraces
        else { return false }
        return editor.text.isUntouched || text.utf8.count > 1 && BodyCheck(TextBuffer(text)).isWhole
    }

    /// True where the text is a pair of braces with nothing but white space in them.
    private var hasBareBraces: Bool {
        let bytes = editor.buffer.bytes.lazy.filter { $0 > 0x20 }.prefix(3)
        return bytes.elementsEqual(Self.newText.utf8)
    }

    private mutating func refreshCheck() {
        guard isJSON || schema != nil else { return }
        guard check == .none || checked != editor.text.revision else { return }
        checked = editor.text.revision
        check = schema.map { BodyCheck(query: editor.buffer, $0) } ?? BodyCheck(editor.buffer)
    }

    /// Lays the JSON out anew, as one step.
    /// - Returns: the error in it; the cursor is there then.
    mutating func layOut(_ form: JSONWriter.Form) -> JSONSyntaxError? {
        switch JSONLayout.of(editor.buffer, form, cursor: editor.text.cursor) {
        case .failure(let error):
            editor.change { $0.place(at: error.offset) }
            return error
        case .success(let layout):
            if layout.text != text {
                let after = TextSelection(layout.cursor)
                editor.change { $0.replace(0..<$0.buffer.count, with: layout.text, after: after) }
            }
            refreshCheck()
            return nil
        }
    }

    // MARK: Searching

    mutating func openFind(replacing: Bool) {
        let selected = editor.text.selected.map(editor.buffer.text) ?? ""
        let pattern = selected.isEmpty || selected.contains(where: \.isNewline) ? lastPattern : selected
        find = FindPrompt(pattern, replaces: replacing, origin: editor.text.selection)
        resize(to: size)
        search { _ in }
    }

    /// Ends the search; the match stays selected.
    /// - Parameter returning: goes back to the place where the search began.
    mutating func closeFind(returning: Bool) {
        guard let find else { return }
        if returning { editor.change { $0.place(at: find.origin.cursor) } }
        editor.matches = []
        self.find = nil
        resize(to: size)
    }

    mutating func switchFindField() { find?.switchField() }

    /// Goes to the next match, or to the previous one.
    /// - Returns: false where there is none.
    mutating func step(forward: Bool) -> Bool {
        let isOpen = find != nil
        if !isOpen { editor.matches = FindPrompt.matches(of: lastPattern, in: editor.buffer) }
        defer { if !isOpen { editor.matches = [] } }
        let selection = editor.text.selection.range
        let match =
            forward
            ? editor.matches.first { $0.lowerBound >= selection.upperBound } ?? editor.matches.first
            : editor.matches.last { $0.upperBound <= selection.lowerBound } ?? editor.matches.last
        guard let match else { return false }
        editor.change { $0.select(match) }
        return true
    }

    /// Replaces the selected match and goes to the next one.
    mutating func replaceMatch() {
        guard let replacement = find?.replacement?.text else { return }
        if editor.matches.contains(editor.text.selection.range) {
            editor.change { $0.replace($0.selection.range, with: replacement) }
            refreshCheck()
            refreshMatches()
        }
        _ = step(forward: true)
    }

    /// Replaces all matches as one step, and returns their number.
    mutating func replaceAll() -> Int {
        guard let find, let replacement = find.replacement?.text else { return 0 }
        let matches = editor.matches
        guard let first = matches.first, let last = matches.last else { return 0 }
        let range = first.lowerBound..<last.upperBound
        var new: [UInt8] = []
        var next = range.lowerBound
        for match in matches {
            new += editor.buffer.bytes[next..<match.lowerBound]
            new += replacement.utf8
            next = match.upperBound
        }
        editor.change { $0.replace(range, with: String(decoding: new, as: UTF8.self)) }
        refreshCheck()
        refreshMatches()
        return matches.count
    }

    /// Changes the prompt, and goes to the first match from where the search began.
    private mutating func search(_ change: (inout FindPrompt) -> Void) {
        guard var prompt = find else { return }
        change(&prompt)
        find = prompt
        guard !prompt.isInReplacement else { return }
        lastPattern = prompt.pattern.text
        refreshMatches()
        let start = prompt.origin.range.lowerBound
        if let match = editor.matches.first(where: { $0.lowerBound >= start }) ?? editor.matches.first {
            editor.change { $0.select(match) }
        }
    }

    private mutating func refreshMatches() {
        editor.matches = FindPrompt.matches(of: lastPattern, in: editor.buffer)
    }

    // MARK: The view

    mutating func resize(to size: Size) {
        self.size = size
        editor.resize(to: Size(columns: size.columns, rows: max(1, size.rows - footRows)))
    }

    /// The rows below the text: the prompt, or the check.
    var footRows: Int {
        if let find { return min(find.rows, size.rows - 1) }
        return size.rows >= 3 ? 1 : 0
    }

    mutating func click(_ point: Point, selecting: Bool) {
        let foot = Rect(size).bottom(footRows).dropRight(1)
        if find != nil, foot.contains(point) {
            let editor = editor
            find?.click(point.relative(to: foot), selecting: selecting, editor, in: Rect(foot.size))
            return
        }
        if find != nil, !selecting { closeFind(returning: false) }
        editor.click(point, selecting: selecting)
    }

    mutating func place(column: Int) { editor.place(column: column) }

    mutating func scroll(by lines: Int) { editor.scroll(by: lines) }

    func draw(on surface: inout Surface, in rect: Rect, known: [String]?) -> Point? {
        var rows = rect
        let foot = rows.takeBottom(footRows)
        let cursor = editor.draw(on: &surface, in: rows) { buffer, range in
            TemplateScanner.templates(in: buffer.bytes[range], escapes: isJSON ? .doubled : .single).map {
                TextEditor.Mark($0.range, TemplateSpans.role(of: $0.names, known))
            }
        }
        if let find { return find.draw(editor, on: &surface, in: foot.dropRight(1)) }
        if !foot.isEmpty { drawFoot(on: &surface, in: foot.dropRight(1)) }
        return cursor
    }

    /// `line 4, column 7: expected ':'                JSON ✗ 2:4`
    private func drawFoot(on surface: inout Surface, in rect: Rect) {
        let position = editor.position
        let parts = [
            editor.text.isMarking ? "mark" : nil, editor.wraps ? "wrapped" : nil, check.word,
            "\(position.line):\(position.column)",
        ]
        let right = parts.compactMap { $0 }.joined(separator: " ")
        let columns = min(rect.columns, TextWidth.of(right))
        surface.write(right, at: rect.right(columns).origin, style: Style(.dim), clip: rect)
        guard let problem = check.problem else { return }
        surface.write(
            problem.text, at: rect.origin, style: Style(problem.role), limit: max(0, rect.columns - columns - 2))
    }
}

/// The prompt of a search in a body under edit.
struct FindPrompt: Equatable, Sendable {
    private(set) var pattern: TextField
    /// Nil when nothing is replaced.
    private(set) var replacement: TextField?
    private(set) var isInReplacement = false
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
