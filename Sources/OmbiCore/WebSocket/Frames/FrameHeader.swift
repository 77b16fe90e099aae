#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header of a frame of a server as it arrives: two bytes, and up to eight more for an extended length (RFC 6455
/// §5.2).
struct FrameHeader {
    private(set) var opcode: Opcode?
    private(set) var isFinal = false
    /// The length of the payload in bytes; complete when `read` returns true.
    private(set) var length = 0
    private var hasFirstByte = false
    /// The number of missing bytes of the length; nil before the second byte of the header.
    private var missing: Int?
    /// The minimum length for the number of bytes used; a shorter one must use fewer.
    private var shortest = 0

    /// Consumes the bytes of the header from the front of `bytes`. Returns true when it is complete.
    mutating func read(_ bytes: inout Slice<UnsafeRawBufferPointer>) throws(FrameViolation) -> Bool {
        while missing != 0 {
            guard let byte = bytes.popFirst() else { return false }
            if !hasFirstByte {
                try readFirst(byte)
            } else if let missing {
                try readLength(byte, missing: missing)
            } else {
                try readSecond(byte)
            }
        }
        return true
    }

    private mutating func readFirst(_ byte: UInt8) throws(FrameViolation) {
        guard byte & 0x70 == 0 else {
            throw FrameViolation("a frame with reserved bits, though no extension was agreed on")
        }
        guard let opcode = Opcode(rawValue: byte & 0x0F) else {
            throw FrameViolation("a frame with the unknown opcode \(byte & 0x0F)")
        }
        isFinal = byte & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw FrameViolation("a \(opcode) frame in fragments") }
        self.opcode = opcode
        hasFirstByte = true
    }

    private mutating func readSecond(_ byte: UInt8) throws(FrameViolation) {
        guard byte & 0x80 == 0 else { throw FrameViolation("a masked frame, which only a client may send") }
        guard byte < 126 || opcode?.isControl != true else {
            throw FrameViolation(
                "a \(opcode.map { "\($0)" } ?? "control") frame of more than \(Opcode.maximumControlPayload) bytes")
        }
        switch byte {
        case 126: (missing, shortest) = (2, 126)
        case 127: (missing, shortest) = (8, 65_536)
        default: (missing, length) = (0, Int(byte))
        }
    }

    private mutating func readLength(_ byte: UInt8, missing: Int) throws(FrameViolation) {
        // The first bit of eight bytes must be 0, so the length fits.
        guard missing < 8 || byte < 0x80 else { throw FrameViolation("a length of more than 63 bits") }
        length = length << 8 | Int(byte)
        self.missing = missing - 1
        guard missing > 1 || length >= shortest else {
            throw FrameViolation("a length of \(length) in more bytes than it needs")
        }
    }
}

/// The type of a frame (RFC 6455 §5.2).
enum Opcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Control frames are short and unfragmented, and may occur between the fragments of a message.
    var isControl: Bool { rawValue >= 0x8 }

    /// The maximum payload of a control frame in bytes (RFC 6455 §5.5).
    static let maximumControlPayload = 125
}

/// A violation of RFC 6455 by the peer.
struct FrameViolation: Error, Equatable {
    /// The close code sent to the peer (RFC 6455 §7.4.1).
    enum Code: UInt16 {
        case protocolError = 1002
        case invalidPayload = 1007
        case messageTooBig = 1009
    }

    let code: Code
    /// The received data: the rest of a sentence that starts with "the peer sent".
    let what: String

    init(_ what: String) { self.init(.protocolError, what) }

    init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }
}

/// An encoder for the frames of a client, which are masked (RFC 6455 §5).
enum FrameEncoder {
    /// Returns one frame. Payloads of control frames are limited to `Opcode.maximumControlPayload` bytes.
    static func frame(
        _ opcode: Opcode, isFinal: Bool = true, _ payload: UnsafeRawBufferPointer, mask: UInt32
    ) -> Data {
        let header = header(opcode, isFinal: isFinal, length: payload.count, isMasked: true)
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

    /// Returns the bytes before the mask and the payload.
    static func header(_ opcode: Opcode, isFinal: Bool, length: Int, isMasked: Bool) -> [UInt8] {
        var header = [opcode.rawValue | (isFinal ? 0x80 : 0)]
        let masked: UInt8 = isMasked ? 0x80 : 0
        switch length {
        case ..<126: header.append(UInt8(length) | masked)
        case ..<65_536: header += [126 | masked, UInt8(length >> 8), UInt8(length & 0xFF)]
        default:
            header.append(127 | masked)
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
