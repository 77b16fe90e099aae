/// Strings and numbers.
extension JSONPathParser {
    /// Parses a string in either kind of quotes (RFC 9535, section 2.3.1.1).
    mutating func string() throws(JSONPathError) -> String {
        guard let quote = next else { throw error("expected a string, found the end") }
        let start = position
        position += 1
        var result = String.UnicodeScalarView()
        while let scalar = next {
            switch scalar {
            case quote:
                position += 1
                return String(result)
            case "\\": result.append(try escape(quote: quote))
            case _ where scalar.value < 0x20:
                throw error("a control character in a string must be written as an escape, found \(found)")
            default:
                result.append(scalar)
                position += 1
            }
        }
        throw error("the string that begins here has no closing \(quote)", at: start)
    }

    private mutating func escape(quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
        position += 1
        guard let scalar = next else { throw error("expected an escape after '\\', found the end") }
        position += 1
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/", "\\", quote: return scalar
        case "u": return try codePoint()
        default:
            position -= 1
            throw error("expected one of \(quote)\\/bfnrtu after '\\', found \(found)")
        }
    }

    private mutating func codePoint() throws(JSONPathError) -> Unicode.Scalar {
        let start = position - 2
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\u") else {
            throw error("half of a surrogate pair without the other half", at: start)
        }
        let second = try codeUnit()
        guard second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        else { throw error("half of a surrogate pair without the other half", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONPathError) -> UInt32 {
        var result: UInt32 = 0
        for _ in 0..<4 {
            guard let next, next.isASCII, let digit = Hexadecimal.value(UInt8(next.value)) else {
                throw error("expected four hexadecimal digits after '\\u', found \(found)")
            }
            result = result << 4 | digit
            position += 1
        }
        return result
    }

    /// Parses a number by the grammar of JSON.
    mutating func number() throws(JSONPathError) -> JSONPathBytes {
        let start = position
        guard let first = next, first.isASCII else { throw error("expected a number, found \(found)") }
        var phase = JSONNumberPhase(firstByte: UInt8(first.value))
        var result = String(first)
        position += 1
        while let scalar = next, scalar.isASCII {
            let byte = UInt8(scalar.value)
            let isDigit = "0"..."9" ~= scalar
            guard let after = isDigit ? phase.after(digit: byte) : phase.after(byte) else {
                if isDigit { throw error("a number has no leading zeros", at: start) }
                break
            }
            phase = after
            result.unicodeScalars.append(scalar)
            position += 1
        }
        guard phase.isWhole else { throw error("\(phase.missing), found \(found)") }
        return JSONPathBytes(result)
    }
}
