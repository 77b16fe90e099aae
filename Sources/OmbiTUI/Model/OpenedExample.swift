/// A saved example of a request in the form of a response, which shows as one does. No server sent it.
struct OpenedExample: Equatable, Sendable {
    var name: String
    var response: TransportResponse

    /// - Parameter body: the content of the file that has the body; nil for a text.
    init(_ example: SavedExample, body: Data? = nil) {
        name = example.name
        let fields = example.headers.filter(\.enabled).map { header in
            RequestHeaders.Field(RequestHeaders.Key(header.name), RequestHeaders.Value(header.value))
        }
        response = TransportResponse(
            headers: RequestHeaders(fields), statusCode: example.status, body: body ?? Data(example.body.utf8))
    }
}

/// A saved example whose body is in a file, as it is read.
struct ExampleFile: Equatable, Sendable {
    var example: SavedExample
    /// The request of the example, and its name.
    var item: ItemID
    var name: String
    /// The path of the collection file.
    var collection: String
}

extension Runs {
    /// Shows an example in place of the response of a request, also of one that was not sent.
    mutating func open(
        _ example: OpenedExample, of item: ItemID, named name: String, at time: Duration
    ) -> [Effect] {
        if self[item] == nil {
            var run = RunState(id: lastID + 1, item: item, name: name, startedAt: time)
            run.end(SessionResult(.cancelled), now: time)
            run.isExampleOnly = true
            _ = replace(with: run)
        }
        guard let id = self[item]?.id else { return [] }
        change(id) { $0.open(example) }
        return dropViewer(of: id) + showBody(of: id, .data(example.response.body ?? Data()))
    }
}
