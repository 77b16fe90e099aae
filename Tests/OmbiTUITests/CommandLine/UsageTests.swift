import ArgumentParser
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The errors of command lines.
@Suite struct UsageTests {
    @Test(arguments: [
        (HistoryCommand.List.self as any ParsableCommand.Type, "ombi history list"),
        (HistoryCommand.Delete.self, "ombi history delete"), (IncidentCommand.self, "ombi incident"),
        (TapeCommand.self, "ombi tape"), (RecordCommand.self, "ombi record"),
        (RunCommand.self, "ombi run"), (SendCommand.self, "ombi send"), (NewCommand.self, "ombi new"),
    ])
    func `an error that a command finds while it runs has the usage of that command`(
        command: any ParsableCommand.Type, name: String
    ) {
        let lines = Ombi.message(of: ValidationError("Select runs."), in: command).split(separator: "\n")
        #expect(lines.first == "Error: Select runs.")
        #expect(lines.dropFirst().first?.hasPrefix("Usage: \(name) ") == true, "\(lines)")
        #expect(lines.last == "  See '\(name) --help' for more information.")
    }

    @Test(arguments: [[], ["--as", "wget"]]) func `an export without a known format lists them`(_ arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try ExportCommand.parse(arguments) }
        let message = error.map { ExportCommand.fullMessage(for: $0) } ?? ""
        #expect(message.contains("The format: curl, httpie, python, "), "\(message)")
    }

    @Test(arguments: [
        (["run", "--env", "x"], "--env'. Did you mean '--environment'?"),
        (["run", "--enviroment", "x"], "--enviroment'. Did you mean '--environment'?"),
        (["run", "--fail"], "--fail'. Did you mean '--fail-fast'?"),
        (["run", "--exit"], "--exit'. Did you mean '--exit-class'?"),
        (["history", "list", "--filtre", "x"], "--filtre'. Did you mean '--filter'?"),
        (["history", "list", "--last", "3"], "--last'"), (["check", "--verbose"], "--verbose'"),
    ])
    func `an unknown option names the one that was meant, or none`(arguments: [String], told: String) {
        let error = #expect(throws: (any Error).self) { try Ombi.parseAsRoot(arguments) }
        let lines = (error.map { Ombi.message(of: $0) } ?? "").split(separator: "\n")
        #expect(lines.first.map(String.init) == "Error: Unknown option '" + told)
        #expect(lines.last?.hasPrefix("  See 'ombi ") == true, "\(lines)")
    }

    @Test(arguments: ["0", "-1", "1", "26", "39"]) func `help says what options do, however narrow the terminal`(
        _ width: String
    ) {
        let columns = Ombi.columns { $0 == "COLUMNS" ? width : nil }
        #expect(NewCommand.helpMessage(columns: columns).contains("its first"), "\(columns) columns")
        #expect(Ombi.columns { _ in "100" } == 100)
    }

    @Test func `replay names the methods that it sends without --all-methods`() {
        let sent = RequestMethod.allCases.filter { SavedRequest(name: "r", method: $0, path: "/").isReplayable }
        #expect(sent.map(\.rawValue).sorted() == ["GET", "HEAD", "OPTIONS", "TRACE"])
        let help = HistoryCommand.Replay.helpMessage(columns: 1_000)
        #expect(help.contains("GET, HEAD, OPTIONS and TRACE are sent;"), "\(help)")
        #expect(!SavedRequest(name: "r", path: "wss://example.com/socket").isReplayable)
    }

    @Test(arguments: [
        (RunCommand.self as any ParsableCommand.Type, ["-", "--data", "-"], "The standard input can be read once"),
        (SendCommand.self, ["http://127.0.0.1", "@-", "--env-file", "-"], "The standard input can be read once"),
        (CheckCommand.self, ["--fix", "-"], "--fix cannot write to -, which is a pipe"),
        (ExploreCommand.self, ["-"], "- is a pipe, which nothing can be saved to"),
        (TrustCommand.self, ["-"], "- is a pipe, which no grant can be kept for"),
        (ImportFileCommand.self, ["postman", "x.json"], "postman is a format; write --from postman"),
    ])
    func `what cannot be read or written as named is refused`(
        command: any ParsableCommand.Type, arguments: [String], told: String
    ) {
        let error = #expect(throws: (any Error).self) { try command.parse(arguments) }
        let message = error.map { command.message(for: $0) } ?? ""
        #expect(message.hasPrefix(told), "\(message)")
    }

    @Test(arguments: [["--body", "--output", "json"], ["--dry-run", "--body"]])
    func `options of a run that exclude each other are refused`(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
        let message = error.map { RunCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix("--body ") || message.hasPrefix("--dry-run "), "\(message)")
    }

    @Test(arguments: [
        (
            ["--report", "junit"],
            "--report junit: write FORMAT=FILE with one of the formats junit, tap, html, json or github."
        ),
        (["--report", "xml=a"], "--report xml=a: write FORMAT=FILE"),
        (["--report", "tap=-", "--report", "json=-"], "Only one --report can go to the standard output"),
        (["--report", "github=-", "--output", "json"], "The standard output has room for one form"),
        (["--report", "junit=a", "--dry-run"], "--dry-run sends nothing, so there is nothing to report"),
        (["--watch", "1s", "--strict-retries"], "--watch has no end to report"),
        (["--max-flaky", "2"], "--max-flaky 2: write a share of the runs, such as 99.5%."),
        (["--max-flaky", "-1%"], "--max-flaky -1%: write a share of the runs"),
    ])
    func `a report that cannot be written as asked is refused`(arguments: [String], told: String) throws {
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
        let message = error.map { RunCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix(told), "\(message)")
    }

    @Test(arguments: [
        (
            CheckCommand.self as any ParsableCommand.Type, ["--report", "xml=a"],
            "formats junit, tap, html, json or github."
        ),
        (
            CheckCommand.self, ["--report", "junit=-", "--report", "github=-"],
            "Only one --report can go to the standard"
        ),
        (SpecCoverageCommand.self, ["a", "b", "--output", "json", "--report", "html=-"], "has room for one form"),
        (HistoryCommand.Compare.self, ["1", "2", "--output", "json", "--report", "github=-"], "has room for one form"),
        (HistoryCommand.Compare.self, ["--around", "m", "--report", "tap=a"], "--report go without --around"),
        (SpecDiffCommand.self, ["a", "b", "--report", "tap=a", "--report", "junit=a"], "Two reports cannot go to one"),
    ])
    func `a report of findings that cannot be written as asked is refused`(
        command: any ParsableCommand.Type, arguments: [String], told: String
    ) throws {
        let error = #expect(throws: (any Error).self) { try command.parse(arguments) }
        let message = error.map { command.message(for: $0) } ?? ""
        #expect(message.contains(told), "\(message)")
    }

    @Test(arguments: [
        (["--update-snapshots"], "--update-snapshots and --snapshot-header are for a --snapshot"),
        (["--snapshot", ""], "--snapshot takes a folder."),
        (["--snapshot", "a", "--snapshot-header", "X Y"], "--snapshot-header X Y: "),
        (["--snapshot", "a", "--watch", "1s"], "--snapshot compares whole responses"),
        (["--snapshot", "a", "--stream"], "--snapshot compares whole responses"),
        (["--snapshot", "a", "--dry-run"], "--snapshot compares whole responses"),
        (["--changed-since", ""], "--changed-since takes a revision of git"),
        (["--changed-since=-x"], "--changed-since takes a revision of git"),
    ])
    func `a comparison that cannot be made is refused`(arguments: [String], told: String) throws {
        let error = #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
        let message = error.map { RunCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix(told), "\(message)")
    }

    @Test(arguments: [
        (RunCommand.self as any ParsableCommand.Type, ["--retries", "-1"], "--retries takes a number from 0 to 1000."),
        (SendCommand.self, [":80", "--retries", "-1"], "--retries takes a number from 0 to 1000."),
        (RunCommand.self, ["--repeat", "-1"], "--repeat takes a number from 1 to 1000000."),
        (RunCommand.self, ["--concurrency", "-1"], "--concurrency takes a number from "),
        (RunCommand.self, ["--rate", "-0.5"], "--rate takes a number from 0.001 to 1000000."),
        (RunCommand.self, ["--rate", "5/m"], "--rate takes a number from 0.001 to 1000000."),
        (RunCommand.self, ["--stages", "10s"], "--stages 10s: write durations and rates, such as "),
        (RunCommand.self, ["--stages", "1s:5", "--repeat", "2"], "--stages have a duration; leave out --repeat"),
        (RunCommand.self, ["--events", "-1"], "--events takes a number from 1."),
        (RunCommand.self, ["--pages", "-1"], "--pages takes a number from "),
        (RunCommand.self, ["--sla", "-1s"], "--sla -1s: "), (RunCommand.self, ["--timeout", "-1s"], "--timeout -1s: "),
        (RunCommand.self, ["--delay", "-1s"], "--delay -1s: "),
        (RunCommand.self, ["--duration", "-1s"], "--duration -1s: "),
        (RunCommand.self, ["--stream-for", "-1s"], "--stream-for -1s: "),
        (RunCommand.self, ["--watch", "-1s"], "--watch -1s: "),
        (HistoryCommand.Simulate.self, ["r", "--retries", "-1"], "--retries takes a number from 0 to 1000."),
        (HistoryCommand.Simulate.self, ["r", "--factor", "-2"], "--factor takes a number from 1 to 1000."),
        (HistoryCommand.Simulate.self, ["r", "--sla", "-1s"], "--sla -1s: "),
        (HistoryCommand.Simulate.self, ["r", "--timeout", "-1s"], "--timeout -1s: "),
        (HistoryCommand.Simulate.self, ["r", "--backoff", "-1s"], "--backoff -1s: "),
        (HistoryCommand.Simulate.self, ["r", "--retry-budget", "20"], "--retry-budget 20: write a percentage above 0"),
        (
            HistoryCommand.Simulate.self, ["r", "--breaker", "0"],
            "--breaker 0: \"0\" is no number of failures from 1 to 1000"
        ),
        (HistoryCommand.List.self, ["--limit", "-1"], "--limit takes a number from 1 on."),
        (HistoryCommand.Export.self, ["--limit", "-1"], "--limit takes a number from 1 on."),
        (HistoryCommand.Replay.self, ["--concurrency", "-1"], "--concurrency takes a number from "),
        (HistoryCommand.Delete.self, ["--id", "-1"], "--id takes a number from 1 on."),
        (DiffCommand.self, ["a", "b", "--context", "-1"], "--context takes 0 or more lines"),
        (SpecCoverageCommand.self, ["a", "b", "--min", "-1%"], "--min -1%: write a share from 0% to 100%"),
    ])
    func `a negative number is refused with what the option takes`(
        command: any ParsableCommand.Type, arguments: [String], told: String
    ) throws {
        let error = #expect(throws: (any Error).self) { try command.parse(arguments) }
        let message = error.map { command.message(for: $0) } ?? ""
        #expect(message.hasPrefix(told), "\(message)")
    }

    @Test(
        arguments: [
            ([], "the URL is missing"), ([":80", "word"], "write name=value"),
            ([":80", "-e", "e"], "add --in COLLECTION"),
            (["/x"], "add --in COLLECTION"), ([":80", "a:=x"], "is no JSON"),
            ([":80", "--set", "x"], "write NAME=VALUE"),
        ] as [([String], String)])
    func `a request in words says what to write instead`(arguments: [String], told: String) {
        let error = #expect(throws: (any Error).self) { try SendCommand.parse(arguments) }
        let message = error.map { SendCommand.message(for: $0) } ?? ""
        #expect(message.contains(told), "\(message)")
    }

    @Test(arguments: [["--body"], ["--dry-run", "--output", "json"], ["--dry-run"]])
    func `the others are taken`(arguments: [String]) throws { _ = try RunCommand.parse(arguments) }
}
