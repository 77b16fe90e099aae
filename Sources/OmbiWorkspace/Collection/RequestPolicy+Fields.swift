import OmbiCore
import OmbiDocument

extension RequestPolicy {
    /// The settings as lines of text; an empty text inherits.
    public static let fields: [FieldDescriptor<RequestPolicy>] = [
        FieldDescriptor("retries") {
            $0.retries.map(String.init) ?? ""
        } write: { policy, text throws(FieldError) in
            policy.retries = try FieldText.count(text)
        },
        FieldDescriptor("SLA") {
            $0.sla.map(DurationText.format) ?? ""
        } write: { policy, text throws(FieldError) in
            policy.sla = try FieldText.duration(text)
        },
        FieldDescriptor("timeout") {
            $0.timeout.map(DurationText.format) ?? ""
        } write: { policy, text throws(FieldError) in
            policy.timeout = try FieldText.duration(text)
        },
        FieldDescriptor("backoff first") {
            $0.backoff.map { DurationText.format($0.first) } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(first: text, policy.backoff)
        },
        FieldDescriptor("backoff factor") {
            $0.backoff.map { JSONValue.number($0.factor).compact } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.factor, text, in: 1...100, standard: 2)
        },
        FieldDescriptor("backoff jitter") {
            $0.backoff.map { JSONValue.number($0.jitter).compact } ?? ""
        } write: { policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.jitter, text, in: 0...1, standard: 0)
        },
        FieldDescriptor("retry on") {
            $0.retryOn.map { $0.map(\.description).joined(separator: ", ") } ?? ""
        } write: { policy, text throws(FieldError) in
            let conditions = try FieldText.list(text, "connection, timeout, or a status such as 5xx or 429") {
                RetryCondition($0)
            }
            policy.retryOn = conditions.isEmpty ? nil : conditions
        },
    ]

    private static func backoff(first text: String, _ old: Backoff?) throws(FieldError) -> Backoff? {
        guard let first = try FieldText.duration(text, allowsZero: true) else { return nil }
        return Backoff(first: first, factor: old?.factor ?? 2, jitter: old?.jitter ?? 0, ceiling: old?.ceiling)
    }

    private static func backoff(
        _ old: Backoff?, _ part: WritableKeyPath<Backoff, Double>, _ text: String, in range: ClosedRange<Double>,
        standard: Double
    ) throws(FieldError) -> Backoff {
        guard var backoff = old else { throw FieldError("set \"backoff first\" before, for example to 250ms") }
        guard let value = text.isEmpty ? standard : Double(text), range.contains(value) else {
            throw FieldError(
                "expected a number from \(range.lowerBound) to \(range.upperBound), for example \(standard)")
        }
        backoff[keyPath: part] = value
        return backoff
    }
}
