import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The requests that were sent first, with their attempts, and the values that were captured.
enum CaptureRows {
    /// - Returns: nothing for a run that needs no other request.
    static func dependencies(_ run: RunState, _ view: ResponseView) -> [ResponseRow] {
        guard !run.dependencies.isEmpty else { return [] }
        let rows = run.dependencies.flatMap { dependency in
            [title(dependency)] + attempts(dependency.run, view).map { ResponseRow($0) }
        }
        return rows + [ResponseRow([])]
    }

    /// `sent log in first, for {{token}}: 200 OK · 12 ms`
    private static func title(_ dependency: RunState.DependencyState) -> ResponseRow {
        let run = dependency.run
        var spans = [
            Span(text: run.isRunning ? "sends " : "sent ", role: .dim), Span(text: run.name, role: .title),
            Span(text: " first, for ", role: .dim), Span(text: "{{\(dependency.variable)}}", role: .variable),
        ]
        switch run.stage {
        case .preparing, .attempting, .waiting: break
        case .ended(.cancelled): spans.append(Span(text: ": cancelled", role: .warning))
        case .ended(.failure(let message)): spans.append(Span(text: ": " + message, role: .failure))
        case .ended(.response(let response)):
            let status = response.statusCode
            spans += [
                Span(text: ": ", role: .dim),
                Span(text: status.map(StatusCode.words) ?? "no status", role: .forStatus(status)),
                Span(text: " · " + TimeText.duration(run.report?.duration ?? .zero), role: .dim),
            ]
        }
        return ResponseRow(spans)
    }

    /// Nothing for one that passed at once.
    private static func attempts(_ run: RunState, _ view: ResponseView) -> [[Span]] {
        if !run.isRunning, run.finished.count <= 1 { return [] }
        return Timeline(run, view).attempts
    }

    static func captured(_ run: RunState) -> [ResponseRow] {
        guard !run.captured.isEmpty else { return [] }
        return [ResponseRow([])]
            + run.captured.map { value in
                ResponseRow(
                    [
                        Span(text: "captured ", role: .dim), Span(text: value.name, role: .variable),
                        Span(text: " from \(value.source): ", role: .dim), Span(text: value.value, role: .plain),
                    ], .value(value.value, named: value.name))
            }
    }
}
