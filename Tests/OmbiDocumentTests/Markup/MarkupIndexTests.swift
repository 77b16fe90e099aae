import Testing

@testable import OmbiDocument

struct MarkupIndexTests {
    private func shown(_ text: String, isHTML: Bool, folded: [Int] = []) throws -> [String] {
        let bytes = Bytes(text.utf8)
        let index = try #require(MarkupIndex(bytes, isHTML: isHTML))
        var folds = RowFolds()
        folds.setFolds(folded.map { (row: $0, hiding: index.foldable($0)) })
        return (0..<folds.visibleCount(of: index.rows.count)).map { place in
            let row = folds.row(at: place)
            return index.spans(row: row, in: bytes, isFolded: folds.isFolded(row), columns: 200).map(\.text).joined()
        }
    }

    private static let feed = """
        <?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>
        <feed a='1'
              b="x > y"><title>A &amp; B</title><e/><e></e>
          <!-- two
               lines --><entry>one
        two<b>bold</b></entry><![CDATA[<raw> ]]]></feed>
        """

    @Test func xmlIsLaidOutInRows() throws {
        #expect(
            try shown(Self.feed, isHTML: false) == [
                "<?xml version=\"1.0\"?>",
                "<!DOCTYPE a [<!ENTITY b \"c\">]>",
                "<feed a='1' b=\"x > y\">",
                "  <title>A &amp; B</title>",
                "  <e/>",
                "  <e></e>",
                "  <!-- two",
                "  lines -->",
                "  <entry>",
                "    one",
                "    two",
                "    <b>bold</b>",
                "  </entry>",
                "  <![CDATA[<raw> ]]]>",
                "</feed>",
            ])
    }

    @Test func foldedElementsTakeOneRow() throws {
        let rows = try shown(Self.feed, isHTML: false, folded: [8])
        #expect(rows[8] == "  <entry>…</entry>")
        #expect(rows.count == 11)
        #expect(try shown(Self.feed, isHTML: false, folded: [2, 8]).last == "<feed a='1' b=\"x > y\">…</feed>")
    }

    @Test func piecesHaveTheirStyles() throws {
        let bytes = Bytes("<a k=\"v\">x&lt;</a>".utf8)
        let index = try #require(MarkupIndex(bytes, isHTML: false))
        let spans = index.spans(row: 0, in: bytes, columns: 80, matches: [9..<10]).map { "\($0.text) \($0.style)" }
        #expect(
            spans == [
                "< punctuation", "a tag", "  plain", "k key", "= punctuation", "\"v\" string", "> punctuation",
                "x plain",
                "&lt; literal", "< punctuation", "/ punctuation", "a tag", "> punctuation",
            ])
        let side = index.spans(row: 0, in: bytes, skipping: 2, columns: 4).map(\.text).joined()
        #expect(side == " k=\"")
    }

    @Test(arguments: [
        ("<a><b></a>", 6, "</a> closes <b>"), ("<a>", 0, "<a> is never closed"), ("<a/></b>", 4, "</b> closes nothing"),
        ("<a b=c/>", 5, "the value of an attribute must be in quotes"),
        ("<a>1 < 2</a>", 5, "'<' in text must be written &lt;"),
        ("<a", 0, "this tag has no '>'"), ("<!-- x", 4, "<!-- without -->"),
        ("hello", 0, "text outside of the root element"),
        ("<a x='y>", 5, "this quote is never closed"), ("<A></a>", 3, "</a> closes nothing"),
        (" ", 1, "there is no element"),
    ])
    func theFirstMistakeOfXMLIsTold(text: String, offset: Int, reason: String) throws {
        let index = try #require(MarkupIndex(Bytes(text.utf8), isHTML: false))
        #expect(index.problem == MarkupProblem(offset: offset, reason: reason))
        #expect(MarkupIndex(Bytes(text.utf8), isHTML: true)?.problem == nil)
    }

    @Test func htmlMayLeaveEndTagsOut() throws {
        let page = "<!DOCTYPE html><ul><li>one<li>two</ul><p>a<p>b<br>c 1 < 2<SCRIPT>if (a < b) {\n  x()\n}</script>"
        #expect(
            try shown(page, isHTML: true) == [
                "<!DOCTYPE html>", "<ul>", "  <li>", "    one", "  <li>", "    two", "</ul>", "<p>", "  a", "<p>",
                "  b",
                "  <br>", "  c 1 < 2", "  <SCRIPT>", "    if (a < b) {", "    x()", "    }", "  </script>",
            ])
    }

    @Test func aRowKnowsItsParentAndItsPlace() throws {
        let bytes = Bytes(Self.feed.utf8)
        let index = try #require(MarkupIndex(bytes, isHTML: false))
        #expect(index.parent(of: 11) == 8)
        #expect(index.parent(of: 12) == 8)
        #expect(index.parent(of: 8) == 2)
        #expect(index.parent(of: 2) == nil)
        #expect(index.row(at: index.rows[9].range.lowerBound) == 9)
        let isGivenUp = MarkupIndex(bytes, isHTML: false, isCancelled: { true }) == nil
        #expect(isGivenUp)
    }

    @Test func deepNestingIsNoTrouble() throws {
        let bytes = Bytes(String(repeating: "<a>", count: 70_000).utf8)
        let index = try #require(MarkupIndex(bytes, isHTML: false))
        #expect(index.rows.count == 70_000)
        #expect(index.foldable(0) == 1..<70_000)
    }

    @Test(arguments: [true, false])
    func damagedMarkupIsShownAsItIs(isHTML: Bool) throws {
        let sample = "<?x?><a b='c' d=e><!-- f\n --><g/>h &i; <script>j</script><li>k<li></a><![CDATA[l]]>"
        for version in Damage.versions(of: Array(sample.utf8)) {
            let bytes = Bytes(version)
            let index = try #require(MarkupIndex(bytes, isHTML: isHTML))
            var isRight = zip(index.rows, index.rows.dropFirst()).allSatisfy {
                $0.range.upperBound <= $1.range.lowerBound
            }
            for row in index.rows.indices {
                let spans = index.spans(row: row, in: bytes, isFolded: true, columns: 20)
                isRight =
                    isRight && spans.reduce(0) { $0 + $1.columns } <= 20
                    && index.foldable(row).upperBound <= index.rows.count
            }
            #expect(isRight, "\(String(decoding: version, as: UTF8.self))")
        }
    }

    @Test func foldsAreCountedThroughAndThrough() {
        var folds = RowFolds()
        folds.setFolds([(row: 1, hiding: 2..<5), (row: 3, hiding: 4..<5), (row: 7, hiding: 8..<10)])
        #expect(folds.visibleCount(of: 12) == 7)
        #expect((0..<7).map { folds.row(at: $0) } == [0, 1, 5, 6, 7, 10, 11])
        #expect((0..<12).map { folds.place(of: $0) } == [0, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6])
        folds.toggle(1, hiding: 2..<5)
        #expect((0..<9).map { folds.row(at: $0) } == [0, 1, 2, 3, 5, 6, 7, 10, 11])
        folds.reveal(8)
        #expect(!folds.isFolded(7))
        folds.unfoldAll()
        #expect(folds.visibleCount(of: 12) == 12)
    }
}
