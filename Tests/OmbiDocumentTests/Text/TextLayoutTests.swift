import TestSupport
import Testing

@testable import OmbiDocument

struct TextLayoutTests {
    private func layout(_ text: [UInt8], columns: Int?) -> TextLayout {
        let bytes = Bytes(text)
        return TextLayout(bytes: bytes, lines: LineIndex(bytes), columns: columns)
    }

    private func texts(_ text: String, columns: Int?) -> [String] {
        let layout = layout(Array(text.utf8), columns: columns)
        return layout.rows(from: layout.row(at: 0), limit: 100).map { layout.bytes.text($0.range) }
    }

    @Test func `without wrapping a line is a row`() {
        #expect(texts("one\r\ntwo\n\nfour", columns: nil) == ["one", "two", "", "four"])
        #expect(texts("one\n", columns: nil) == ["one"])
        #expect(texts("", columns: nil) == [""])
    }

    @Test func `long lines wrap at the width`() {
        #expect(texts("abcdefgh\nij", columns: 3) == ["abc", "def", "gh", "ij"])
        #expect(texts("abcdef\n", columns: 3) == ["abc", "def"])
        #expect(texts("\n\n", columns: 3) == ["", ""])
    }

    @Test func `wide letters are not cut in two`() {
        #expect(texts("a東京b", columns: 2) == ["a", "東", "京", "b"])
        #expect(texts("東京", columns: 1) == ["東", "京"])
    }

    @Test func `marks stay with their letters`() {
        #expect(texts("abe\u{301}f", columns: 3) == ["abe\u{301}", "f"])
        #expect(texts("👩‍💻x👍🏽y", columns: 3) == ["👩‍", "💻x", "👍🏽y"])
    }

    @Test func `a tab reaches to its stop`() {
        #expect(texts("ab\tcd", columns: 9) == ["ab\tc", "d"])
    }

    @Test func `a row knows its place in the line`() {
        let layout = layout(Array("abcdef".utf8), columns: 4)
        let first = layout.row(at: 1)
        #expect(first.startsLine)
        #expect(!first.endsLine)
        let second = layout.row(at: 99)
        #expect(second.range == 4..<6)
        #expect(!second.startsLine)
        #expect(second.endsLine)
        #expect(layout.row(after: second) == nil)
        #expect(layout.row(before: first) == nil)
    }

    static let alphabets: [[String]] = [
        ["a", "b", " ", "\n"], ["a", "東", "é", "e\u{301}", "\t", "\n"], ["x", "\u{301}"], ["👩‍💻", "👍🏽", "\u{202E}"],
    ]

    @Test(arguments: 0..<16)
    func `going up gives the same rows as going down`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let columns = [1, 7, 80, 5000][seed / 4]
        let text = random.pick(columns == 80 ? 3500 : 150, of: Self.alphabets[seed % 4]).joined()
        check(Array(text.utf8), columns: columns)
    }

    @Test(arguments: [1, 33, 80])
    func `any bytes are cut into rows`(columns: Int) {
        var random = SeededRandom(seed: columns)
        let noise = (0..<(columns * 110)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        check(noise, columns: columns)
        check(noise.filter { $0 != 10 && $0 != 13 }, columns: columns)
    }

    private func check(_ text: [UInt8], columns: Int) {
        let layout = layout(text, columns: columns)
        var isRight = true
        let down = layout.rows(from: layout.row(at: 0), limit: .max)
        var up = [layout.row(at: text.count)]
        while let last = up.last, let above = layout.row(before: last) { up.append(above) }
        #expect(down == up.reversed())
        for row in down {
            isRight = isRight && layout.row(at: row.range.lowerBound) == row
            let spans = SpanBuilder.spans(of: row.range, in: layout.bytes, columns: columns)
            let width = spans.reduce(0) { $0 + $1.columns }
            isRight = isRight && (width <= columns || columns == 1 && width == 2)
        }
        #expect(isRight)
        let gaps = zip(down, down.dropFirst()).filter {
            $0.line == $1.line && $0.range.upperBound != $1.range.lowerBound
        }
        #expect(gaps.isEmpty)
    }

    @Test func `no distance is too far`() {
        let layout = layout(Array("one\ntwo\nthree".utf8), columns: nil)
        #expect(layout.row(layout.row(at: 5), movedBy: .min) == layout.row(at: 0))
        #expect(layout.row(layout.row(at: 5), movedBy: .max) == layout.row(at: 13))
        let tree = JSONTree(JSONIndex.document(Bytes("[1,2]".utf8)), columns: 80)
        #expect(tree.first.map { tree.row($0, movedBy: .max) } == tree.last)
        #expect(tree.last.map { tree.row($0, movedBy: .min) } == tree.first)
    }

    @Test func `a huge line is answered for at its end`() {
        let layout = layout(Array(repeating: UInt8(ascii: "x"), count: 1_000_000), columns: 80)
        #expect(layout.row(at: 999_990).range == 999_920..<1_000_000)
        let row = layout.row(layout.row(at: 500_000), movedBy: -3)
        #expect(row.range == 499_760..<499_840)
        #expect(layout.row(row, movedBy: 3) == layout.row(at: 500_000))
    }

    @Test func `an all marks line is cut`() {
        let text = Array(String(repeating: "\u{301}", count: 20_000).utf8)
        let layout = layout(text, columns: 80)
        #expect(layout.rows(from: layout.row(at: 0), limit: .max).count >= 10)
    }
}
