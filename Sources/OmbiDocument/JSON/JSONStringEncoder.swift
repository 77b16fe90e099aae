/// Encodes text as a JSON string (RFC 8259, section 7), with only those characters escaped that must be.
enum JSONStringEncoder {
    /// Appends a text in quotes. The names in normalized paths (RFC 9535, section 2.7) differ in their quotes only.
    static func append(_ text: String, quote: UInt8 = UInt8(ascii: "\""), to result: inout [UInt8]) {
        result.append(quote)
        for byte in text.utf8 {
            switch byte {
            case 0x08: result += "\\b".utf8
            case 0x09: result += "\\t".utf8
            case 0x0A: result += "\\n".utf8
            case 0x0C: result += "\\f".utf8
            case 0x0D: result += "\\r".utf8
            case quote, UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: result += "\\u\(Hexadecimal.fourDigits(of: UInt32(byte)))".utf8
            default: result.append(byte)
            }
        }
        result.append(quote)
    }
}
