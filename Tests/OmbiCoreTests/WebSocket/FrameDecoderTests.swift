import Foundation
import Testing

@testable import OmbiCore

@Suite struct FrameDecoderTests {
    typealias Item = FrameDecoder.Item

    /// Feeds bytes in portions of a size: what came of them, and the violation at the end.
    static func decode(
        _ bytes: Data, portions: Int = .max, limits: FrameDecoder.Limits = .init(frame: 1 << 20, message: 1 << 20)
    ) -> (items: [Item], violation: FrameViolation?) {
        var decoder = FrameDecoder(limits: limits)
        var items: [Item] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let portion = Data(rest.prefix(portions))
            rest = rest.dropFirst(portions)
            do {
                try portion.withUnsafeBytes { try decoder.decode($0, into: &items) }
            } catch {
                return (items, error as? FrameViolation)
            }
        }
        return (items, nil)
    }

    static func decode(_ frames: [WireFrame], portions: Int = .max) -> (items: [Item], violation: FrameViolation?) {
        decode(frames.reduce(Data()) { $0 + $1.bytes }, portions: portions)
    }

    @Test(arguments: [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537, 1 << 20])
    func `a payload of any length comes through, in any portions`(length: Int) {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let text = String(repeating: "x", count: length)
        for portions in length > 70_000 ? [65_536, .max] : [1, 3, 4096, .max] {
            #expect(Self.decode([.binary(payload)], portions: portions).items == [.binary(Data(payload))])
            #expect(Self.decode([.text(text)], portions: portions).items == [.text(text)])
        }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 11, .max])
    func `fragments become one message, with control frames in between`(portions: Int) {
        let frames: [WireFrame] = [
            .text("", isFinal: false), .continuation(Array("grü".utf8.prefix(3)), isFinal: false), .ping([1, 2]),
            .continuation(Array("grü".utf8.suffix(1)), isFinal: false), .pong(), .ping(), .continuation([]),
            .binary([9], isFinal: false), .continuation([], isFinal: false), .continuation([8, 7]), .text(""),
            .text("end"),
        ]
        let decoded = Self.decode(frames, portions: portions)
        #expect(decoded.violation == nil)
        #expect(
            decoded.items == [
                .ping(Data([1, 2])), .pong(Data()), .ping(Data()), .text("grü"), .binary(Data([9, 8, 7])), .text(""),
                .text("end"),
            ])
    }

    static let violations: [(String, [WireFrame], FrameViolation)] = [
        (
            "first reserved bit", [WireFrame(reserved: 4, opcode: 1, payload: [])],
            FrameViolation("a frame with reserved bits, though no extension was agreed on")
        ),
        (
            "second reserved bit", [WireFrame(reserved: 2, opcode: 9, payload: [])],
            FrameViolation("a frame with reserved bits, though no extension was agreed on")
        ),
        (
            "third reserved bit", [WireFrame(reserved: 1, opcode: 0, payload: [])],
            FrameViolation("a frame with reserved bits, though no extension was agreed on")
        ),
        ("opcode 3", [WireFrame(opcode: 3, payload: [])], FrameViolation("a frame with the unknown opcode 3")),
        ("opcode 7", [WireFrame(opcode: 7, payload: [1])], FrameViolation("a frame with the unknown opcode 7")),
        ("opcode 11", [WireFrame(opcode: 11, payload: [])], FrameViolation("a frame with the unknown opcode 11")),
        ("opcode 15", [WireFrame(opcode: 15, payload: [])], FrameViolation("a frame with the unknown opcode 15")),
        (
            "masked", [WireFrame(opcode: 1, mask: [1, 2, 3, 4], payload: [1])],
            FrameViolation("a masked frame, which only a client may send")
        ),
        (
            "ping in fragments", [WireFrame(isFinal: false, opcode: 9, payload: [])],
            FrameViolation("a ping frame in fragments")
        ),
        (
            "close in fragments", [WireFrame(isFinal: false, opcode: 8, payload: [])],
            FrameViolation("a close frame in fragments")
        ),
        (
            "long ping", [WireFrame(opcode: 9, payload: Array(repeating: 0, count: 126))],
            FrameViolation("a ping frame of more than 125 bytes")
        ),
        (
            "long close", [WireFrame(opcode: 8, payload: [3, 232] + Array(repeating: 65, count: 65_536))],
            FrameViolation("a close frame of more than 125 bytes")
        ),
        (
            "continuation of nothing", [.text("a"), .continuation([1])],
            FrameViolation("a continuation frame without a message to continue")
        ),
        (
            "message within a message", [.text("a", isFinal: false), .text("b")],
            FrameViolation("a new message before the end of the one before")
        ),
        (
            "length of 16 bits that fits into 7", [WireFrame(opcode: 2, payload: [1], lengthBytes: 2)],
            FrameViolation("a length of 1 in more bytes than it needs")
        ),
        (
            "length of 64 bits that fits into 16",
            [WireFrame(opcode: 2, payload: Array(repeating: 0, count: 65_535), lengthBytes: 8)],
            FrameViolation("a length of 65535 in more bytes than it needs")
        ),
        (
            "length of 64 bits", [WireFrame(opcode: 2, payload: [], claimedLength: 1 << 63)],
            FrameViolation("a length of more than 63 bits")
        ),
        (
            "longest length", [WireFrame(opcode: 2, payload: [], claimedLength: UInt64(Int64.max))],
            FrameViolation(.messageTooBig, "a frame of 9223372036854775807 bytes; the limit is 1048576")
        ),
        (
            "close with one byte", [WireFrame(opcode: 8, payload: [3])], FrameViolation("a close frame of one byte")
        ),
        (
            "close with a reason that is not UTF-8", [WireFrame(opcode: 8, payload: [3, 232, 0xFF])],
            FrameViolation(.invalidPayload, "a close reason that is not UTF-8")
        ),
        (
            "text that is not UTF-8", [WireFrame(opcode: 1, payload: [0x61, 0xC3, 0x28])],
            FrameViolation(.invalidPayload, "a text message that is not UTF-8")
        ),
        (
            "text that ends within a character", [.text("a", isFinal: false), .continuation([0xE2, 0x82])],
            FrameViolation(.invalidPayload, "a text message that ends within a character")
        ),
        (
            "text that goes wrong in a later fragment",
            [WireFrame(isFinal: false, opcode: 1, payload: [0xE2, 0x82]), .ping(), .continuation([0x28])],
            FrameViolation(.invalidPayload, "a text message that is not UTF-8")
        ),
    ]

    @Test(arguments: violations)
    func `what breaks a rule is refused, in any portions`(name: String, frames: [WireFrame], expected: FrameViolation) {
        for portions in [1, 2, 3, 13, .max] {
            #expect(Self.decode(frames, portions: portions).violation == expected, "\(name), \(portions)")
        }
    }

    @Test func `what came before a violation is delivered`() {
        let decoded = Self.decode([.text("good"), .ping([7]), WireFrame(opcode: 5, payload: []), .text("late")])
        #expect(decoded.items == [.text("good"), .ping(Data([7]))])
        #expect(decoded.violation == FrameViolation("a frame with the unknown opcode 5"))
    }

    @Test func `a rule is checked as soon as it can be`() {
        func violation(_ bytes: [UInt8]) -> FrameViolation? { Self.decode(Data(bytes)).violation }
        #expect(violation([0xC1]) != nil, "one byte shows the reserved bit")
        #expect(violation([0x89, 0x7E]) != nil, "two show a long ping")
        #expect(violation([0x82, 0x7F, 0x80]) != nil, "three show the 64th bit")
        #expect(violation([0x82, 0x7F, 0, 0, 0, 0, 0xFF, 0, 0, 0]) != nil, "the header shows what is too big")
        #expect(violation([0x01, 0x04, 0xC3, 0x28]) != nil, "a message is refused before it is whole")
        #expect(violation([0x81, 0x05, 0xF4, 0x90]) != nil, "U+110000 is refused at its second byte")
    }

    @Test func `close codes that no frame may carry are refused`() {
        for code in UInt16.min...UInt16.max {
            let isGood = [1000...1003, 1007...1014, 3000...4999].contains { $0.contains(code) }
            let decoded = Self.decode([.close(code, "why")])
            let refusal = FrameViolation("the close code \(code), which no frame may carry")
            if decoded.items != (isGood ? [.close(code, reason: "why")] : [])
                || decoded.violation != (isGood ? nil : refusal)
            {
                Issue.record("\(code)")
            }
        }
    }

    @Test func `nothing counts behind a close frame`() {
        let garbage = WireFrame(reserved: 7, opcode: 15, payload: [1])
        let decoded = Self.decode([.close(), .text("late"), garbage], portions: 1)
        #expect(decoded.items == [.close(nil, reason: "")] && decoded.violation == nil)
        #expect(Self.decode([.close(1000), garbage]).items == [.close(1000, reason: "")])
    }

    @Test func `limits hold for a frame, and for a message of many`() {
        func decode(_ frames: [WireFrame]) -> (items: [Item], violation: FrameViolation?) {
            Self.decode(frames.reduce(Data()) { $0 + $1.bytes }, limits: .init(frame: 4, message: 6))
        }
        #expect(decode([.binary([1, 2, 3, 4])]).violation == nil)
        #expect(
            decode([.binary([1, 2, 3, 4, 5])]).violation
                == FrameViolation(.messageTooBig, "a frame of 5 bytes; the limit is 4"))
        let three: [UInt8] = [1, 2, 3]
        #expect(
            decode([.binary(three, isFinal: false), .continuation(three)]).items == [.binary(Data(three + three))])
        #expect(
            decode([.binary(three, isFinal: false), .continuation(three, isFinal: false), .continuation([1])]).violation
                == FrameViolation(.messageTooBig, "a message of more than 6 bytes"))
    }

    @Test func `bytes at random are refused or understood, and the same in any portions`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let bytes = Data((0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255) })
            let whole = Self.decode(bytes)
            for portions in [1, 2, 5] {
                let parts = Self.decode(bytes, portions: portions)
                if parts.items != whole.items || parts.violation != whole.violation {
                    Issue.record("\(Array(bytes)) in portions of \(portions)")
                }
            }
        }
    }
}
