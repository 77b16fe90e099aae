/// Texts as parts of an address (RFC 3986 §2).
package enum PercentEncoding {
    /// For one path segment or one part of a query: everything but letters, digits and `-._~`.
    static func component(_ text: String) -> String {
        encode(text) { isUnreserved($0) }
    }

    /// For a whole path: encodes what may not stand in one, and leaves what is encoded already.
    static func path(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var index = 0
        return encode(text) { byte in
            defer { index += 1 }
            if byte == UInt8(ascii: "%") { return isEscape(bytes, index) }
            return isUnreserved(byte) || Array("!$&'()*+,;=:@/".utf8).contains(byte)
        }
    }

    /// For `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space is `+`.
    static func form(_ text: String) -> String {
        let encoded = encode(text) { byte in
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "*")
                || isUnreserved(byte) && byte != UInt8(ascii: "~")
        }
        return String(decoding: encoded.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// A part of a query as it was before it was encoded; `+` is a space. What is no valid escape stays as it is.
    package static func decodeQuery(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if isEscape(bytes, index),
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%") && isHex(bytes[index + 1])
            && isHex(bytes[index + 2])
    }

    private static func isHex(_ byte: UInt8) -> Bool { Unicode.Scalar(byte).properties.isASCIIHexDigit }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
