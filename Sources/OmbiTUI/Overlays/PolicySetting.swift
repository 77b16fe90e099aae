import OmbiCore
import OmbiWorkspace

/// A setting of a policy that is tried, in steps; the first step leaves it as recorded.
enum PolicySetting: Equatable, Sendable {
    case retries, firstWait, factor, timeout, sla

    var name: String {
        switch self {
        case .retries: "retries"
        case .firstWait: "first wait"
        case .factor: "growth of waits"
        case .timeout: "timeout"
        case .sla: "SLA"
        }
    }

    func isSet(_ policy: PolicySimulation.Policy) -> Bool {
        switch self {
        case .retries: policy.retries != nil
        case .firstWait, .factor: policy.firstWait != nil
        case .timeout: policy.timeout != nil
        case .sla: policy.sla != nil
        }
    }

    func text(_ policy: PolicySimulation.Policy) -> String {
        guard isSet(policy) else { return "as recorded" }
        switch self {
        case .retries: return String(policy.retries ?? 0)
        case .firstWait: return policy.firstWait.map(DurationText.format) ?? ""
        case .factor: return "×" + PolicyText.attempts(policy.factor)
        case .timeout: return policy.timeout.map(DurationText.format) ?? ""
        case .sla: return policy.sla.map(DurationText.format) ?? ""
        }
    }

    /// Goes so many steps further, or back.
    func step(by steps: Int, _ policy: inout PolicySimulation.Policy) {
        switch self {
        case .retries: policy.retries = Self.next(policy.retries, in: Self.counts, by: steps)
        case .firstWait: policy.firstWait = Self.next(policy.firstWait, in: [.zero] + Self.durations, by: steps)
        case .factor:
            // Waits that are as recorded have no ratio.
            guard policy.firstWait != nil else { return }
            policy.factor = Self.next(policy.factor, in: Self.factors, by: steps) ?? Self.factors[0]
        case .timeout: policy.timeout = Self.next(policy.timeout, in: Self.durations, by: steps)
        case .sla: policy.sla = Self.next(policy.sla, in: Self.durations, by: steps)
        }
    }

    private static let counts = Array(0...10)
    private static let factors = [1.0, 1.5, 2, 3, 4]

    /// From 10 ms to a minute.
    private static let durations: [Duration] = [
        10, 20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000,
        15_000, 20_000, 30_000, 45_000, 60_000,
    ].map { .milliseconds($0) }

    /// Returns the value so many steps after another; nil, as recorded, before the first.
    private static func next<Value: Comparable>(_ value: Value?, in values: [Value], by steps: Int) -> Value? {
        let index = value.map { value in values.firstIndex { $0 >= value } ?? values.count - 1 } ?? -1
        let next = min(values.count - 1, index + steps)
        return next < 0 ? nil : values[next]
    }
}
