import TestSupport
import Testing

@testable import OmbiWorkspace

/// Rows of data from tables and JSON.
@Suite struct DataFileTests {
    private static func rows(_ text: String, file: String = "rows.csv") throws -> [[String: String]] {
        try rows(Array(text.utf8), file: file)
    }

    private static func rows(_ bytes: [UInt8], file: String = "rows.csv") throws -> [[String: String]] {
        try DataFile.rows(of: bytes, file: file).enumerated().map { index, row in
            #expect(row.number == index + 1)
            return Dictionary(uniqueKeysWithValues: row.variables.map { ($0.name, $0.value) })
        }
    }

    private static let two = [["name": "Ada", "age": "36"], ["name": "Grace, Hopper", "age": ""]]

    @Test(arguments: [
        "name,age\nAda,36\n\"Grace, Hopper\",\n", "name,age\r\nAda,36\r\n\r\n\"Grace, Hopper\",",
        "name;age\nAda;36\nGrace, Hopper;\n", "name\tage\nAda\t36\nGrace, Hopper\t",
        "\u{FEFF}name,age\nAda,36\n\"Grace, Hopper\",",
        " name , age\nAda,36\n\"Grace, Hopper\",", "sep=;\nname;age\nAda;36\nGrace, Hopper;\n",
        "SEP=\t\r\nname\tage\r\nAda\t36\r\nGrace, Hopper\t", "\"sep=|\"\nname|age\nAda|36\nGrace, Hopper|",
        "\u{FEFF}sep=;\r\nname;age\r\nAda;36\r\nGrace, Hopper;",
    ])
    func `a table names the variables in its first line`(text: String) throws {
        #expect(try Self.rows(text) == Self.two)
    }

    @Test func `a column whose name no template can hold has one that it can`() throws {
        #expect(try Self.rows("first name,größe in m\nAda,1.7\n") == [["first_name": "Ada", "größe_in_m": "1.7"]])
        // An accent stays, also behind what is replaced, so that a name that is one stays what it is.
        #expect(try Self.rows("a\u{308}\u{2}\u{D00}\n1\n") == [["a\u{308}_\u{D00}": "1"]])
        #expect(try Self.rows("a\u{308}_\u{D00}\n1\n") == [["a\u{308}_\u{D00}": "1"]])
    }

