import TestSupport
import Testing

@testable import OmbiDocument

/// Two texts, or two bodies of bytes, as the text that shows what differs.
struct DiffTextTests {
    private func lines(_ old: String, _ new: String, context: Int = 3) -> [String] {
        var text = DiffText(old: "old", new: "new", context: context)
        let isDone = text.add(from: Bytes(old.utf8), to: Bytes(new.utf8))
        #expect(isDone)
        return DiffSample.lines(of: text)
    }

    private func numbers(_ range: ClosedRange<Int>, changing changed: [Int: String] = [:]) -> String {
        range.map { changed[$0] ?? "\($0)" }.joined(separator: "\n")
    }

    @Test func `changed lines stand between those around them, behind the place in both texts`() {
        #expect(
            lines(numbers(1...20), numbers(1...20, changing: [10: "ten", 11: "eleven"])) == [
                "--- old", "+++ new", "@@ -7,8 +7,8 @@", " 7", " 8", " 9", "-10", "-11", "+ten", "+eleven", " 12",
                " 13",
                " 14",
            ])
    }

    @Test func `changes that lie close together share their lines, others have a place each`() {
        let close = lines(numbers(1...20), numbers(1...20, changing: [5: "five", 12: "twelve"]))
        #expect(close.filter { $0.hasPrefix("@@") } == ["@@ -2,14 +2,14 @@"])
        let far = lines(numbers(1...20), numbers(1...20, changing: [5: "five", 13: "thirteen"]))
        #expect(far.filter { $0.hasPrefix("@@") } == ["@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"])
        #expect(far.count == 2 + 2 * 9)
    }

    @Test func `what is added before, behind and to nothing has a place, too`() {
        #expect(lines("b\n", "a\nb\n") == ["--- old", "+++ new", "@@ -1,1 +1,2 @@", "+a", " b"])
        #expect(lines("b", "b\nc") == ["--- old", "+++ new", "@@ -1,1 +1,2 @@", " b", "+c"])
        #expect(lines("", "a") == ["--- old", "+++ new", "@@ -0,0 +1,1 @@", "+a"])
        #expect(lines("a\nb\nc", "a\nc", context: 0) == ["--- old", "+++ new", "@@ -2,1 +1,0 @@", "-b"])
    }

    @Test func `line ends do not count, and texts that are the same have no differences`() {
        var text = DiffText(old: "a", new: "b")
        let isDone = text.add(from: Bytes("a\r\nb\r".utf8), to: Bytes("a\nb".utf8))
        #expect(isDone)
        #expect(text.isSame && text.count == 0)
    }

    @Test(arguments: 0..<30)
    func `the text turns one text into the other`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let letters = Array("abcdef".prefix(2 + seed % 5)).map(String.init)
        let old = random.pick(3 + seed, of: letters) + (0..<seed % 4).map { "line \($0)" }
        let new = random.pick(2 + seed, of: letters) + (0..<seed % 3).map { "line \($0)" }
        let shown = lines(old.joined(separator: "\n"), new.joined(separator: "\n"), context: 1000).dropFirst(3)
        func side(_ sign: Character) -> [String] {
            shown.filter { $0.first == sign || $0.first == " " }.map { String($0.dropFirst()) }
        }
        #expect(shown.isEmpty && old == new || side("-") == old && side("+") == new)
    }

    @Test func `long lines are cut around what differs`() {
        let before = String(repeating: "é", count: 10_000)
        let shown = lines(before + "1" + before, before + "2" + before)
        #expect(shown[3].hasPrefix("-\u{2026}(18,97"), "\(shown[3].prefix(40))")
        #expect(shown[3].contains("é1é") && shown[4].contains("é2é"))
        #expect(shown[3].hasSuffix(" bytes)\u{2026}") && !shown[3].contains("\u{FFFD}"))
        #expect(shown.allSatisfy { $0.utf8.count < 5000 })
    }

    @Test func `a text that would be too long ends with a word about it`() {
        var text = DiffText(old: "old", new: "new", limit: 1000)
        let old = (0..<1000).map { "\($0)" }.joined(separator: "\nsame\nsame\nsame\nsame\nsame\nsame\nsame\n")
        let new = old.split(separator: "\n").map { $0 == "same" ? "same" : "x\($0)" }.joined(separator: "\n")
        let isDone = text.add(from: Bytes(old.utf8), to: Bytes(new.utf8))
        #expect(isDone)
        #expect(text.isCut && text.count < 100)
        #expect(DiffSample.lines(of: text).last == "@@ more differs, which is not shown")
        #expect(text.bytes.count < 1200)
    }

    @Test func `names are kept on their lines`() {
        #expect(DiffSample.lines(of: DiffText(old: "a\nb\u{1B}", new: "é")) == ["--- a?b?", "+++ é"])
    }

    @Test func `of bytes the first that differs is shown in its row`() {
        let old = (0..<40).map { UInt8($0) }
        var new = old
        new[33] = 0xFF
        var text = DiffText(old: "old", new: "new")
        let place = text.addBytes(from: Bytes(old), to: Bytes(new))
        #expect(place == 33)
        #expect(
            DiffSample.lines(of: text).dropFirst(2) == [
                "@@ byte 33, the first that differs, of 40 and 40",
                "-00000020  20 21 22 23 24 25 26 27                            !\"#$%&'",
                "+00000020  20 ff 22 23 24 25 26 27                            .\"#$%&'",
            ])
        let none = text.addBytes(from: Bytes(old), to: Bytes(old))
        #expect(none == nil)
    }

    @Test func `bytes that go on where others end differ from there on`() {
        let old = (0..<32).map { UInt8($0) }
        var text = DiffText(old: "old", new: "new")
        let place = text.addBytes(from: Bytes(old), to: Bytes(old + [1]))
        #expect(place == 32)
        #expect(DiffSample.lines(of: text).dropFirst(3).map { $0.prefix(13) } == ["+00000020  01"])
    }

    @Test func `comparing can be given up`() {
        var text = DiffText(old: "old", new: "new")
        let isDone = text.add(from: Bytes("a".utf8), to: Bytes("b".utf8), isCancelled: { true })
        #expect(!isDone)
    }
}

enum DiffSample {
    static func lines(of text: DiffText) -> [String] {
        String(decoding: text.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}
