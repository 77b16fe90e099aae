import OmbiTerminal

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
