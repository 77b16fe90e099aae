import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The results of a load, as the script of its engine wrote them.
struct LoadResult: Equatable, Sendable {
    /// The figures of one request, or of all.
    struct Figures: Equatable, Sendable, MeasuredRuns {
        var name: String
        var count = 0
        var failed = 0
        var mean: Duration?
        var maximum: Duration?
        /// By the text of the percent: `95`, `99.9`.
        var percentiles: [String: Duration] = [:]

        var eventual: Double? { count > 0 ? Double(count - failed) / Double(count) : nil }
        /// An engine retries nothing.
        var firstTry: Double? { eventual }
        var flaky: Double? { count > 0 ? 0 : nil }
        func percentile(_ percent: Double) -> Duration? { percentiles[Self.text(of: percent)] }

        static func text(of percent: Double) -> String {
            percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
        }
    }

    var requests: [Figures]
    var total: Figures

    /// Reads the file of results; nil for anything else.
    /// - Parameter names: of the requests, in their order.
    init?(_ text: String, names: [String]) {
        guard let value = try? JSONValue.parse(text), let requests = value["requests"]?.elements,
            requests.count == names.count, let total = value["total"]
        else { return nil }
        self.requests = zip(names, requests).map { Self.figures($0, $1) }
        self.total = Self.figures("all", total)
    }

    /// Reads a load of the history; nil for one that is damaged.
    init?(_ load: HistoryLoad) {
        guard let requests = load.result["requests"]?.elements, let total = load.result["total"] else { return nil }
        self.requests = requests.map { Self.figures($0["name"]?.stringValue ?? "", $0) }
        self.total = Self.figures("all", total)
    }

    private static func figures(_ name: String, _ value: JSONValue) -> Figures {
        var figures = Figures(name: name)
        figures.count = Int(number(value["count"]) ?? 0)
        figures.failed = min(figures.count, Int(number(value["failed"]) ?? 0))
        (figures.mean, figures.maximum) = (time(value["meanMs"]), time(value["maxMs"]))
        guard case .object(let members)? = value["percentiles"] ?? value["percentilesMs"] else { return figures }
        for member in members { figures.percentiles[member.key] = time(member.value) }
        return figures
    }

    /// A number from 0 on, which an `Int` can hold.
    private static func number(_ value: JSONValue?) -> Double? {
        guard case .number(let text)? = value, let number = Double(text), (0...1e15).contains(number) else {
            return nil
        }
        return number
    }

    private static func time(_ value: JSONValue?) -> Duration? { number(value).map { .microseconds($0 * 1000) } }

    // MARK: Report

    private static let shown = [50.0, 95, 99]

    /// A row for each request and one for all, with the names of the columns above.
    var table: String {
        let rows = [["request", "sent", "failed", "p50", "p95", "p99", "max"]] + (requests + [total]).map(Self.row)
        let widths = (0..<7).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let numbers = (1..<7).map { column in
                String(repeating: " ", count: max(0, widths[column] - TextWidth.of(row[column]))) + row[column]
            }
            return ([row[0].padded(to: widths[0])] + numbers).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func row(_ figures: Figures) -> [String] {
        let times = shown.map { figures.percentile($0) } + [figures.maximum]
        return [SafeText.line(figures.name), "\(figures.count)", "\(figures.failed)"]
            + times.map { $0.map(TimeText.duration) ?? "–" }
    }

    /// The conditions of a load.
    struct Conditions: Equatable, Sendable {
        var startedAt: Date
        var environment: String?
        var plan: LoadPlan
        /// The paths of the collections.
        var files: [String]

        fileprivate var json: JSONValue {
            [
                "startedAt": .time(startedAt), "environment": .nullable(environment), "users": .number(plan.users),
                "durationMs": .milliseconds(plan.duration),
                "rate": plan.rate.map { JSONValue.number($0) } ?? JSONValue.null, "files": .strings(files),
            ]
        }
    }

    /// `load` in `schema/run.schema.json`.
    /// - Parameter thresholds: with the reason why each was missed; nil for one that was met.
    func json(
        _ engine: LoadEngine, _ thresholds: [(Threshold, String?)], _ conditions: Conditions
    ) -> JSONValue {
        let results = thresholds.map { threshold, failure -> JSONValue in
            ["threshold": .string(threshold.text), "met": .bool(failure == nil), "failure": .nullable(failure)]
        }
        let value: JSONValue = ["engine": .string(engine.rawValue)]
        return value.appending(conditions.json).appending([
            "requests": .array(requests.map(Self.json)), "total": Self.json(total), "thresholds": .array(results),
        ])
    }

    private static func json(_ figures: Figures) -> JSONValue {
        let percentiles = figures.percentiles.sorted { (Double($0.key) ?? 0) < (Double($1.key) ?? 0) }
        return [
            "name": .string(figures.name), "count": .number(figures.count), "failed": .number(figures.failed),
            "meanMs": .milliseconds(figures.mean), "maxMs": .milliseconds(figures.maximum),
            "percentilesMs": .object(percentiles.map { .init($0.key, .milliseconds($0.value)) }),
        ]
    }
}
