/// Another policy for a request, tried on the runs that were recorded: what would have become of them.
struct SimulatorOverlay: Equatable, Sendable {
    private let simulation: PolicySimulation
    private let name: String
    private let item: ItemID
    private(set) var policy = PolicySimulation.Policy()
    private(set) var simulated: PolicySimulation.Figures
    /// The policy of these figures, which may be an earlier one.
    private var simulatedPolicy = PolicySimulation.Policy()
    /// The policy whose figures are being computed.
    private var asked: PolicySimulation.Policy?
    private var row = 0

    init(_ simulation: PolicySimulation, name: String, item: ItemID) {
        (self.simulation, self.name, self.item) = (simulation, name, item)
        simulated = simulation.recorded
    }

    private var recorded: PolicySimulation.Figures { simulation.recorded }
    private var isCurrent: Bool { simulatedPolicy == policy }

    // MARK: Figures

    /// Returns the policy to compute the figures of, beside the keys: the last one that was set, and one at a time.
    mutating func ask() -> HistoryQuery? {
        guard asked == nil, !isCurrent else { return nil }
        asked = policy
        return .try(policy, on: simulation)
    }

    mutating func take(_ figures: PolicySimulation.Figures, of policy: PolicySimulation.Policy) {
        guard asked == policy else { return }
        (simulated, simulatedPolicy, asked) = (figures, policy, nil)
    }

    // MARK: Keys

    /// Returns nil while it stays, and the policy to write when it closes.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .move(.up): row = max(0, row - 1)
        case .move(.down): row = min(PolicySetting.all.count - 1, row + 1)
        case .move(.left): step(by: -1)
        case .move(.right): step(by: 1)
        case .mouse(.click(let point)): click(point, in: screen)
        case .accept: return policy.isAsRecorded ? nil : [.request(.setPolicy(written, of: item))]
        default: break
        }
        return nil
    }

    private mutating func step(by steps: Int) { PolicySetting.all[row].step(&policy, steps) }

    /// Chooses the row of a click; on the row under the cursor its right half means more, and its left half less.
    private mutating func click(_ point: Point, in screen: Rect) {
        let inside = inside(in: screen)
        let line = point.row - inside.row
        guard inside.contains(point), PolicySetting.all.indices.contains(line) else { return }
        guard line == row else { return row = line }
        let middle = inside.column + Self.labelColumns + Self.valueColumns / 2
        step(by: point.column < middle ? -1 : 1)
    }

    /// The parts that are not as recorded, as a request has them.
    private var written: RequestPolicy {
        RequestPolicy(
            retries: policy.retries, sla: policy.sla, timeout: policy.timeout,
            backoff: policy.firstWait.map { Backoff(first: $0, factor: policy.factor) })
    }

    // MARK: Drawing

    private static let labelColumns = 18
    private static let valueColumns = 16
    private static let maximumColumns = 72

    private func inside(in screen: Rect) -> Rect {
        OverlayFrame.inside(columns: min(Self.maximumColumns, screen.columns - 6), rows: rows.count, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw("Try a policy: \(name)", around: inside(in: screen), on: &surface)
        for (line, spans) in rows.enumerated() where line < inside.rows {
            var pen = Pen(inside.line(line))
            pen.write(spans, on: &surface)
            if line == row {
                surface.restyle(inside.line(line).left(Self.labelColumns + Self.valueColumns), adding: .highlight)
            }
        }
        return nil
    }

    private var rows: [[Span]] {
        PolicySetting.all.enumerated().map { index, setting in
            let text = setting.text(policy)
            let value = text ?? "as recorded"
            return [
                Span(text: setting.name.padded(to: Self.labelColumns), role: .key),
                Span(text: index == row ? "◂ \(value) ▸" : "  \(value)", role: text == nil ? .dim : .plain),
            ]
        } + [[]] + figures + [[]] + notes.map { [Span(text: $0, role: .dim)] }
    }

    private var figures: [[Span]] {
        let head = ["recorded", "simulated"].map { $0.padded(to: Self.valueColumns) }.joined()
        let lines = [
            ("passed", share(recorded), share(simulated), better(simulated.passed - recorded.passed)),
            ("p50 of a run", time(recorded, \.p50), time(simulated, \.p50), less(\.p50)),
            ("p95 of a run", time(recorded, \.p95), time(simulated, \.p95), less(\.p95)),
            ("attempts per run", load(recorded), load(simulated), addedLoad),
        ]
        return [[Span(text: "".padded(to: Self.labelColumns) + head, role: .dim)]]
            + lines.map { name, before, after, difference in
                [
                    Span(text: name.padded(to: Self.labelColumns), role: .key),
                    Span(text: before.padded(to: Self.valueColumns), role: .plain),
                    Span(text: after.padded(to: Self.valueColumns), role: isCurrent ? .plain : .dim),
                    isCurrent ? difference : Span(text: "", role: .dim),
                ]
            }
    }

    private func share(_ figures: PolicySimulation.Figures) -> String { figures.success.map(Percent.text) ?? "–" }

    private func time(
        _ figures: PolicySimulation.Figures, _ part: KeyPath<HistoryStatistics.Percentiles, Duration>
    ) -> String {
        figures.times.map { TimeText.duration($0[keyPath: part]) } ?? "–"
    }

    private func load(_ figures: PolicySimulation.Figures) -> String {
        figures.attemptsPerRun.map(PolicyText.attempts) ?? "–"
    }

    private func better(_ runs: Int) -> Span {
        guard runs != 0 else { return Span(text: "", role: .dim) }
        return Span(
            text: "\(runs > 0 ? "+" : "-")\(Count.of(abs(runs), "run"))", role: runs > 0 ? .success : .failure)
    }

    private func less(_ part: KeyPath<HistoryStatistics.Percentiles, Duration>) -> Span {
        guard let before = recorded.times?[keyPath: part], let after = simulated.times?[keyPath: part], before != after
        else { return Span(text: "", role: .dim) }
        let difference = TimeText.duration(after > before ? after - before : before - after)
        return Span(
            text: (after > before ? "+" : "-") + difference, role: after > before ? .warning : .success)
    }

    private var addedLoad: Span {
        guard let added = PolicyText.addedLoad(recorded, simulated) else { return Span(text: "", role: .dim) }
        return Span(text: added + " load", role: added.hasPrefix("+") ? .warning : .success)
    }

    private var notes: [String] {
        let runs = Count.of(recorded.runs, "run")
        let newest = recorded.runs == PolicySimulation.maximumRuns ? ", the newest ones" : ""
        return ["From \(runs)\(newest). Attempts beyond the recorded ones", "are those that were recorded next."]
    }
}

