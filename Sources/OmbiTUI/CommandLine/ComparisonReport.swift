import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

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
    /// The numbers that no run has.
    var unknownRuns: [Int] = []
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
        let names = [comparison.oldRequest, comparison.request].compactMap { $0.map(HistoryText.name) }
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
        var lines = missing.map { "✗ " + SafeText.line("\(HistoryText.name($0.request))  \($0.reason)") }
        let count = Count.of(comparisons.count, "request")
        lines.append(
            "\(count) compared, "
                + (differing == 0 ? "all the same" : "\(differing) differ\(differing == 1 ? "s" : "")"))
        guard !volatile.isEmpty else { return lines }
        lines.append("these values differ from run to run in one environment; --ignore PATH passes over them:")
        for (request, paths) in volatile {
            lines += paths.map { path in
                let share = "in \(path.changes) of \(path.comparisons) runs"
                return SafeText.line("  \(path.path)  \(share) of \(HistoryText.name(request))")
            }
        }
        return lines
    }
}

/// The report as JSON; `schema/comparison.schema.json` describes it.
extension ComparisonReport {
    var json: String {
        let value = JSONValue.object([
            .init("same", .bool(isSame)), .init("differing", .number(differing)),
            .init("comparisons", .array(comparisons.map(value))),
            .init(
                "missing",
                .array(missing.map { .object(Self.names($0.request) + [.init("reason", .string($0.reason))]) })
            ),
        ])
        return RunJSON.escaped(String(value.text.dropLast()))
    }

    private func value(_ comparison: RunComparison) -> JSONValue {
        var members = Self.names(comparison.request)
        if let old = comparison.oldRequest { members.append(.init("oldRequest", .object(Self.names(old)))) }
        members += [
            .init("same", .bool(comparison.isSame)), .init("old", Self.value(comparison.old)),
            .init("new", Self.value(comparison.new)),
            .init("changes", .array(comparison.body.changes.map(Self.value))),
        ]
        if case .values(_, let isCut) = comparison.body, isCut { members.append(.init("isCut", .bool(true))) }
        if case .other(let reason) = comparison.body { members.append(.init("note", .string(reason))) }
        let paths = volatile.first { $0.request == comparison.request }?.paths ?? []
        if !paths.isEmpty { members.append(.init("volatile", .array(paths.map(Self.value)))) }
        return .object(members)
    }

    private static func names(_ request: ItemPath) -> [JSONValue.Member] {
        [.init("file", .string(request.file)), .init("path", .array(request.path.map { .string($0) }))]
    }

    private static func value(_ side: RunComparison.Side) -> JSONValue {
        .object([
            .init("run", side.run.map { .number($0) } ?? .null),
            .init("environment", side.environment.map { .string($0) } ?? .null),
            .init("startedAt", side.startedAt.map { .string(HistoryTime.text($0)) } ?? .null),
            .init("outcome", .string(side.outcome.name)), .init("status", side.status.map { .number($0) } ?? .null),
            .init("failure", side.failure.map { .string($0) } ?? .null),
            .init("durationMs", side.duration.map(HistoryJSON.milliseconds) ?? .null),
            .init("attempts", .number(side.attempts)),
        ])
    }

    private static func value(_ change: JSONValueChange) -> JSONValue {
        .object([
            .init("kind", .string("\(change.kind)")), .init("path", .string(change.path)),
            .init("old", change.old.map { .string($0) } ?? .null),
            .init("new", change.new.map { .string($0) } ?? .null),
        ])
    }

    private static func value(_ path: VolatilePath) -> JSONValue {
        .object([
            .init("path", .string(path.path)), .init("changes", .number(path.changes)),
            .init("comparisons", .number(path.comparisons)),
        ])
    }
}
