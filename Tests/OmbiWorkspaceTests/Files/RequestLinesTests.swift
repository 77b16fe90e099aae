import Foundation
import Testing

@testable import OmbiWorkspace

/// The lines of a file on which its requests begin.
@Suite struct RequestLinesTests {
    @Test func `each request has its line, in folders and where names repeat`() throws {
        let text = """
            {
              "version": 1, "name": "shop",
              "items": [
                { "request": "one", "path": "/" },
                { "folder": "more", "items": [
                  { "request": "one", "path": "/" },

                  {
                    "request": "two", "path": "/" } ] }
              ]
            }
            """
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        let collection = try #require(CollectionFile.load(path).collection)
        let lines = RequestLines.read(path, of: collection)
        var found: [Int?] = []
        collection.forEachRequest { request, _ in found.append(lines[request.id]) }
        #expect(found == [4, 6, 8])
        #expect(RequestLines.read(path + ".gone", of: collection).isEmpty)
    }
}
