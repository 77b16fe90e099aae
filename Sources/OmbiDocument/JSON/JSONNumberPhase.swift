/// A state in the grammar of numbers (RFC 8259, section 6).
enum JSONNumberPhase: UInt8 {
    case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    @inline(__always) init(firstByte byte: UInt8) {
        self = byte == UInt8(ascii: "-") ? .minus : byte == UInt8(ascii: "0") ? .zero : .integer
    }

    /// True where a number may end.
    var isWhole: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Returns the state after a digit; nil where none is allowed.
    @inline(__always) func after(digit: UInt8) -> JSONNumberPhase? {
        switch self {
        case .minus: digit == UInt8(ascii: "0") ? .zero : .integer
        case .integer: .integer
        case .zero: nil
        case .point, .fraction: .fraction
        case .exponent, .exponentSign, .exponentDigits: .exponentDigits
        }
    }

    /// Returns the state after any other byte; nil when it is not part of the number.
    func after(_ byte: UInt8) -> JSONNumberPhase? {
        switch (byte, self) {
        case (UInt8(ascii: "."), .zero), (UInt8(ascii: "."), .integer): .point
        case (UInt8(ascii: "e"), _) where isWhole && self != .exponentDigits: .exponent
        case (UInt8(ascii: "E"), _) where isWhole && self != .exponentDigits: .exponent
        case (UInt8(ascii: "+"), .exponent), (UInt8(ascii: "-"), .exponent): .exponentSign
        default: nil
        }
    }

    /// The error when the number ends here; empty where it may end.
    var missing: String {
        switch self {
        case .minus: "expected a digit after '-'"
        case .point: "expected a digit after the decimal point"
        case .exponent, .exponentSign: "expected a digit in the exponent"
        case .zero, .integer, .fraction, .exponentDigits: ""
        }
    }
}

extension JSONNumberPhase {
    /// Returns true if `byte` occurs in numbers.
    static func mayContain(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte | 0x20 == 0x65
    }
}
