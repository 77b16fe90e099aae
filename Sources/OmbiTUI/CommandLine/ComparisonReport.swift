import ArgumentParser

/// The options of a comparison, and its output.
struct ComparisonOptions: ParsableArguments {
    @Option(help: "Ignore the values at a JSONPath, such as '$.updatedAt' or '$.items[*].id'. Repeatable.")
    var ignore: [String] = []

    @Option(help: "The output format: text or json.")
    var output = OutputFormat.text

    @OptionGroup var reporting: ReportOption

    func validate() throws {
        _ = try paths()
        try reporting.check(isOutputTaken: output != .text)
    }

    func paths() throws -> [JSONPath] {
        try ignore.map { text in
            do throws(JSONPathError) { return try JSONPath(text) } catch {
                throw ValidationError("--ignore \(text): \(SavedComparison.problem(of: text) ?? error.description).")
            }
        }
    }

    /// Prints what goes below the rows, or the whole report, and writes those of `--report`; throws where something differs.
    /// - Parameter interruption: the exit status of a replay that a signal ended; nil for any other comparison.
    func finish(_ report: ComparisonReport, _ interruption: ExitStatus? = nil) throws {
        switch output {
        case .json: StandardOutput.print(json: report.json)
        case .text: if !reporting.replacesOutput { report.summary.forEach(StandardOutput.show) }
        }
        let signal = interruption?.interruption
        do {
            try reporting.write(
                Findings(
                    command: "ombi history", unit: "request", cases: report.cases(signal), interruption: signal))
        } catch {
            if let interruption { throw interruption }
            throw error
        }
        if let interruption { throw interruption }
        if !report.isSame { throw ExitStatus.failure }
    }

    func show(_ comparison: RunComparison) {
        guard output == .text, !reporting.replacesOutput else { return }
        ComparisonReport.lines(comparison, isColored: StandardOutput.isColored).forEach(StandardOutput.show)
    }
}

/// The requests of runs, as their files have them now.
struct RecordedRequests {
    private var files: [String: LoadedCollection] = [:]
    private var lines: [String: RequestLines] = [:]

    /// Returns the request of a run and its collection; nil where the file or the request is gone.
    mutating func find(_ path: ItemPath) -> (request: SavedRequest, collection: Collection)? {
        if files[path.file] == nil { files[path.file] = CollectionFinder.load([path.file]).first?.specified() }
        guard let collection = files[path.file]?.collection,
            case .request(let request)? = collection.item(atPath: path.path)
        else { return nil }
        return (request, collection)
    }

    /// Returns the place of a request in a report, with its line where its file has it.
    mutating func place(of path: ItemPath) -> ReportedRun.Place {
        let file = ReportFiles.path(of: path.file)
        var place = ReportedRun.Place(suite: [file] + path.path.dropLast(), name: path.path.last ?? file, file: file)
        if let (request, collection) = find(path) {
            if lines[path.file] == nil { lines[path.file] = RequestLines(path.file, of: collection) }
            place.line = lines[path.file]?[request.id]
        }
        return place
    }

    /// Returns the paths that a request ignores; those that are invalid, its file reports elsewhere.
    mutating func ignoredPaths(of path: ItemPath) -> [JSONPath] {
        (find(path)?.request.ignoredPaths ?? []).compactMap { try? JSONPath($0) }
    }
}

extension ComparisonReport {
    /// Looks up the paths that differ from run to run, where they are among the changes.
    mutating func findVolatile(
        in history: History, ignoring paths: (ItemPath) -> [JSONPath]
    ) async throws(HistoryError) {
        for comparison in comparisons where !comparison.body.changes.isEmpty {
            let changed = Set(comparison.body.changes.map { JSONPathPattern.generalized($0.path) })
            var found: [String: VolatilePath] = [:]
            var environments = [comparison.old.environment, comparison.new.environment]
            if environments[0] == environments[1] { environments.removeLast() }
            for environment in environments {
                let all = try await history.volatilePaths(
                    of: comparison.request, environment: environment, status: comparison.old.status,
                    ignoring: paths(comparison.request))
                for path in all where changed.contains(path.path) && found[path.path] == nil { found[path.path] = path }
            }
            if !found.isEmpty {
                volatile.append((comparison.request, found.values.sorted { $0.path < $1.path }))
            }
        }
    }
}

/// The comparisons of a command, and what could not be compared.
struct ComparisonReport {
    /// A request without a run to compare.
    struct Missing: Equatable {
        var request: ItemPath
        /// A sentence without its subject.
        var reason: String
    }

    var comparisons: [RunComparison] = []
    var missing: [Missing] = []
    /// Those that a replay did not come to, as it was ended.
    var unsent: [ItemPath] = []
    /// The paths that differ from run to run, of requests that differ.
    var volatile: [(request: ItemPath, paths: [VolatilePath])] = []

