import OmbiDocument
import Testing

struct TranscoderTests {
    static let samples: [(Charset, [UInt8], String)] = [
        (.windows1252, [0x80, 0x41, 0xE9, 0x93, 0xFF], "€Aé“ÿ"),
        (.utf16LittleEndian, [0x41, 0, 0xAC, 0x20, 0x3D, 0xD8, 0x00, 0xDE, 0x42, 0], "A€😀B"),
        (.utf16BigEndian, [0, 0x41, 0x20, 0xAC, 0xD8, 0x3D, 0xDE, 0x00, 0, 0x42], "A€😀B"),
        (.utf32LittleEndian, [0x41, 0, 0, 0, 0x00, 0xF6, 0x01, 0], "A😀"),
        (.utf32BigEndian, [0, 0, 0, 0x41, 0, 0x01, 0xF6, 0x00], "A😀"),
        (.other("cp932"), [0x93, 0x8C, 0x8B, 0x9E, 0x41], "東京A"),
        (.other("iso-8859-2"), [0xB1, 0xE8], "ąč"),
        (.other("euc-jp"), [0xC5, 0xEC, 0xB5, 0xFE], "東京"),
        (.other("iso-2022-jp"), [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x35, 0x7E, 0x1B, 0x28, 0x42, 0x41], "東京A"),
        (.utf8, Array("a東😀".utf8), "a東😀"),
    ]

    @Test(arguments: samples)
    func textIsTranscodedWholeAndInPieces(charset: Charset, bytes: [UInt8], text: String) throws {
        let whole = try #require(Transcoder.text(Bytes(bytes), from: charset))
        #expect(String(decoding: whole.utf8, as: UTF8.self) == text)
        #expect(whole.firstBad == nil)
        for size in 1...3 {
            var transcoder = try #require(Transcoder(charset))
            var output: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let end = min(bytes.count, start + size)
                output += transcoder.feed(Bytes(bytes[start..<end]), isLast: end == bytes.count)
            }
            #expect(String(decoding: output, as: UTF8.self) == text, "in pieces of \(size)")
        }
        for version in Damage.versions(of: bytes) {
            let damaged = try #require(Transcoder.text(Bytes(version), from: charset))
            let isValid = String(validating: damaged.utf8, as: UTF8.self) != nil
            #expect(isValid)
        }
    }

    @Test(
        arguments: [
            (.utf16LittleEndian, [0x41, 0, 0x3D, 0xD8, 0x42, 0], "A\u{FFFD}B", 2),
            (.utf16BigEndian, [0, 0x41, 0x42], "A\u{FFFD}", 2),
            (.utf8, [0x41, 0xFF, 0x42, 0xE2, 0x82], "A\u{FFFD}B\u{FFFD}", 1),
            (.other("euc-jp"), [0x41, 0xFF, 0x42], "A\u{FFFD}B", 1),
            (.other("cp932"), [0x41, 0x93], "A\u{FFFD}", 1),
        ] as [(Charset, [UInt8], String, Int)])
    func badBytesAreReplacedAndTold(charset: Charset, bytes: [UInt8], text: String, offset: Int) throws {
        let found = try #require(Transcoder.text(Bytes(bytes), from: charset))
        #expect(String(decoding: found.utf8, as: UTF8.self) == text)
        #expect(found.firstBad == offset)
    }

    @Test func anEncodingThatNobodyKnowsIsRefused() {
        #expect(Transcoder(.other("klingon")) == nil)
        #expect(Charset(label: "no label!") == nil)
    }

    @Test func transcodingCanBeGivenUp() {
        #expect(Transcoder.text(Bytes([65]), from: .windows1252, isCancelled: { true }) == nil)
    }
}
