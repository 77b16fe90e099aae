import ArgumentParser
import OmbiDocument
import OmbiWorkspace

/// The number of a run or of a load, as the list shows it.
enum RecordedNumber: ExpressibleByArgument, Equatable {
    case run(Int)
    case load(Int)

    /// Reads `1042` and `L3`.
    init?(argument: String) {
        guard argument.first == "L" || argument.first == "l" else {
            guard let number = Int(argument) else { return nil }
            self = .run(number)
            return
        }
        guard let number = Int(argument.dropFirst()) else { return nil }
        self = .load(number)
    }
}

extension HistoryCommand.Show {
    /// Prints a load.
    func show(load id: Int) throws {
        guard attempt == nil, !body else {
            throw ValidationError("A load has no attempts and no body; leave out --attempt and --body.")
        }
        let load = try HistoryCommand.withHistory { history throws(HistoryError) in try await history.load(id) }
        guard let load else {
            StandardError.print("ombi: there is no load L\(id); ombi history list shows them")
            throw ExitStatus.failure
        }
        switch output {
        case .json: StandardOutput.print(RunJSON.escaped(load.json.trimmedText))
        case .text: for line in HistoryText.lines(load) { StandardOutput.show(line) }
        }
    }
}
