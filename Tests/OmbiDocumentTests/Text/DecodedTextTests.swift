import Testing

@testable import OmbiDocument

struct DecodedTextTests {
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
    ]

    private struct Decoded: Equatable {
        var text: [UInt8]
        var firstBad: Int?
    }

    /// The text of some bytes that come in portions, each of so many as the next size says.
    private static func decode(
        _ bytes: [UInt8], _ charset: Charset, portions: some Sequence<Int> = []
    ) throws -> Decoded {
        let body = Bytes(bytes)
        let decoded = try #require(DecodedText(charset))
        var (end, before) = (0, Bytes.empty)
        for size in portions where end < body.count {
            end = min(body.count, end + size)
            let text = decoded.extend(over: body[0..<end], isComplete: false)
            #expect(before.isEmpty || text.base == before.base, "the text does not move")
            #expect(text.starts(with: before.array(0..<before.count)), "the text only grows")
            before = text
        }
        let text = decoded.extend(over: body, isComplete: true)
        #expect(!decoded.isCutOff)
        return Decoded(text: text.array(0..<text.count), firstBad: decoded.firstBad)
    }

    @Test(arguments: samples)
    func `text is decoded whole and while it arrives`(charset: Charset, bytes: [UInt8], text: String) throws {
        let whole = try Self.decode(bytes, charset)
        #expect(String(decoding: whole.text, as: UTF8.self) == text)
        #expect(whole.firstBad == nil)
        for size in 1...3 {
            let portions = repeatElement(size, count: bytes.count)
            #expect(try Self.decode(bytes, charset, portions: portions) == whole, "in portions of \(size)")
        }
    }

    @Test(arguments: samples)
    func `damaged text is the same in portions`(charset: Charset, bytes: [UInt8], text: String) throws {
        for version in Damage.versions(of: bytes) {
            let whole = try Self.decode(version, charset)
            #expect(String(validating: whole.text, as: UTF8.self) != nil)
            let portions = repeatElement(1, count: version.count)
            #expect(try Self.decode(version, charset, portions: portions) == whole, "\(version)")
        }
    }

    @Test func `text longer than a piece is decoded without a seam`() throws {
        let text = String(repeating: "東京a€", count: 200_000)
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for (charset, bytes) in [(Charset.utf16LittleEndian, little), (.utf16BigEndian, big)] {
            let found = try Self.decode(bytes, charset, portions: [1, 77_777, 262_144, 500_001])
            let isRight = found.text == Array(text.utf8)
            #expect(isRight)
            #expect(found.firstBad == nil)
        }
    }

    @Test func `a letter that waits for a mark comes at the end`() throws {
        // In Big5-HKSCS 0x8866 is Ê, and 0x8862 is Ê with a macron.
        #expect(try Self.decode([0x41, 0x88, 0x66], .other("big5-hkscs")).text == Array("A\u{CA}".utf8))
        #expect(try Self.decode([0x88, 0x62], .other("big5-hkscs")).text == Array("\u{CA}\u{304}".utf8))
    }

    @Test func `a byte that is many letters has room`() throws {
        // In TSCII this one stands for four letters of Tamil, twelve bytes.
        let bytes = [UInt8](repeating: 0x82, count: 30_000)
        #expect(try Self.decode(bytes, .other("tscii")).text.count == 12 * bytes.count)
    }

    @Test(
        arguments: [
            (.utf16LittleEndian, [0x41, 0, 0x3D, 0xD8, 0x42, 0], "A\u{FFFD}B", 2),
            (.utf16BigEndian, [0, 0x41, 0x42], "A\u{FFFD}", 2),
            (.other("euc-jp"), [0x41, 0xFF, 0x42], "A\u{FFFD}B", 1),
            (.other("cp932"), [0x41, 0x93], "A\u{FFFD}", 1),
        ] as [(Charset, [UInt8], String, Int)])
    func `bad bytes are replaced and reported`(charset: Charset, bytes: [UInt8], text: String, offset: Int) throws {
        let found = try Self.decode(bytes, charset)
        #expect(String(decoding: found.text, as: UTF8.self) == text)
        #expect(found.firstBad == offset)
    }

    @Test func `an encoding that nobody knows is refused`() {
        #expect(DecodedText(.other("klingon")) == nil)
        #expect(Charset(label: "no label!") == nil)
    }

    @Test func `decoding can be given up`() throws {
        let decoded = try #require(DecodedText(.windows1252))
        #expect(decoded.extend(over: Bytes([65]), isComplete: true, isCancelled: { true }).isEmpty)
    }

    @Test func `without memory the text ends`() throws {
        let memory = try #require(GrowingMemory(capacity: 1 << 20))
        #expect(memory.append(atMost: 1 << 20) { $0.append(byte: 65) })
        #expect(memory.append(atMost: (1 << 20) - 1) { $0.append(byte: 66) })
        #expect(!memory.append(atMost: (1 << 20) - 1) { $0.append(byte: 67) })
        #expect(memory.count == 2)
        memory.trim()
        #expect((memory.base[0], memory.base[1]) == (65, 66))
    }
}
