import OmbiCore
import OmbiDocument

/// An attempt as JSON: `attempt` in `schema/run.schema.json`.
extension AttemptReport {
    package var json: JSONValue {
        let phases = RequestPhase.allCases.map { phase in
            JSONValue.Member(phase.rawValue, .milliseconds(metrics.timings[phase]))
        }
        let notRetried: JSONValue = missedRetry?.json ?? .null
        return [
            "number": .number(number), "reason": .string(reason.rawValue), "startedAtMs": .milliseconds(startedAt),
            "durationMs": .milliseconds(duration), "outcome": .string(outcome.name),
            "status": .nullable(response?.statusCode), "failure": .nullable(outcome.failure),
            "failureKind": .nullable(outcome.failureKind?.rawValue), "phasesMs": .object(phases),
            "waitMs": .milliseconds(wait), "waitReason": .nullable(waitReason?.name),
            "notRetried": notRetried, "address": .nullable(metrics.remoteAddress),
            "reusedConnection": .bool(metrics.reusedConnection),
        ]
    }
}

extension AttemptReport {
    /// An attempt of the history, with its response. That of the last attempt is the response of the run.
    package var jsonWithResponse: JSONValue {
        guard let received else { return json }
        return json.appending([
            "response": received.json.appending([
                "partial": isPartial ? .bool(true) : nil, "omittedBytes": omittedBody.map { JSONValue.number($0) },
            ])
        ])
    }
}

extension AttemptReport.Outcome {
    fileprivate var name: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        case .slaExceeded: "slaExceeded"
        }
    }

    /// The reason why the attempt did not succeed, for people; nil for one that did.
    package var failure: String? {
        switch self {
        case .succeeded: nil
        case .failed(_, let message), .stopped(let message): message
        case .cancelled: "cancelled"
        case .abandoned: "ended by a retry"
        case .slaExceeded: "the SLA ended"
        }
    }

    fileprivate var failureKind: RetryPolicy.Failure? {
        if case .failed(let kind, _) = self { kind } else { nil }
    }
}

extension WaitReason {
    fileprivate var name: String {
        switch self {
        case .backoff: "backoff"
        case .retryAfter: "retryAfter"
        case .reconnection: "reconnection"
        case .credentials: "credentials"
        }
    }
}

extension MissedRetry {
    fileprivate var json: JSONValue {
        [
            "waitMs": .milliseconds(wait), "waitReason": .string(reason.name), "slaLeftMs": .milliseconds(slaLeft),
            "maximumMs": maximum.map { JSONValue.milliseconds($0) },
        ]
    }
}
