/// Finds out in which encoding a text came, and turns it into UTF-8.
enum TextDecoder {
    /// The text as UTF-8, and the name of the encoding when it was another one. Nil when the bytes are no text.
    static func utf8(_ bytes: [UInt8], contentType: String) -> (text: [UInt8]?, charset: String?) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (Array(bytes.dropFirst(3)), nil) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (utf16(bytes.dropFirst(2), littleEndian: true), "UTF-16") }
        if bytes.starts(with: [0xFE, 0xFF]) { return (utf16(bytes.dropFirst(2), littleEndian: false), "UTF-16") }
        switch charset(in: contentType) {
        case "iso-8859-1", "latin1", "windows-1252", "us-ascii": return (latin1(bytes), "ISO-8859-1")
        case "utf-16", "utf-16be": return (utf16(bytes[...], littleEndian: false), "UTF-16")
        case "utf-16le": return (utf16(bytes[...], littleEndian: true), "UTF-16")
        default: break
        }
        if isText(contentType) || !looksBinary(bytes) { return (bytes, nil) }
        return (nil, nil)
    }

    private static func charset(in contentType: String) -> String? {
        guard let parameter = contentType.split(separator: ";").dropFirst().first(where: { $0.contains("charset=") })
        else { return nil }
        return parameter.split(separator: "=").last.map { $0.filter { !" \"'".contains($0) }.lowercased() }
    }

    private static func isText(_ contentType: String) -> Bool {
        contentType.hasPrefix("text/") || contentType.contains("json") || contentType.contains("xml")
            || contentType.contains("x-www-form-urlencoded")
    }

    /// Text has no NUL, and more than nine tenths of its first bytes are valid UTF-8.
    private static func looksBinary(_ bytes: [UInt8]) -> Bool {
        let sample = bytes.prefix(4096)
        if sample.contains(0) { return true }
        let repaired = String(decoding: sample, as: UTF8.self).unicodeScalars.count { $0 == "\u{FFFD}" }
        return repaired * 10 > sample.count
    }

    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
        }
        return text
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, littleEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(littleEndian ? second << 8 | first : first << 8 | second)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
