/// The manual pages of a command and its subcommands, from the description that their help shows.
enum CommandManual {
    private struct Status {
        let number: String
        let meaning: String
    }

    /// - Parameter parents: the words before the name of the command.
    static func pages(_ command: CommandDescription, below parents: [String] = []) -> [ManualPage] {
        let words = parents + [command.name]
        let above = parents.indices.map { ManualPage.Name.command(Array(parents[...$0])) }
        let (paragraphs, statuses) = parts(of: command.discussion)
        var blocks = synopsis(of: command, words)
        blocks += [.section("DESCRIPTION"), .text(command.abstract)]
        blocks += paragraphs.map { ManualBlock.paragraph($0) }
        blocks += subcommands(of: command, words)
        blocks += arguments(of: command)
        blocks += list(of: statuses)
        let page = ManualPage(
            .command(words), abstract: command.abstract, seeAlso: above + [.collection, .keys], blocks)
        return [page] + command.subcommands.flatMap { pages($0, below: words) }
    }

    private static func synopsis(of command: CommandDescription, _ words: [String]) -> [ManualBlock] {
        let name = words.joined(separator: " ")
        let heading = ManualBlock.section("SYNOPSIS")
        guard !command.subcommands.isEmpty else { return [heading, usage(of: command, name)] }
        let standard = command.subcommands.filter { $0.name == command.defaultSubcommand }
        let general = [
            ManualBlock.Usage(words: [.argument("subcommand")], isOptional: false),
            ManualBlock.Usage(words: [.argument("argument"), .dots], isOptional: true),
        ]
        var blocks = [heading]
        blocks += standard.map { usage(of: $0, name) }
        blocks.append(.usage(name, general))
        return blocks
    }

    private static func usage(of command: CommandDescription, _ name: String) -> ManualBlock {
        let arguments = command.arguments.map { argument in
            let isList = argument.isRepeating && argument.names.isEmpty
            let parts: [ManualWord?] = [
                argument.preferredName.map(ManualWord.flag), argument.value.map(ManualWord.argument),
                isList ? ManualWord.dots : nil,
            ]
            return ManualBlock.Usage(words: parts.compactMap { $0 }, isOptional: argument.isOptional)
        }
        return .usage(name, arguments)
    }

    private static func subcommands(of command: CommandDescription, _ words: [String]) -> [ManualBlock] {
        guard !command.subcommands.isEmpty else { return [] }
        let items = command.subcommands.map { subcommand in
            ManualBlock.Item(term: [.page(.command(words + [subcommand.name]))], text: subcommand.abstract)
        }
        return [.paragraph("The subcommands are as follows:"), .list(items)]
    }

    private static func arguments(of command: CommandDescription) -> [ManualBlock] {
        guard !command.arguments.isEmpty else { return [] }
        let items = command.arguments.map { ManualBlock.Item(term: term($0), text: $0.text) }
        return [.paragraph("The arguments are as follows:"), .list(items)]
    }

    private static func list(of statuses: [Status]) -> [ManualBlock] {
        guard !statuses.isEmpty else { return [] }
        let items = statuses.map { ManualBlock.Item(term: [.plain($0.number)], text: $0.meaning) }
        return [.section("EXIT STATUS"), .list(items)]
    }

    /// The names of an option with its value, or the name of a positional argument.
    private static func term(_ argument: ArgumentDescription) -> [ManualWord] {
        let names = argument.names.map { [ManualWord.flag($0)] }.joined(separator: [ManualWord.comma])
        let value = argument.value.map { [ManualWord.argument($0)] } ?? []
        return Array(names) + value
    }

