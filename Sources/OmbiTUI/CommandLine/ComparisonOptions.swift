import ArgumentParser
import OmbiDocument
import OmbiWorkspace

/// The options of a comparison, and its output.
struct ComparisonOptions: ParsableArguments {
    @Option(help: "Ignore the values at a JSONPath, such as '$.updatedAt' or '$.items[*].id'. Repeatable.")
    var ignore: [String] = []

    @Option(help: "The output format: text or json.")
    var output = HistoryCommand.Format.text

    func validate() throws { _ = try paths() }

    func paths() throws -> [JSONPath] {
        try ignore.map { text in
            do throws(JSONPathError) { return try JSONPath(text) } catch {
                throw ValidationError("--ignore \(text): \(SavedComparison.problem(of: text) ?? error.description).")
            }
        }
    }

    /// Prints what goes below the rows, or the whole report; throws where something differs.
    func finish(_ report: ComparisonReport) throws {
        switch output {
        case .json: StandardOutput.print(report.json)
        case .text: report.summary.forEach(StandardOutput.show)
        }
        if !report.isSame { throw ExitStatus.failure }
    }

    func show(_ comparison: RunComparison) {
        guard output == .text else { return }
        ComparisonReport.lines(comparison, isColored: StandardOutput.isColored).forEach(StandardOutput.show)
    }
}

/// The requests of runs, as their files have them now.
struct RecordedRequests {
    private var files: [String: LoadedCollection] = [:]

    /// Returns the request of a run and its collection; nil where the file or the request is gone.
    mutating func find(_ path: ItemPath) -> (request: SavedRequest, collection: Collection)? {
        if files[path.file] == nil { files[path.file] = CollectionFinder.load([path.file]).first }
        guard let collection = files[path.file]?.collection,
            case .request(let request)? = collection.item(atPath: path.path)
        else { return nil }
        return (request, collection)
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
