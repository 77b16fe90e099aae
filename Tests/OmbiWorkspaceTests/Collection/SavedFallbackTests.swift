import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Fallbacks in collection files, and as lines of text.
@Suite struct SavedFallbackTests {
    private static func read(_ fallback: String) -> (SavedRequest?, [String]) {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "fallbackResponse": \(fallback) }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        guard case .request(let request)? = read.collection?.items.first else {
            return (nil, read.problems.map(\.description))
        }
        return (request, read.problems.map(\.description))
    }

    @Test(
        arguments: [
            (#"{"history":true}"#, SavedFallback.Source.history(maximumAge: nil)),
            (#"{"history":true,"maximumAge":"7d","x-1":1}"#, .history(maximumAge: .seconds(7 * 86_400))),
            (#"{"history":true,"maximumAge":"90s"}"#, .history(maximumAge: .seconds(90))),
            (#"{"file":"./a.json"}"#, .file("./a.json")),
        ])
    func `each source is read and written`(text: String, source: SavedFallback.Source) {
        let (request, problems) = Self.read(text)
        #expect(problems == [])
        #expect(request?.fallback?.source == source)
        #expect(request?.json["fallbackResponse"]?.compact == text)
    }

    @Test(
        arguments: [
            ("{}", "the last good response or a file"),
            (#"{"history":false}"#, "the last good response or a file"),
            (#"{"history":true,"file":"a"}"#, "the last good response or a file"),
            (#"{"history":"yes"}"#, "expected true or false"),
            (#"{"history":true,"maximumAge":"0d"}"#, "is not an age"),
            (#"{"history":true,"maximumAge":"soon"}"#, "is not an age"),
            (#"{"history":true,"maximumAge":7}"#, "expected an age, found a number; write for example"),
            (#"{"file":"a","maximumAge":"1d"}"#, "only responses of the history"),
            (#"{"history":true,"maximumAg":"1d"}"#, "did you mean \"maximumAge\""),
        ])
    func `what means nothing is a problem at its place`(text: String, problem: String) {
        let (_, problems) = Self.read(text)
        #expect(problems.contains { $0.contains(problem) && $0.hasPrefix("c.json:1:") }, "\(problems)")
    }

    @Test(arguments: ["history", "history 7d", "history 30m", "history 12h", "file ./a b.json"])
    func `a source is one line of text, in both directions`(text: String) throws {
        #expect(try SavedFallback.Source(text).text == text)
        var request = SavedRequest(name: "r", path: "/")
        try request.setFallback(text)
        #expect(request.fallbackText == text)
        try request.setFallback("")
        #expect(request.fallback == nil)
    }

    @Test(arguments: ["x", "history x", "history 7d 8d", "file", "./a.json"])
    func `other lines are refused`(text: String) {
        #expect(throws: FieldError.self) { try SavedFallback.Source(text) }
    }
}
