import OmbiCore
import OmbiTerminal
import OmbiWorkspace

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

    /// Counts the runs of a request; nil without an objective or without runs in its window.
    static func find(
        _ request: ItemPath, environment: String?, _ objective: Objective, in history: History
    ) async throws(HistoryError) -> ObjectiveStatus? {
        guard let share = objective.share else { return nil }
        var filter = HistoryFilter(item: request)
        filter.environment = environment
        let length = objective.window ?? Objective.standardWindow
        let windows = try await history.windows(
            history.resolved(filter), within: objective.within, [length] + hours)
        guard windows.count == 3, windows[0].runs > 0 else { return nil }
        return ObjectiveStatus(
            request: request, environment: environment, share: share, objective: objective, window: windows[0],
            hour: windows[1], sixHours: windows[2])
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
        let budget = isSpent ? "spent" : Percent.text(budgetLeft) + " left"
        let burn = zip(burnRates, ["1 h", "6 h"]).map { rate, name in
            (rate.map { TimeText.decimal($0, places: 1, trimsZeros: true) } ?? "–") + " in " + name
        }.joined(separator: ", ")
        let runs = "\(window.share.map(Percent.text) ?? "–") of \(Count.of(window.runs, "run")) in \(window.name)"
        let parts = [
            budget.padded(to: 11), "burn \(burn)", "\(runs), objective \(objective.text)", request.shortName,
            environment,
        ]
        return SafeText.line(parts.compactMap { $0 }.joined(separator: "  "))
    }
}
