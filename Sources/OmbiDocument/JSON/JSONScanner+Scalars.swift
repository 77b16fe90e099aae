/// Strings, numbers and literals: their ends and their validity.
extension JSONScanner {
    /// Reads on to the closing quote of a string. Returns false when it has not come yet, or the string is invalid.
    @inline(__always) mutating func scanString() -> Bool {
        var next = position
        while true {
            while next + ByteBlock.size <= end {
                let length = ByteBlock(at: base + next).plainTextLength
                next += length
                if length < ByteBlock.size { break }
            }
            // Too near the end for a block, or at a byte that is not plain.
            while next < end, Self.isPlain(base[next]) { next += 1 }
            guard next < end else {
                position = next
                return false
            }
            if base[next] == 0x22 {
                position = next + 1
                return true
            }
            guard let after = special(at: next) else { return false }
            next = after
        }
    }

    @inline(__always) private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
    }

    /// Returns the offset after an escape or a run of non-ASCII characters; nil when it is incomplete or invalid.
    private mutating func special(at offset: Int) -> Int? {
        position = offset
        let byte = base[offset]
        if byte == 0x5C { return escape(at: offset) }
        guard byte >= 0x80 else {
            _ = fail(at: offset, "a control character in a string must be written as an escape, found \(Found(byte))")
            return nil
        }
        var next = offset
        while next < end, base[next] >= 0x80 {
            switch UTF8Sequence(at: base + next, count: end - next) {
            case .whole(let length): next += length
            case .cut:
                position = next
                return nil
            case .wrong:
                _ = fail(at: next, "the string is not UTF-8, found \(Found(base[next]))")
                return nil
            }
        }
        return next
    }

    private mutating func escape(at offset: Int) -> Int? {
        hasEscapes = true
        guard offset + 1 < end else { return nil }
        switch base[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return offset + 2
        case UInt8(ascii: "u"):
            for digit in offset + 2..<offset + 6 {
                guard digit < end else { return nil }
                guard base[digit].hexDigitValue != nil else {
                    _ = fail(at: digit, "expected four hexadecimal digits after '\\u', found \(Found(base[digit]))")
                    return nil
                }
            }
            hasUnicodeEscapes = true
            return offset + 6
        case let byte:
            _ = fail(at: offset + 1, "expected one of \"\\/bfnrtu after '\\', found \(Found(byte))")
            return nil
        }
    }

    /// Reads on to the end of a number. Returns false when it may continue in the bytes to come, or is invalid.
    @inline(__always) mutating func scanNumber() -> Bool {
        while position < end {
            let byte = base[position]
            if byte &- 0x30 < 10 {
                guard let next = numberPhase.after(digit: byte) else {
                    return fail(at: position, "a number does not begin with '0' and another digit")
                }
                numberPhase = next
            } else if let next = numberPhase.after(byte) {
                numberPhase = next
            } else {
                return numberPhase.isWhole
                    ? true : fail(at: position, "\(numberPhase.missing), found \(Found(byte))")
            }
            position += 1
        }
        return false
    }

    /// Reads a complete literal; a partial one is left until more has come.
    mutating func literal(_ text: StaticString) -> Bool {
        for index in 0..<text.utf8CodeUnitCount {
            guard position + index < end else { return false }
            guard base[position + index] == text.utf8Start[index] else {
                return fail(at: position, "expected '\(text)', found \(foundWord)")
            }
        }
        position += text.utf8CodeUnitCount
        appendScalar()
        return true
    }
}

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