    var differing: Int { comparisons.count { !$0.isSame } }
    var isSame: Bool { differing == 0 && missing.isEmpty && !comparisons.isEmpty }

    /// The maximum number of changed paths below a row for people.
    private static let maximumPaths = 20

    // MARK: Text

    /// `✗ shop.json: users/list  200 → 503  12 ms → 1.2 s  2 values differ`, and the values in lines below.
    static func lines(_ comparison: RunComparison, isColored: Bool) -> [String] {
        let (old, new) = (comparison.old, comparison.new)
        let (sign, color) = comparison.isSame ? ("✓", Paint.green) : ("✗", Paint.red)
        let mark = isColored ? color.text(sign) : sign
        let names = [comparison.oldRequest, comparison.request].compactMap { $0?.shortName }
        let name = SafeText.line(names.joined(separator: " → "))
        var lines = [
            "\(mark) \(name)  \(words(status(old), status(new)))  \(times(comparison))  \(SafeText.line(comparison.verdict))"
        ]
        for side in [old, new] where !side.hasResponse {
            lines.append("    " + SafeText.line("\(place(of: side)): \(side.failure ?? "no response")"))
        }
        let changes = comparison.body.changes
        lines += changes.prefix(maximumPaths).map { "    " + SafeText.line(line($0)) }
        if changes.count > maximumPaths { lines.append("    and \(changes.count - maximumPaths) more") }
        return lines
    }

    static func status(_ side: RunComparison.Side) -> String {
        side.status.map(String.init) ?? side.outcome.name
    }

    private static func words(_ old: String, _ new: String) -> String { old == new ? old : "\(old) → \(new)" }

    private static func times(_ comparison: RunComparison) -> String {
        let times = [comparison.old.duration, comparison.new.duration].map { $0.map(TimeText.duration) ?? "–" }
        return times.joined(separator: " → ")
    }

    private static func place(of side: RunComparison.Side) -> String {
        side.run.map { "run \($0)" } ?? side.environment ?? "now"
    }

    /// `~ $.total  3 → 4`
    private static func line(_ change: JSONValueChange) -> String {
        switch change.kind {
        case .added: "+ \(change.path)  \(change.new ?? "")"
        case .removed: "- \(change.path)  \(change.old ?? "")"
        case .changed: "~ \(change.path)  \(change.old ?? "") → \(change.new ?? "")"
        }
    }

    /// The lines after the table.
    var summary: [String] {
        var lines = missing.map { "✗ " + SafeText.line("\($0.request.shortName)  \($0.reason)") }
        let count = Count.of(comparisons.count, "request")
        lines.append(
            "\(count) compared, "
                + (differing == 0 ? "all the same" : "\(differing) differ\(differing == 1 ? "s" : "")"))
        if !unsent.isEmpty { lines.append("\(unsent.count) not sent") }
        guard !volatile.isEmpty else { return lines }
        lines.append("these values differ from run to run in one environment; --ignore PATH passes over them:")
        for (request, paths) in volatile {
            lines += paths.map { path in
                let share = "in \(path.changes) of \(path.comparisons) runs"
                return SafeText.line("  \(path.path)  \(share) of \(request.shortName)")
            }
        }
        return lines
    }
}

/// The report as JSON: `comparisons` in `schema/run.schema.json`.
extension ComparisonReport {
    var json: JSONValue {
        let missing = missing.map { Self.names($0.request).appending(["reason": .string($0.reason)]) }
        return [
            "same": .bool(isSame), "differing": .number(differing),
            "comparisons": .array(comparisons.map { value($0) }), "missing": .array(missing),
        ]
    }

    private func value(_ comparison: RunComparison) -> JSONValue {
        let paths = volatile.first { $0.request == comparison.request }?.paths ?? []
        var isCut: JSONValue?
        var note: JSONValue?
        switch comparison.body {
        case .values(_, true): isCut = .bool(true)
        case .other(let reason): note = .string(reason)
        default: break
        }
        return Self.names(comparison.request).appending([
            "oldRequest": comparison.oldRequest.map { Self.names($0) }, "same": .bool(comparison.isSame),
            "old": comparison.old.json, "new": comparison.new.json,
            "changes": .array(comparison.body.changes.map { Self.value($0) }), "isCut": isCut, "note": note,
            "volatile": paths.isEmpty ? nil : .array(paths.map { Self.value($0) }),
        ])
    }

    private static func names(_ request: ItemPath) -> JSONValue {
        ["file": .string(request.file), "path": .strings(request.path)]
    }

    private static func value(_ change: JSONValueChange) -> JSONValue {
        [
            "kind": .string("\(change.kind)"), "path": .string(change.path), "old": .nullable(change.old),
            "new": .nullable(change.new),
        ]
    }

    private static func value(_ path: VolatilePath) -> JSONValue {
        [
            "path": .string(path.path), "changes": .number(path.changes), "comparisons": .number(path.comparisons),
        ]
    }
}
