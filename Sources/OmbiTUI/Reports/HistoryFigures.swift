/// The figures of several selections of runs next to each other, as rows of a table.
enum HistoryFigures {
    /// A row for each figure: its name, then a column for each selection.
    static func rows(_ columns: [HistoryStatistics]) -> [[String]] {
        let share = { (share: Double?) in share.map(Percent.text) ?? "–" }
        let time = { (time: Duration?) in time.map(TimeText.duration) ?? "–" }
        return [
            ["runs"] + columns.map { "\($0.runs)" },
            ["passed first try"] + columns.map { share($0.firstTry) },
            ["passed eventually"] + columns.map { share($0.eventual) },
            ["run, p50"] + columns.map { time($0.ofRuns?.p50) }, ["run, p95"] + columns.map { time($0.ofRuns?.p95) },
            ["run, p99"] + columns.map { time($0.ofRuns?.p99) },
            ["run, maximum"] + columns.map { time($0.ofRuns?.maximum) },
            ["attempt, p50"] + columns.map { time($0.ofAttempts?.p50) },
            ["attempt, p95"] + columns.map { time($0.ofAttempts?.p95) },
        ]
    }

    /// A row for each reason why attempts failed in one of the selections, those of the last one first.
    static func causes(_ columns: [HistoryStatistics]) -> [[String]] {
        names(columns) { $0.failures.map(\.name) }.map { name in
            [name] + columns.map { column in "\(column.failures.first { $0.name == name }?.count ?? 0)" }
        }
    }

    /// A row for each address, those of the last selection first.
    static func addresses(_ columns: [HistoryStatistics]) -> [[String]] {
        names(columns) { $0.addresses.map(\.name) }.map { name in
            [name] + columns.map { column in column.addresses.first { $0.name == name }?.words ?? "–" }
        }
    }

    private static func names(
        _ columns: [HistoryStatistics], _ names: (HistoryStatistics) -> [String]
    ) -> [String] {
        var known: Set<String> = []
        return columns.reversed().flatMap(names).filter { known.insert($0).inserted }
    }
}

/// The runs before and after a mark: has the deploy changed something?
struct MarkComparison: Equatable, Sendable {
    var mark: HistoryMark
    var before: HistoryStatistics
    var after: HistoryStatistics

    /// The rows of addresses that are shown.
    private static let maximumAddresses = 20

    /// Compares the runs around the newest mark with a name; nil where there is none.
    /// - Parameter span: the length of both times in seconds; the one after the mark ends now at the latest.
    static func find(
        _ name: String, span: Double, _ filter: HistoryFilter, now: Date, in history: History
    ) async throws(HistoryError) -> MarkComparison? {
        guard let mark = try await history.mark(named: name) else { return nil }
        var (earlier, later) = (filter, filter)
        // A run at the very moment belongs to the time that begins there.
        (earlier.since, earlier.until) = (
            mark.date.addingTimeInterval(-span), mark.date.addingTimeInterval(-0.000_001)
        )
        (later.since, later.until) = (mark.date, min(now, mark.date.addingTimeInterval(span)))
        return MarkComparison(
            mark: mark, before: try await history.statistics(earlier), after: try await history.statistics(later))
    }

    var isEmpty: Bool { before.runs + after.runs == 0 }

    /// `run, p95   180 ms   2.1 s`
    var lines: [String] {
        let columns = [before, after]
        let rows: [[String]] =
            [["", "before", "after"]] + HistoryFigures.rows(columns)
            + Self.section("failed attempts", HistoryFigures.causes(columns))
        // Next to each other they would be wider than 80 columns.
        let addresses = HistoryFigures.addresses(columns).prefix(Self.maximumAddresses).flatMap { row in
            ["  \(row[0])", "    before  \(row[1])", "    after   \(row[2])"]
        }
        let title = addresses.isEmpty ? [] : ["by address"]
        return ([mark.line, ""] + Self.table(rows) + title + addresses).map(SafeText.line)
    }

    private static func section(_ title: String, _ rows: [[String]]) -> [[String]] {
        rows.isEmpty ? [] : [[title, "", ""]] + rows.map { ["  " + $0[0], $0[1], $0[2]] }
    }

