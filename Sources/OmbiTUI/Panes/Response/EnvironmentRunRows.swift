import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The rows that show one request in several environments: the attempts of each below the others, on one time axis.
enum EnvironmentRunRows {
    static func rows(_ shown: EnvironmentRuns, _ runs: Runs, now: Duration, columns: Int) -> [[Span]] {
        let states = shown.lanes.map { ($0.environment, runs[id: $0.run]) }
        let longest = states.compactMap { $0.1?.elapsed(now: now) }.max() ?? .zero
        let end = Timeline.axisEnd(elapsed: longest, sla: .zero)
        let width = shown.lanes.map { TextWidth.of($0.environment) }.max() ?? 0
        var (rows, axis, legend) = ([[Span]](), [Span]?.none, [Span]?.none)
        for (environment, state) in states {
            guard let state else { continue }
            let timeline = Timeline(state, now: now, columns: columns, end: end)
            axis = axis ?? timeline.axisRow
            legend = legend ?? timeline.legendRow
            rows.append([Span(text: environment.padded(to: width) + "  ", role: .title)] + result(state, now: now))
            rows += timeline.attemptRows
        }
        return [axis].compactMap { $0 } + rows + [[]] + [legend].compactMap { $0 }
    }

    private static func result(_ run: RunState, now: Duration) -> [Span] {
        let time = Span(text: "  " + TimeText.duration(run.elapsed(now: now)), role: .dim)
        switch run.stage {
        case .preparing, .attempting, .waiting:
            return [Span(text: TimeText.running(run.elapsed(now: now)), role: .running)]
        case .ended(.cancelled): return [Span(text: "cancelled", role: .warning), time]
        case .ended(.failure(let reason)): return [Span(text: reason, role: .failure)]
        case .ended(.response(let response)):
            let failures = run.failures.filter { $0 != response.statusCode.map(StatusCode.words) }
            return [
                Span(text: response.statusCode.map(StatusCode.words) ?? "done", role: .forStatus(response.statusCode))
            ]
                + (failures.isEmpty ? [] : [Span(text: " ✗ " + failures.joined(separator: "; "), role: .failure)])
                + [time]
        }
    }
}
