import Testing

@testable import OmbiTUI

@Suite struct MarkupWriterTests {
    private static func written(_ write: (inout MarkupWriter) -> Void) -> String {
        var writer = MarkupWriter()
        write(&writer)
        return writer.string
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("<a href=\"b\">&'", "&lt;a href=&quot;b&quot;&gt;&amp;&#39;"),
        ("]]>", "]]&gt;"), ("é<", "é&lt;"), ("\u{FFFE}x\u{FFFF}<", "\u{FFFD}x\u{FFFD}&lt;"),
    ])
    func `no text is markup, and all of it is of XML`(text: String, markup: String) {
        #expect(Self.written { $0.add(text: text) } == markup)
        #expect(Self.written { $0.add(lines: text) } == markup)
        #expect(HTMLReport.escaped(text) == markup)
    }

    @Test func `controls have pictures, and lines stay lines where they may`() {
        #expect(Self.written { $0.add(text: "a\n\u{1B}[2J<") } == "a␊␛[2J&lt;")
        #expect(Self.written { $0.add(lines: "a\n\u{1B}[2J\n<b>") } == "a\n␛[2J\n&lt;b&gt;")
        #expect(Self.written { $0.add(lines: "a<\nb") } == "a&lt;\nb")
    }

    @Test func `what was added last is taken back`() {
        let text = Self.written { writer in
            writer.add("<p>")
            let start = writer.count
            writer.add(text: "a & b")
            writer.cut(to: start)
            writer.add("</p>")
        }
        #expect(text == "<p></p>")
    }
}
