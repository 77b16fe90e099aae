/// A JSON number as its significant digits and a power of ten.
struct DecimalDigits: Hashable {
    /// From 0 to 9, without zeros at either end; empty for zero.
    private var digits: [UInt8] = []
    private var exponent = 0
    private var isNegative = false

    /// Larger exponents count as this one.
    private static let maximumExponent = 1_000_000_000

    init(_ text: String) {
        let bytes = Array(text.utf8)
        isNegative = bytes.first == UInt8(ascii: "-")
        var isFraction = false
        var index = isNegative ? 1 : 0
        while index < bytes.count, bytes[index] | 0x20 != UInt8(ascii: "e") {
            if bytes[index] == UInt8(ascii: ".") {
                isFraction = true
            } else {
                digits.append(bytes[index] &- 0x30)
                if isFraction { exponent -= 1 }
            }
            index += 1
        }
        if index < bytes.count {
            let power = String(decoding: bytes[(index + 1)...], as: UTF8.self)
            let isSmall = power.hasPrefix("-")
            let value = Int(power.hasPrefix("+") ? String(power.dropFirst()) : power)
            let limit = Self.maximumExponent
            exponent += max(-limit, min(limit, value ?? (isSmall ? -limit : limit)))
        }
        trim()
    }

    private mutating func trim() {
        digits = Array(digits.drop { $0 == 0 })
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { (exponent, isNegative) = (0, false) }
    }

    /// Returns true if the exact value is a whole number of times `divisor`. Divisors of more than 17 digits are rounded.
    func isMultiple(of divisor: DecimalDigits) -> Bool {
        if digits.isEmpty { return true }
        let shift = exponent - divisor.exponent
        // Neither ends in a zero, so more decimal places than the divisor are never a multiple.
        guard shift >= 0, !divisor.digits.isEmpty else { return false }
        let modulus = divisor.digits.prefix(17).reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        var rest = digits.reduce(UInt64(0)) { Self.product($0, 10, modulus, adding: UInt64($1)) }
        var (base, power) = (10 % modulus, shift)
        while power > 0, rest > 0 {
            if power & 1 == 1 { rest = Self.product(rest, base, modulus) }
            base = Self.product(base, base, modulus)
            power >>= 1
        }
        return rest == 0
    }

    private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64, adding sum: UInt64 = 0) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        let low = modulus.dividingFullWidth((product.high % modulus, product.low)).remainder
        return (low + sum % modulus) % modulus
    }

    /// A text that equal numbers share.
    var canonical: [UInt8] {
        (isNegative ? [UInt8(ascii: "-")] : []) + digits.map { $0 + 0x30 } + Array("e\(exponent)".utf8)
    }
}

/// A form that equal JSON values share: numbers by their exact values, members by their keys.
enum CanonicalForm {
    static func append(_ value: JSONValue, to form: inout [UInt8]) {
        switch value {
        case .null: form.append(UInt8(ascii: "n"))
        case .bool(let isTrue): form.append(UInt8(ascii: isTrue ? "t" : "f"))
        case .number(let digits):
            form += DecimalDigits(digits).canonical
            form.append(UInt8(ascii: ";"))
        case .string(let text): append(text, to: &form)
        case .array(let elements):
            form.append(UInt8(ascii: "["))
            for element in elements { append(element, to: &form) }
            form.append(UInt8(ascii: "]"))
        case .object(let members):
            form.append(UInt8(ascii: "{"))
            // The last of two members with one key counts.
            var values: [[UInt8]: JSONValue] = [:]
            for member in members { values[Array(member.key.utf8)] = member.value }
            for key in values.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                append(String(decoding: key, as: UTF8.self), to: &form)
                if let value = values[key] { append(value, to: &form) }
            }
            form.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to form: inout [UInt8]) {
        form += Array("\(text.utf8.count):".utf8)
        form += Array(text.utf8)
    }
}
