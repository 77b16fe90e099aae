import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs of the history as JSON; `schema/history.schema.json` describes it.
enum HistoryJSON {
    static func text(_ entries: [HistoryEntry]) -> String {
        JSONValue.object([.init("runs", .array(entries.map(value)))]).trimmedText
    }

    static func text(_ run: RecordedRun) -> String { value(run).trimmedText }

    /// On one line.
    static func line(_ run: RecordedRun) -> String { value(run).compact }

    private static func value(_ run: RecordedRun) -> JSONValue {
        let (result, request) = (run.result, run.result.prepared)
        let members: [JSONValue.Member] = [
            .init(
                "request",
                request.map { request in
                    .object([
                        .init("method", .string(request.method.rawValue)), .init("url", .string(request.url)),
                        .init("headers", .array(request.headers.map { pair($0.name, $0.value) })),
                        .init("body", request.body.map { .string($0) } ?? .null),
                    ])
                } ?? .null),
            .init("attemptList", .array((result.report?.attempts ?? []).map(value))),
            .init("failures", .array(result.failures.map { .string($0) })),
            .init(
                "response",
                result.receivedResponse.map { response in
                    .object([
                        .init("status", response.statusCode.map { .number($0) } ?? .null),
                        .init(
                            "headers", .array((response.headers?.fields ?? []).map { pair($0.key.name, $0.value.text) })
                        ),
                        .init(
                            "body",
                            response.body.flatMap { String(validating: $0, as: UTF8.self) }.map { .string($0) } ?? .null
                        ),
                    ])
                } ?? .null),
        ]
        let fallback = result.fallback.map { [JSONValue.Member("fallback", value($0))] } ?? []
        let remark = result.remark.map { [JSONValue.Member("remark", .string($0))] } ?? []
        return .object(self.members(run.entry) + members + remark + fallback)
    }

    static func value(_ fallback: Fallback) -> JSONValue {
        switch fallback {
        case .missing(let reason): return .object([.init("missing", .string(reason))])
        case .response(let used):
            let source: JSONValue.Member =
                switch used.source {
                case .run(let id): .init("run", .number(id))
                case .file(let path): .init("file", .string(path))
                }
            let size = used.response.body.map { [JSONValue.Member("bytes", .number($0.count))] } ?? []
            return .object(
                [
                    source, .init("date", .string(HistoryTime.text(used.date))), .init("ageMs", milliseconds(used.age)),
                    .init("status", used.response.statusCode.map { .number($0) } ?? .null),
                ] + size)
        }
    }

    static func text(_ values: ValueHistory) -> String {
        let periods = values.periods.map { period in
            JSONValue.object([
                .init("value", period.value.map { .string($0) } ?? .null), .init("runs", .number(period.runs)),
                .init("firstRun", .number(period.firstRun)), .init("from", .string(HistoryTime.text(period.first))),
                .init("to", .string(HistoryTime.text(period.last))),
            ])
        }
        return JSONValue.object([
            .init("path", .string(values.path)), .init("runs", .number(values.runs)),
            .init("isCut", .bool(values.isCut)), .init("periods", .array(periods)),
        ]).trimmedText
    }

    static func text(_ statistics: HistoryStatistics) -> String {
        let counts = { (counts: [HistoryStatistics.Count]) -> JSONValue in
            .array(counts.map { .object([.init("name", .string($0.name)), .init("count", .number($0.count))]) })
        }
        return JSONValue.object([
            .init("runs", .number(statistics.runs)), .init("cancelled", .number(statistics.cancelled)),
            .init("passed", .number(statistics.passed)), .init("passedAtOnce", .number(statistics.passedAtOnce)),
            .init("runTimes", statistics.ofRuns.map(value) ?? .null),
            .init("attemptTimes", statistics.ofAttempts.map(value) ?? .null),
            .init("phases", .array(statistics.phases.map(value))),
            .init(
                "windows",
                .array(
                    statistics.windows.map { window in
                        .object([
                            .init("name", .string(window.name)), .init("runs", .number(window.runs)),
                            .init("withinSLA", .number(window.met)),
                        ])
                    })),
            .init("failures", counts(statistics.failures)), .init("retries", counts(statistics.retries)),
            .init("from", statistics.first.map { .string(HistoryTime.text($0)) } ?? .null),
            .init("to", statistics.last.map { .string(HistoryTime.text($0)) } ?? .null),
            .init("rounded", .bool(statistics.isRounded)),
        ]).trimmedText
    }

    /// A simulation: the figures as recorded, and as they would have been.
    static func text(_ recorded: PolicySimulation.Figures, _ simulated: PolicySimulation.Figures) -> String {
        let figures = { (figures: PolicySimulation.Figures) -> JSONValue in
            .object([
                .init("runs", .number(figures.runs)), .init("passed", .number(figures.passed)),
                .init("attempts", .number(figures.attempts)), .init("runTimes", figures.times.map(value) ?? .null),
            ])
        }
        return JSONValue.object([
            .init("recorded", figures(recorded)), .init("simulated", figures(simulated)),
        ]).trimmedText
    }

