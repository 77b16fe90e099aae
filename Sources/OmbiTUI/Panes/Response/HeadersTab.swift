import OmbiCore
import OmbiTerminal

/// The headers of a response, or of the part that came, in the order in which they came.
enum HeadersTab {
    static func rows(_ run: RunState) -> [ResponseRow] {
        let fields = run.headers?.fields ?? []
        // The URL of the response, when redirects led elsewhere.
        let redirectedTo = run.opened == nil ? run.sent?.redirectedTo : nil
        let redirect = redirectedTo.map { url in
            ResponseRow(
                [Span(text: "→ ", role: .dim), Span(text: url, role: .info)],
                .value(url, named: "the URL of the response"))
        }
        let columns = min(28, fields.map { $0.key.name.count }.max() ?? 0)
        return [redirect].compactMap { $0 }
            + fields.map {
                let (name, value) = ($0.key.name, $0.value.text)
                return ResponseRow(
                    [Span(text: name.padded(to: columns) + "  ", role: .key), Span(text: value, role: .plain)],
                    .header(name, value))
            } + (run.opened == nil ? RedirectRows.headers(run) : [])
    }
}
