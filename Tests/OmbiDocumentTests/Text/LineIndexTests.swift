import TestSupport
import Testing

@testable import OmbiDocument

struct LineIndexTests {
    /// The lines as plainly as they can be told apart.
    private static func lines(_ text: [UInt8]) -> [ByteRange] {
        var lines: [ByteRange] = []
        var start = 0
        var index = 0
        while index < text.count {
            let isCRLF = text[index] == 13 && index + 1 < text.count && text[index + 1] == 10
            if text[index] == 10 || text[index] == 13 {
                lines.append(start..<index)
                index += isCRLF ? 1 : 0
                start = index + 1
            }
            index += 1
        }
        if start < text.count || lines.isEmpty { lines.append(start..<text.count) }
        return lines
    }

    @Test(arguments: [
        "", "a", "\n", "a\n", "a\nb", "a\r\nb", "a\rb", "a\r", "\r\n", "\r\r\n\n", "a\n\nb\n", "\n\r", "\r\n\r",
    ])
    func `lines end at every kind of line end`(text: String) {
        check(Array(text.utf8))
    }

    @Test(arguments: 0..<24)
    func `lines of any text are found`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let size = [10, 100, 4500, 9000][seed % 4]
        let letters: [UInt8] = size < 1000 ? [10, 13, 97] : Array(repeating: 97, count: 60) + [10, 13, 10]
        check(random.pick(size, of: letters))
    }

    private func check(_ text: [UInt8]) {
        let bytes = Bytes(text)
        let expected = Self.lines(text)
        let index = LineIndex(bytes)
        #expect(index.lineCount(in: bytes) == expected.count)
        for (number, line) in expected.enumerated() where expected.count < 50 || number % 29 == 0 {
            #expect(index.range(of: number, in: bytes) == line)
            #expect(index.line(at: line.lowerBound, in: bytes) == number)
            #expect(index.line(at: line.upperBound, in: bytes) == number)
            #expect(index.range(around: line.lowerBound, in: bytes) == line)
            #expect(LineIndex().range(around: line.upperBound, in: bytes) == line)
        }
        #expect(index.range(of: expected.count, in: bytes) == nil)
        #expect(index.range(of: -1, in: bytes) == nil)
    }

    @Test(arguments: 0..<4)
    func `a text that arrives in pieces has the same lines`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let text = random.pick(9000, of: [10, 13] + Array(repeating: 97, count: 60) as [UInt8])
        let whole = Bytes(text)
        var index = LineIndex()
        var arrived = 0
        while arrived < text.count {
            arrived = min(text.count, arrived + Int(random.next() % 700))
            index.extend(over: whole[0..<arrived], isComplete: false)
            #expect(index.lineCount(in: whole[0..<arrived]) <= LineIndex(whole).lineCount(in: whole) + 1)
        }
        index.extend(over: whole, isComplete: true)
        #expect(index.isComplete)
        let expected = Self.lines(text)
        #expect(index.lineCount(in: whole) == expected.count)
        #expect((0..<expected.count).map { index.range(of: $0, in: whole) } == expected)
    }

    @Test func `a limit stops the work in between`() {
        let bytes = Bytes(Array(repeating: UInt8(10), count: 10_000))
        var index = LineIndex()
        index.extend(over: bytes, isComplete: true, limit: 6000)
        #expect(index.indexed == 6000)
        #expect(!index.isComplete)
        index.extend(over: bytes, isComplete: true, limit: 6000)
        #expect(index.isComplete)
        #expect(index.lineCount(in: bytes) == 10_000)
    }

    @Test func `a carriage return at the end of a piece waits for what follows`() {
        let bytes = Bytes("a\r\nb".utf8)
        var index = LineIndex()
        index.extend(over: bytes[0..<2], isComplete: false)
        #expect(index.lineCount(in: bytes[0..<2]) == 1)
        index.extend(over: bytes, isComplete: true)
        #expect(index.lineCount(in: bytes) == 2)
    }
}
