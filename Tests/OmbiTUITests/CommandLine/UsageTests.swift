import ArgumentParser
import Testing

@testable import OmbiTUI

/// The errors of command lines.
@Suite struct UsageTests {
    @Test(arguments: [
        (HistoryCommand.List.self as any ParsableCommand.Type, "ombi history list"),
        (HistoryCommand.Delete.self, "ombi history delete"), (IncidentCommand.self, "ombi incident"),
        (RunCommand.self, "ombi run"),
    ])
    func `an error that a command finds while it runs has the usage of that command`(
        command: any ParsableCommand.Type, name: String
    ) {
        let lines = Ombi.message(of: ValidationError("Select runs."), in: command).split(separator: "\n")
        #expect(lines.first == "Error: Select runs.")
        #expect(lines.dropFirst().first?.hasPrefix("Usage: \(name) ") == true, "\(lines)")
        #expect(lines.last == "  See '\(name) --help' for more information.")
    }

    @Test(arguments: [["--body", "--output", "json"], ["--dry-run", "--body"]])
    func `options of a run that exclude each other are refused`(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
        let message = error.map { RunCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix("--body ") || message.hasPrefix("--dry-run "), "\(message)")
    }

    @Test(arguments: [["--body"], ["--dry-run", "--output", "json"], ["--dry-run"]])
    func `the others are taken`(arguments: [String]) throws { _ = try RunCommand.parse(arguments) }
}
