import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The trace of a run in its timeline: its identifier, the span of each attempt, and the page that shows it. The page
/// is never opened from here, as a file of others may have named it.
enum TraceRows {
    static func rows(_ run: RunState) -> [ResponseRow] {
        guard let trace = run.finished.last(where: { $0.trace != nil })?.trace else { return [] }
        let page = run.sent?.page(of: trace).map { row("page", $0, .info, named: pageName) }
        return [ResponseRow([]), row("trace", trace.traceID, .plain, named: traceName)] + [page].compactMap { $0 }
    }

    /// ` · span 00f067aa0ba902b7`; nothing for an attempt that was not traced.
    static func span(of attempt: AttemptReport) -> [Span] {
        attempt.trace.map { [Span(text: " · span \($0.spanID)", role: .dim)] } ?? []
    }

    /// - Parameter attempt: nil for the last one.
    static func copies(_ run: RunState, of attempt: AttemptReport?) -> [PickerOverlay.Item] {
        guard let attempt = attempt ?? run.opened ?? run.finished.last, let trace = attempt.trace else { return [] }
        let page = run.sent?.page(of: trace).map { PickerOverlay.Item.copying($0, pageName) }
        let own = PickerOverlay.Item.copying(trace.header, "the traceparent of attempt \(attempt.number)")
        return [own, .copying(trace.traceID, traceName), page].compactMap { $0 }
    }

    private static let traceName = "the trace ID"
    private static let pageName = "the URL of the trace"

    private static func row(_ label: String, _ text: String, _ role: Role, named name: String) -> ResponseRow {
        ResponseRow(
            [Span(text: "    " + label.padded(to: 7), role: .dim), Span(text: text, role: role)],
            .value(text, named: name))
    }
}