/// The figures of a simulation as text, for the screen and the command line.
enum PolicyText {
    /// `1.25`
    static func attempts(_ number: Double) -> String { TimeText.decimal(number, places: 2) }

    /// `+12 %`; nil where the number of attempts is the same.
    static func addedLoad(_ before: PolicySimulation.Figures, _ after: PolicySimulation.Figures) -> String? {
        guard before.attempts > 0, before.attempts != after.attempts else { return nil }
        let share = Double(after.attempts) / Double(before.attempts) - 1
        return (share > 0 ? "+" : "-") + Percent.text(abs(share))
    }
}

/// A setting of a policy that is tried, in steps; the first step leaves it as recorded.
struct PolicySetting: Sendable {
    typealias Policy = PolicySimulation.Policy

    let name: String
    /// Returns nil for a setting that is as recorded.
    let text: @Sendable (Policy) -> String?
    /// Goes so many steps further, or back.
    let step: @Sendable (inout Policy, Int) -> Void

    static let all = [
        PolicySetting("retries", \.retries, in: Array(0...10)) { String($0) },
        PolicySetting("first wait", \.firstWait, in: [.zero] + durations, text: DurationText.format),
        // Waits that are as recorded have no ratio.
        PolicySetting(name: "growth of waits") { policy in
            policy.firstWait == nil ? nil : "×" + PolicyText.attempts(policy.factor)
        } step: { policy, steps in
            guard policy.firstWait != nil else { return }
            policy.factor = next(policy.factor, in: factors, by: steps) ?? factors[0]
        },
        PolicySetting("timeout", \.timeout, in: durations, text: DurationText.format),
        PolicySetting("SLA", \.sla, in: durations, text: DurationText.format),
    ]

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

extension PolicySetting {
    private init<Value: Comparable & Sendable>(
        _ name: String, _ part: WritableKeyPath<Policy, Value?> & Sendable, in values: [Value],
        text: @escaping @Sendable (Value) -> String
    ) {
        self.init(name: name) {
            $0[keyPath: part].map(text)
        } step: {
            $0[keyPath: part] = Self.next($0[keyPath: part], in: values, by: $1)
        }
    }
}
