import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The body of a request as it was sent, in colours. JSON is laid out for reading; copies are as sent.
struct SentBody: Equatable, Sendable {
    private(set) var rows: [ResponseRow] = []
    private var run: RunID?
    private var text: String?

    /// Larger bodies are shown as they are.
    private static let maximumColoured = 200_000

    /// Makes the rows of another body; none anew for the same.
    mutating func follow(_ run: RunState?) {
        let body = run?.sent?.body
        guard run?.id != self.run || body != text else { return }
        (self.run, text) = (run?.id, body)
        rows = body.map { Self.rows(of: $0, type: run?.sent?.contentType) } ?? []
    }

    static func rows(of text: String, type: String?) -> [ResponseRow] {
        guard text.utf8.count <= maximumColoured else { return plain(text) }
        guard let highlighter = type.flatMap(ContentType.init).flatMap(LineHighlighter.init) else { return plain(text) }
        let shown =
            highlighter == .json ? (try? JSONValue.parse(text)).map { String($0.text.dropLast()) } ?? text : text
        let bytes = Bytes(shown.utf8)
        var start = 0
        return shown.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let range = start..<start + line.utf8.count
            start = range.upperBound + 1
            let spans = SpanBuilder.spans(
                of: range, in: bytes, skipping: 0, columns: maximumColumns,
                styles: highlighter.styles(of: range, in: bytes), matches: [])
            return ResponseRow(spans.map { Span(text: $0.text, role: $0.style.role) })
        }
    }

    /// The columns of a line that are coloured.
    private static let maximumColumns = 4096

    private static func plain(_ text: String) -> [ResponseRow] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            ResponseRow([Span(text: String($0), role: .plain)])
        }
    }
}

extension PreparedRequest {
    var contentType: String? {
        headers.first { $0.name.lowercased() == "content-type" }?.value
    }
}
