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