    @Test func `quotes hold separators, quotes and line ends`() throws {
        #expect(try Self.rows("a,b\n\"x\"\"y\",\"1\n2\"\n") == [["a": "x\"y", "b": "1\n2"]])
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\n\n\r\n\r\r"])
    func `each of many rows is found, whatever is between them`(end: String) throws {
        let count = 1000
        let table = "a,b\n" + (0..<count).map { "\($0),\"}\r\n\"\(end)" }.joined()
        #expect(try Self.rows(table) == (0..<count).map { ["a": "\($0)", "b": "}\r\n"] })
        let lines = (0..<count).map { " {\"a\": \($0), \"b\": \"]},\"} \(end)" }.joined()
        let expected = (0..<count).map { ["a": "\($0)", "b": "]},"] }
        #expect(try Self.rows(lines, file: "rows.jsonl") == expected)
        let array =
            "[" + (0..<count).map { "{\"a\": \($0), \"b\": \"]},\"}" }.joined(separator: end + "," + end) + "]\(end)"
        #expect(try Self.rows(array, file: "rows.json") == expected)
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is read in both orders, with and without a mark`(isLittle: Bool, hasMark: Bool) throws {
        let units = Array(((hasMark ? "\u{FEFF}" : "") + "name,city\nZoë,Łódź\n").utf16)
        let bytes = units.flatMap { unit in
            isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        #expect(try Self.rows(bytes) == [["name": "Zoë", "city": "Łódź"]])
    }

    @Test(arguments: [
        (#"[{"id": 7, "name": "Ada", "tags": ["a", {"b": 1.50}], "none": null, "on": true}]"#, "rows.json"),
        ("\n" + #"{"id": 7, "name": "Ada", "tags": ["a", {"b": 1.50}], "on": true}"# + "\r\n", "rows.jsonl"),
        (#"{"id": 7, "name": "Ada", "tags": ["a", {"b": 1.50}], "on": true}"#, "rows"),
    ])
    func `values of JSON are texts, numbers as written, and JSON`(text: String, file: String) throws {
        #expect(
            try Self.rows(text, file: file)
                == [["id": "7", "name": "Ada", "tags": #"["a",{"b":1.50}]"#, "on": "true"]])
    }

    @Test(arguments: [
        (
            "a,b\n1\n", "rows.csv",
            "rows.csv:2:1: error: this row has 1 of 2 values; quote a value that holds the separator"
        ),
        ("a,b\n1,\"2\n", "rows.csv", "rows.csv:2:3: error: this quote is not closed"),
        ("a,b\n1,\"2\"x\n", "rows.csv", "rows.csv:2:3: error: there is text behind the closing quote of this value"),
        ("a,b\n1,\"2\"x\"\n", "rows.csv", "rows.csv:2:3: error: there is text behind the closing quote of this value"),
        ("a,a\n1,2\n", "rows.csv", "rows.csv:1:3: error: there are two columns \"a\""),
        ("a,\n1,2\n", "rows.csv", "rows.csv:1:3: error: this column has no name"),
        ("a,b\n", "rows.csv", "rows.csv: error: there are no rows of data in it"),
        ("", "rows.csv", "rows.csv: error: there are no rows of data in it"),
        ("[1]", "rows.json", "rows.json: error: element 1 of the array is not an object"),
        ("{\"a\": 1}", "rows.json", "rows.json: error: expected an array of objects, one for each run"),
        ("{\"a\": 1}\n[2]\n", "rows.jsonl", "rows.jsonl:2:1: error: expected an object"),
    ])
    func `an error names its place and the remedy`(text: String, file: String, told: String) {
        #expect(throws: Problem.self) { try Self.rows(text, file: file) }
        do { _ = try Self.rows(text, file: file) } catch { #expect("\(error)" == told) }
    }

    @Test(arguments: [
        ("user\nZoë\nM", "ller\n", "rows.csv", "rows.csv:3:2: error: not UTF-8: byte 0xFC at byte 12 of the file"),
        ("[{\"user\": \"Zoë M", "ller\"}]", "rows.json", "rows.json:1:17: error: not UTF-8: byte 0xFC at byte 18 of"),
        ("{\"user\": \"Zoë\"}\n", "", "rows.jsonl", "rows.jsonl:2:1: error: not UTF-8: byte 0xFC at byte 18 of"),
        (String(repeating: "a\n", count: 4096), "", "rows.csv", "rows.csv:4097:1: error: not UTF-8"),
    ])
    func `a byte that is not UTF-8 makes no other letters of the rest`(
        before: String, after: String, file: String, told: String
    ) {
        let bytes = Array(before.utf8) + [0xFC] + Array(after.utf8)
        #expect(throws: Problem.self) { try Self.rows(bytes, file: file) }
        do { _ = try Self.rows(bytes, file: file) } catch { #expect("\(error)".hasPrefix(told), "\(error)") }
    }

    @Test func `half a letter of UTF-16 is an error, too`() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0, 0xD8, 0x0A, 0]
        do {
            _ = try Self.rows(bytes)
            Issue.record("the rows were read")
        } catch {
            #expect("\(error)" == "rows.csv: error: not UTF-16LE at byte 7 of the file; save the file as UTF-8")
        }
    }

    @Test(arguments: [",", ";", "\t"])
    func `quoted names may hold the other separators`(separator: String) throws {
        let names = ["a", "x;y;z", ";\t,,"]
        let text = names.map { "\"\($0)\"" }.joined(separator: separator) + "\n"
        let rows = try Self.rows(text + ["1", "2", "3"].joined(separator: separator))
        #expect(rows == [["a": "1", "x_y_z": "2", "____": "3"]])
    }

    @Test func `a line of JSON ends with its object, whatever its strings hold`() throws {
        let text = "{\"a\": \"x\u{2028}y\u{85}z\"}\r\n\n {\"a\": \"2\"}\r{\"a\": \"3\"}"
        #expect(
            try Self.rows(text, file: "rows.jsonl") == [["a": "x\u{2028}y\u{85}z"], ["a": "2"], ["a": "3"]])
    }

    @Test func `a syntax error in a line has the line of the file`() {
        do { _ = try Self.rows("{\"a\": 1}\n{\"a\" 2}\n", file: "rows.jsonl") } catch {
            #expect("\(error)".hasPrefix("rows.jsonl:2:6: error: "))
        }
    }

    /// Any cells, written with quotes, come back as they were.
    @Test func `what is written with quotes is read as it was`() throws {
        var random = SeededRandom(seed: 4180)
        let letters = Array(",;\t\"\n\r ab日😀'")
        for _ in 0..<200 {
            let names = (0..<Int.random(in: 1...4, using: &random)).map { "column \($0)" }
            let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                names.map { _ in
                    String(
                        (0..<Int.random(in: 0...6, using: &random)).map { _ in
                            letters.randomElement(using: &random) ?? "a"
                        })
                }
            }
            let text = ([names] + rows).map { cells in
                cells.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }.joined(separator: "\r\n")
            let read = try DataFile.rows(of: Array(text.utf8), file: "rows.csv").map { $0.variables.map(\.value) }
            #expect(read == rows, "\(text)")
        }
    }
}
