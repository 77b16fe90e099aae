/// A validator for text in pieces, which rejects it at the first invalid byte (RFC 3629 §4).
struct UTF8Validator {
    /// The number of missing continuation bytes of the current character.
    private var missing = 0
    /// The range of the next continuation byte; narrower after some first bytes, to exclude overlong forms, surrogates,
    /// and values beyond U+10FFFF.
    private var next: ClosedRange<UInt8> = Self.anyContinuation

    private static let anyContinuation: ClosedRange<UInt8> = 0x80...0xBF

    /// True if the text may end here.
    var isComplete: Bool { missing == 0 }

    /// Returns false from the first invalid byte on.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.endOfASCII(bytes, from: index)
                guard index < bytes.count else { return true }
                guard start(bytes[index]) else { return false }
            } else {
                guard next.contains(bytes[index]) else { return false }
                missing -= 1
                next = Self.anyContinuation
            }
            index += 1
        }
        return true
    }

    /// Returns the index of the first byte outside ASCII. Compares eight bytes at a time as long as possible.
    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Starts a character with a byte outside ASCII.
    private mutating func start(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch byte {
        case 0xE0: next = 0xA0...0xBF
        case 0xED: next = 0x80...0x9F
        case 0xF0: next = 0x90...0xBF
        case 0xF4: next = 0x80...0x8F
        default: next = Self.anyContinuation
        }
        return true
    }
}
