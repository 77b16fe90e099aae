import Foundation
import OmbiTerminal
import Testing

@testable import OmbiTUI

/// The body of a response on a terminal.
@Suite struct LaidOutBodyTests {
    private static func rows(_ text: String, type: String? = nil, painter: TextPainter? = nil) -> [String]? {
        var rows: [String] = []
        let body = LaidOutBody(Array(text.utf8), contentType: type, painter: painter)
        let isJSON = body.writeRows {
            rows.append($0)
            return true
        }
        return isJSON ? rows : nil
    }

    @Test func `JSON is laid out, and stays the same JSON`() {
        let text = #"{"a":{"b":[1,2]},"a":"x\\u001by","c":null}"#
        #expect(
            Self.rows(text) == [
                "{", #"  "a": {"#, #"    "b": [1, 2]"#, "  },", #"  "a": "x\\u001by","#, #"  "c": null"#, "}",
            ])
        let long = "\"" + String(repeating: "x", count: 100_000) + "\""
        #expect(Self.rows("[\(long), {}]") == ["[", "  \(long),", "  {}", "]"])
    }

    @Test func `colours come on top of the same text`() {
        let painter = TextPainter(Theme(ThemeChoice(.dark), depth: .many))
        let text = Self.rows(#"{"a":"b"}"#, painter: painter)?.joined(separator: "\n") ?? ""
        #expect(text.contains("\u{1B}[38;5;110m\"a\""))
        #expect(text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == "{\n  \"a\": \"b\"\n}")
    }

    @Test(arguments: ["", "plain", "{\"a\":", "<html></html>", "a=b"]) func `other bodies have no rows`(text: String) {
        #expect(Self.rows(text) == nil)
    }
}
