import ArgumentParser
import OmbiWorkspace

extension HistoryCommand {
    /// `ombi history hosts`: the attempts of a selection by the address that they reached.
    struct Hosts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hosts",
            abstract: "Show the attempts by remote address: failures, percentiles, connections and phases.",
            discussion: """
                The address with the largest share of failures comes first. An attempt whose failure its run expects \
                is none; cancelled attempts do not count.
                """)

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "So many of the newest runs that the other options select.")
        var last: Int?
        @Option(help: "The output format: text or json.")
        var output = Format.text

        func validate() throws {
            guard last ?? 1 >= 1 else { throw ValidationError("--last takes a number from 1 on.") }
        }

        func run() throws {
            let filters = try selection.filters()
            guard filters.count == 1, var filter = filters.first else {
                throw ValidationError("Name one collection, folder or request.")
            }
            filter.last = last
            let statistics = try HistoryCommand.withHistory { [filter] history throws(HistoryError) in
                try await history.hosts(history.selected(filter))
            }
            switch output {
            case .json: StandardOutput.print(RunJSON.escaped(HistoryJSON.hosts(statistics)))
            case .text: for line in HistoryText.hosts(statistics) { StandardOutput.show(line) }
            }
            if statistics.addresses.isEmpty {
                StandardError.print("ombi: no attempt was found")
                throw ExitStatus.failure
            }
        }
    }
}
