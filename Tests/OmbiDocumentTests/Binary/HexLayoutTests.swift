import OmbiDocument
import Testing

struct HexLayoutTests {
    @Test func `a row has offset bytes and letters`() {
        let bytes = Bytes(Array("0123456789abcdefHi\n".utf8) + [0, 0xFF])
        #expect(HexLayout.rowCount(of: bytes.count) == 2)
        let text = (0..<2).map { HexLayout.spans(row: $0, in: bytes).map(\.text).joined() }
        #expect(text[0] == "00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef")
        #expect(text[1] == "00000010  48 69 0a 00 ff                                    Hi...")
        #expect(HexLayout.spans(row: 2, in: bytes).isEmpty)
        #expect(HexLayout.spans(row: -1, in: .empty).isEmpty)
    }

    @Test func `matches are marked in both parts`() {
        let bytes = Bytes((0x41..<0x61).map { UInt8($0) })
        let marked = HexLayout.spans(row: 0, in: bytes, matches: [1..<3, 14..<18]).filter(\.isMatch).map(\.text)
        #expect(marked == ["42 43", "4f 50", "BC", "OP"])
        #expect(
            HexLayout.spans(row: 1, in: bytes, matches: [14..<18]).filter(\.isMatch).map(\.text) == ["51 52", "QR"])
    }

    @Test func `columns are counted`() {
        let spans = HexLayout.spans(row: 0, in: Bytes([1, 2, 3]))
        #expect(spans.allSatisfy { $0.columns == $0.text.count })
        #expect(spans.reduce(0) { $0 + $1.columns } == 10 + 49 + 1 + 3)
    }
}
