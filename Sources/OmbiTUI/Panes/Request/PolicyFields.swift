import OmbiCore
import OmbiDocument
import OmbiWorkspace

/// A setting of a policy as a line of text; an empty text inherits.
struct PolicyField: Sendable {
    let label: String
    let text: @Sendable (RequestPolicy) -> String
    let set: @Sendable (inout RequestPolicy, String) throws(FieldError) -> Void

    static let all = [
        PolicyField(label: "retries") {
            $0.retries.map(String.init) ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.retries = try count(text)
        },
        PolicyField(label: "SLA") {
            $0.sla.map(DurationText.format) ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.sla = try duration(text)
        },
        PolicyField(label: "timeout") {
            $0.timeout.map(DurationText.format) ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.timeout = try duration(text)
        },
        PolicyField(label: "backoff first") {
            $0.backoff.map { DurationText.format($0.first) } ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.backoff = try backoff(first: text, policy.backoff)
        },
        PolicyField(label: "backoff factor") {
            $0.backoff.map { JSONValue.number($0.factor).compact } ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.factor, text, in: 1...100, standard: 2)
        },
        PolicyField(label: "backoff jitter") {
            $0.backoff.map { JSONValue.number($0.jitter).compact } ?? ""
        } set: {
            policy, text throws(FieldError) in
            policy.backoff = try backoff(policy.backoff, \.jitter, text, in: 0...1, standard: 0)
        },
        PolicyField(label: "retry on") {
            $0.retryOn.map { $0.map(\.description).joined(separator: ", ") } ?? ""
        } set: {
            policy, text throws(FieldError) in
            let conditions = try list(text, "connection, timeout, or a status such as 5xx or 429") {
                RetryCondition($0)
            }
            policy.retryOn = conditions.isEmpty ? nil : conditions
        },
    ]

    /// The setting as a field of a request.
    var field: RequestField {
        RequestField("policy.\(label)", label: label) {
            text($0.policy ?? RequestPolicy())
        } write: { request, text throws(FieldError) in
            var changed = request.policy ?? RequestPolicy()
            try set(&changed, text)
            request.policy = changed == RequestPolicy() ? nil : changed
        }
    }

    // MARK: Reading

    private static func count(_ text: String) throws(FieldError) -> Int? {
        if text.isEmpty { return nil }
        guard let count = Int(text), (0...1000).contains(count) else {
            throw FieldError("expected a whole number from 0 to 1000, for example 3")
        }
        return count
    }

    static func duration(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let duration = DurationText.parse(text), duration > .zero || allowsZero else {
            throw FieldError("\"\(text)\" is not a duration; " + DurationText.form)
        }
        return duration
    }

    private static func backoff(first text: String, _ old: Backoff?) throws(FieldError) -> Backoff? {
        guard let first = try duration(text, allowsZero: true) else { return nil }
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

    /// Reads a list with commas or spaces between its elements.
    fileprivate static func list<Element>(
        _ text: String, _ expected: String, _ element: (String) -> Element?
    ) throws(FieldError) -> [Element] {
        var list: [Element] = []
        for word in text.split(whereSeparator: { ", ".contains($0) }) {
            guard let element = element(String(word)) else { throw FieldError("\"\(word)\": expected \(expected)") }
            list.append(element)
        }
        return list
    }
}

/// The expectation of a request.
extension RequestField {
    static let expectations = [
        RequestField("expect.status", label: "expect status") { request in
            request.expect?.status.map(\.description).joined(separator: ", ") ?? ""
        } write: { request, text throws(FieldError) in
            let patterns = try PolicyField.list(text, "a status such as 200 or 2xx") { StatusPattern($0) }
            request.setExpectation { $0.status = patterns }
        },
        RequestField("expect.within", label: "expect within") {
            $0.expect?.within.map(DurationText.format) ?? ""
        } write: { request, text throws(FieldError) in
            let within = try PolicyField.duration(text)
            request.setExpectation { $0.within = within }
        },
    ]
}

extension SavedRequest {
    fileprivate mutating func setExpectation(_ change: (inout Expectation) -> Void) {
        var changed = expect ?? Expectation()
        change(&changed)
        expect = changed == Expectation() ? nil : changed
    }
}
