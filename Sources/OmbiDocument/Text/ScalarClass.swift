import Synchronization

/// The treatment of one scalar on a screen. This is where untrusted text is made safe: nothing that could move the
/// cursor, change the direction of writing, or hide is ever drawn as itself.
package enum ScalarClass: Equatable, Sendable {
    /// Drawn as it is, in one or two columns.
    case printable(width: Int)
    /// Drawn on top of the scalar before it.
    case mark
    /// A request for another form of the scalar before it (a variation selector). Left out: terminals disagree about
    /// the width of the other form.
    case selector
    /// A joiner of two emoji into one picture (U+200D). Left out between pictures, which are then drawn side by side;
    /// shown as unprintable elsewhere.
    case joiner
    /// A skin tone: left out after a picture that takes one, elsewhere a picture by itself.
    case skinTone
    /// Never drawn: this visible replacement, one column wide, is drawn instead.
    case unprintable(shownAs: Unicode.Scalar)

    package init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case 0x20...0x7E: self = .printable(width: 1)
        case 0x09: self = .unprintable(shownAs: " ")
        case 0...0x1F: self = .unprintable(shownAs: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}")
        case 0x7F: self = .unprintable(shownAs: "\u{2421}")
        case 0x80...0x9F, 0xAD: self = .unprintable(shownAs: "\u{FFFD}")
        // Latin letters, dashes and quotes, arrows, and the characters of frames and bars need no lookup.
        case 0xA0...0x2FF, 0x2010...0x2027, 0x2030...0x205E, 0x2190...0x21FF, 0x2500...0x25FC:
            self = .printable(width: 1)
        case 0x200D: self = .joiner
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .selector
        case 0x1F3FB...0x1F3FF: self = .skinTone
        default: self.init(uncommon: scalar)
        }
    }

    private init(uncommon scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint {
            self = .unprintable(shownAs: "\u{FFFD}")
            return
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: self = .mark
        case .format where !Self.isVisibleFormat(scalar.value): self = .unprintable(shownAs: "\u{FFFD}")
        case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
            self = .unprintable(shownAs: "\u{FFFD}")
        default:
            if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
                self = .mark  // the vowel or final of a Hangul syllable: drawn in the cell of its first letter
            } else {
                self = .printable(width: WideScalars.contains(scalar.value) ? 2 : 1)
            }
        }
    }

    /// Returns true for Arabic, Syriac and Kaithi number signs, which are of the category "format" but have ink.
    private static func isVisibleFormat(_ value: UInt32) -> Bool {
        switch value {
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }
}

/// The classes of the scalars up to U+FFFF as a table: a lookup of Unicode properties takes fifty times as long, which
/// matters where a long line is measured. The table is filled on demand: filling it all at once would delay the first
/// row with a letter of another script by some 7 ms.
enum ScalarTable {
    static let mark: UInt8 = 0
    static let selector: UInt8 = 3
    static let joiner: UInt8 = 4
    static let skinTone: UInt8 = 5
    static let unprintable: UInt8 = 6

    /// Returns the columns of a printable scalar (1 or 2), or one of the codes above.
    @inline(__always)
    static func code(of value: UInt32) -> UInt8 {
        guard value < 0x10000 else { return lookedUp(value) }
        let code = codes[Int(value)].load(ordering: .relaxed)
        return code == unknown ? meet(value) : code
    }

    private static func meet(_ value: UInt32) -> UInt8 {
        let code = lookedUp(value)
        codes[Int(value)].store(code, ordering: .relaxed)
        return code
    }

    private static func lookedUp(_ value: UInt32) -> UInt8 {
        Unicode.Scalar(value).map(code(of:)) ?? unprintable
    }

    private static func code(of scalar: Unicode.Scalar) -> UInt8 {
        switch ScalarClass(scalar) {
        case .printable(let width): UInt8(width)
        case .mark: mark
        case .selector: selector
        case .joiner: joiner
        case .skinTone: skinTone
        case .unprintable: unprintable
        }
    }

    private static let unknown = UInt8.max

    // Proof of safety: the pointer never changes and its memory is never freed; what it points to is atomic. Every
    // thread that finds a scalar unknown writes the same code.
    nonisolated(unsafe) private static let codes: UnsafeMutablePointer<Atomic<UInt8>> = {
        let codes = UnsafeMutablePointer<Atomic<UInt8>>.allocate(capacity: 0x10000)
        for index in 0..<0x10000 { (codes + index).initialize(to: Atomic(unknown)) }
        return codes
    }()
}

/// Reads UTF-8 scalar by scalar from arbitrary bytes.
enum UTF8Reader {
    /// The value of bytes that are not UTF-8.
    static let invalid = UInt32.max

    /// Returns the scalar at an offset below `end`, and its length in bytes. For bytes that are not UTF-8 it is
    /// `invalid`, and the length is that of the bytes that one U+FFFD replaces (Unicode 16, section 3.9, "maximal
    /// subpart").
    @inline(__always)
    static func scalar(in bytes: Bytes, at offset: Int, before end: Int) -> (value: UInt32, length: Int) {
        let first = bytes.base[offset]
        if first < 0x80 { return (UInt32(first), 1) }
        return several(in: bytes, at: offset, before: end, first)
    }

    private static func several(
        in bytes: Bytes, at offset: Int, before end: Int, _ first: UInt8
    ) -> (value: UInt32, length: Int) {
        guard let lead = UTF8Lead(first) else { return (invalid, 1) }
        let length = lead.length
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in 1..<length {
            guard offset + index < end else { return (invalid, index) }
            let byte = bytes.base[offset + index]
            guard lead.allows(byte, at: index) else { return (invalid, index) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (value, length)
    }

    /// Returns the first offset in a range that is not UTF-8. A sequence cut off by the end of the range counts, unless
    /// more is to come.
    static func firstInvalid(in bytes: Bytes, _ range: ByteRange, moreToCome: Bool = false) -> Int? {
        let range = bytes.clamp(range)
        var offset = range.lowerBound
        while let next = ByteScan.firstNotASCII(in: bytes, offset..<range.upperBound) {
            offset = next
            while offset < range.upperBound, bytes.base[offset] >= 0x80 {
                let (value, length) = scalar(in: bytes, at: offset, before: range.upperBound)
                if value == invalid {
                    let isCutOff = offset + length >= range.upperBound && bytes.base[offset] >= 0xC2
                    return isCutOff && moreToCome ? nil : offset
                }
                offset += length
            }
        }
        return nil
    }

    /// Returns the start of the scalar that an offset lies in.
    static func start(of offset: Int, in bytes: Bytes) -> Int {
        var start = offset
        while start > 0, offset - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        guard start < offset else { return offset }
        let end = start + scalar(in: bytes, at: start, before: bytes.count).length
        return end > offset ? start : offset
    }
}

/// The first byte of a scalar beyond ASCII, and the bytes it allows after it (RFC 3629, section 4): no overlong forms,
/// no surrogates, nothing above U+10FFFF.
package struct UTF8Lead: Sendable {
    /// The number of bytes of the scalar, this one included: 2 to 4.
    package let length: Int
    /// The allowed values of the second byte; all further ones are 0x80 to 0xBF.
    package let second: ClosedRange<UInt8>

    /// Returns nil for a byte that begins no such scalar.
    @inline(__always)
    package init?(_ byte: UInt8) {
        switch byte {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        default: return nil
        }
    }

    /// Returns true if a byte is allowed at an index, counted from the first.
    @inline(__always)
    package func allows(_ byte: UInt8, at index: Int) -> Bool {
        index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80
    }
}
