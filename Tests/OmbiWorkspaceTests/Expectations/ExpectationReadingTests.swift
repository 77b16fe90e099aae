import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Expectations as a file has them, and what `ombi check` says about them.
@Suite struct ExpectationReadingTests {
    private static let start = "{\"version\":1,\"name\":\"n\",\"items\":[{\"request\":\"r\",\"path\":\"/\",\"expect\":"

    /// The problems with an expectation, each with its column within it.
    private static func problems(_ expectation: String) -> [String] {
        CollectionFile.read(Array((start + expectation + "}]}").utf8), file: "f").problems.map {
            "\(($0.position?.column ?? 0) - start.utf8.count) \($0.severity.rawValue): \($0.message)"
        }
    }

    @Test(
        arguments: [
            (
                "{\"body\":[{\"path\":\"$.a[\"}]}",
                ["23 error: \"path\": expected a name in quotes, an index, a slice, '*' or '?', found the end"]
            ),
            (
                "{\"body\":[{\"path\":\".id\",\"type\":\"integer\"}]}",
                [
                    "19 error: \"path\": expected '$', which every JSONPath begins with, found '.'; did you mean \"$.id\"?"
                ]
            ),
            (
                "{\"body\":[{\"path\":\"items[0]\"}]}",
                [
                    "19 error: \"path\": expected '$', which every JSONPath begins with, found 'i'; did you mean \"$.items[0]\"?"
                ]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"matches\":\"a(b\"}]}",
                ["36 error: \"matches\": '(' without ')'"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"type\":\"int\"}]}",
                ["31 error: \"type\": unknown type \"int\"; did you mean \"integer\"?"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"type\":[\"string\",\"nul\"]}]}",
                ["41 error: \"type\": unknown type \"nul\"; did you mean \"null\"?"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"count\":\"=>1\"}]}",
                ["32 error: \"count\": \"=>1\" is not a comparison; \(NumberComparison.form)"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"less\":true}]}",
                ["31 error: \"less\": expected a number or a string, found true"]
            ),
            (
                "{\"body\":[{\"type\":\"integer\"}]}",
                ["18 error: \"type\": needs a \"path\", such as \"$\" for the whole body"]
            ),
            ("{\"body\":[{}]}", ["10 error: missing key \"path\""]),
            (
                "{\"body\":[{\"notContains\":\"\"}]}",
                ["25 error: \"notContains\": the text is empty, and in every text"]
            ),
            (
                "{\"body\":[{\"equals\":1}]}",
                ["20 error: \"equals\": the text of a body is a string; a \"path\" of \"$\" compares JSON"]
            ),
            (
                "{\"headers\":{\"ETag\":5}}",
                ["20 error: \"ETag\": expected a string or an object, found a number; write \"5\""]
            ),
            (
                "{\"headers\":{\"ETag\":{\"type\":\"string\"}}}",
                [
                    "28 error: \"type\": a header is text; the conditions on it are "
                        + "equals, contains, matches, notEquals, notContains, notMatches, exists"
                ]
            ),
            ("{\"size\":\"big\"}", ["9 error: \"size\": \"big\" is not a comparison; \(NumberComparison.form)"]),
            ("{\"header\":{}}", ["2 warning: unknown key \"header\"; did you mean \"headers\"?"]),
        ] as [(String, [String])])
    func `a mistake has its place and a remedy`(expectation: String, problems: [String]) {
        #expect(Self.problems(expectation) == problems)
    }

    @Test(
        arguments: [
            (
                "{\"body\":[{\"path\":\"$.a\",\"exists\":false,\"type\":\"null\"}]}",
                ["\"type\": contradicts \"exists\": false; remove one of them"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"equals\":5,\"notEquals\":5}]}",
                ["\"notEquals\": contradicts \"equals\"; remove one of them"]
            ),
            ("{\"body\":[{\"path\":\"$.a\",\"equals\":5,\"notEquals\":6}]}", []),
            (
                "{\"body\":[{\"path\":\"$.a\",\"type\":\"integer\",\"equals\":\"5\"}]}",
                ["\"equals\": holds for no value of the type integer; correct \"type\" or remove it"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"type\":\"array\",\"less\":5}]}",
                ["\"less\": holds for no value of the type array; correct \"type\" or remove it"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"less\":5,\"greater\":5}]}",
                ["\"less\": no number is both above and below these bounds"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"count\":\"<0\"}]}",
                ["\"count\": no count is below 0; \"exists\": false expects nothing there"]
            ),
            (
                "{\"body\":[{\"path\":\"$.a\",\"equals\":1},{\"path\":\"$.a\",\"equals\":2}]}",
                ["\"$.a\" is expected to equal 1 above; remove one of the two"]
            ),
            (
                "{\"within\":\"1s\",\"firstAttemptWithin\":\"2s\"}",
                ["\"firstAttemptWithin\": is longer than \"within\", which holds for all attempts together"]
            ),
            ("{\"body\":[{\"path\":\"$.a\",\"atMost\":5,\"atLeast\":5,\"type\":[\"null\",\"number\"]}]}", []),
        ] as [(String, [String])])
    func `what cannot be met together is a warning`(expectation: String, warnings: [String]) {
        let found = CollectionFile.read(Array((Self.start + expectation + "}]}").utf8), file: "f")
        #expect(found.problems.map(\.message) == warnings)
        #expect(found.problems.allSatisfy { $0.severity == .warning } && found.collection != nil)
    }

    @Test(arguments: [
        "{\"headers\":[{\"name\":\"Via\",\"equals\":\"a\"},{\"name\":\"Via\",\"contains\":\"b\"}]}",
        "{\"body\":[{\"path\":\"$\",\"equals\":{\"a\":[1.50]},\"type\":[\"object\",\"null\"],\"exists\":true,\"x\":1}]}",
        "{\"headers\":{\"A\":{\"notEquals\":\"a\"}},\"body\":[{\"path\":\"$\",\"notEquals\":null,\"notContains\":1}]}",
        "{\"status\":\"200\",\"size\":0,\"headers\":{\"A\":{},\"B\":\"\"}}",
        "{\"status\":200}", "{\"status\":[200,\"5xx\"]}", "{\"status\":[\"200\",\"404\"]}",
    ])
    func `what is read is written again`(text: String) throws {
        let collection = try #require(
            CollectionFile.read(Array((Self.start + text + "}]}").utf8), file: "f").collection)
        #expect(collection.requests.first?.expect?.json.compact == text)
    }
}
