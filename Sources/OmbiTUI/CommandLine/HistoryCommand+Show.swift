import ArgumentParser

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

    /// The number of a run; nil for a load.
    var runID: Int? { if case .run(let id) = self { id } else { nil } }

    /// The number of a load; nil for a run.
    var loadID: Int? { if case .load(let id) = self { id } else { nil } }

    /// `1042` or `L3`.
    var name: String {
        switch self {
        case .run(let id): "\(id)"
        case .load(let id): "L\(id)"
        }
    }
}

extension HistoryCommand.Delete {
    /// - Parameters:
    ///   - filters: the selection without numbers.
    ///   - numbers: what is to go of it; all of it without any.
    static func delete(
        _ filters: [HistoryFilter], _ numbers: [RecordedNumber], in history: History
    ) async throws(HistoryError) -> (runs: Int, loads: Int) {
        let (ids, loadIDs) = (numbers.compactMap(\.runID), numbers.compactMap(\.loadID))
        var (runs, loads) = (0, 0)
        if numbers.isEmpty || !loadIDs.isEmpty {
            let found = try await HistoryCommand.loads(filters, in: history).map(\.id)
            loads = try await history.delete(loads: found.filter { numbers.isEmpty || loadIDs.contains($0) })
        }
        guard numbers.isEmpty || !ids.isEmpty else { return (runs, loads) }
        for var filter in filters {
            // Without a number a filter selects all.
            filter.ids = ids
            runs += try await history.delete(history.selected(filter))
        }
        return (runs, loads)
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

extension HistoryCommand.Show {
    /// Prints the response of an attempt.
    func show(attempt number: Int, of run: RecordedRun) throws {
        guard let attempt = run.attempt(number) else {
            let count = Count.of(run.result.report?.attempts.count ?? 0, "attempt")
            StandardError.print("ombi: run \(run.entry.id) has no attempt \(number), but \(count)")
            throw ExitStatus.failure
        }
        if let bytes = attempt.omittedBody {
            StandardError.print("ombi: the body of attempt \(number) is not kept (\(bytes) bytes)")
        }
        if body {
            StandardOutput.write(body: Array(attempt.received?.body ?? Data()))
        } else if output == .json {
            StandardOutput.print(RunJSON.escaped(run.result.jsonWithResponses(of: attempt).trimmedText))
        } else {
            for line in HistoryText.lines(attempt) { StandardOutput.show(line) }
        }
    }
}

extension RecordedRun {
    /// An attempt with its response, which is that of the run for the last one; nil for a number that no attempt has.
    fileprivate func attempt(_ number: Int) -> AttemptReport? {
        let attempts = result.report?.attempts ?? []
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return nil }
        var attempt = attempts[index]
        if !attempts.isFollowed(index) {
            (attempt.received, attempt.isPartial) = (result.receivedResponse, result.response == nil)
            attempt.omittedBody = missingBody == nil ? nil : entry.size
        }
        return attempt
    }
}
