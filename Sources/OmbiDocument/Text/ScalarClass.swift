import Synchronization

/// The treatment of one scalar on a screen. This is where untrusted text is made safe: nothing that could move the
/// cursor, change the direction of writing, or hide is ever drawn as itself.
public enum ScalarClass: Equatable, Sendable {
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
    /// A skin tone. Left out after a picture that takes one, a picture of its own elsewhere.
    case skinTone
    /// Never drawn: this visible replacement, one column wide, is drawn instead.
    case unprintable(shownAs: Unicode.Scalar)

    public init(_ scalar: Unicode.Scalar) {
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