    /// Returns the paragraphs of a discussion and the statuses after `Exit status:`, which ends it: `0 success; 1 …`.
    private static func parts(of discussion: String) -> (paragraphs: [String], statuses: [Status]) {
        let halves = discussion.split(separator: "Exit status:", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = (halves.first ?? "").split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        let paragraphs = lines.map(String.init)
        guard halves.count == 2 else { return (paragraphs, []) }
        let statuses = halves[1].split(separator: ";").map { status -> Status in
            let words = status.split(separator: " ", maxSplits: 1)
            let meaning = words.dropFirst().first ?? "success"
            return Status(
                number: String(words.first ?? ""),
                meaning: String(meaning.hasSuffix(".") ? meaning.dropLast() : meaning))
        }
        return (paragraphs, statuses)
    }
}

/// A command as the parser of the command line describes it: the source of its help and of its manual page.
struct CommandDescription: Equatable, Sendable {
    let name: String
    let abstract: String
    /// Paragraphs, one a line.
    let discussion: String
    let defaultSubcommand: String?
    /// The options, then the positional arguments.
    let arguments: [ArgumentDescription]
    let subcommands: [CommandDescription]

    /// - Parameter dump: what `ombi --experimental-dump-help` prints.
    init?(dump: String) {
        guard let command = (try? JSONValue.parse(dump))?["command"] else { return nil }
        self.init(command)
    }

    /// - Returns: nil for what the help hides.
    private init?(_ json: JSONValue) {
        guard let name = json["commandName"]?.stringValue, json["shouldDisplay"] != .bool(false) else { return nil }
        self.name = name
        abstract = json["abstract"]?.stringValue ?? ""
        discussion = json["discussion"]?.stringValue ?? ""
        defaultSubcommand = json["defaultSubcommand"]?.stringValue
        let arguments = json["arguments"]?.list.compactMap(ArgumentDescription.init) ?? []
        self.arguments = arguments.filter { !$0.names.isEmpty } + arguments.filter(\.names.isEmpty)
        subcommands = json["subcommands"]?.list.compactMap { CommandDescription($0) } ?? []
    }
}

/// An argument of a command as the parser of the command line describes it.
struct ArgumentDescription: Equatable, Sendable {
    /// With one hyphen or two, the short ones first; empty for a positional argument.
    let names: [String]
    let preferredName: String?
    /// The name of the value; nil for a flag, which has none.
    let value: String?
    let isOptional: Bool
    let isRepeating: Bool
    /// The text of the help, with the possible values and the default.
    let text: String

    /// - Returns: nil for what the help hides.
    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.stringValue, json["shouldDisplay"] != .bool(false) else { return nil }
        let names = json["names"]?.list.compactMap(Self.name) ?? []
        self.names = names.filter { !$0.hasPrefix("--") } + names.filter { $0.hasPrefix("--") }
        preferredName = json["preferredName"].flatMap(Self.name)
        value = kind == "flag" ? nil : json["valueName"]?.stringValue ?? "value"
        isOptional = json["isOptional"] == .bool(true)
        isRepeating = json["isRepeating"] == .bool(true)
        let values = json["allValues"]?.list.compactMap(\.stringValue) ?? []
        var notes: [String] = []
        if !values.isEmpty { notes.append("values: " + values.joined(separator: ", ")) }
        if let standard = json["defaultValue"]?.stringValue { notes.append("default: " + standard) }
        let abstract = json["abstract"]?.stringValue ?? ""
        text = notes.isEmpty ? abstract : "\(abstract) (\(notes.joined(separator: "; ")))"
    }

    private static func name(_ json: JSONValue) -> String? {
        guard let name = json["name"]?.stringValue else { return nil }
        return (json["kind"]?.stringValue == "long" ? "--" : "-") + name
    }
}

/// The page of the explorer's manual that describes the commands, in the Markdown of the other pages.
enum CommandsPage {
    static func text(_ pages: [ManualPage]) -> String {
        let sections = pages.map { page in "## \(words(of: page))\n\n" + page.blocks.map { text(of: $0) }.joined() }
        return (["# Commands\n"] + sections).joined(separator: "\n")
    }

    /// The words of the command, none of which has a hyphen.
    private static func words(of page: ManualPage) -> String { page.name.title.replacing("-", with: " ") }

    /// The synopsis is left out, as the list of arguments says more.
    private static func text(of block: ManualBlock) -> String {
        switch block {
        case .section("EXIT STATUS"): "The exit status:\n\n"
        case .section, .usage: ""
        case .subsection(let title, _): "### \(title)\n\n"
        case .text(let text), .paragraph(let text): text + "\n\n"
        case .list(let items): items.map { row($0) }.joined() + "\n"
        }
    }

