import Testing

@testable import OmbiWorkspace

/// Ages that somebody sets, and the parts of a collection that have one.
@Suite struct AgeTextTests {
    @Test(arguments: [
        ("30m", 1800, "30m"), ("90s", 90, "90s"), ("60m", 3600, "1h"), ("12h", 43_200, "12h"), ("36h", 129_600, "36h"),
        ("168h", 604_800, "7d"), ("30d", 2_592_000, "30d"), ("36500d", 3_153_600_000, "36500d"),
    ])
    func `an age is read and written`(text: String, seconds: Int, canonical: String) {
        #expect(AgeText.parse(text) == .seconds(seconds))
        #expect(AgeText.format(.seconds(seconds)) == canonical)
        #expect(AgeText.parse(canonical) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "d", "7", "+7d", "-1d", "0d", "0s", "1.5d", "36501d", "876001h", "1441m", "7 d", "99999999999999999999d",
    ])
    func `what is no age is refused`(text: String) {
        #expect(AgeText.parse(text) == nil)
    }

    @Test func `a captured value and that of a command may be of any age`() throws {
        let text = """
            { "version": 1, "name": "c",
              "environments": [{ "name": "e", "host": "https://h.test",
                "secrets": { "s": { "command": ["a", "b"], "maximumAge": "7d" } } }],
              "items": [{ "request": "r", "path": "/",
                "capture": {
                  "c": { "status": true, "maximumAge": "30d" }, "z": { "status": true, "maximumAge": "0s" }
                } }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "f")
        #expect(read.problems.isEmpty)
        let collection = try #require(read.collection)
        #expect(collection.requests.first?.captures.map(\.maximumAge) == [.seconds(30 * 86_400), .zero])
        #expect(collection.environments[0].secrets[0].source.text == "command every 7d a b")
        #expect(try Secret.Source("command every 7d a b") == collection.environments[0].secrets[0].source)
        var capture = try #require(collection.requests.first?.captures.first)
        let field = try #require(Capture.fields.first { $0.label == "maximum age" })
        #expect(field.read(capture) == "30d")
        try field.write(&capture, "90d")
        #expect(capture.maximumAge == .seconds(90 * 86_400))
        #expect(throws: FieldError("\"2 weeks\" is not an age; \(AgeText.form)")) {
            try field.write(&capture, "2 weeks")
        }
    }
}
