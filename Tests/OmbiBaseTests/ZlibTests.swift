import OmbiBase
import Testing

@Suite struct ZlibTests {
    private static let samples: [[UInt8]] = [
        [7], Array("hello hello hello".utf8), [UInt8](repeating: 0, count: 100_000),
        (0..<70_000).map { UInt8($0 % 251) },
    ]

    @Test(arguments: samples, [-1, 1, 9])
    func `what is compressed expands to the same bytes`(bytes: [UInt8], level: Int) throws {
        let zlib = try #require(Zlib.shared)
        let made = try #require(bytes.withUnsafeBytes { zlib.compressed($0, level: level) })
        #expect(made.withUnsafeBytes { zlib.expanded($0, size: bytes.count) } == bytes)
        #expect(made.withUnsafeBytes { zlib.expanded($0, size: bytes.count + 1) } == nil, "another size")
        #expect(made.dropLast().withUnsafeBytes { zlib.expanded($0, size: bytes.count) } == nil, "cut off")
    }

    @Test func `a size that no such bytes can have asks for no memory`() throws {
        let zlib = try #require(Zlib.shared)
        let made = try #require(Array("hello".utf8).withUnsafeBytes { zlib.compressed($0, level: 1) })
        #expect(made.withUnsafeBytes { zlib.expanded($0, size: .max) } == nil)
        #expect(made.withUnsafeBytes { zlib.expanded($0, size: -1) } == nil)
    }

    @Test(arguments: [("", UInt32(0)), ("123456789", 0xCBF4_3926)])
    func `a checksum is that of gzip`(text: String, sum: UInt32) throws {
        let zlib = try #require(Zlib.shared)
        #expect(Array(text.utf8).withUnsafeBytes { zlib.checksum($0) } == sum)
        #expect(zlib.checksum(UnsafeRawBufferPointer(start: nil, count: 0)) == 0)
    }
}