    private static func row(_ item: ManualBlock.Item) -> String {
        let term = item.term.map(\.text).joined(separator: " ").replacing(" ,", with: ",")
        return "| \(escaped(term)) | \(escaped(item.text)) |\n"
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// The source of a manual page in mdoc(7). Texts and words are escaped, so that they show as they are.
struct Mdoc: Equatable, Sendable {
    /// Longer lines of text are bad style for `mandoc -T lint`.
    private static let maximumColumns = 78

    private(set) var source = ""

    /// Adds a line with a macro. Its arguments that are not macros are words.
    mutating func macro(_ line: String) { source += ".\(line)\n" }

    /// Adds a text, with each sentence on a line of its own: `mandoc -T lint` asks for that, too.
    mutating func text(_ text: String) {
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            let escaped = Self.escaped(word)
            if line.utf8.count + escaped.utf8.count >= Self.maximumColumns { endLine(&line) }
            line += (line.isEmpty ? "" : " ") + escaped
            if Self.endsSentence(word) { endLine(&line) }
        }
        endLine(&line)
    }

    /// Adds a text after an empty line.
    mutating func paragraph(_ text: String) {
        macro("Pp")
        self.text(text)
    }

    private mutating func endLine(_ line: inout String) {
        guard !line.isEmpty else { return }
        source += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
        line = ""
    }

    mutating func add(_ block: ManualBlock) {
        switch block {
        case .section(let title): macro("Sh " + title)
        case .subsection(let title, let name):
            macro("Ss " + Self.word(title) + (name.map { " Pq Cm " + Self.word($0) } ?? ""))
        case .usage(let command, let arguments):
            macro("Nm " + command)
            for argument in arguments { macro((argument.isOptional ? "Op " : "") + Self.words(argument.words)) }
        case .text(let text): self.text(text)
        case .paragraph(let text): paragraph(text)
        case .list(let items): list(items)
        }
    }

    private mutating func list(_ items: [ManualBlock.Item]) {
        guard !items.isEmpty else { return }
        macro("Bl -tag -width Ds")
        for item in items {
            macro("It " + Self.words(item.term))
            text(item.text)
            if let name = item.name { macro("Pq Cm " + Self.word(name)) }
        }
        macro("El")
    }

    private static func words(_ words: [ManualWord]) -> String { words.map(macro).joined(separator: " ") }

    private static func macro(_ word: ManualWord) -> String {
        switch word {
        // The macro writes one hyphen.
        case .flag(let text): "Fl " + Self.word(String(text.dropFirst()))
        case .argument(let text): "Ar " + Self.word(text)
        case .name(let text): "Cm " + Self.word(text)
        case .key(let text): "Ic " + Self.word(text)
        case .page(let name): "Xr " + name.reference
        case .plain(let text): Self.word(text)
        case .note(let text): "Pq " + Self.word(text)
        case .comma, .dots: word.text
        }
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        let end = word.last { !")\"']".contains($0) }
        return end.map { ".!?".contains($0) } ?? false
    }

    /// Returns one argument of a macro, which is neither taken for a macro nor for punctuation.
    static func word(_ text: String) -> String {
        let parts = text.split(whereSeparator: \.isWhitespace)
        var word = parts.map(escaped).joined(separator: " ")
        // The names of macros have two or three letters.
        if text.count < 4 || isDelimiter(text.first) { word = "\\&" + word }
        if isDelimiter(text.last) { word += "\\&" }
        return parts.count > 1 ? "\"\(word)\"" : word
    }

    private static func isDelimiter(_ character: Character?) -> Bool {
        character.map { ".,:;()[]?!|".contains($0) } ?? false
    }

    /// Returns a text without anything that troff takes for its own, and in ASCII.
    static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case " "..."}": result.unicodeScalars.append(scalar)
            default:
                result += "\\[u\(scalar.value.digits(4, radix: 16, uppercase: true))]"
            }
        }
    }
}
