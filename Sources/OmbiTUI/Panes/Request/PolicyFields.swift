import OmbiCore
import OmbiWorkspace

/// The policy and the expectation of a request as one-line fields.
extension RequestPolicy {
    func text(of field: RequestField) -> String {
        switch field {
        case .retries: retries.map(String.init) ?? ""
        case .sla: sla.map(DurationText.format) ?? ""
        case .timeout: timeout.map(DurationText.format) ?? ""
        case .backoffFirst: backoff.map { DurationText.format($0.first) } ?? ""
        case .backoffFactor: backoff.map { TimeText.decimal($0.factor, places: 1) } ?? ""
        case .backoffJitter: backoff.map { TimeText.decimal($0.jitter, places: 2) } ?? ""
        case .retryOn: retryOn.map { $0.map(\.description).joined(separator: ", ") } ?? ""
        default: ""
        }
    }

    /// Sets a field; an empty text restores the default.
    mutating func set(_ field: RequestField, to text: String) throws(FieldError) {
        switch field {
        case .retries: retries = try Self.count(text)
        case .sla: sla = try Self.duration(text)
        case .timeout: timeout = try Self.duration(text)
        case .backoffFirst: try setBackoffFirst(text)
        case .backoffFactor: try setBackoff(\.factor, text, in: 1...100, standard: 2)
        case .backoffJitter: try setBackoff(\.jitter, text, in: 0...1, standard: 0)
        case .retryOn: retryOn = try Self.conditions(text)
        default: break
        }
    }

    var isEmpty: Bool { self == RequestPolicy() }

    private mutating func setBackoffFirst(_ text: String) throws(FieldError) {
        guard let first = try Self.duration(text, allowsZero: true) else {
            backoff = nil
            return
        }
        backoff = Backoff(
            first: first, factor: backoff?.factor ?? 2, jitter: backoff?.jitter ?? 0, ceiling: backoff?.ceiling)
    }

    private mutating func setBackoff(
        _ part: WritableKeyPath<Backoff, Double>, _ text: String, in range: ClosedRange<Double>, standard: Double
    ) throws(FieldError) {
        guard backoff != nil else { throw FieldError("set \"backoff first\" before, for example to 250ms") }
        guard let value = text.isEmpty ? standard : Double(text), range.contains(value) else {
            throw FieldError(
                "expected a number from \(range.lowerBound) to \(range.upperBound), for example \(standard)")
        }
        backoff?[keyPath: part] = value
    }

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
            throw FieldError("\"\(text)\" is no duration; " + DurationText.form)
        }
        return duration
    }

    private static func conditions(_ text: String) throws(FieldError) -> [RetryCondition]? {
        if text.isEmpty { return nil }
        var conditions: [RetryCondition] = []
        for word in text.split(whereSeparator: { ", ".contains($0) }) {
            guard let condition = RetryCondition(String(word)) else {
                throw FieldError("\"\(word)\": expected connection, timeout, or a status such as 5xx or 429")
            }
            conditions.append(condition)
        }
        return conditions
    }
}

extension SavedRequest {
    mutating func setPolicy(_ field: RequestField, to text: String) throws(FieldError) {
        var changed = policy ?? RequestPolicy()
        try changed.set(field, to: text)
        policy = changed.isEmpty ? nil : changed
    }

    mutating func setExpectedStatus(_ text: String) throws(FieldError) {
        var patterns: [StatusPattern] = []
        for word in text.split(whereSeparator: { ", ".contains($0) }) {
            guard let pattern = StatusPattern(String(word)) else {
                throw FieldError("\"\(word)\": expected a status such as 200 or 2xx")
            }
            patterns.append(pattern)
        }
        setExpectation { $0.status = patterns }
    }

    mutating func setExpectedDuration(_ text: String) throws(FieldError) {
        let within = try RequestPolicy.duration(text)
        setExpectation { $0.within = within }
    }

    private mutating func setExpectation(_ change: (inout Expectation) -> Void) {
        var changed = expect ?? Expectation()
        change(&changed)
        expect = changed == Expectation() ? nil : changed
    }
}

extension Expectation {
    var statusText: String { status.map(\.description).joined(separator: ", ") }
}
