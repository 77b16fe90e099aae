/// Policies of requests as code for OmbiCore.
enum SwiftPolicy {
    /// Returns the retries of a policy as an expression; nil for none.
    static func retry(_ policy: RequestPolicy) -> String? {
        guard let retries = policy.retries, retries > 0 else { return nil }
        var arguments = ["retries: \(retries)"]
        if let conditions = policy.retryOn { arguments += Self.conditions(conditions) }
        if let backoff = policy.backoff {
            let ceiling = backoff.ceiling.map { ", ceiling: \(duration($0))" } ?? ""
            arguments.append(
                "backoff: Backoff(first: \(duration(backoff.first)), factor: \(backoff.factor), "
                    + "jitter: \(backoff.jitter)\(ceiling))")
        }
        return "RetryPolicy(\(arguments.joined(separator: ", ")))"
    }

    private static func conditions(_ conditions: [RetryCondition]) -> [String] {
        var failures: [String] = []
        var codes: [String] = []
        for condition in conditions {
            switch condition {
            case .connection: failures.append(".connection")
            case .timeout: failures.append(".timeout")
            case .status(let pattern): codes.append("\(pattern.codes.lowerBound)...\(pattern.codes.upperBound)")
            }
        }
        if !codes.isEmpty { failures.append(".status") }
        return ["failures: [\(failures.joined(separator: ", "))]"]
            + (codes.isEmpty ? [] : ["statusCodes: Set([\(codes.joined(separator: ", "))].joined())"])
    }

    static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return ".seconds(\(seconds))" }
        let microseconds = attoseconds / 1_000_000_000_000
        return microseconds % 1000 == 0
            ? ".milliseconds(\(seconds * 1000 + microseconds / 1000))"
            : ".microseconds(\(seconds * 1_000_000 + microseconds))"
    }
}
