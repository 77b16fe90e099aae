import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The request as sent, secrets masked: URL, headers and body, then what else was filled in and decided, each with its
/// source.
enum SentTab {
    /// - Parameter body: the rows of the body.
    static func rows(_ run: RunState, body: SentBody) -> [ResponseRow] {
        guard let sent = run.openedRequest else { return [] }
        let headers = wire(run, sent) + PreparedRows.headers(sent)
        let head = [PreparedRows.first(sent)] + PreparedRows.table(headers) { .header($0, $1) }
        // As on the wire, and then the rest.
        let content = sent.body == nil ? [] : [ResponseRow([])] + body.rows
        let settings = version(run) + PreparedRows.settings(sent) + PreparedRows.variables(sent)
        return head + content + [ResponseRow([])] + PreparedRows.table(settings) { .value($1, named: $0) }
    }

    /// The headers that the transport adds, once an attempt was made.
    private static func wire(_ run: RunState, _ sent: PreparedRequest) -> [PreparedRows.Row] {
        guard let attempt = run.finished.last else { return [] }
        let known = Set(sent.headers.filter(\.isSent).map { $0.name.lowercased() })
        var rows: [PreparedRows.Row] = []
        if !known.contains("host"), let host = Self.host(of: sent.url) { rows.append(("Host", host, "from the URL")) }
        let length = attempt.metrics.bytesSent
        if length > 0, known.isDisjoint(with: ["content-length", "transfer-encoding"]) {
            rows.append(("Content-Length", "\(length)", "from the body"))
        }
        return rows
    }

    /// The host and the port of a URL, the port only where it is not the one of the scheme.
    private static func host(of url: String) -> String? {
        guard let parts = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<parts.lowerBound].lowercased()
        let authority = url[parts.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        let port = scheme == "https" ? ":443" : ":80"
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    private static func version(_ run: RunState) -> [PreparedRows.Row] {
        guard let version = run.finished.last?.metrics.httpVersion else { return [] }
        return [("HTTP", version, "agreed with the server")]
    }
}

/// The body of a request as it was sent, in colours. JSON is laid out for reading; copies are as sent.
struct SentBody: Equatable, Sendable {
    private(set) var rows: [ResponseRow] = []
    private var run: RunID?
    private var text: String?

    /// Larger bodies are shown as they are.
    private static let maximumColoured = 200_000

    /// Makes the rows of another body; none anew for the same.
    mutating func follow(_ run: RunState?) {
        let body = run?.openedRequest?.body
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
