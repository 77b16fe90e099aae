import Testing

@testable import OmbiDocument

struct MarkupIndexTests {
    private func shown(_ text: String, isHTML: Bool, folded: [Int] = []) throws -> [String] {
        let bytes = Bytes(text.utf8)
        let index = MarkupIndex(bytes, isHTML: isHTML)
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

    @Test func `XML is laid out in rows`() throws {
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

    @Test func `folded elements take one row`() throws {
        let rows = try shown(Self.feed, isHTML: false, folded: [8])
        #expect(rows[8] == "  <entry>…</entry>")
        #expect(rows.count == 11)
        #expect(try shown(Self.feed, isHTML: false, folded: [2, 8]).last == "<feed a='1' b=\"x > y\">…</feed>")
    }

    @Test func `pieces have their styles`() throws {
        let bytes = Bytes("<a k=\"v\">x&lt;</a>".utf8)
        let index = MarkupIndex(bytes, isHTML: false)
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
        ("<a", 0, "this tag has no '>'"), ("<!-- x", 0, "<!-- without -->"),
        ("hello", 0, "text outside of the root element"),
        ("<a x='y>", 5, "this quote is never closed"), ("<A></a>", 3, "</a> closes nothing"),
        (" ", 1, "there is no element"),
    ])
    func `the first mistake of XML is reported`(text: String, offset: Int, reason: String) throws {
        let index = MarkupIndex(Bytes(text.utf8), isHTML: false)
        #expect(index.problem == MarkupProblem(offset: offset, reason: reason))
        #expect(MarkupIndex(Bytes(text.utf8), isHTML: true).problem == nil)
    }

    @Test func `HTML may leave end tags out`() throws {
        let page = "<!DOCTYPE html><ul><li>one<li>two</ul><p>a<p>b<br>c 1 < 2<SCRIPT>if (a < b) {\n  x()\n}</script>"
        #expect(
            try shown(page, isHTML: true) == [
                "<!DOCTYPE html>", "<ul>", "  <li>", "    one", "  <li>", "    two", "</ul>", "<p>", "  a", "<p>",
                "  b",
                "  <br>", "  c 1 < 2", "  <SCRIPT>", "    if (a < b) {", "    x()", "    }", "  </script>",
            ])
    }

    @Test func `a row knows its parent and its place`() throws {
        let bytes = Bytes(Self.feed.utf8)
        let index = MarkupIndex(bytes, isHTML: false)
        #expect(index.parent(of: 11) == 8)
        #expect(index.parent(of: 12) == 8)
        #expect(index.parent(of: 8) == 2)
        #expect(index.parent(of: 2) == nil)
        #expect(index.row(at: index.rows[9].range.lowerBound) == 9)
        var givenUp = MarkupIndex(isHTML: false)
        givenUp.extend(over: bytes, isComplete: true, isCancelled: { true })
        #expect(givenUp.rows.isEmpty)
    }

    @Test func `deep nesting is no trouble`() throws {
        let bytes = Bytes(String(repeating: "<a>", count: 70_000).utf8)
        let index = MarkupIndex(bytes, isHTML: false)
        #expect(index.rows.count == 70_000)
        #expect(index.foldable(0) == 1..<70_000)
    }

