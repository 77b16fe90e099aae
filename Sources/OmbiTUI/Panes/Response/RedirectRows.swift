import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The redirects that attempts followed.
enum RedirectRows {
    /// Rows for each: its status, its target, its time, and what was withheld from another origin.
    static func timeline(_ run: RunState) -> [ResponseRow] {
        let rows = rows(run)
        guard !rows.isEmpty else { return [] }
        let title = "    " + Count.of(rows.count, "redirect")
        return [ResponseRow([]), ResponseRow([Span(text: title, role: .dim)])] + rows.flatMap { $0 }
    }

    /// The row of each among those of `timeline`.
    static func starts(_ run: RunState) -> [Int] {
        var row = titleRows
        return rows(run).map { rows in
            defer { row += rows.count }
            return row
        }
    }

    private static let titleRows = 2

    private static func rows(_ run: RunState) -> [[ResponseRow]] {
        (run.sent?.redirects ?? []).map { hop in
            let attempt = max(run.finished.count, run.attempt) > 1 ? String(hop.attempt).padded(to: 2) + "  " : "    "
            let row = ResponseRow(
                [Span(text: attempt, role: .title)] + spans(hop)
                    + [Span(text: " · \(TimeText.duration(hop.duration))", role: .dim)],
                .value(hop.target, named: "the target of the redirect"))
            return [row] + withheld(hop)
        }
    }

    /// The headers of each of the last attempt, below those of the response.
    static func headers(_ run: RunState) -> [ResponseRow] {
        let last = run.finished.last?.number
        let hops = (run.sent?.redirects ?? []).filter { $0.attempt == last }
        return hops.enumerated().flatMap { index, hop -> [ResponseRow] in
            let title = "Redirect \(index + 1) of \(hops.count): "
            let columns = min(28, hop.headers.fields.map { $0.key.name.count }.max() ?? 0)
            return [
                ResponseRow([]),
                ResponseRow(
                    [Span(text: title, role: .title)] + spans(hop),
                    .value(hop.target, named: "the target of the redirect")),
            ]
                + hop.headers.fields.map { field in
                    let (name, value) = (field.key.name, field.value.text)
                    return ResponseRow(
                        [Span(text: name.padded(to: columns) + "  ", role: .key), Span(text: value, role: .plain)],
                        .value(value, named: name))
                }
        }
    }

    /// `302 Found → GET https://api.example.com/next`
    private static func spans(_ hop: FollowedRedirect) -> [Span] {
        [
            Span(text: StatusCode.words(hop.statusCode), role: .forStatus(hop.statusCode)),
            Span(text: " → ", role: .dim), Span(text: hop.method.rawValue + " ", role: hop.method.role),
            Span(text: hop.target, role: .info),
        ]
    }

    /// The headers that were not sent to another origin.
    private static func withheld(_ hop: FollowedRedirect) -> [ResponseRow] {
        guard !hop.withheld.isEmpty else { return [] }
        let names = hop.withheld.joined(separator: ", ")
        return [ResponseRow([Span(text: "      without \(names), which stays at its origin", role: .dim)])]
    }
}
