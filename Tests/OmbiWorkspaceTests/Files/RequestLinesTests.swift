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
        let lines = RequestLines(path, of: collection)
        var found: [Int?] = []
        collection.forEachRequest { request, _ in found.append(lines[request.id]) }
        #expect(found == [4, 6, 8])
        let gone = RequestLines(path + ".gone", of: collection)
        collection.forEachRequest { request, _ in #expect(gone[request.id] == nil) }
    }

    @Test func `what is expected has its line, or that of all expectations`() throws {
        let text = """
            { "version": 1, "name": "shop", "items": [
                { "request": "one", "path": "/",
                  "expect": {
                    "within": "1s",
                    "status": 200,
                    "body": [
                      { "path": "$.a", "exists": true },
                      { "path": "$.b", "exists": true } ] } },
                { "request": "two", "path": "/" } ] }
            """
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        let collection = try #require(CollectionFile.load(path).collection)
        let lines = RequestLines(path, of: collection)
        func line(_ place: ExpectationResult.Place, _ subject: String, of request: Int = 0) -> Int? {
            let result = ExpectationResult(place, subject, expected: "", found: "", isMet: false)
            return lines.line(of: result, in: collection.requests[request].id)
        }
        #expect(line(.status, "status") == 5 && line(.time, "time") == 4)
        #expect(line(.time, "the first attempt") == 3 && line(.header("ETag"), "header ETag") == 3)
        #expect(line(.body(offset: nil), "$.b") == 8 && line(.body(offset: 3), "the text") == 6)
        #expect(line(.status, "status", of: 1) == nil)
    }
}
