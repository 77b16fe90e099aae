import OmbiDocument
import Testing

struct LineHighlighterTests {
    private func styled(_ text: String, _ highlighter: LineHighlighter) -> [String] {
        let bytes = Bytes(text.utf8)
        return highlighter.styles(of: 0..<bytes.count, in: bytes).map { "\(bytes.text($0.range)) \($0.style)" }
    }

    @Test(arguments: [
        (
            "{\"a\": \"b\\\"\", \"c\":-1.5e3,",
            [
                "{ punctuation", "\"a\" key", ": punctuation", "\"b\\\"\" string", ", punctuation", "\"c\" key",
                ": punctuation",
                "-1.5e3 number", ", punctuation",
            ]
        ),
        ("  true, nul \"open", ["true literal", ", punctuation", "\"open string"]),
    ])
    func `JSON lines have styles`(text: String, styles: [String]) {
        #expect(styled(text, .json) == styles)
    }

    @Test(arguments: [
        ("+a b", ["+a b added"]), ("-", ["- removed"]), ("@@ $.a", ["@@ $.a link"]), (" +a", []), ("", []),
    ])
    func `lines of comparisons have styles`(text: String, styles: [String]) {
        #expect(styled(text, .diff) == styles)
    }

    @Test func `the sign of a long line counts where it is out of sight`() {
        let line = Bytes("+\(String(repeating: "x", count: 5000))".utf8)
        let styles = LineHighlighter.diff.styles(of: 0..<line.count, visible: 4000..<4100, in: line)
        #expect(styles.first?.style == .added)
        #expect(styles.first?.range.contains(4099) == true)
    }

    @Test(arguments: [
        ("- name: x y # why", ["- punctuation", "name key", ": punctuation", "x y string", "# why comment"]),
        ("port: 80", ["port key", ": punctuation", "80 number"]),
        ("on: true", ["on key", ": punctuation", "true literal"]),
        (
            "a: [1, \"b\"]",
            [
                "a key", ": punctuation", "[ punctuation", "1 number", ", punctuation", "\"b\" string", "] punctuation",
            ]
        ),
        ("text: |", ["text key", ": punctuation", "| punctuation"]),
        ("url: http://x/#y", ["url key", ": punctuation", "http://x/#y string"]),
        ("--- # doc", ["--- # doc literal"]),
        ("x: *ref", ["x key", ": punctuation", "*ref literal"]),
    ])
    func `YAML lines have styles`(text: String, styles: [String]) {
        #expect(styled(text, .yaml) == styles)
    }

    @Test(arguments: [
        (
            "<a b=\"c\" d>x &lt; y</a>",
            [
                "< punctuation", "a tag", "b key", "= punctuation", "\"c\" string", "d key", "> punctuation",
                "&lt; literal", "</ punctuation", "a tag", "> punctuation",
            ]
        ),
        ("<!-- a --> b", ["<!-- a --> comment"]), ("a & b &; <", ["< punctuation"]), ("<!-- a", ["<!-- a comment"]),
        (
            "<?xml v='1'?>",
            ["<? punctuation", "xml tag", "v key", "= punctuation", "'1' string", "? punctuation", "> punctuation"]
        ),
    ])
    func `markup lines have styles`(text: String, styles: [String]) {
        #expect(styled(text, .markup) == styles)
    }

    @Test(arguments: [
        (
            "query Q($id: ID!) { user(id: $id) # why",
            [
                "query tag", "( punctuation", "$id literal", ": punctuation", "! punctuation", ") punctuation",
                "{ punctuation", "( punctuation", "id key", ": punctuation", "$id literal", ") punctuation",
                "# why comment",
            ]
        ),
        (
            "a(n: -1.5, t: true, s: \"x\")",
            [
                "( punctuation", "n key", ": punctuation", "-1.5 number", ", punctuation", "t key", ": punctuation",
                "true literal", ", punctuation", "s key", ": punctuation", "\"x\" string", ") punctuation",
            ]
        ),
        ("...F @skip", [". punctuation", ". punctuation", ". punctuation", "@skip literal"]),
    ])
    func `GraphQL lines have styles`(text: String, styles: [String]) {
        #expect(styled(text, .graphQL) == styles)
    }

    @Test(arguments: [
        ("## Title", ["## Title heading"]), ("- a `b` **c**", ["- punctuation", "`b` code", "**c** emphasis"]),
        ("see [x](y) or https://z.", ["[x](y) link", "https://z. link"]), ("snake_case_name 2 * 3", []),
        ("> quoted", ["> quoted comment"]), ("```swift", ["```swift code"]), ("1. one", ["1. punctuation"]),
        ("---", ["--- punctuation"]), ("*open", []),
    ])
    func `markdown lines have styles`(text: String, styles: [String]) {
        #expect(styled(text, .markdown) == styles)
    }

    @Test(arguments: LineHighlighter.allCases)
    func `styles of any bytes are in order`(highlighter: LineHighlighter) {
        let sample = "- a: 'b' #c {\"d\": [1]} **e** [f](g) `h` _i_ \\ <j> |"
        for version in Damage.versions(of: Array(sample.utf8)) {
            let bytes = Bytes(version)
            let ranges = highlighter.styles(of: 0..<bytes.count, in: bytes).map(\.range)
            let isOrdered = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
            #expect(isOrdered)
            #expect(ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= bytes.count })
        }
    }
}
