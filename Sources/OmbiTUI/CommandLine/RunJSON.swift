import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The results of a headless run as JSON, written in the order of their starts as they arrive.
///
/// Control and format characters are escaped, since any text may end up on a terminal.
struct RunJSON {
    private var waiting: [Int: JSONValue] = [:]
    private var written = 0

    /// Returns the text that can be written with this result, in the order of the requests.
    mutating func add(_ job: Job, _ result: SessionResult, at index: Int) -> String {
        waiting[index] = Self.value(job, result)
        var text = ""
        while let value = waiting.removeValue(forKey: written) {
            text += (written == 0 ? Self.opening : ",\n    ") + value.text(indentation: 4)
            written += 1
        }
        return Self.escaped(text)
    }

    /// Returns the rest, including results after the gaps of an interrupted run.
    /// - Parameter thresholds: with the reason why each was missed; nil for one that was met.
    mutating func end(
        _ tally: Tally, _ statistics: RunStatistics = RunStatistics(), thresholds: [(Threshold, String?)] = [],
        duration: Duration
    ) -> String {
        var text = ""
        for (_, value) in waiting.sorted(by: { $0.key < $1.key }) {
            text += (written == 0 ? Self.opening : ",\n    ") + value.text(indentation: 4)
            written += 1
        }
        waiting = [:]
        text += written == 0 ? "{\n  \"requests\": [],\n" : "\n  ],\n"
        let members = Self.members(tally, statistics, thresholds, duration)
        text += members.map { "  \"\($0.0)\": \($0.1.text(indentation: 2))" }.joined(separator: ",\n")
        return Self.escaped(text + "\n}\n")
    }

    private static let opening = "{\n  \"requests\": [\n    "

