import Foundation
import Testing

@testable import OmbiCore

@Suite struct FrameEncoderTests {
    private static func frame(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32) -> Data {
        payload.withUnsafeBytes { FrameEncoder.frame(opcode, $0, mask: mask) }
    }

    @Test func `the example of the RFC comes out`() {
        // RFC 6455 §5.7
        let frame = Self.frame(.text, Array("Hello".utf8), mask: 0x37FA_213D)
        #expect(frame == Data([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 70_003])
    func `a payload of any length can be read again`(length: Int) throws {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var bytes = Self.frame(.binary, payload, mask: 0x0102_03F4)
        let frame = try #require(WireFrame.take(from: &bytes))
        #expect(bytes.isEmpty)
        #expect(frame.payload == payload && frame.isFinal && frame.opcode == 2 && frame.reserved == 0)
        #expect(frame.mask == [1, 2, 3, 0xF4])
        #expect(frame.lengthBytes == (length < 126 ? 0 : length < 65_536 ? 2 : 8))
    }

    @Test func `a long message goes out in fragments, each with a mask of its own`() throws {
        var masks: UInt32 = 0
        let frames = Array("grüße".utf8).withUnsafeBytes { payload in
            FrameEncoder.message(.text, payload, fragment: 3) {
                masks += 1
                return masks
            }
        }
        var bytes = frames.reduce(Data(), +)
        var read: [WireFrame] = []
        while let frame = WireFrame.take(from: &bytes) { read.append(frame) }
        #expect(read.map(\.opcode) == [1, 0, 0] && read.map(\.isFinal) == [false, false, true])
        #expect(read.map(\.mask) == [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 3]])
        #expect(read.map(\.payload.count) == [3, 3, 1])
        #expect(String(decoding: read.flatMap(\.payload), as: UTF8.self) == "grüße")
    }

    @Test func `a message that fits is one frame, an empty one too`() {
        for payload in [[], [1], [1, 2, 3]] as [[UInt8]] {
            let frames = payload.withUnsafeBytes { FrameEncoder.message(.binary, $0, fragment: 3) { 1 } }
            #expect(frames.count == 1)
        }
    }
}
