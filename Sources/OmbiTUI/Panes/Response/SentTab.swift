import OmbiCore
import OmbiTerminal

/// The request as sent: URL, headers and body, secrets masked.
enum SentTab {
    static func rows(_ run: RunState) -> [[Span]] {
        guard let sent = run.sent else { return [] }
        var rows = [
            [Span(text: sent.method.rawValue + " ", role: sent.method.role), Span(text: sent.url, role: .plain)]
        ]
        let columns = min(28, sent.headers.map(\.name.count).max() ?? 0)
        rows += sent.headers.map { line in
            let origin = line.origin.map { [Span(text: "  \($0)", role: .dim)] } ?? []
            return [
                Span(text: line.name.padded(to: columns) + "  ", role: .key), Span(text: line.value, role: .plain),
            ] + origin
        }
        guard let body = sent.body else { return rows }
        rows.append([])
        return rows
            + body.split(separator: "\n", omittingEmptySubsequences: false).map {
                [Span(text: String($0), role: .plain)]
            }
    }
}
