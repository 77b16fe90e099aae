import OmbiCore

/// The headers of a response, in the order in which they came.
enum HeadersTab {
    static func rows(_ run: RunState) -> [[Span]] {
        let fields = run.response?.headers?.fields ?? []
        let columns = min(28, fields.map { $0.key.name.count }.max() ?? 0)
        return fields.map {
            [
                Span(text: $0.key.name.padded(to: columns) + "  ", role: .key),
                Span(text: $0.value.text, role: .plain),
            ]
        }
    }
}
