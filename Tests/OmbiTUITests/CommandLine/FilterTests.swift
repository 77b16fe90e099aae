import Foundation
import OmbiDocument
import OmbiViewer
import Testing

@testable import OmbiTUI

/// `ombi filter` within this process: from a file to a file.
@Suite struct FilterTests {
    private struct Outcome {
        var count = 0
        var output = ""
        var error: JSONSyntaxError?
    }

    /// - Parameter kept: How much is read before what has been asked is let go.
    private static func run(
        _ query: String, _ body: String, isStream: Bool = false, form: Filter.Form = .values, portion: Int = 1 << 20,
        kept: Int = 1 << 28
    ) throws -> Outcome {
        let folder = NSTemporaryDirectory() + "/ombi-filter-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body.write(toFile: folder + "/in", atomically: false, encoding: .utf8)
        let descriptor = open(folder + "/out", O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        var filter = Filter(
            path: try JSONPath(query), form: form, output: FilterOutput(ResultOutput(descriptor)))
        (filter.portion, filter.maximumKeptBytes) = (portion, kept)
        var outcome = Outcome()
        do {
            let input = try FilterInput(folder + "/in", isMapped: !isStream)
            outcome.count = try filter.run(input)
        } catch let error as JSONSyntaxError {
            outcome.error = error
        }
        outcome.output = try String(contentsOfFile: folder + "/out", encoding: .utf8)
        return outcome
    }

    @Test(arguments: [
        ("$..a", "{\"a\": [1, {\"a\": 1.50}], \"b\": 2}", "[1, {\"a\": 1.50}]\n1.50\n"),
        ("$", "[\n  1,\n  \"a \\\" b\\\\\" ,\r\n  {\"c\": [ ]}\n]\n", "[1,\"a \\\" b\\\\\",{\"c\":[]}]\n"),
        ("$", "[1, 2]", "[1, 2]\n"), ("$.a", "{\"a\": \"x\\ny\"}\n{\"b\": 1}\n{\"a\": 2}", "\"x\\ny\"\n2\n"),
        ("$.x", "{}", ""),
        ("$", "12", "12\n"), ("$", "", ""), ("$[0]", "\u{FEFF}[7]", "7\n"),
    ])
    func `each value is printed on a line as it was sent`(query: String, body: String, output: String) throws {
        for isStream in [false, true] {
            for portion in [1, 7, 1 << 20] {
                let outcome = try Self.run(query, body, isStream: isStream, portion: portion)
                #expect(outcome.output == output, "in portions of \(portion)")
                #expect(outcome.count == output.split(separator: "\n").count)
                #expect(outcome.error == nil)
            }
        }
    }

    @Test func `paths are printed in place of values`() throws {
        let outcome = try Self.run("$..*", "{\"a'\": [1, null]}\n[true]", form: .paths)
        #expect(outcome.output == "$['a\\'']\n$['a\\''][0]\n$['a\\''][1]\n$[0]\n")
    }

    @Test(arguments: [
        ("$..a", "{\"a\": [1, {\"a\": 1.50}], \"b\": 2}", "[1, {\"a\": 1.50}]\n1.50\n"),
        ("$", "\"x\"", "x\n"), ("$", "\"\"", "\n"), ("$", "\"a b\"", "a b\n"), ("$", "\" a \"", " a \n"),
        ("$", "\"a\\nb\"", "a\nb\n"), ("$", "\"a\\tb\"", "a\tb\n"), ("$", "\"a\\\"b\"", "a\"b\n"),
        ("$", "\"\\u00e9\"", "é\n"), ("$", "\"\\ud83d\\ude00\"", "😀\n"), ("$", "\"\\\\\"", "\\\n"),
        ("$", "\"\\/\"", "/\n"), ("$", "null", "null\n"), ("$", "true", "true\n"), ("$", "-1e5", "-1e5\n"),
        ("$", "{\"a\": \"b\"}", "{\"a\": \"b\"}\n"), ("$", "[\n\"a\"\n]", "[\"a\"]\n"), ("$", "[]", "[]\n"),
        ("$[*]", "[\"a\", 1, null, \"c\"]", "a\n1\nnull\nc\n"), ("$.a", "{\"a\": \"x\"}\n{\"a\": \"y\"}", "x\ny\n"),
        ("$..id", "[{\"id\": \"p1\"}, {\"id\": \"p2\"}]", "p1\np2\n"),
    ])
    func `raw prints strings as they read, and other values as they were sent`(
        query: String, body: String, output: String
    ) throws {
        for portion in [1, 1 << 20] {
            #expect(try Self.run(query, body, form: .text, portion: portion).output == output, "\(portion)")
        }
    }

    @Test func `whole values before a mistake are asked, the broken one is not`() throws {
        let outcome = try Self.run("$.a", "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3, }\n{\"a\": 4}")
        #expect(outcome.output == "1\n2\n")
        #expect(outcome.error?.description.hasPrefix("line 3, column 10: expected a key") == true)
        #expect(try Self.run("$..a", "{\"a\": 1").output == "")
    }

    @Test func `what has been asked is let go, and mistakes keep their place`() throws {
        let lines = (0..<200).map { "{\"id\": \($0), \"é\": [1, 2, 3]}" }
        let output = (0..<200).map { "\($0)\n" }.joined()
        for isStream in [false, true] {
            for kept in [1, 50, 300] {
                let spread = try Self.run(
                    "$.id", lines.joined(separator: "\n") + "\n x", isStream: isStream, portion: 64, kept: kept)
                #expect(spread.output == output)
                #expect(spread.error?.position == TextPosition(line: 201, column: 2))
                let inOne = lines.joined(separator: " ")
                let flat = try Self.run("$.id", inOne + " x", isStream: isStream, portion: 64, kept: kept)
                #expect(flat.output == output)
                #expect(flat.error?.position == TextPosition(line: 1, column: inOne.count + 2))
                #expect(flat.error?.offset == inOne.utf8.count + 1)
            }
        }
    }

    @Test func `a wrong JSONPath is shown with a caret under the place`() throws {
        let text = "$.東京[01]"
        let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(
            error.map { JSONPathErrorText.lines(for: $0, in: text) } == """
                ombi: invalid JSONPath at column 6: an index has no leading zeros
                  $.東京[01]
                         ^
                """)
    }

    @Test func `an input that is not there is told`() throws {
        let error = #expect(throws: FilterInputError.self) { _ = try FilterInput("/nowhere/x").isStream }
        #expect(error?.description == "cannot read /nowhere/x: no such file or folder")
    }
}
