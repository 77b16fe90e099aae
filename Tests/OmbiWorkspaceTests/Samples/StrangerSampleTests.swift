import Foundation
import Testing

@testable import OmbiWorkspace

/// `collections/stranger.json`, the collection of the demo that asks.
@Suite struct StrangerSampleTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/stranger.json").path()

    @Test func `each of its requests asks for what it says, and one for nothing`() throws {
        let loaded = CollectionFile.load(Self.file)
        #expect(loaded.problems.isEmpty, "\(loaded.problems)")
        let collection = try #require(loaded.collection)
        let session = Session()
        let asked = try collection.requests.map { request in
            let order = RunOrder(
                id: 0, request: request, collection: collection, environment: "theirs", file: Self.file)
            return request.name + ": "
                + (try session.outline(order, of: "secret", isLenient: true)).map(\.text).joined(separator: ", ")
        }
        #expect(
            asked == [
                "harmless: ",
                "a variable of this machine: $USER to http://127.0.0.1:8765",
                "the output of a program: the output of pwd to http://127.0.0.1:8765",
                "the same variable to another host: $USER to http://localhost:8765",
                "led elsewhere by the server: $USER to http://127.0.0.1:8765",
                "a file of this machine: the file /etc/hostname to http://127.0.0.1:8765",
            ])
    }
}
