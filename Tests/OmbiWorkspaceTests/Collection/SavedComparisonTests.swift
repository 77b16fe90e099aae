import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The paths that a request ignores in comparisons: in its file, and as one line.
@Suite struct SavedComparisonTests {
    @Test(arguments: [
        ("", []), ("$.a", ["$.a"]), ("$.a, $.b[*].c  $.a", ["$.a", "$.b[*].c"]),
        ("$['a, b'] $[?@.x == \"y z\"]", ["$['a, b']", "$[?@.x == \"y z\"]"]),
        ("$['it\\'s, so'] $.b", ["$['it\\'s, so']", "$.b"]),
    ])
    func `a line is split where no brackets are open`(_ text: String, _ expected: [String]) throws {
        #expect(try SavedComparison.list(text) == expected)
    }

    @Test func `a path that is none is refused with what was meant`() {
        #expect(throws: FieldError.self) { try SavedComparison.list("$.a items.id") }
        #expect(SavedComparison.problem(of: "items.id")?.contains("did you mean $.items.id?") == true)
        #expect(SavedComparison.problem(of: "$..stamp") == nil)
    }

    private static func load(_ compare: String) -> (collection: Collection?, problems: [Problem]) {
        CollectionFile.read(
            Array(
                "{ \"version\": 1, \"name\": \"c\", \"items\": [{ \"request\": \"r\", \"path\": \"/\", \"compare\": \(compare) }] }"
                    .utf8), file: "c.json")
    }

    @Test func `it is read and written as it was`() throws {
        let loaded = Self.load("{ \"ignore\": [\"$.a\", \"$.b[*]\"], \"later\": true }")
        #expect(loaded.problems.map(\.message) == ["unknown key \"later\"; it has no effect"])
        let request = try #require(loaded.collection?.requests.first)
        #expect(request.ignoredPaths == ["$.a", "$.b[*]"])
        #expect(request.json["compare"]?.compact == "{\"ignore\":[\"$.a\",\"$.b[*]\"],\"later\":true}")
    }

    @Test func `an invalid path in a file is told with its place`() {
        let problems = Self.load("{ \"ignore\": [\"$.a\", \"a.b\", 3] }").problems.map(\.description)
        #expect(problems.count == 2, "\(problems)")
        #expect(problems.contains { $0.contains("did you mean $.a.b?") })
        #expect(problems.contains { $0.contains("expected a JSONPath in quotes") })
    }
}
