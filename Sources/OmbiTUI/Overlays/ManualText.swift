/// Turns pages of the manual, which are documents of the project in Markdown, into sections of the help, one for each heading. Of Markdown it knows what the documents use.
struct ManualText {
    private var sections: [HelpSection] = []
    /// The headings over the text that is read, the outermost first.
    private var headings: [String] = []
    private var entries: [HelpSection.Entry] = []
    private var isInCode = false
    private var picture = Picture.none
    /// False after a blank line: the next line begins a paragraph.
    private var continues = false

    static func sections(of pages: [String]) -> [HelpSection] {
        pages.flatMap { page in
            var text = ManualText()
            for line in page.split(separator: "\n", omittingEmptySubsequences: false) { text.take(line) }
            text.endSection()
            return text.sections
        }
    }

    /// The titles of several pages, each with those of its parts.
    static func contents(of pages: [String]) -> [HelpSection] {
        guard pages.count > 1 else { return [] }
        let entries = pages.compactMap { page -> HelpSection.Entry? in
            let titles = sections(of: [page]).map { $0.title.split(separator: "›").map(trimmed) }
            guard let name = titles.first?.first else { return nil }
            let parts = titles.filter { $0.count == 2 }.map { $0[1] }
            return HelpSection.Entry(sign: name, label: parts.joined(separator: " · "), column: 24)
        }
        return [HelpSection("Contents (/ and a title, then Enter, goes there)", entries)]
    }

    private static func trimmed(_ title: Substring) -> String { title.split(separator: " ").joined(separator: " ") }

    private mutating func take(_ line: Substring) {
        if leavesOut(line) { return }
        if line.hasPrefix("```") {
            isInCode.toggle()
        } else if isInCode {
            entries.append(.init(sign: "  " + line, label: "", column: 0))
        } else if line.hasPrefix("#") {
            begin(line)
        } else if line.hasPrefix("    "), !continues {
            entries.append(.init(sign: String(line.dropFirst(2)), label: "", column: 0))
            return
        } else if line.hasPrefix("|") {
            addRow(line)
        } else {
            return add(line.drop { $0 == " " })
        }
        continues = false
    }

    /// A picture of Ombi's own screen: the screen is there. So its caption, the paragraph after it, is left out, too.
    private enum Picture {
        case none, gap, caption
    }

    private mutating func leavesOut(_ line: Substring) -> Bool {
        if line.hasPrefix("!["), !isInCode {
            picture = .gap
            return true
        }
        if line.hasPrefix("#") { picture = .none }
        guard picture != .none else { return false }
        if !line.isEmpty { picture = .caption } else if picture == .caption { picture = .none }
        return true
    }

    private mutating func begin(_ line: Substring) {
        endSection()
        let level = line.prefix { $0 == "#" }.count
        headings = headings.prefix(level - 1) + [Self.plain(line.dropFirst(level + 1))]
    }

    private mutating func endSection() {
        while entries.last == .blank { entries.removeLast() }
        if !entries.isEmpty { sections.append(HelpSection(headings.joined(separator: " › "), entries)) }
        entries = []
    }

    /// A row of a table: its first cell beside the others.
    private mutating func addRow(_ line: Substring) {
        // A bar in a cell has a backslash before it.
        let cells = line.dropFirst().replacing("\\|", with: "\u{1}").split(separator: "|").map {
            Self.plain($0).replacing("\u{1}", with: "|")
        }
        guard let first = cells.first, !first.hasPrefix("---") else { return }
        let others = cells.dropFirst().filter { !$0.isEmpty }
        entries.append(.init(sign: first, label: others.joined(separator: " · "), column: 24))
    }

    /// A line of a paragraph or of an item in a list.
    private mutating func add(_ line: Substring) {
        guard !line.isEmpty else {
            if let last = entries.last, last != .blank { entries.append(.blank) }
            continues = false
            return
        }
        let number = line.prefix { $0.isNumber }
        if line.hasPrefix("- ") {
            entries.append(.init(sign: "-", label: Self.plain(line.dropFirst(2)), column: 2))
        } else if !number.isEmpty, line.dropFirst(number.count).hasPrefix(". ") {
            let item = line.dropFirst(number.count + 2)
            entries.append(.init(sign: number + ".", label: Self.plain(item), column: 4))
        } else if continues, let last = entries.indices.last {
            entries[last].label += " " + Self.plain(line)
        } else {
            entries.append(.init(sign: "", label: Self.plain(line), column: 0))
        }
        continues = true
    }

    /// The text without the signs of Markdown: links keep their words, and code its letters.
    private static func plain(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            switch character {
            case "`": break
            case "*" where rest.first == "*": rest = rest.dropFirst()
            case "]" where rest.first == "(": rest = rest.drop { $0 != ")" }.dropFirst()
            case "[" where isLink(rest): break
            default: result.append(character)
            }
        }
        return result.split(separator: " ").joined(separator: " ")
    }

    /// Returns true for the words of a link and what follows.
    private static func isLink(_ text: Substring) -> Bool {
        text.firstIndex(of: "]").map { text[$0...].dropFirst().first == "(" } ?? false
    }
}