    private static func value(_ phase: HistoryStatistics.PhaseTimes) -> JSONValue {
        .object([
            .init("name", .string(phase.phase.rawValue)), .init("attempts", .number(phase.attempts)),
            .init("times", value(phase.times)),
        ])
    }

    private static func value(_ times: HistoryStatistics.Percentiles) -> JSONValue {
        .object([
            .init("p50Ms", milliseconds(times.p50)), .init("p90Ms", milliseconds(times.p90)),
            .init("p95Ms", milliseconds(times.p95)), .init("p99Ms", milliseconds(times.p99)),
            .init("maxMs", milliseconds(times.maximum)),
        ])
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        .object([.init("name", .string(name)), .init("value", .string(value))])
    }

    private static func value(_ entry: HistoryEntry) -> JSONValue { .object(members(entry)) }

    private static func members(_ entry: HistoryEntry) -> [JSONValue.Member] {
        [
            .init("id", .number(entry.id)), .init("startedAt", .string(HistoryTime.text(entry.startedAt))),
            .init("file", .string(entry.request.file)),
            .init("path", .array(entry.request.path.map { .string($0) })),
            .init("environment", entry.environment.map { .string($0) } ?? .null),
            .init("method", .string(entry.method)), .init("url", .string(entry.url)),
            .init("outcome", .string(entry.outcome.name)), .init("status", entry.status.map { .number($0) } ?? .null),
            .init("failure", entry.failure.map { .string($0) } ?? .null),
            .init("durationMs", milliseconds(entry.duration)), .init("attempts", .number(entry.attempts)),
            .init("bytes", entry.size.map { .number($0) } ?? .null),
        ]
    }

    private static func value(_ attempt: AttemptReport) -> JSONValue {
        let timings = attempt.metrics.timings
        let failure: String? =
            switch attempt.outcome {
            case .failed(_, let message), .stopped(let message): message
            case .cancelled: "cancelled"
            case .abandoned: "ended by a retry"
            case .slaExceeded: "the SLA ended"
            case .succeeded: nil
            }
        return .object([
            .init("number", .number(attempt.number)), .init("reason", .string(attempt.reason.rawValue)),
            .init("startedAtMs", milliseconds(attempt.startedAt)), .init("durationMs", milliseconds(attempt.duration)),
            .init("status", attempt.response?.statusCode.map { .number($0) } ?? .null),
            .init("failure", failure.map { .string($0) } ?? .null),
            .init("phasesMs", .object(RequestPhase.allCases.map { .init($0.rawValue, milliseconds(timings[$0])) })),
            .init("waitMs", attempt.wait.map(milliseconds) ?? .null),
            .init("notRetried", attempt.missedRetry.map { .string($0.words) } ?? .null),
            .init("address", attempt.metrics.remoteAddress.map { .string($0) } ?? .null),
            .init("reusedConnection", .bool(attempt.metrics.reusedConnection)),
        ])
    }

    static func milliseconds(_ duration: Duration) -> JSONValue {
        .number((duration.milliseconds * 1000).rounded() / 1000)
    }
}

extension JSONValue {
    /// Without the newline at the end.
    fileprivate var trimmedText: String { String(text.dropLast()) }
}

/// The figures for a Prometheus text collector.
enum HistoryPrometheus {
    /// - Parameter start: the name and the labels before the quantile.
    private static func quantiles(_ start: String, _ times: HistoryStatistics.Percentiles) -> [String] {
        let quantiles = [
            ("0.5", times.p50), ("0.9", times.p90), ("0.95", times.p95), ("0.99", times.p99), ("1", times.maximum),
        ]
        return quantiles.map { "\(start),quantile=\"\($0)\"} \($1.milliseconds / 1000)" }
    }

    static func text(_ statistics: HistoryStatistics, _ selection: String?) -> String {
        let label = (selection ?? "all").reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\" + String(character)
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        var lines = [
            "# HELP ombi_runs Runs in the history by outcome.", "# TYPE ombi_runs gauge",
            "ombi_runs{selection=\"\(label)\",outcome=\"passed\"} \(statistics.passed)",
            "ombi_runs{selection=\"\(label)\",outcome=\"failed\"} \(statistics.runs - statistics.passed)",
            "ombi_runs{selection=\"\(label)\",outcome=\"cancelled\"} \(statistics.cancelled)",
        ]
        if let times = statistics.ofRuns {
            lines += ["# HELP ombi_run_duration_seconds Time of a run.", "# TYPE ombi_run_duration_seconds gauge"]
            lines += quantiles("ombi_run_duration_seconds{selection=\"\(label)\"", times)
        }
        if !statistics.phases.isEmpty {
            lines += [
                "# HELP ombi_phase_duration_seconds Time of a phase of an attempt.",
                "# TYPE ombi_phase_duration_seconds gauge",
            ]
            lines += statistics.phases.flatMap { phase in
                quantiles(
                    "ombi_phase_duration_seconds{selection=\"\(label)\",phase=\"\(phase.phase.rawValue)\"", phase.times)
            }
        }
        return SafeText.lines(lines.joined(separator: "\n"))
    }
}
