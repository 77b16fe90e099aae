import ArgumentParser

/// The options that select runs.
struct HistorySelection: ParsableArguments {
    @Argument(
        help: "The requests: COLLECTION[/FOLDER[/REQUEST]] (default: all that were recorded).", completion: .selections)
    var selections: [String] = []

    @Option(name: .shortAndLong, help: "The environment.", completion: .environments)
    var environment: String?

    @OptionGroup var conditions: HistoryConditions

    func filters(now: Date = Date()) throws -> [HistoryFilter] {
        try conditions.filters(selections, environment: environment, now: now)
    }
}

/// The options that select runs of one request.
struct HistoryRequestSelection: ParsableArguments {
    @Argument(help: "The request: COLLECTION/FOLDER/REQUEST.", completion: .selections)
    var request: String

    @Option(name: .shortAndLong, help: "The environment.", completion: .environments)
    var environment: String?

    @OptionGroup var conditions: HistoryConditions

    /// Throws with the requests that the name stands for where they are several.
    func filter() throws -> HistoryFilter {
        let filters = try conditions.filters([request], environment: environment)
        if filters.count == 1, let filter = filters.first, filter.item?.path.isEmpty == false { return filter }
        let named = filters.compactMap(\.item).map { SafeText.line(([$0.file] + $0.path).joined(separator: "/")) }
        throw ValidationError(
            "Name one request: COLLECTION/FOLDER/REQUEST."
                + (named.count > 1 ? " These are several: \(named.joined(separator: ", "))." : ""))
    }
}

/// The options that select the newest runs of one item, or of all.
struct NewestRuns: ParsableArguments {
    @OptionGroup var selection: HistorySelection
    @Option(parsing: .unconditional, help: "So many of the newest runs that the other options select.")
    var last: Int?

    func validate() throws { try require(last ?? 1 >= 1, "--last takes a number from 1 on.") }

    func filter() throws -> HistoryFilter {
        let filters = try selection.filters()
        guard filters.count == 1, var filter = filters.first else {
            throw ValidationError("Name one collection, folder or request.")
        }
        filter.last = last
        return filter
    }
}

/// The options that select among the runs of requests.
struct HistoryConditions: ParsableArguments {
    @Option(help: "The status: 503, or 5xx.")
    var status: String?

    @Option(
        help: "The outcome: passed, failed, error (no complete response) or cancelled. Repeatable.",
        completion: .list(["passed", "failed", "error", "cancelled"]))
    var outcome: [String] = []

    @Option(
        parsing: .unconditional,
        help: "Runs that started from this time to now: 2026-11-23T14:05, 14:05 (today or yesterday), or 2h (ago).")
    var since: String?

    @Option(parsing: .unconditional, help: "Runs that started at this time or before.")
    var until: String?

    @Option(help: "Runs with this text in their URL, name or failure.")
    var text = ""

    @Option(
        parsing: .unconditional,
        help: """
            A filter as in the history of all requests on the screen: 'orders status:5xx env:staging since:1h \
            attempts>1 is:failed'.
            """)
    var filter = ""

    @Option(
        name: .customLong("where"),
        help: "Runs with a response in whose body this JSONPath selects something: '$.items[?@.stock == 0]'.")
    var condition: String?

    func filters(_ selections: [String], environment: String?, now: Date = Date()) throws -> [HistoryFilter] {
        let start = try time(since, "--since", now)
        var filter = try typedFilter(now, start)
        if !text.isEmpty { filter.text = text }
        filter = filter.indexed
        filter.environment = environment
        if let condition { _ = try JSONPath(typed: condition) }
        filter.bodyPath = condition
        if let status {
            guard let pattern = StatusPattern(status) else {
                throw ValidationError("--status \(status): write a status such as 503, or 5xx.")
            }
            try require(filter.status == nil, "--status", "a status")
            filter.status = pattern
        }
        try require(filter.outcomes.isEmpty || outcome.isEmpty, "--outcome", "an outcome")
        filter.outcomes.formUnion(
            try outcome.map { name in
                guard let outcome = RecordedOutcome.allCases.first(where: { $0.name == name }) else {
                    throw ValidationError("--outcome \(name): write passed, failed, error or cancelled.")
                }
                return outcome
            })
        try require(filter.since == nil || since == nil, "--since", "a start")
        try require(filter.until == nil || until == nil, "--until", "an end")
        if let start { filter.since = start }
        if let until = try time(until, "--until", now, after: filter.since) { filter.until = until }
        filter = filter.ending(at: now)
        guard !selections.isEmpty else { return [filter] }
        return try Selection.paths(selections).map { path in
            var filter = filter
            filter.item = path
            filter.includesContents = true
            return filter
        }
    }

    private func typedFilter(_ now: Date, _ start: Date?) throws -> HistoryFilter {
        do throws(HistorySearch.Problem) { return try HistorySearch.filter(filter, now: now, start: start) } catch {
            throw ValidationError("--filter \(error.text).")
        }
    }

    /// Throws where an option would silently replace or widen a term of `--filter`: other runs would be deleted.
    private func require(_ isFree: Bool, _ option: String, _ term: String) throws {
        guard isFree else { throw ValidationError("\(option): --filter has \(term) already; leave one of them out.") }
    }

    private func time(_ text: String?, _ option: String, _ now: Date, after start: Date? = nil) throws -> Date? {
        guard let text else { return nil }
        guard let date = HistoryTime.parse(text, now: now, after: start) else {
            throw ValidationError(
                "\(option) \(text): write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago).")
        }
        return date
    }
}