    /// Returns the text with control and format characters beyond ASCII as `\uXXXX`.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            guard scalar.value >= 0x7F, scalar.isControlOrFormat else { return result.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    private static func members(
        _ tally: Tally, _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)], _ duration: Duration
    ) -> [(String, JSONValue)] {
        [
            ("passed", .number(tally.passed)), ("failed", .number(tally.failed)),
            ("durationMs", milliseconds(duration)),
        ] + members(statistics, thresholds)
    }

    // MARK: Lines

    /// Returns a line of its own: `{"result":{…}}`.
    static func line(_ job: Job, _ result: SessionResult) -> String {
        line("result", value(job, result))
    }

    /// Returns a line of its own for an event of a stream.
    static func line(_ job: Job, _ event: StreamedEvent) -> String {
        let row = job.order.row.map { JSONValue.Member("row", .number($0.number)) }
        let members = [
            JSONValue.Member("name", .string(job.name)), row, .init("number", .number(event.number)),
            event.time.map { .init("atMs", milliseconds($0)) }, event.gap.map { .init("gapMs", milliseconds($0)) },
            event.type.map { .init("type", .string($0)) }, event.id.map { .init("id", .string($0)) },
            .init("data", event.value),
        ]
        return line("event", .object(members.compactMap { $0 }))
    }

    /// Returns the line of the whole run.
    static func lastLine(
        _ tally: Tally, _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)], duration: Duration
    ) -> String {
        let members = members(tally, statistics, thresholds, duration)
        return line("summary", .object(members.map { JSONValue.Member($0.0, $0.1) }))
    }

    static func line(_ key: String, _ value: JSONValue) -> String {
        escaped(JSONValue.object([.init(key, value)]).compact) + "\n"
    }

    /// Left out where nothing was measured, and without thresholds.
    private static func members(
        _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)]
    ) -> [(String, JSONValue)] {
        let results = thresholds.map { threshold, failure in
            JSONValue.object([
                .init("threshold", .string(threshold.text)), .init("met", .bool(failure == nil)),
                .init("failure", failure.map { .string($0) } ?? .null),
            ])
        }
        return (statistics.count > 0 ? [("statistics", value(statistics))] : [])
            + (results.isEmpty ? [] : [("thresholds", .array(results))])
    }

    private static func value(_ statistics: RunStatistics) -> JSONValue {
        let share = { (share: Double?) in share.map { JSONValue.number(($0 * 1e6).rounded() / 1e6) } ?? .null }
        let time = { (duration: Duration?) in duration.map(milliseconds) ?? .null }
        return .object(
            [.init("firstTry", share(statistics.firstTry)), .init("eventual", share(statistics.eventual))]
                + [50, 90, 95, 99].map { .init("p\($0)Ms", time(statistics.percentile(Double($0)))) }
                + [.init("meanMs", time(statistics.mean)), .init("maxMs", time(statistics.maximum))])
    }

    static func value(_ job: Job, _ result: SessionResult) -> JSONValue {
        let attempts = result.report?.attempts ?? []
        let row = job.order.row.map { JSONValue.Member("row", .number($0.number)) }
        return .object(
            [.init("name", .string(job.name))] + [row].compactMap { $0 } + [
                .init("method", .string(job.request.method.rawValue)),
                .init("url", result.prepared.map { .string($0.url) } ?? .null),
                .init("passed", .bool(result.passed)),
                .init("failures", .array(result.failures.map { .string($0) })),
                .init("expectations", .array(result.expectations.map(value))),
                .init("status", result.receivedResponse?.statusCode.map { .number($0) } ?? .null),
                .init("bytes", result.receivedResponse.map { .number($0.body?.count ?? 0) } ?? .null),
                .init("durationMs", result.report.map { milliseconds($0.duration) } ?? .null),
                .init("attempts", .array(attempts.map(value))),
            ] + remarkMembers(result) + pageMembers(result) + fallbackMembers(result) + trustMembers(result)
                + captureMembers(result))
    }

    /// Left out for a response of which there is nothing to say.
    private static func remarkMembers(_ result: SessionResult) -> [JSONValue.Member] {
        result.remark.map { [.init("remark", .string($0))] } ?? []
    }

    /// Left out for a response that is whole.
    private static func pageMembers(_ result: SessionResult) -> [JSONValue.Member] {
        guard let pages = result.pages else { return [] }
        let parts: [JSONValue.Member] = [
            .init("count", .number(pages.count)), .init("expected", pages.expected.map { .number($0) } ?? .null),
            .init("more", .bool(pages.hasMore)),
        ]
        return [.init("pages", .object(parts))]
    }

    /// Left out where none was needed.
    private static func fallbackMembers(_ result: SessionResult) -> [JSONValue.Member] {
        result.fallback.map { [.init("fallback", HistoryJSON.value($0))] } ?? []
    }

    /// Left out where certificates are verified.
    private static func trustMembers(_ result: SessionResult) -> [JSONValue.Member] {
        result.prepared?.verifiesTLS == false ? [.init("verifiesTLS", .bool(false))] : []
    }

    /// Left out where nothing was sent first, and nothing captured.
    private static func captureMembers(_ result: SessionResult) -> [JSONValue.Member] {
        let sentFirst = result.dependencies.map { dependency in
            JSONValue.object([
                .init("name", .string(dependency.request)), .init("variable", .string(dependency.variable)),
                .init("passed", .bool(dependency.failures.isEmpty)),
                .init("failures", .array(dependency.failures.map { .string($0) })),
                .init("status", dependency.statusCode.map { .number($0) } ?? .null),
                .init("durationMs", dependency.duration.map(milliseconds) ?? .null),
                .init("attempts", .number(dependency.attempts)),
            ])
        }
        let captured = result.captured.map { value in
            JSONValue.object([
                .init("name", .string(value.name)), .init("from", .string(value.source)),
                .init("value", .string(value.value)),
            ])
        }
        return (sentFirst.isEmpty ? [] : [.init("sentFirst", .array(sentFirst))])
            + (captured.isEmpty ? [] : [.init("captured", .array(captured))])
    }

    private static func value(_ expectation: ExpectationResult) -> JSONValue {
        .object([
            .init("subject", .string(expectation.subject)),
            .init("expected", .string(expectation.expected)),
            .init("found", .string(expectation.found)),
            .init("met", .bool(expectation.isMet)),
        ])
    }

    private static func value(_ attempt: AttemptReport) -> JSONValue {
        let phases = RequestPhase.allCases.map {
            JSONValue.Member($0.rawValue, milliseconds(attempt.metrics.timings[$0]))
        }
        return .object([
            .init("number", .number(attempt.number)),
            .init("startedMs", milliseconds(attempt.startedAt)),
            .init("durationMs", milliseconds(attempt.duration)),
            .init("status", attempt.response?.statusCode.map { .number($0) } ?? .null),
            .init("outcome", .string(attempt.outcome.words)),
            .init("waitMs", attempt.wait.map(milliseconds) ?? .null),
            .init("notRetried", attempt.missedRetry.map { .string($0.words) } ?? .null),
            .init("phasesMs", .object(phases)),
        ])
    }

    static func milliseconds(_ duration: Duration) -> JSONValue {
        .number((duration.milliseconds * 1000).rounded() / 1000)
    }
}

extension AttemptReport.Outcome {
    /// "succeeded", "status: 503 Service Unavailable", …
    var words: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed(let kind, let message): "\(kind.rawValue): \(message)"
        case .stopped(let message): message
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        case .slaExceeded: "SLA exceeded"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControlOrFormat: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
