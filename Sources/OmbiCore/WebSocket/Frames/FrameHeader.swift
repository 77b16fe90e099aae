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
