import OmbiCore
import OmbiWorkspace

/// The results of a headless run as JSON for programs.
enum RunJSON {
    static func text(_ results: [JobResult], duration: Duration) -> String {
        let members: [JSONValue.Member] = [
            .init("requests", .array(results.map(value))),
            .init("passed", .number(results.count { $0.passed })),
            .init("failed", .number(results.count { !$0.passed })),
            .init("durationMs", milliseconds(duration)),
        ]
        return JSONWriter.text(.object(members))
    }

    private static func value(_ result: JobResult) -> JSONValue {
        let attempts = result.report?.attempts ?? []
        return .object([
            .init("name", .string(result.job.name)),
            .init("method", .string(result.job.request.method.rawValue)),
            .init("url", result.sent.map { .string($0.url) } ?? .null),
            .init("passed", .bool(result.passed)),
            .init("failures", .array(result.failures.map { .string($0) })),
            .init("status", result.response?.statusCode.map { .number($0) } ?? .null),
            .init("bytes", result.response.map { .number($0.body?.count ?? 0) } ?? .null),
            .init("durationMs", result.report.map { milliseconds($0.duration) } ?? .null),
            .init("attempts", .array(attempts.map(value))),
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
            .init("phasesMs", .object(phases)),
        ])
    }

    private static func milliseconds(_ duration: Duration) -> JSONValue {
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
