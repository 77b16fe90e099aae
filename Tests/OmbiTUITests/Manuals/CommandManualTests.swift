import ArgumentParser
import Foundation
import Testing

@testable import OmbiTUI

/// The manual pages of the command line.
@Suite struct CommandManualTests {
    private static let pages = ManualsCommand.pagesOfCommands

    /// The commands that the help shows, with the words that call them.
    private static func commands(
        _ type: any ParsableCommand.Type = Ombi.self, below parents: [String] = []
    ) -> [(words: [String], type: any ParsableCommand.Type)] {
        let words = parents + [type.configuration.commandName ?? ""]
        let shown = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        return [(words: words, type: type)] + shown.flatMap { commands($0, below: words) }
    }

    /// The names of options in the list that a help ends with.
    private static func options(in help: String) -> [String] {
        help.components(separatedBy: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            let names = line.dropFirst(2).components(separatedBy: "  ")[0]
            return names.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
                .filter { $0.hasPrefix("-") }
        }
    }

    @Test func `each command has a page that names each option of its help`() throws {
        #expect(Self.commands().count > 20)
        for (words, type) in Self.commands() {
            let page = try #require(Self.pages.first { $0.name == .command(words) }, "\(words)")
            let options = Self.options(in: Ombi.helpMessage(for: type, includeHidden: false, columns: 200))
            #expect(options.contains("--help"))
            for option in options {
                let name = "Fl " + Mdoc.word(String(option.dropFirst()))
                #expect(page.source.contains(name), "\(option) of \(words)")
            }
        }
    }

    @Test func `each page says what the help says`() throws {
        for (words, type) in Self.commands() {
            let page = try #require(Self.pages.first { $0.name == .command(words) }, "\(words)")
            let text = type.configuration.abstract + " " + type.configuration.discussion
            for word in text.replacing("Exit status:", with: "").split(whereSeparator: \.isWhitespace) {
                let plain = word.trimmingCharacters(in: CharacterSet(charactersIn: ".;"))
                #expect(page.source.contains(Mdoc.escaped(plain)), "\(word) of \(words)")
            }
        }
    }

    @Test func `hidden commands have no page, and every reference leads to one`() {
        let names = Self.pages.map(\.name) + [.collection, .keys]
        #expect(!names.contains(.command(["ombi", "manuals"])))
        let lines = Self.pages.flatMap { $0.source.components(separatedBy: "\n") }.filter { $0.contains("Xr ") }
        let references = Set(lines.compactMap { $0.components(separatedBy: "Xr ").last?.replacing(" ,", with: "") })
        #expect(references.count > 20)
        #expect(references.subtracting(names.map(\.reference)) == [])
    }

    @Test func `a page has the usage, the arguments and the exit statuses`() throws {
        let description = try #require(CommandDescription(dump: Self.dump))
        let pages = CommandManual.pages(description)
        #expect(pages.map(\.path) == ["man1/tool.1", "man1/tool-do.1"])
        #expect(pages.last?.source == Self.page)
        #expect(pages.first?.source.contains(".Nm tool\n.Op Fl \\&\\-as Ar \\&way\n") == true, "the default subcommand")
        #expect(pages.first?.source.contains(".It Xr tool-do 1\nDo it.\n") == true)
    }

    private static let dump = """
        { "command": { "commandName": "tool", "abstract": "Work.", "defaultSubcommand": "do", "subcommands": [
          { "commandName": "do", "abstract": "Do it.", "shouldDisplay": true,
            "discussion": "First.\\nThen. Exit status: 0; 1 not\\ndone.",
            "arguments": [
              { "kind": "positional", "valueName": "paths", "isOptional": true, "isRepeating": true,
                "abstract": "Files.", "shouldDisplay": true },
              { "kind": "option", "valueName": "way", "isOptional": true, "isRepeating": false,
                "preferredName": { "kind": "long", "name": "as" }, "abstract": "The way.",
                "names": [{ "kind": "long", "name": "as" }, { "kind": "short", "name": "a" }],
                "allValues": ["one", "two"], "defaultValue": "one", "shouldDisplay": true },
              { "kind": "flag", "valueName": "now", "isOptional": false, "isRepeating": false,
                "preferredName": { "kind": "long", "name": "now" }, "abstract": "At once.",
                "names": [{ "kind": "long", "name": "now" }], "shouldDisplay": true },
              { "kind": "flag", "names": [{ "kind": "long", "name": "hidden" }], "shouldDisplay": false } ] },
          { "commandName": "secret", "shouldDisplay": false } ] } }
        """

    private static let page = """
        .Dd \(Program.date)
        .Dt TOOL-DO 1
        .Os
        .Sh NAME
        .Nm tool-do
        .Nd do it
        .Sh SYNOPSIS
        .Nm tool do
        .Op Fl \\&\\-as Ar \\&way
        .Fl \\-now
        .Op Ar paths ...
        .Sh DESCRIPTION
        Do it.
        .Pp
        First.
        .Pp
        Then.
        .Pp
        The arguments are as follows:
        .Bl -tag -width Ds
        .It Fl \\&a , Fl \\&\\-as Ar \\&way
        The way.
        (values: one, two; default: one)
        .It Fl \\-now
        At once.
        .It Ar paths
        Files.
        .El
        .Sh EXIT STATUS
        .Bl -tag -width Ds
        .It \\&0
        success
        .It \\&1
        not done
        .El
        .Sh SEE ALSO
        .Xr tool 1 ,
        .Xr ombi-collection 5 ,
        .Xr ombi-keys 7

        """
}
