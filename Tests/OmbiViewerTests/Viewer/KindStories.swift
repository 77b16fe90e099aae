import OmbiDocument
import Testing

@testable import OmbiViewer

/// How each kind of body looks, whole screens of a viewer as text.
@Suite struct KindStories {
    private static let long = String(repeating: "long ", count: 30)

    /// Plays a story and compares the screen.
    private static func expect(
        _ bytes: [UInt8], _ type: String?, keys: [String] = [], columns: Int = 60, _ wanted: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let rows = wanted.split(separator: "\n", omittingEmptySubsequences: false).count
        var story = ViewerStory(bytes, type: type, columns: columns, rows: rows)
        for key in keys { story.press(key) }
        #expect(story.text == wanted, "the screen is\n\(story.text)", sourceLocation: sourceLocation)
    }

    private static func expect(
        _ text: String, _ type: String?, keys: [String] = [], columns: Int = 60, _ wanted: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(
            Array(text.utf8), type, keys: keys, columns: columns, wanted, sourceLocation: sourceLocation)
    }

    @Test func `JSON: short arrays on one line, keys twice marked, odd escapes and large numbers as they were sent`() {
        Self.expect(
            #"{"tags":["a","b"],"a":1,"a":2,"esc":"caf\u00e9 \ud83d\ude00 \/","id":12345678901234567890,"huge":1e400,"e":{}}"#,
            "application/json", keys: ["Down"],
            #"""
            1 {
            2   "tags": ["a", "b"],
            3   "a": 1,  duplicate key
            4   "a": 2,  duplicate key
            5   "esc": "caf\u00e9 \ud83d\ude00 \/",
            6   "id": 12345678901234567890,
            7   "huge": 1e400,
            8   "e": {}
            9 }

            $.tags                                                 JSON
            """#)
    }

    @Test func `JSON: what is folded says how much it hides, a long string how much is left`() {
        Self.expect(
            "{\"list\":[{\"a\":1},{\"a\":2}],\"text\":\"\(Self.long)\",\"n\":null}", "application/json",
            keys: ["Down", "Enter"],
            """
             1 {
             2   "list": […], 2 items
            10   "text": "long long long long long long long … 115 more,
            11   "n": null
            12 }

            $.list                                                 JSON
            """)
    }

    @Test func `JSON: a long string that is opened has one number`() {
        Self.expect(
            "{\"text\":\"\(Self.long)\"}", "application/json", keys: ["Down", "Enter"],
            """
            1 {
            2   "text": "long long long long long long long long long l
                        ong long long long long long long long long lon
                        g long long long long long long long long long
                        long long "
            3 }

            $.text                                                 JSON
            """)
    }

    @Test func `broken JSON: what is good, where and why it ends, and the rest as it came`() {
        Self.expect(
            "{\"a\": 1,\n \"b\": [1, 2],\n oops }\nmore", "application/json", keys: ["Down"],
            """
            not valid JSON: line 3, column 2: expected a key in double
            quotes after ',', found 'oops'
            1 {
            2   "a": 1,
            3   "b": [1, 2]
            4 line 3, column 2 (byte 24): expected a key in double quot…
            5 oops }
            6 more
            $.a                                                    JSON
            """)
    }

    @Test func `text that should be JSON is shown as it came`() {
        Self.expect(
            "oops, that is no JSON\nat all", "application/json",
            """
            not valid JSON: line 1, column 1: expected a value, found '…
            1 oops, that is no JSON
            2 at all
            line 1 of 2                                     text · JSON
            """)
    }

    @Test func `JSON Lines: value by value`() {
        Self.expect(
            "{\"id\":1}\n[1,2]\n\"x\"\n", "application/x-ndjson", keys: ["Down", "Down", "Down"],
            """
            1 {
            2   "id": 1
            3 }
            4 [1, 2]
            5 "x"
            #2 $                                             JSON Lines
            """)
    }

    @Test func `JSON: a value by itself`() {
        Self.expect(
            "\"just a string\"", "application/json",
            """
            1 "just a string"


            """)
    }

    @Test func `JSON with a byte order mark`() {
        Self.expect(
            [0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8), nil, keys: ["Down"],
            """
            1 {
            2   "a": 1
            3 }

            $.a                                                    JSON
            """)
    }

    @Test func `JSON in UTF-16`() {
        Self.expect(
            [0xFF, 0xFE] + "{\"name\":\"Zoë\"}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, nil,
            keys: ["Down"],
            """
            decoded from UTF-16LE
            1 {
            2   "name": "Zoë"
            3 }

            $.name                                                 JSON
            """)
    }

    @Test func `XML`() {
        Self.expect(
            "<?xml version='1.0'?><!-- c --><feed><entry id='1'><title>A &amp; B</title></entry><entry/></feed>",
            "application/xml", keys: ["Down", "Down", "Down", "Enter"],
            """
            1 <?xml version='1.0'?>
            2 <!-- c -->
            3 <feed>
            4   <entry id='1'>…</entry>
            7   <entry/>
            8 </feed>

            /feed/entry                                             XML
            """)
    }

    @Test func `HTML`() {
        Self.expect(
            "<!DOCTYPE html><html><body><p>One<br>two<p>three <b>bold</b></body></html>", "text/html",
            """
             1 <!DOCTYPE html>
             2 <html>
             3   <body>
             4     <p>
             5       One
             6       <br>
             7       two
             8     <p>
             9       three
            10       <b>bold</b>
            11   </body>
            12 </html>
            /                                                      HTML
            """)
    }

    @Test func `YAML`() {
        Self.expect(
            "# people\na: 1\nb:\n  - x\n", "application/yaml", keys: ["Down"],
            """
            1 # people
            2 a: 1
            3 b:
            4   - x

            line 2 of 4                                            YAML
            """)
    }

    @Test func `CSV: the header, cells with line breaks and quotes, rows that are shorter and longer`() {
        Self.expect(
            "id,text\n1,\"two\nlines\"\n2,\"a \"\"q\"\"\"\n3\n4,b,c,d\n", "text/csv", keys: ["Down"],
            """
              id  text
            1  1  two⏎lines
            2  2  a "q"
            3  3
            4  4  b          c  d

            row 2 of 4                                              CSV
            """)
    }

    @Test func `CSV with a quote that is never closed`() {
        Self.expect(
            "id,text\n1,\"two\n3,four\n", "text/csv",
            """
            a quote in line 2 is never closed: all behind it is one cell
              id  text
            1  1  two⏎3,four

            row 1 of 1                                              CSV
            """)
    }

    @Test func `TSV without a header`() {
        Self.expect(
            "1\tAda\n22\tBob\n", "text/tab-separated-values",
            """
            1  1  Ada
            2 22  Bob

            row 1 of 2                                              TSV
            """)
    }

    @Test func `form data: decoded, and controls made visible`() {
        Self.expect(
            "a=1&b=x%20y&c=%1b[31m%0Az&d=&e", "application/x-www-form-urlencoded", keys: ["Down"],
            """
            a = 1
            b = x y
            c = ␛[31m␊z
            d =
            e =

            field 2 of 5                                           form
            """)
    }

    @Test func `Markdown`() {
        Self.expect(
            "# Title\n\nSome *text* with `code`.\n", "text/markdown",
            """
            1 # Title
            2
            3 Some *text* with `code`.

            line 1 of 3                                        Markdown
            """)
    }

    @Test func `server-sent events`() {
        Self.expect(
            "event: up\nid: 7\ndata: {\"a\":1}\n\n: ping\n\ndata: two\ndata: lines\n\ndata: half", "text/event-stream",
            keys: ["Down"],
            """
            1 up #7  {"a":1}
            2 comment  ping
            3 message  two⏎lines
            4 message (unfinished)  half

            event 2 of 4                                         events
            """)
    }

    @Test func `plain text: escape, bidi and other controls made visible`() {
        Self.expect(
            "\u{1B}[31mred\u{1B}[0m\n\u{202E}live\u{202C}\nbell\u{7} tab\there\nlast\r\n", "text/plain",
            """
            1 ␛[31mred␛[0m
            2 �live�
            3 bell␇ tab       here
            4 last

            line 1 of 4                                            text
            """)
    }

    @Test func `bytes`() {
        Self.expect(
            Array(0...40) + [0xFF], nil, keys: ["Down"], columns: 80,
            """
            binary; S saves it, ! pipes it through a command
            00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  ................
            00000010  10 11 12 13 14 15 16 17  18 19 1a 1b 1c 1d 1e 1f  ................
            00000020  20 21 22 23 24 25 26 27  28 ff                     !"#$%&'(.
            byte 16 of 42                                                            binary
            """)
    }

    @Test func `nothing`() {
        Self.expect(
            "", "application/json",
            """
            No body.


            """)
    }

    @Test func `gzip is named`() {
        Self.expect(
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255], "application/octet-stream", columns: 80,
            """
            gzip data, binary; S saves it, ! gzip -dc shows what is in it
            00000000  1f 8b 08 00 00 00 00 00  02 ff                    ..........

            byte 0 of 10                                                          gzip data
            """)
    }

    @Test func `PDF is named`() {
        Self.expect(
            "%PDF-1.4\n1 0 obj\n", nil, columns: 80,
            """
            PDF document, binary; S saves it, ! pdftotext - - shows what is in it
            00000000  25 50 44 46 2d 31 2e 34  0a 31 20 30 20 6f 62 6a  %PDF-1.4.1 0 obj
            00000010  0a                                                .

            byte 0 of 17                                                       PDF document
            """)
    }
}
