import OmbiDocument
import Testing

@Suite struct TextLocatorTests {
    private static let texts = ["", "one line, é and 😀", "a\nb\r\nc\rd\r\r\n\né\n", "\u{FEFF}x\ny", "\r\n\r\n"]

    /// Counted character by character.
    private static func position(_ offset: Int, in text: String) -> TextPosition {
        let bytes = Array(text.utf8)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var (line, column) = (1, 1)
        for index in start..<max(start, offset) {
            let isEnd =
                bytes[index] == 0x0A || bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
            if isEnd {
                (line, column) = (line + 1, 1)
            } else if bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        return TextPosition(line: line, column: column)
    }

    @Test(arguments: texts) func `in whatever order offsets come, each has its position`(text: String) {
        let count = text.utf8.count
        let orders = [Array(0...count), Array((0...count).reversed()), (0...count).map { $0 * 7 % (count + 1) }]
        for offsets in orders {
            var locator = TextLocator(Bytes(text.utf8))
            for offset in offsets { #expect(locator.position(of: offset) == Self.position(offset, in: text)) }
        }
    }

    /// With the line counted from its start each time this takes minutes.
    @Test func `a hundred thousand places of one line cost one pass`() {
        var locator = TextLocator(Bytes(repeatElement(0x61, count: 3_000_000)))
        let columns = stride(from: 0, to: 3_000_000, by: 30).map { locator.position(of: $0).column }
        #expect(columns.count == 100_000 && columns.last == 2_999_971)
    }
}
