import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// YAML as JSON: scalars of the core schema, merge keys and aliases, positions, and hostile texts.
@Suite struct YAMLTests {
    private static func json(_ text: String) throws -> String {
        String(decoding: try YAMLDocument(Array(text.utf8)).json, as: UTF8.self)
    }

    private static func error(_ text: String) -> YAMLError? {
        do throws(YAMLError) {
            _ = try YAMLDocument(Array(text.utf8))
            return nil
        } catch { return error }
    }

    // MARK: Scalars

    private static let scalars: [(yaml: String, json: String)] = [
        ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("nUll", "\"nUll\""),
        ("true", "true"), ("True", "true"), ("TRUE", "true"), ("false", "false"), ("False", "false"),
        ("FALSE", "false"), ("NO", "\"NO\""), ("no", "\"no\""), ("yes", "\"yes\""), ("on", "\"on\""),
        ("off", "\"off\""), ("y", "\"y\""), ("n", "\"n\""), ("0", "0"), ("-0", "-0"), ("7", "7"), ("+7", "7"),
        ("-12", "-12"), ("0o17", "15"), ("0xFF", "255"), ("017", "\"017\""), ("0o9", "\"0o9\""),
        ("1_000", "\"1_000\""), ("18446744073709551617", "18446744073709551617"), ("1.10", "1.10"), (".5", "0.5"),
        ("5.", "5"), ("1e3", "1e3"), ("1E+3", "1e3"), ("-1.5e-3", "-1.5e-3"), ("1e400", "1e400"),
        (".inf", "\".inf\""), (".nan", "\".nan\""), ("12:30", "\"12:30\""), ("2024-01-01", "\"2024-01-01\""),
        ("2015-04-22T10:03:19", "\"2015-04-22T10:03:19\""), ("1.0.0", "\"1.0.0\""), (".", "\".\""),
        ("\"true\"", "\"true\""), ("'7'", "\"7\""), ("!!str 7", "\"7\""), ("!!int 7", "7"), ("!mine x", "\"x\""),
        ("=", "\"=\""),
    ]

    @Test(arguments: scalars) func `a scalar follows the core schema of YAML 1.2`(yaml: String, json: String) throws {
        #expect(try Self.json("a: \(yaml)\n") == "{\"a\":\(json)}")
    }

    @Test func `a key is a text`() throws {
        #expect(
            try Self.json("200: a\nNO: b\nnull: c\n1.0: d\n") == #"{"200":"a","NO":"b","null":"c","1.0":"d"}"#)
    }

    @Test func `blocks and flows give the same lists and objects`() throws {
        #expect(try Self.json("a:\n- 1\n- b: [2, {c: 3}]\n") == #"{"a":[1,{"b":[2,{"c":3}]}]}"#)
        #expect(try Self.json("a: |\n  one\n  two\nb: >-\n  one\n  two\n") == #"{"a":"one\ntwo\n","b":"one two"}"#)
    }

    @Test func `only the first of several documents is read`() throws {
        #expect(try Self.json("---\na: 1\n---\na: 2\n") == #"{"a":1}"#)
    }

    // MARK: Aliases

    @Test func `an alias is the value again`() throws {
        #expect(try Self.json("a: &x {b: 1}\nc: *x\n") == #"{"a":{"b":1},"c":{"b":1}}"#)
    }

    @Test func `a merge gives what a mapping does not have itself`() throws {
        let text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  x: 0\n  <<: [*a, *b]\n"
        #expect(try Self.json(text).hasSuffix(#""c":{"x":0,"y":2,"z":4}}"#))
        #expect(Self.error("a:\n  <<: 1\n")?.reason.contains("merges") == true)
        #expect(Self.error("a: &a\n  b: *a\n")?.reason.contains("part of the value") == true)
    }

    @Test func `a long chain of aliases is an error`() {
        let text = "a0: &a0 [x]\n" + (1...2_000).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
        #expect(Self.error(text) != nil)
    }

