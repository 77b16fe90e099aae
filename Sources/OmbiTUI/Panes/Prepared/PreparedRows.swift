import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The rows of a prepared request, secrets masked: URL, headers, what else was filled in and decided, each with its source.
enum PreparedRows {
    typealias Row = (name: String, value: String, note: String)

    /// Method and URL.
    static func first(_ sent: PreparedRequest) -> ResponseRow {
        ResponseRow(
            [
                Span(text: sent.method.rawValue + " ", role: sent.method.role), Span(text: sent.url, role: .plain),
                Span(text: sent.hostSource == .request ? "" : "  host \(sent.hostSource)", role: .dim),
            ], .value(sent.url, named: "the URL as sent"))
    }

    static func headers(_ sent: PreparedRequest) -> [Row] {
        sent.headers.map { ($0.name, $0.value, $0.isSent ? note($0.source) : "not sent; Ombi counts the body itself") }
    }

    static func settings(_ sent: PreparedRequest) -> [Row] {
        (sent.authentication.map { [("Authentication", $0.value, note($0.source))] } ?? []) + [
            ("Attempts", "\(sent.attempts.value)", note(ofSetting: sent.attempts.source)),
            ("SLA", DurationText.format(sent.sla.value), note(ofSetting: sent.sla.source)),
        ] + (sent.pages.map { [("Pages", $0.summary, "each with these attempts and this SLA")] } ?? [])
            + (sent.verifiesTLS ? [] : [("TLS", "not verified", "verifyTLS is false in the environment")])
            + sent.connection.map { ($0.name.prefix(1).uppercased() + $0.name.dropFirst(), $0.value, note($0.source)) }
    }

    static func variables(_ sent: PreparedRequest) -> [Row] {
        sent.variables.map { ("{{\($0.name)}}", $0.value, note($0.source)) }
    }

    /// Empty for a part of the request itself.
    private static func note(_ source: PreparedRequest.Source) -> String {
        source == .request ? "" : source.description
    }

    private static func note(ofSetting source: PreparedRequest.Source) -> String {
        source == .ombi ? "default" : source.description
    }

    static func table(_ rows: [Row], _ content: (String, String) -> ResponseRow.Content) -> [ResponseRow] {
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