    private static func table(_ rows: [[String]]) -> [String] {
        func width(_ column: Int) -> Int { rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let (first, second) = (width(0), width(1))
        return rows.map { "\($0[0].padded(to: first))  \($0[1].padded(to: second))  \($0[2])" }
    }
}

/// A request with an objective, in one environment.
struct ObjectiveEndpoint: Equatable, Sendable {
    var request: ItemPath
    /// Nil for a collection without environments.
    var environment: String?
    var objective: Objective

    /// Returns those of a request: one for each environment that can be chosen.
    /// - Parameter chosen: the only environment; nil for all.
    static func all(
        of request: SavedRequest, _ folders: [Folder], _ collection: Collection, file: String,
        environment chosen: String? = nil
    ) -> [ObjectiveEndpoint] {
        let environments = collection.environments.filter { !$0.isAbstract && (chosen == nil || $0.name == chosen) }
        let path = ItemPath(file: file, path: folders.map(\.name) + [request.name])
        let choices: [Environment?] = environments.isEmpty ? [nil] : environments.map(Optional.some)
        return choices.compactMap { environment -> ObjectiveEndpoint? in
            let inheritance = Inheritance(
                collection, folders: folders, environment: environment.map(collection.effective))
            let objective = inheritance.objective(of: request)
            guard objective.share != nil else { return nil }
            return ObjectiveEndpoint(request: path, environment: environment?.name, objective: objective)
        }
    }
}

extension ObjectiveEndpoint {
    /// Returns the objective that all requests at a path of a collection share; nil without one, and for different ones.
    /// - Parameter chosen: the environment; nil for all, or the standard one where theirs differ.
    static func shared(
        at path: [String], of collection: Collection, file: String, environment chosen: String?
    ) -> ObjectiveEndpoint? {
        let own = collection.environments.filter { !$0.isAbstract }.map(\.name)
        let all: [String?] = chosen.map { [$0] } ?? (own.isEmpty ? [nil] : own.map(Optional.some))
        if var found = shared(at: path, of: collection, file, in: all) {
            found.environment = chosen
            return found
        }
        guard chosen == nil, let standard = collection.defaultEnvironment?.name else { return nil }
        return shared(at: path, of: collection, file, in: [standard])
    }

    private static func shared(
        at path: [String], of collection: Collection, _ file: String, in environments: [String?]
    ) -> ObjectiveEndpoint? {
        var all: [ObjectiveEndpoint?] = []
        collection.forEachRequest { request, folders in
            guard (folders.map(\.name) + [request.name]).starts(with: path) else { return }
            for environment in environments {
                let own = Self.all(of: request, folders, collection, file: file, environment: environment)
                all.append(own.first)
            }
        }
        guard let first = all.first ?? nil, all.allSatisfy({ $0?.isLike(first) ?? false }) else { return nil }
        return first
    }

    /// Returns true for the same share of runs in the same time.
    private func isLike(_ other: ObjectiveEndpoint) -> Bool {
        (objective.success, objective.within) == (other.objective.success, other.objective.within)
    }
}

/// The objective of a request in one environment, with the runs that count against it.
struct ObjectiveStatus: Equatable, Sendable {
    var request: ItemPath
    /// Nil for a collection without environments.
    var environment: String?
    /// From 0 to 1.
    var share: Double
    var objective: Objective
    /// The runs of the window of the objective, of the last hour and of the last six.
    var window: HistoryStatistics.Window
    var hour: HistoryStatistics.Window
    var sixHours: HistoryStatistics.Window

    private static let hours = [Duration.seconds(3600), .seconds(6 * 3600)]