    @Test func `a quoted merge key is a key`() throws {
        #expect(try Self.json("\"<<\": 1\n") == #"{"<<":1}"#)
    }

    // MARK: Positions

    @Test func `values have their places in the text`() throws {
        let text = "ä: 1\nlist:\n  - eins\n  - zwei\n"
        let document = try YAMLDocument(Array(text.utf8))
        let json = String(decoding: document.json, as: UTF8.self)
        let value = try #require(json.firstRange(of: "\"zwei\"")?.lowerBound)
        let offset = document.places.offset(of: json.utf8.distance(from: json.startIndex, to: value))
        #expect(String(decoding: Array(text.utf8)[offset...], as: UTF8.self) == "zwei\n")
    }

    @Test func `the error of a document has a line and a column`() {
        let error = #expect(throws: ImportError.self) {
            try Importer.read(Array("openapi: 3.0.0\npaths:\n  a: 1\n  a: 2\n".utf8), from: "x.yaml")
        }
        #expect(error?.position.line == 4)
        #expect(error?.message.contains("duplicate key \"a\"") == true)
    }

    // MARK: Hostile texts

    @Test func `aliases of aliases are too large`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
        }
        #expect(Self.error(text)?.reason.contains("too large") == true)
    }

    @Test func `merges of merges are too large, also of mappings without members`() {
        var text = "a0: &a0 {}\n"
        for level in 1...2 {
            let list = Array(repeating: "*a\(level - 1)", count: 3_000).joined(separator: ", ")
            text += "a\(level): &a\(level) {<<: [\(list)]}\n"
        }
        #expect(Self.error(text)?.reason.contains("too large") == true)
    }

    @Test func `a key has a maximum length`() {
        let text = { (length: Int) in "? " + String(repeating: "k", count: length) + "\n: 1\n" }
        #expect(Self.error(text(4096)) == nil)
        #expect(Self.error(text(4097))?.reason.contains("longer") == true)
    }

    @Test func `aliases of aliases in a key are refused`() {
        var text = "a0: &a0 [x, x]\n"
        for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(Self.error(text + "? *a40\n: 1\n")?.reason.contains("keys") == true)
        #expect(Self.error(text + "*a40 : 1\n")?.reason.contains("keys") == true)
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        "a: &a [*a]", "a: *nothing", "a: \u{0}", "a:\n\tb: 1", "a: b: c", "[1, 2", "\"open", "%YAML 9.9\n",
        "? [a]\n: 1",
    ])
    func `a text that is no document is an error`(text: String) { #expect(Self.error(text) != nil) }

    @Test func `lines of tabs alone are empty`() throws {
        #expect(try Self.json("a: 1\n\t\t\nb: 2\n") == #"{"a":1,"b":2}"#)
    }

    @Test func `a tab may stand between a key and its value`() throws {
        #expect(try Self.json("a:\t1\nb: \t\"x\"\nc:\t\n  - 2\n") == #"{"a":1,"b":"x","c":[2]}"#)
    }

    @Test func `a text that is not UTF-8 has its first bad byte named`() {
        let error = #expect(throws: ImportError.self) {
            try Importer.read(Array("openapi: 3.0.0\nx: ".utf8) + [0xFF], from: "x.yaml")
        }
        #expect(error?.position.line == 2)
        #expect(error?.position.column == 4)
    }

    @Test func `commands and requests are not taken for YAML`() {
        for text in ["curl -H 'a: b' https://a.test", "### One\nGET https://a.test\n", "@a = b", "GET /x: y"] {
            #expect(!YAMLDocument.isLikely(Array(text.utf8)), "\(text)")
        }
        for text in ["# a\nopenapi: 3.0.0", "---\na: 1", "\"openapi\": 3", "info:\n  x: 1"] {
            #expect(YAMLDocument.isLikely(Array(text.utf8)), "\(text)")
        }
    }
}
