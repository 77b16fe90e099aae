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
