import OmbiCore
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A saved example of a request in the form of a response, which shows as one does. No server sent it.
struct OpenedExample: Equatable, Sendable {
    var name: String
    var response: TransportResponse

    init(_ example: SavedExample) {
        name = example.name
        let fields = example.headers.filter(\.enabled).map { header in
            RequestHeaders.Field(RequestHeaders.Key(header.name), RequestHeaders.Value(header.value))
        }
        response = TransportResponse(
            headers: RequestHeaders(fields), statusCode: example.status, body: Data(example.body.utf8))
    }
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