    @Test(arguments: [true, false])
    func `damaged markup is shown as it is`(isHTML: Bool) throws {
        let sample = "<?x?><a b='c' d=e><!-- f\n --><g/>h &i; <script>j</script><li>k<li></a><![CDATA[l]]>"
        for version in Damage.versions(of: Array(sample.utf8)) {
            let bytes = Bytes(version)
            let index = MarkupIndex(bytes, isHTML: isHTML)
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

    /// The rows of a text that comes in portions of so many bytes, and what is shown meanwhile.
    private func inPortions(_ bytes: Bytes, isHTML: Bool, of size: Int) -> (MarkupIndex, [Int]) {
        var index = MarkupIndex(isHTML: isHTML)
        var counts: [Int] = []
        for end in stride(from: 0, to: bytes.count, by: size) {
            let before = index
            index.extend(over: bytes[0..<end], isComplete: false)
            counts.append(index.rows.count)
            let isKept = zip(before.rows, index.rows).allSatisfy { $0.range == $1.range && $0.depth == $1.depth }
            #expect(isKept, "rows that are there stay")
            let isFoldable = index.rows.indices.allSatisfy { index.foldable($0).upperBound <= index.rows.count }
            #expect(isFoldable, "an element that goes on ends with what has come")
        }
        index.extend(over: bytes, isComplete: true)
        return (index, counts)
    }

    @Test func `rows appear while they arrive`() {
        let bytes = Bytes(Self.feed.utf8)
        let (index, counts) = inPortions(bytes, isHTML: false, of: 1)
        #expect(Set(counts).count > index.rows.count - 3, "\(counts)")
        var early = MarkupIndex(isHTML: false)
        let item = Array("<item>\n<a>one</a>\n</item>\n".utf8)
        let feed = Bytes(Array("<feed>\n".utf8) + (0..<20).flatMap { _ in item })
        early.extend(over: feed, isComplete: false)
        #expect(early.rows.count > 40)
        #expect(early.foldable(0) == 1..<early.rows.count)
        #expect(early.spans(row: 0, in: feed, isFolded: true, columns: 80).map(\.text).joined() == "<feed>…")
        #expect(early.parent(of: 2) == 1)
        #expect(early.parent(of: 1) == 0)
    }

    @Test(arguments: [true, false])
    func `markup is the same in portions`(isHTML: Bool) {
        let sample =
            Self.feed + "<style>a < b\n</styl></STYLE><title>x</title><textarea> </textarea><p>a<p><b>1 < 2</b>\r\n"
            + "<i\n>x</i><u a=b c='d\n'>\n</u></?><?>x<!x><!-->y-->\n<![CDAT[]]><li><b>\n</b><li></x>"
            + String(repeating: "<w>", count: 3) + "<v>" + String(repeating: "v", count: 170) + "</v>"
        for version in Damage.versions(of: Array(sample.utf8)).enumerated().filter({ $0.offset % 7 == 0 }) {
            let bytes = Bytes(version.element)
            let whole = MarkupIndex(bytes, isHTML: isHTML)
            for size in [1, 5, 64] where size > 1 || version.offset % 49 == 0 {
                let (index, _) = inPortions(bytes, isHTML: isHTML, of: size)
                let isSame = index.rows.elementsEqual(whole.rows) && index.problem == whole.problem
                #expect(isSame, "\(String(decoding: version.element, as: UTF8.self)) in portions of \(size)")
            }
        }
    }

    @Test(arguments: [
        "<title>a</titles", "<title>a\n</titles></title>", "<b>a</bb></b>", "<!-", "<![CDATA", "<a b=c", "<", "</",
    ])
    func `what looks like an end is waited for`(text: String) {
        let bytes = Bytes(text.utf8)
        for isHTML in [true, false] {
            let whole = MarkupIndex(bytes, isHTML: isHTML)
            let (index, _) = inPortions(bytes, isHTML: isHTML, of: 1)
            #expect(index.rows.elementsEqual(whole.rows) && index.problem == whole.problem, "HTML: \(isHTML)")
        }
    }

    @Test func `a row of a megabyte is not read over and over`() {
        let bytes = Bytes("<a b='\(String(repeating: "x", count: 1 << 20))'/>".utf8)
        var index = MarkupIndex(isHTML: false)
        // A step for each portion would read 8 GB.
        for end in stride(from: 0, to: bytes.count, by: 64) { index.extend(over: bytes[0..<end], isComplete: false) }
        index.extend(over: bytes, isComplete: true)
        #expect(index.rows.count == 1)
        #expect(index.problem == nil)
    }

    @Test func `an element that ends with another one keeps its name`() throws {
        // The last row of the first <li> is the end tag of an element in it.
        #expect(try shown("<ul><li><b>\n</b><li>x</ul>", isHTML: true, folded: [1])[1] == "  <li>…")
    }

    @Test func `folds are counted through and through`() {
        var folds = RowFolds()
        folds.setFolds([(row: 1, hiding: 2..<5), (row: 3, hiding: 4..<5), (row: 7, hiding: 8..<10)])
        #expect(folds.visibleCount(of: 12) == 7)
        #expect((0..<7).map { folds.row(at: $0) } == [0, 1, 5, 6, 7, 10, 11])
        #expect((0..<12).map { folds.position(of: $0) } == [0, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6])
        folds.toggle(1, hiding: 2..<5)
        #expect((0..<9).map { folds.row(at: $0) } == [0, 1, 2, 3, 5, 6, 7, 10, 11])
        folds.reveal(8)
        #expect(!folds.isFolded(7))
        folds.unfoldAll()
        #expect(folds.visibleCount(of: 12) == 12)
    }
}

extension MarkupIndexTests {
    @Test func `parents are those that the rows are in`() {
        let texts = [
            (Self.feed, false), ("<a><b>\n<c>\n1</c></x></a><d/>", false),
            ("<ul><li>one<li>two\nthree</ul><p>a<p>b<br>c</i><div>\n<p>\nx</div>y", true),
        ]
        for (text, isHTML) in texts {
            let rows = MarkupIndex(Bytes(text.utf8), isHTML: isHTML)
            for row in rows.rows.indices {
                let node = rows.rows[row]
                let depth = node.depth + (node.kind == .close ? 1 : 0)
                let wanted = rows.rows[..<row].lastIndex { $0.kind == .open && $0.depth < depth && $0.end >= row }
                #expect(rows.parent(of: row) == wanted, "row \(row) of \(text)")
            }
        }
    }

    @Test func `the parent of a row is known however many are before it`() {
        let text = "<a>" + String(repeating: "<b/>", count: 200_000) + "</a>"
        let index = MarkupIndex(Bytes(text.utf8), isHTML: false)
        let others = (1..<200_000).filter { index.parent(of: $0) != 0 }
        #expect(others == [], "walking over those before would take an hour")
    }
}

@Test(arguments: [
    (IndexLimits(depth: 10), "<a>", IndexLimit.depth(10)), (IndexLimits(memory: 200), "<b/>", .memory(200)),
])
func `rows are made up to a limit`(limits: IndexLimits, piece: String, limit: IndexLimit) {
    let index = MarkupIndex(Bytes(String(repeating: piece, count: 1000).utf8), isHTML: false, limits: limits)
    #expect(index.limit == limit)
    #expect(index.rows.count == 11)
}
