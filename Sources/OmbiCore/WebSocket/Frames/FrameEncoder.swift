#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder for the frames of a client, which are masked (RFC 6455 §5).
enum FrameEncoder {
    /// Returns one frame. Payloads of control frames are limited to `Opcode.maximumControlPayload` bytes.
    static func frame(
        _ opcode: Opcode, isFinal: Bool = true, _ payload: UnsafeRawBufferPointer, mask: UInt32
    ) -> Data {
        let header = header(opcode, isFinal: isFinal, length: payload.count)
        var frame = Data(count: header.count + 4 + payload.count)
        frame.withUnsafeMutableBytes { bytes in
            bytes.copyBytes(from: header)
            bytes.storeBytes(of: mask.bigEndian, toByteOffset: header.count, as: UInt32.self)
            Self.mask(
                payload, with: mask.bigEndian,
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[(header.count + 4)...]))
        }
        return frame
    }

    /// Returns a message as one frame, or as several with at most `fragment` bytes each. Text may be split within a
    /// character (RFC 6455 §5.6).
    static func message(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, fragment: Int, mask: () -> UInt32
    ) -> [Data] {
        guard payload.count > fragment else { return [frame(opcode, payload, mask: mask())] }
        return stride(from: 0, to: payload.count, by: fragment).map { start in
            let end = min(start + fragment, payload.count)
            return frame(
                start == 0 ? opcode : .continuation, isFinal: end == payload.count,
                UnsafeRawBufferPointer(rebasing: payload[start..<end]), mask: mask())
        }
    }

    private static func header(_ opcode: Opcode, isFinal: Bool, length: Int) -> [UInt8] {
        var header = [opcode.rawValue | (isFinal ? 0x80 : 0)]
        switch length {
        case ..<126: header.append(UInt8(length) | 0x80)
        case ..<65_536: header += [126 | 0x80, UInt8(length >> 8), UInt8(length & 0xFF)]
        default:
            header.append(127 | 0x80)
            header += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
        }
        return header
    }

    /// Masks a payload with `key` in memory order: its first byte masks the first one of the payload.
    private static func mask(
        _ payload: UnsafeRawBufferPointer, with key: UInt32, into target: UnsafeMutableRawBufferPointer
    ) {
        let wide = UInt64(key) << 32 | UInt64(key)
        var index = 0
        while index + 8 <= payload.count {
            let word = payload.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        withUnsafeBytes(of: key) { key in
            while index < payload.count {
                target[index] = payload[index] ^ key[index & 3]
                index += 1
            }
        }
    }
}
