/// Percent encoding (RFC 3986 §2.1) over UTF-8.
package enum PercentEncoding {
    /// Letters, digits and `-._~`.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }

    /// Escapes everything but unreserved characters and `allowed`.
    package static func escape(_ text: some StringProtocol, allowing allowed: String = "") -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || allowed.utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [0x25, hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// For a whole path: escapes what may not stand in one, and leaves escapes that are there already as they are.
    package static func escapePath(_ text: some StringProtocol) -> String {
        escapeRest(text, allowing: "!$&'()*+,;=:@/")
    }

    /// For `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space is `+`.
    package static func escapeForm(_ text: some StringProtocol) -> String {
        var result: [UInt8] = []
        for byte in escape(text, allowing: " *").utf8 {
            switch byte {
            case UInt8(ascii: " "): result.append(UInt8(ascii: "+"))
            case UInt8(ascii: "~"): result += "%7E".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The same as `escape`, leaving escapes that are there already as they are.
    static func escapeRest(_ text: some StringProtocol, allowing allowed: String) -> String {
        let bytes = Array(text.utf8)
        var result = ""
        var start = 0
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, hexValue(bytes[index + 1]) != nil,
                hexValue(bytes[index + 2]) != nil
            {
                result += escape(String(decoding: bytes[start..<index], as: UTF8.self), allowing: allowed)
                result += String(decoding: bytes[index...(index + 2)], as: UTF8.self)
                index += 3
                start = index
            } else {
                index += 1
            }
        }
        return result + escape(String(decoding: bytes[start...], as: UTF8.self), allowing: allowed)
    }

    /// Undoes the escapes of a form or a query, in which `+` is a space. What is no valid escape stays as it is.
    package static func unescapeForm(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index] == 0x2B ? 0x20 : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
