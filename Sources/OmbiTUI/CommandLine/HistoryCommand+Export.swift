import ArgumentParser
import OmbiWorkspace

extension HistoryCommand {
    /// Runs with their attempts for other programs, one after the other: however many there are, one is in memory.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export runs with their attempts and responses, the newest first; secrets are masked.")

        enum ExportFormat: String, ExpressibleByArgument, CaseIterable { case jsonl, har }

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "The maximum number of runs (default: all).")
        var limit: Int?
        @Flag(help: "Leave the bodies of the responses out.")
        var noBodies = false
        @Option(help: "The output format: jsonl, a line of JSON for each run, or har, an HTTP archive (HAR 1.2).")
        var output = ExportFormat.jsonl

        func validate() throws {
            guard limit ?? 1 >= 1 else { throw ValidationError("--limit takes a number from 1 on.") }
        }

        func run() throws {
            let filters = try selection.filters()
            let (limit, includesBody, format) = (limit ?? .max, !noBodies, output)
            let count = try HistoryCommand.withHistory { history throws(HistoryError) in
                var writer = ExportWriter(format)
                for filter in filters {
                    var filter = try await history.selected(filter)
                    while writer.count < limit {
                        let page = min(200, limit - writer.count)
                        let entries = try await history.entries(filter, limit: page)
                        for entry in entries where !ResultOutput.standard.isClosed {
                            guard let run = try await history.run(entry.id, includesBody: includesBody) else {
                                continue
                            }
                            writer.write(run)
                        }
                        // A page may lack rows that are damaged, so its count says nothing about an end.
                        guard let last = entries.last, !ResultOutput.standard.isClosed else { break }
                        filter.before = last.id
                    }
                }
                writer.finish()
                return writer.count
            }
            if count == 0 {
                StandardError.print("ombi: no run was found")
                throw ExitStatus.failure
            }
        }
    }

    private struct ExportWriter {
        let format: Export.ExportFormat
        private(set) var count = 0
        private var entries = 0

        init(_ format: Export.ExportFormat) { self.format = format }

        mutating func write(_ run: RecordedRun) {
            count += 1
            switch format {
            case .jsonl: StandardOutput.print(RunJSON.escaped(HistoryJSON.line(run)))
            case .har:
                for entry in ArchiveJSON.entries(run) {
                    StandardOutput.print((entries == 0 ? ArchiveJSON.start : ",") + RunJSON.escaped(entry))
                    entries += 1
                }
            }
        }

        func finish() {
            guard format == .har else { return }
            StandardOutput.print((entries == 0 ? ArchiveJSON.start : "") + ArchiveJSON.end)
        }
    }
}
