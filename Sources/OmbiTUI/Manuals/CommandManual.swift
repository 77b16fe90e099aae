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
        let page = ManualPage(
            .command(words), abstract: command.abstract, seeAlso: above + [.collection, .keys]
        ) { mdoc in
            addSynopsis(of: command, words, to: &mdoc)
            mdoc.macro("Sh DESCRIPTION")
            mdoc.text(command.abstract)
            let (paragraphs, statuses) = parts(of: command.discussion)
            for paragraph in paragraphs { mdoc.paragraph(paragraph) }
            addSubcommands(of: command, words, to: &mdoc)
            addArguments(of: command, to: &mdoc)
            addStatuses(statuses, to: &mdoc)
        }
        return [page] + command.subcommands.flatMap { pages($0, below: words) }
    }

    private static func addSynopsis(of command: CommandDescription, _ words: [String], to mdoc: inout Mdoc) {
        let name = "Nm " + words.joined(separator: " ")
        mdoc.macro("Sh SYNOPSIS")
        if command.subcommands.isEmpty {
            addUsage(of: command, name, to: &mdoc)
            return
        }
        for subcommand in command.subcommands where subcommand.name == command.defaultSubcommand {
            addUsage(of: subcommand, name, to: &mdoc)
        }
        mdoc.macro(name)
        mdoc.macro("Ar subcommand")
        mdoc.macro("Op Ar argument ...")
    }

    private static func addUsage(of command: CommandDescription, _ name: String, to mdoc: inout Mdoc) {
        mdoc.macro(name)
        for argument in command.arguments {
            let isList = argument.isRepeating && argument.names.isEmpty
            let parts: [String?] = [
                argument.preferredName.map(flag), argument.value.map { "Ar " + Mdoc.word($0) }, isList ? "..." : nil,
            ]
            let usage = parts.compactMap { $0 }.joined(separator: " ")
            mdoc.macro(argument.isOptional ? "Op " + usage : usage)
        }
    }

    private static func addSubcommands(of command: CommandDescription, _ words: [String], to mdoc: inout Mdoc) {
        if !command.subcommands.isEmpty { mdoc.paragraph("The subcommands are as follows:") }
        mdoc.list(command.subcommands) { mdoc, subcommand in
            mdoc.macro("It Xr " + ManualPage.Name.command(words + [subcommand.name]).reference)
            mdoc.text(subcommand.abstract)
        }
    }

    private static func addArguments(of command: CommandDescription, to mdoc: inout Mdoc) {
        if !command.arguments.isEmpty { mdoc.paragraph("The arguments are as follows:") }
        mdoc.list(command.arguments) { mdoc, argument in
            mdoc.macro("It " + term(argument))
            mdoc.text(argument.text)
        }
    }

    private static func addStatuses(_ statuses: [Status], to mdoc: inout Mdoc) {
        if !statuses.isEmpty { mdoc.macro("Sh EXIT STATUS") }
        mdoc.list(statuses) { mdoc, status in
            mdoc.macro("It " + Mdoc.word(status.number))
            mdoc.text(status.meaning)
        }
    }

    /// The names of an option with its value, or the name of a positional argument.
    private static func term(_ argument: ArgumentDescription) -> String {
        let names = argument.names.map(flag).joined(separator: " , ")
        let value = argument.value.map { "Ar " + Mdoc.word($0) }
        return [names.isEmpty ? nil : names, value].compactMap { $0 }.joined(separator: " ")
    }

    /// The macro writes one hyphen.
    private static func flag(_ name: String) -> String { "Fl " + Mdoc.word(String(name.dropFirst())) }

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
