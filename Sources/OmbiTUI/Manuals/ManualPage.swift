/// A page of the manual, for `man` and for `ombi help`.
struct ManualPage: Equatable, Sendable {
    /// The name and the section of a page.
    struct Name: Hashable, Sendable {
        let title: String
        let section: Int

        static let collection = Name(title: "ombi-collection", section: 5)
        static let keys = Name(title: "ombi-keys", section: 7)

        /// - Parameter words: those of the command line, such as `["ombi", "run"]`.
        static func command(_ words: [String]) -> Name { Name(title: words.joined(separator: "-"), section: 1) }

        /// The arguments of the macro `Xr`.
        var reference: String { "\(title) \(section)" }
    }

    let name: Name
    /// The words after the name, without a capital and a full stop.
    let abstract: String
    /// The sections between `NAME` and `SEE ALSO`.
    let blocks: [ManualBlock]
    /// The pages to see also, by their sections.
    let others: [Name]

    /// The path below a folder such as `share/man`.
    var path: String { "man\(name.section)/\(name.title).\(name.section)" }

    /// The page in mdoc(7).
    var source: String {
        var mdoc = Mdoc()
        mdoc.macro("Dd \(Program.date)")
        mdoc.macro("Dt \(name.title.uppercased()) \(name.section)")
        mdoc.macro("Os")
        mdoc.macro("Sh NAME")
        mdoc.macro("Nm \(name.title)")
        mdoc.macro("Nd \(Mdoc.escaped(abstract))")
        for block in blocks { mdoc.add(block) }
        mdoc.macro("Sh SEE ALSO")
        for other in others { mdoc.macro("Xr \(other.reference)" + (other == others.last ? "" : " ,")) }
        return mdoc.source
    }

    /// - Parameters:
    ///   - abstract: a sentence, or the words after the name.
    ///   - others: the pages to see also, in any order.
    init(_ name: Name, abstract: String, seeAlso others: [Name], _ blocks: [ManualBlock]) {
        self.name = name
        self.abstract = Self.clause(abstract)
        self.blocks = blocks
        self.others = others.sorted { ($0.section, $0.title) < ($1.section, $1.title) }
    }

    /// Returns a sentence as it follows a name: without the capital and the full stop.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        guard let second = text.dropFirst().first, second.isLowercase else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// A part of a manual page as a value: `Mdoc` writes it for `man`, `ManualLayout` for a terminal, `CommandsPage` for the
/// manual in the explorer.
enum ManualBlock: Equatable, Sendable {
    /// An argument in a synopsis.
    struct Usage: Equatable, Sendable {
        let words: [ManualWord]
        let isOptional: Bool
    }

    /// A term of a list, with its text.
    struct Item: Equatable, Sendable {
        let term: [ManualWord]
        let text: String
        /// A name in parentheses after the text, such as that of an action in settings.
        var name: String?
    }

    /// The heading of a section, in capital letters.
    case section(String)
    /// A heading below that of a section, with a name in parentheses.
    case subsection(String, name: String?)
    /// A command with its arguments.
    case usage(String, [Usage])
    case text(String)
    /// A text after an empty line.
    case paragraph(String)
    case list([Item])
}

/// A word of a manual page with its meaning, which decides how it is emphasized.
enum ManualWord: Equatable, Sendable {
    /// An option, with its hyphens.
    case flag(String)
    /// The name of a value.
    case argument(String)
    /// A name in a file, such as a key of JSON.
    case name(String)
    /// A key of the keyboard.
    case key(String)
    case page(ManualPage.Name)
    case plain(String)
    /// A text in parentheses.
    case note(String)
    case comma
    /// The mark of an argument that may be repeated.
    case dots

    /// The word as it shows, without emphasis.
    var text: String {
        switch self {
        case .flag(let text), .argument(let text), .name(let text), .key(let text), .plain(let text): text
        case .page(let name): "\(name.title)(\(name.section))"
        case .note(let text): "(\(text))"
        case .comma: ","
        case .dots: "..."
        }
    }

    /// True for words that are typed as they are.
    var isLiteral: Bool {
        switch self {
        case .flag, .name, .key, .page: true
        case .argument, .plain, .note, .comma, .dots: false
        }
    }
}

/// The manual page that lists the keys, from the keymap.
enum KeysManual {
    static func page(_ keymap: Keymap) -> ManualPage {
        let sections = keymap.sections.flatMap { section -> [ManualBlock] in
            [
                .subsection(section.title, name: section.settingName),
                .list(KeymapRow.rows(of: section.bindings).map(item)),
            ]
        }
        return ManualPage(
            .keys, abstract: "keys of Ombi's explorer", seeAlso: [.command(["ombi"]), .collection],
            introduction + sections)
    }

