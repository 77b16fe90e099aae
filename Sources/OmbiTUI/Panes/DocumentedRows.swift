/// The responses to a request as a document describes them: a row for each status, and one for each value of its body.
enum DocumentedRows {
    static func rows(_ responses: [DocumentedResponse]) -> [[Span]] {
        responses.flatMap { rows($0) }
    }

    /// Returns at most so many rows; where there are more, the last one says how to see them.
    static func rows(_ responses: [DocumentedResponse], maximum: Int) -> [[Span]] {
        var rows: [[Span]] = []
        // The pane is drawn often, and the values of a response are found in its schema each time.
        for response in responses where rows.count <= maximum { rows += Self.rows(response) }
        guard rows.count > maximum else { return rows }
        rows.removeLast(rows.count - max(0, maximum - 1))
        return rows + [[Span(text: "… : in the request pane shows all", role: .dim)]]
    }

    private static func rows(_ response: DocumentedResponse) -> [[Span]] {
        let isUnjudged = response.isUnjudged
        let note = Span(text: "  not judged: its schema is too large or no JSON Schema", role: .dim)
        return [head(response)] + (isUnjudged ? [[note]] : []) + values(response.values)
    }

    /// `404       No such user  application/json`
    private static func head(_ response: DocumentedResponse) -> [Span] {
        let name = response.name.padded(to: nameColumns)
        return [
            Span(text: name, role: .forStatus(response.status?.codes.lowerBound)),
            Span(text: response.description, role: .plain),
            Span(text: "  " + response.contentTypes.joined(separator: ", "), role: .dim),
        ]
    }

    private static func values(_ values: [DocumentedValue]) -> [[Span]] {
        let columns = min(maximumPath, values.map { TextWidth.of($0.path) }.max() ?? 0)
        return values.map { value in
            [
                Span(text: "  " + value.path.padded(to: columns) + "  ", role: .key),
                Span(text: value.type, role: .plain),
                Span(text: value.isRequired ? "  required" : "", role: .dim),
            ]
        }
    }

    private static let nameColumns = 9
    private static let maximumPath = 40
}
