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
    /// The name that the usage shows.
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