    private static let introduction: [ManualBlock] = [
        .section("DESCRIPTION"),
        .text(
            """
            In Ombi, ? shows the same list, and the bottom line of the screen the keys of the focused part. Where text \
            is edited, letters are typed. What has no key is in the palette, which : opens. The words in parentheses \
            are the names of scopes and actions for settings.
            """),
    ]

    private static func item(_ row: KeymapRow) -> ManualBlock.Item {
        let keys = row.keys.isEmpty ? [[ManualWord.plain("palette")]] : row.keys.map { [ManualWord.key($0)] }
        let names = row.settingNames.joined(separator: " … ")
        return ManualBlock.Item(
            term: Array(keys.joined(separator: [ManualWord.comma])), text: row.label,
            name: names.isEmpty ? nil : names)
    }
}

/// A manual page as text, laid out as `man` does.
struct ManualLayout {
    /// Words that stay on one line.
    private struct Unit {
        var text = ""
        var width = 0
    }

    /// The columns before a text.
    private static let margin = 5
    /// The columns before the text of a term.
    private static let itemMargin = 11

    private let columns: Int
    private let isBold: Bool
    private var lines: [String] = []

    /// - Parameters:
    ///   - columns: the width of the terminal; narrower than 40, lines are as for 40.
    ///   - isBold: true to emphasize headings and what is typed.
    static func text(_ page: ManualPage, columns: Int, isBold: Bool) -> String {
        var layout = ManualLayout(columns: max(40, columns), isBold: isBold)
        layout.add(.section("NAME"))
        layout.add(.text("\(page.name.title) - \(page.abstract)"))
        for block in page.blocks { layout.add(block) }
        layout.add(.section("SEE ALSO"))
        layout.add(.text(page.others.map { ManualWord.page($0).text }.joined(separator: ", ")))
        return layout.lines.joined(separator: "\n")
    }

    private mutating func add(_ block: ManualBlock) {
        switch block {
        case .section(let title):
            addGap()
            lines.append(emphasized(title))
        case .subsection(let title, let name):
            addGap()
            lines.append("   " + emphasized(Self.joined(title, name)))
        case .usage(let command, let arguments):
            let units = [unit([.name(command)])] + arguments.map { unit($0.words, isOptional: $0.isOptional) }
            add(units, indent: Self.margin, hanging: min(Self.margin + command.utf8.count + 1, columns / 2))
        case .text(let text): add(text, indent: Self.margin)
        case .paragraph(let text):
            addGap()
            add(text, indent: Self.margin)
        case .list(let items): for item in items { add(item) }
        }
    }

    private mutating func addGap() { if !lines.isEmpty { lines.append("") } }

    private mutating func add(_ item: ManualBlock.Item) {
        addGap()
        add(units(of: item.term), indent: Self.margin, hanging: Self.itemMargin)
        add(Self.joined(item.text, item.name), indent: Self.itemMargin)
    }

    /// A comma stays with the word before it.
    private func units(of term: [ManualWord]) -> [Unit] {
        term.reduce(into: [Unit]()) { units, word in
            if word == .comma, let last = units.indices.last {
                units[last].text += word.text
                units[last].width += 1
            } else {
                units.append(unit([word]))
            }
        }
    }

    private static func joined(_ text: String, _ name: String?) -> String {
        name.map { "\(text) (\($0))" } ?? text
    }

    private mutating func add(_ text: String, indent: Int) {
        lines += WrappedText.lines(of: text, columns: columns - indent).map { Self.spaces(indent) + $0 }
    }

    /// Adds words, with further lines at another column.
    private mutating func add(_ units: [Unit], indent: Int, hanging: Int) {
        var (line, width) = (Self.spaces(indent), indent)
        var isEmpty = true
        for unit in units {
            if !isEmpty, width + 1 + unit.width > columns {
                lines.append(line)
                (line, width, isEmpty) = (Self.spaces(hanging), hanging, true)
            }
            line += (isEmpty ? "" : " ") + unit.text
            width += (isEmpty ? 0 : 1) + unit.width
            isEmpty = false
        }
        lines.append(line)
    }

    private func unit(_ words: [ManualWord], isOptional: Bool = false) -> Unit {
        let plain = words.map(\.text).joined(separator: " ")
        let text = words.map { $0.isLiteral ? emphasized($0.text) : $0.text }.joined(separator: " ")
        return Unit(text: isOptional ? "[\(text)]" : text, width: TextWidth.of(plain) + (isOptional ? 2 : 0))
    }

    private func emphasized(_ text: String) -> String { isBold ? Paint.bold.text(text) : text }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
