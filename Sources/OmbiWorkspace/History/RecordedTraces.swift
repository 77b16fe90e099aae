import OmbiCore
import OmbiDocument

/// The traces of a run's attempts as the history keeps them: with the response, as each run has one of its own, and
/// runs that send the same request share the rest of it.
enum RecordedTraces {
    /// Returns the `traceparent` of each attempt, an empty text for none; nil for a run that was not traced.
    static func json(_ result: SessionResult) -> JSONValue? {
        guard let attempts = result.report?.attempts, attempts.contains(where: { $0.trace != nil }) else { return nil }
        return .strings(attempts.map { $0.trace?.header ?? "" })
    }

    /// Completes the attempts, and the headers of the request that was sent last.
    static func read(_ json: JSONValue?, into result: inout SessionResult) {
        guard let texts = json?.elements, var report = result.report else { return }
        for (index, text) in zip(report.attempts.indices, texts) {
            report.attempts[index].trace = text.stringValue.flatMap { TraceContext($0) }
        }
        result.report = report
        guard let trace = report.attempts.last?.trace, var sent = result.prepared else { return }
        guard !sent.headers.contains(where: { RequestHeaders.Key($0.name) == .traceParent }) else { return }
        sent.headers.append(.init(name: RequestHeaders.Key.traceParent.name, value: trace.header, source: .ombi))
        result.prepared = sent
    }
}
