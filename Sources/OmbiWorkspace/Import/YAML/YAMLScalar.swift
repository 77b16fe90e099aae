import OmbiDocument

/// A plain scalar by the core schema of YAML 1.2: `NO`, `on`, `12:30` and dates are texts.
enum YAMLScalar {
    /// Returns the value as JSON. A number that JSON cannot write, such as `.inf` or `017`, stays a text.
    static func json(_ text: String) -> String {
        switch text {
        case "", "~", "null", "Null", "NULL": "null"
        case "true", "True", "TRUE": "true"
        case "false", "False", "FALSE": "false"
        default: number(Array(text.utf8)) ?? JSONValue.quoted(text)
        }
    }

    /// Returns a number with its digits; nil for a text that is none.
    private static func number(_ text: [UInt8]) -> String? {
        if text.starts(with: "0x".utf8) { return integer(text.dropFirst(2), radix: 16) }
        if text.starts(with: "0o".utf8) { return integer(text.dropFirst(2), radix: 8) }
        var rest = text[...]
        let sign = rest.first == UInt8(ascii: "-") ? "-" : ""
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = digits(&rest)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = ""
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            exponent = "e"
            if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
                if first == UInt8(ascii: "-") { exponent += "-" }
                rest.removeFirst()
            }
            let power = digits(&rest)
            guard !power.isEmpty else { return nil }
            exponent += String(decoding: power, as: UTF8.self)
        }
        // Leading zeros are those of codes and keys more often than of numbers.
        guard rest.isEmpty, whole.count < 2 || whole.first != UInt8(ascii: "0") else { return nil }
        let start = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        let end = fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self)
        return sign + start + end + exponent
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }

    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> String? {
        guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { String($0) }
    }
}
