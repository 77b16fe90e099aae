import OmbiDocument
import Testing

@Test func `a view answers for offsets outside of it`() {
    let bytes = Bytes("hello".utf8)
    #expect(bytes[-1] == 0)
    #expect(bytes[5] == 0)
    #expect(bytes[4] == UInt8(ascii: "o"))
    #expect(bytes.text(3..<99) == "lo")
    #expect(bytes.text(-4 ..< -2).isEmpty)
    #expect(bytes[1..<3].text(0..<9) == "el")
    #expect(Bytes.empty.isEmpty)
}

@Test func `a part keeps the memory alive`() {
    let part = Bytes(Array(repeating: UInt8(ascii: "x"), count: 100_000))[99_990..<100_000]
    #expect(part.text(0..<10) == "xxxxxxxxxx")
}

@Test func `a prefix is compared within the view`() {
    let bytes = Bytes("abc".utf8)
    #expect(bytes.starts(with: Array("bc".utf8), at: 1))
    #expect(!bytes.starts(with: Array("bcd".utf8), at: 1))
    #expect(!bytes.starts(with: Array("a".utf8), at: 4))
}
