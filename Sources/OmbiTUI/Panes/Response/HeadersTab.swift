import OmbiCore
import OmbiTerminal

/// The headers of a response, in the order in which they came.
enum HeadersTab {
    static func rows(_ run: RunState) -> [[Span]] {
        let fields = run.response?.headers?.fields ?? []
        // The URL of the response, when redirects led elsewhere.
        let redirect = run.sent?.redirectedTo.map { [[Span(text: "→ ", role: .dim), Span(text: $0, role: .info)]] }
        let columns = min(28, fields.map { $0.key.name.count }.max() ?? 0)
        return (redirect ?? [])
            + fields.map {
                [
                    Span(text: $0.key.name.padded(to: columns) + "  ", role: .key),
                    Span(text: $0.value.text, role: .plain),
                ]
            }
    }
}
