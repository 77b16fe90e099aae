/// What the bytes of one character beyond ASCII are (RFC 3629, section 4): no overlong forms, no surrogates, nothing
/// above U+10FFFF.
enum UTF8Sequence: Equatable {
    /// A character of this many bytes.
    case whole(Int)
    /// The beginning of a character whose rest is missing.
    case cut
    case wrong

    @inline(__always) init(at address: UnsafePointer<UInt8>, count: Int) {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch address[0] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default:
            self = .wrong
            return
        }
        for index in 1..<length {
            guard index < count else {
                self = .cut
                return
            }
            guard index == 1 ? second.contains(address[1]) : address[index] & 0xC0 == 0x80 else {
                self = .wrong
                return
            }
        }
        self = .whole(length)
    }
}
