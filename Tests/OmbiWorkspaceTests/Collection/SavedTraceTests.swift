import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The setting of traces in files and as a line of text.
@Suite struct SavedTraceTests {
    private static let text = """
        {
          "version": 1, "name": "c", "traceURL": "https://jaeger.test/{traceId}",
          "environments": [{ "name": "local", "host": "http://api.test", "trace": true }],
          "items": [
            {
              "folder": "f", "trace": false,
              "items": [{ "request": "r", "path": "/p", "trace": true }, { "request": "s", "path": "/s" }]
            },
            { "request": "t", "path": "/t" }
          ]
        }
        """

    private static func trace(_ path: [String], isForeign: Bool = false) throws -> SavedTrace {
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        guard case .request(let request)? = collection.item(atPath: path) else { throw FieldError("no request") }
        let inheritance = Inheritance(
            collection, folders: collection.folders(of: request.id), environment: collection.environments.first)
        return inheritance.trace(of: request, isForeign: isForeign)
    }

    @Test func `each level sets a part, and the nearest one counts`() throws {
        let url = "https://jaeger.test/{traceId}"
        #expect(try Self.trace(["f", "r"]) == SavedTrace(isOn: true, url: url))
        #expect(try Self.trace(["f", "s"]) == SavedTrace(isOn: false, url: url))
        #expect(try Self.trace(["t"]) == SavedTrace(isOn: true, url: url))
        // What the environment says stays at its host.
        #expect(try Self.trace(["t"], isForeign: true) == SavedTrace(url: url))
    }

    @Test func `a file keeps what it says`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "f").collection)
        let again = try #require(CollectionFile.read(Array(collection.text.utf8), file: "f").collection)
        #expect(again.text == collection.text && collection.text.contains("\"trace\": false"))
        #expect(collection.text.contains("\"traceURL\": \"https://jaeger.test/{traceId}\""))
    }

    static let noPages = [
        "", "jaeger.test/{traceId}", "/trace/{traceId}", "ftp://a.test/{traceId}", "javascript:alert('{traceId}')",
        "file:///tmp/{traceId}", "https://a.test/", "https://{traceId}", "https://{traceId}/x", "https://",
        "https://a.test/{traceID}", "https://a.test/{traceId} x", "https://a.test/\u{1B}]8;;x{traceId}",
        "https://a.test/{traceId}\n", "https://me:pass@a.test/{traceId}", "https://a.test/é{traceId}",
        "wss://a.test/{traceId}", "https:///{traceId}",
        "https://a.test/" + String(repeating: "x", count: 3000) + "{traceId}",
    ]

    @Test(arguments: noPages) func `a URL that is no page is refused, and never made one`(url: String) throws {
        #expect(SavedTrace.problem(ofURL: url) != nil)
        #expect(SavedTrace.page(url, .random()) == nil)
        guard !url.contains(where: { "\n\u{1B}".contains($0) }) else { return }
        let text = "{ \"version\": 1, \"name\": \"c\", \"traceURL\": \"\(url)\", \"items\": [] }"
        let file = CollectionFile.read(Array(text.utf8), file: "f")
        #expect(file.collection == nil && file.problems.contains { "\($0)".contains("traceURL") }, "\(file.problems)")
    }

    @Test(arguments: [
        "", "on", "off", "on https://a.test/{traceId}", "https://a.test/?t={traceId}&s={spanId}",
        "off http://localhost:16686/trace/{traceId}",
    ]) func `a line of text is read as it is written`(text: String) throws {
        var trace: SavedTrace? = SavedTrace(isOn: true)
        try SavedTrace.write(text, to: &trace)
        #expect(trace?.text ?? "" == text)
    }

    @Test(arguments: ["perhaps", "on https://a.test/", "on ftp://a.test/{traceId}"])
    func `other text changes nothing`(text: String) {
        var trace: SavedTrace? = SavedTrace(isOn: true)
        do throws(FieldError) {
            try SavedTrace.write(text, to: &trace)
            Issue.record("\(text) was taken")
        } catch {
            #expect(!error.message.isEmpty && trace == SavedTrace(isOn: true))
        }
    }
}
