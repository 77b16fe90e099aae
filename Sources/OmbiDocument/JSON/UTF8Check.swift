/// Locates the first byte of a text that is not UTF-8.
package enum UTF8Check {
    /// Returns nil for a text that is UTF-8, with or without a byte order mark.
    package static func error(in bytes: Bytes) -> JSONSyntaxError? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return JSONSyntaxError(offset: 0, reason: "the file is UTF-16; save it as UTF-8", in: bytes)
        }
        guard let offset = firstInvalidByte(in: bytes) else { return nil }
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        return JSONSyntaxError(
            offset: offset,
            reason: "not UTF-8: byte 0x\(hex) at byte \(offset + 1) of the file; save the file as UTF-8", in: bytes)
    }

    /// The offset of the first byte that begins no valid UTF-8 sequence.
    private static func firstInvalidByte(in bytes: Bytes) -> Int? {
        var offset = 0
        while let next = ByteScan.firstNotASCII(in: bytes, offset..<bytes.count) {
            guard case .whole(let length) = UTF8Sequence(at: bytes.base + next, count: bytes.count - next) else {
                return next
            }
            offset = next + length
        }
        return nil
    }
}

/// The bytes of one character beyond ASCII.
enum UTF8Sequence: Equatable {
    /// A character of this many bytes.
    case whole(Int)
    /// The beginning of a character whose rest is missing.
    case cut
    case wrong

    @inline(__always) init(at address: UnsafePointer<UInt8>, count: Int) {
        guard let lead = UTF8Lead(address[0]) else {
            self = .wrong
            return
        }
        for index in 1..<lead.length {
            guard index < count else {
                self = .cut
                return
            }
            guard lead.allows(address[index], at: index) else {
                self = .wrong
                return
            }
        }
        self = .whole(lead.length)
    }
}
