/// Reads the text of `$'…'` with the escapes of ANSI C, as bash has them. Two `\u` that are a surrogate pair, which
/// browsers write, are one character.
struct EscapeReader {
    private let bytes: [UInt8]
    private(set) var index: Int
    private var text: [UInt8] = []

    /// - Parameter index: the start of the text, behind the quote.
    init(_ bytes: [UInt8], _ index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// Returns the text, and goes behind the closing quote; nil without one.
    mutating func read() -> [UInt8]? {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "'"):
                index += 1
                return text
            case UInt8(ascii: "\\") where index + 1 < bytes.count: escape()
            default:
                text.append(bytes[index])
                index += 1
            }
        }
        return nil
    }

    private static let simple: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 27, UInt8(ascii: "E"): 27, UInt8(ascii: "f"): 12,
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
        UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "'"): 0x27, UInt8(ascii: "\""): 0x22, UInt8(ascii: "?"): 0x3F,
    ]

    private mutating func escape() {
        let start = index
        let kind = bytes[index + 1]
        index += 2
        switch kind {
        case UInt8(ascii: "x"):
            number(radix: 16, maximumDigits: 2, from: start) { text, value in text.append(UInt8(value & 0xFF)) }
        case UInt8(ascii: "u"): unicode(maximumDigits: 4, from: start)
        case UInt8(ascii: "U"): unicode(maximumDigits: 8, from: start)
        case UInt8(ascii: "c") where index < bytes.count:
            text.append(bytes[index] & 0x1F)
            index += 1
        case 0x30...0x37:
            index -= 1
            number(radix: 8, maximumDigits: 3, from: start) { text, value in text.append(UInt8(value & 0xFF)) }
        default:
            if let byte = Self.simple[kind] { text.append(byte) } else { text += bytes[start..<index] }
        }
    }

    /// Reads digits; without any, the escape stays as it is.
    private mutating func number(
        radix: Int, maximumDigits: Int, from start: Int, _ append: (inout [UInt8], Int) -> Void
    ) {
        guard let value = digits(radix: radix, maximumDigits) else { return text += bytes[start..<index] }
        append(&text, value)
    }

    private mutating func digits(radix: Int, _ maximum: Int) -> Int? {
        var value: Int?
        var count = 0
        while count < maximum, index < bytes.count,
            let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, digit < radix
        {
            value = (value ?? 0) * radix + digit
            index += 1
            count += 1
        }
        return value
    }

    private mutating func unicode(maximumDigits: Int, from start: Int) {
        guard var value = digits(radix: 16, maximumDigits) else { return text += bytes[start..<index] }
        if (0xD800..<0xDC00).contains(value), bytes[index...].starts(with: "\\u".utf8) {
            let high = index
            index += 2
            if let low = digits(radix: 16, 4), (0xDC00..<0xE000).contains(low) {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            } else {
                index = high
            }
        }
        let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
        text += Array(String(scalar).utf8)
    }
}