    /// Returns the status of each endpoint with an objective and runs in its window, in the order of `isBefore`.
    static func all(
        _ endpoints: [ObjectiveEndpoint], in history: History
    ) async throws(HistoryError) -> [ObjectiveStatus] {
        // Those of a file follow each other.
        var (file, resolved): (String?, String) = (nil, "")
        let counted = try await history.windows(
            endpoints.map { endpoint in
                if !file.hasBytes(of: endpoint.request.file) {
                    (file, resolved) = (endpoint.request.file, history.resolved(endpoint.request).file)
                }
                var filter = HistoryFilter(item: ItemPath(file: resolved, path: endpoint.request.path))
                filter.environment = endpoint.environment
                let length = endpoint.objective.window ?? Objective.standardWindow
                return HistoryWindows(filter, within: endpoint.objective.within, [length] + hours)
            })
        return zip(endpoints, counted).compactMap { ObjectiveStatus($0, $1) }.sorted(by: isBefore)
    }

    /// Returns nil without an objective, or without runs in its window.
    private init?(_ endpoint: ObjectiveEndpoint, _ windows: [HistoryStatistics.Window]) {
        guard let share = endpoint.objective.share, windows.count == 3, windows[0].runs > 0 else { return nil }
        (request, environment, objective) = (endpoint.request, endpoint.environment, endpoint.objective)
        (self.share, window, hour, sixHours) = (share, windows[0], windows[1], windows[2])
    }

    /// The part of the error budget that is left: 1 untouched, below 0 overspent.
    var budgetLeft: Double { window.budgetLeft(objective: share) ?? 1 }
    var isSpent: Bool { budgetLeft <= 0 }
    var burnRates: [Double?] { [hour, sixHours].map { $0.burnRate(objective: share) } }

    /// The one that burns most first: a spent budget, then the rate of the last hour and of the last six.
    static func isBefore(_ left: ObjectiveStatus, _ right: ObjectiveStatus) -> Bool {
        if left.isSpent != right.isSpent { return left.isSpent }
        let (old, new) = (left.burnRates.map { $0 ?? 0 }, right.burnRates.map { $0 ?? 0 })
        if old != new { return old[0] != new[0] ? old[0] > new[0] : old[1] > new[1] }
        return left.budgetLeft < right.budgetLeft
    }

    /// `99.5 %`, with all its digits.
    static func percent(_ share: Double) -> String {
        TimeText.decimal(share * 100, places: 4, trimsZeros: true) + " %"
    }

    /// `spent  burn 14.2 in 1 h, 3 in 6 h  97.1 % of 34 runs in 7d, objective 99.5%  shop.json: orders/create  local`
    var line: String {
        let burn = zip(rates, ["1 h", "6 h"]).map { "\($0) in \($1)" }.joined(separator: ", ")
        let runs = "\(window.share.map(Percent.text) ?? "–") of \(Count.of(window.runs, "run")) in \(window.name)"
        let parts = [
            budget.padded(to: 11), "burn \(burn)", "\(runs), objective \(objective.text)", request.shortName,
            environment,
        ]
        return SafeText.line(parts.compactMap { $0 }.joined(separator: "  "))
    }

    private var budget: String { isSpent ? "spent" : Percent.text(budgetLeft) + " left" }

    private var rates: [String] {
        burnRates.map { rate in rate.map { TimeText.decimal($0, places: 1, trimsZeros: true) } ?? "–" }
    }

    /// A table that fits into 80 columns: the budgets and the burn rates come first.
    static func table(_ statuses: [ObjectiveStatus]) -> (heading: String, rows: [BudgetRow]) {
        let rows = statuses.map { status -> [String] in
            let name = status.request.path.joined(separator: "/")
            let place = [name, status.environment].compactMap { $0 }.joined(separator: " · ")
            let share = status.window.share.map(Percent.text) ?? "–"
            // There is no room for its time and its window.
            let objective = String(status.objective.text.prefix { $0 != " " })
            return [status.budget] + status.rates + [place, "\(share) of \(status.window.runs)", objective]
        }
        let all = [["budget", "1 h", "6 h", "request", "good runs", "objective"]] + rows
        let widths = (0..<5).map { column in all.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let lines = all.map { row in
            SafeText.line(zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + row[5])
        }
        return (lines[0], zip(lines.dropFirst(), statuses).map { BudgetRow(text: $0, request: $1.request) })
    }
}

/// The error budget of a request in one environment, as a row of a table.
struct BudgetRow: Equatable, Sendable {
    var text: String
    var request: ItemPath
}
