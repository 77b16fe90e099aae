import Foundation

/// A frame as its bits say, right or wrong: what servers of tests write, and what they read from clients. It shares no
/// code with OmbiCore.
struct WireFrame: Equatable, CustomStringConvertible {
    var isFinal = true
    /// Of 3 bits.
    var reserved: UInt8 = 0
    /// Of 4 bits.
    var opcode: UInt8
    var mask: [UInt8]?
    var payload: [UInt8]
    /// How many bytes the length takes: 0, 2 or 8; nil for as few as it can.
    var lengthBytes: Int?
    /// What the header says, where that is not the length of the payload.
    var claimedLength: UInt64?

    static func text(_ text: String, isFinal: Bool = true) -> WireFrame {
        WireFrame(isFinal: isFinal, opcode: 1, payload: Array(text.utf8))
    }

    static func binary(_ payload: [UInt8], isFinal: Bool = true) -> WireFrame {
        WireFrame(isFinal: isFinal, opcode: 2, payload: payload)
    }

    static func continuation(_ payload: [UInt8], isFinal: Bool = true) -> WireFrame {
        WireFrame(isFinal: isFinal, opcode: 0, payload: payload)
    }

    static func ping(_ payload: [UInt8] = []) -> WireFrame { WireFrame(opcode: 9, payload: payload) }
    static func pong(_ payload: [UInt8] = []) -> WireFrame { WireFrame(opcode: 10, payload: payload) }

    static func close(_ code: UInt16? = nil, _ reason: String = "") -> WireFrame {
        let number = code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []
        return WireFrame(opcode: 8, payload: number + Array(reason.utf8))
    }

    var bytes: Data {
        let length = claimedLength ?? UInt64(payload.count)
        let count = lengthBytes ?? (length < 126 ? 0 : length < 65_536 ? 2 : 8)
        var bytes = Data([(isFinal ? 128 : 0) | reserved << 4 | opcode])
        let short = count == 0 ? UInt8(length) : count == 2 ? 126 : 127
        bytes.append((mask == nil ? 0 : 128) | short)
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: length >> (8 * UInt64(index)))) }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// The code in a close frame.
    var closeCode: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }

    var text: String { String(decoding: payload, as: UTF8.self) }

    var description: String {
        "\(isFinal ? "" : "…")\(opcode)\(mask == nil ? "" : "m") \(payload.count <= 40 ? "\(payload)" : "(\(payload.count))")"
    }

    /// Takes the first frame out of what has arrived; nil as long as it is not whole. The payload is unmasked.
    static func take(from bytes: inout Data) -> WireFrame? {
        let all = Array(bytes)
        guard all.count >= 2 else { return nil }
        let short = Int(all[1] & 127)
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        let hasMask = all[1] & 128 != 0
        let start = 2 + lengthBytes + (hasMask ? 4 : 0)
        guard all.count >= start else { return nil }
        let length = lengthBytes == 0 ? short : all[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        guard all.count >= start + length else { return nil }
        let mask = hasMask ? Array(all[(start - 4)..<start]) : nil
        let payload = all[start..<(start + length)].enumerated().map { index, byte in
            mask.map { $0[index % 4] ^ byte } ?? byte
        }
        bytes = Data(all[(start + length)...])
        return WireFrame(
            isFinal: all[0] & 128 != 0, reserved: all[0] >> 4 & 7, opcode: all[0] & 15, mask: mask, payload: payload,
            lengthBytes: lengthBytes)
    }
}
