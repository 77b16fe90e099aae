import TestSupport
import Testing

@testable import OmbiDocument

struct LineDiffTests {
    private func changes(_ old: String, _ new: String) -> [LineChange] {
        LineDiff.changes(from: Bytes(old.utf8), to: Bytes(new.utf8)) ?? []
    }

    @Test func `changed added and removed lines are reported`() {
        #expect(changes("a\nb\nc\n", "a\nx\nc\n") == [LineChange(old: 1..<2, new: 1..<2)])
        #expect(changes("a\nb\n", "a\nn\nb\n") == [LineChange(old: 1..<1, new: 1..<2)])
        #expect(changes("a\nb\nc", "b\nc") == [LineChange(old: 0..<1, new: 0..<0)])
        #expect(changes("", "a") == [LineChange(old: 0..<0, new: 0..<1)])
        #expect(changes("a\r\nb", "a\nb\n").isEmpty)
        #expect(changes("", "").isEmpty)
    }

    @Test func `moved lines are removed here and added there`() {
        let found = changes("one\ntwo\nthree\nfour\n", "three\none\ntwo\nfour\n")
        #expect(found == [LineChange(old: 0..<0, new: 0..<1), LineChange(old: 2..<3, new: 3..<3)])
    }

    @Test(arguments: 0..<40)
    func `the changes turn one text into the other`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let letters = Array("abcdefgh".prefix(2 + seed % 7)).map(String.init) + (0..<seed % 5).map { "line \($0)" }
        let old = random.pick(5 + seed * 2, of: letters)
        let new = seed % 2 == 0 ? random.pick(5 + seed, of: letters) : Array(old.dropFirst(2) + ["z"] + old.prefix(3))
        let found = changes(old.joined(separator: "\n"), new.joined(separator: "\n"))
        var made: [String] = []
        var next = 0
        for change in found {
            made += old[next..<change.old.lowerBound]
            #expect(made.count == change.new.lowerBound)
            made += new[change.new]
            next = change.old.upperBound
        }
        made += old[next...]
        #expect(made == new)
    }

    @Test func `texts with nothing in common are one change`() {
        let old = (0..<600).map { "old \($0)" }.joined(separator: "\n")
        let new = (0..<500).map { "new \($0)" }.joined(separator: "\n")
        #expect(changes(old, new) == [LineChange(old: 0..<600, new: 0..<500)])
    }

    @Test func `comparing can be given up`() {
        #expect(LineDiff.changes(from: .empty, to: .empty, isCancelled: { true }) == nil)
    }

    @Test func `many changes among lines that occur often are reported one by one`() {
        let old = (0..<20_000).map { "\($0 * 7919 % 50)" }
        var new = old
        for line in stride(from: 10, to: 20_000, by: 100) { new[line] = "x" }
        let found = changes(old.joined(separator: "\n"), new.joined(separator: "\n"))
        #expect(found.count == 200)
    }
}
