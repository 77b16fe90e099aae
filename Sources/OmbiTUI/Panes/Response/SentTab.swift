import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The request as sent, secrets masked: URL, headers, what else was filled in and decided, each with its source, and the
/// body.
enum SentTab {
    /// - Parameter body: the rows of the body.
    static func rows(_ run: RunState, body: SentBody) -> [ResponseRow] {
        guard let sent = run.sent else { return [] }
        let first = ResponseRow(
            [
                Span(text: sent.method.rawValue + " ", role: sent.method.role), Span(text: sent.url, role: .plain),
                Span(text: sent.hostSource == .request ? "" : "  host \(sent.hostSource)", role: .dim),
            ], .value(sent.url, named: "the URL as sent"))
        let headers = wire(run, sent) + sent.headers.map { ($0.name, $0.value, note($0.source)) }
        var rows = [first] + table(headers) { .header($0, $1) }
        rows += [ResponseRow([])] + table(version(run) + settings(sent)) { .value($1, named: $0) }
        guard sent.body != nil else { return rows }
        return rows + [ResponseRow([])] + body.rows
    }

    private typealias Row = (name: String, value: String, note: String)

    /// The headers that the transport adds, once an attempt was made.
    private static func wire(_ run: RunState, _ sent: PreparedRequest) -> [Row] {
        guard let attempt = run.finished.last else { return [] }
        let known = Set(sent.headers.map { $0.name.lowercased() })
        var rows: [Row] = []
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

    private static func version(_ run: RunState) -> [Row] {
        guard let version = run.finished.last?.metrics.httpVersion else { return [] }
        return [("HTTP", version, "agreed with the server")]
    }

    private static func settings(_ sent: PreparedRequest) -> [Row] {
        (sent.authentication.map { [("Authentication", $0.value, note($0.source))] } ?? []) + [
            ("Attempts", "\(sent.attempts.value)", note(ofSetting: sent.attempts.source)),
            ("SLA", DurationText.format(sent.sla.value), note(ofSetting: sent.sla.source)),
        ] + (sent.verifiesTLS ? [] : [("TLS", "not verified", "verifyTLS is false in the environment")])
            + sent.connection.map { ($0.name.prefix(1).uppercased() + $0.name.dropFirst(), $0.value, note($0.source)) }
            + sent.variables.map { ("{{\($0.name)}}", $0.value, note($0.source)) }
    }

    /// Empty for a part of the request itself.
    private static func note(_ source: PreparedRequest.Source) -> String {
        source == .request ? "" : source.description
    }

    private static func note(ofSetting source: PreparedRequest.Source) -> String {
        source == .ombi ? "default" : source.description
    }

    private static func table(
        _ rows: [Row], _ content: (String, String) -> ResponseRow.Content
    ) -> [ResponseRow] {
        let columns = min(28, rows.map(\.name.count).max() ?? 0)
        return rows.map { row in
            ResponseRow(
                [
                    Span(text: row.name.padded(to: columns) + "  ", role: .key), Span(text: row.value, role: .plain),
                    Span(text: "  " + row.note, role: .dim),
                ], content(row.name, row.value))
        }
    }
}
