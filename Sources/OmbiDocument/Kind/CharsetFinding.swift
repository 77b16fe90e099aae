/// The encoding of a text, and how it was determined.
public struct CharsetFinding: Sendable, Equatable {
    public enum Source: Sendable, Equatable {
        /// The byte order mark.
        case mark
        /// The charset of the Content-Type.
        case header
        /// `<meta charset>`, the XML declaration, `@charset`.
        case document
        /// A guess from the bytes, without any declaration.
        case guess
    }

    public var charset: Charset
    public var source: Source
    /// The number of bytes of the byte order mark, which is not part of the text.
    public var markLength: Int
    /// A wrong or unknown declaration, for example UTF-16 above bytes that are UTF-8.
    public var note: String?

    /// Examines the mark, the header and the first 4 KiB. Without a declaration it is UTF-16 or UTF-32 by its NULs, or
    /// UTF-8 if these bytes are, and windows-1252 otherwise.
    public static func of(_ bytes: Bytes, contentType: ContentType?) -> CharsetFinding {
        if let (charset, length) = mark(of: bytes) {
            return CharsetFinding(charset: charset, source: .mark, markLength: length)
        }
        let said = contentType?["charset"]
        if let said, let charset = known(said) {
            let finding = CharsetFinding(charset: charset, source: .header, markLength: 0)
            return corrected(finding, said, isJSON: contentType?.type.contains("json") ?? false, bytes)
        }
        let note = said.map { "the charset \"\($0)\" of the Content-Type is not known" }
        if let charset = declared(in: bytes) {
            return checked(CharsetFinding(charset: charset, source: .document, markLength: 0, note: note), bytes)
        }
        return CharsetFinding(charset: guess(bytes), source: .guess, markLength: 0, note: note)
    }

    static let sample = 4096

    static func mark(of bytes: Bytes) -> (Charset, Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        // Before UTF-16, whose mark it starts with.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// Corrects a declaration that the text shows to be wrong: letters that are UTF-8 are not ASCII, and JSON is UTF-8
    /// whatever is said of it (RFC 8259 §8.1).
    private static func corrected(
        _ finding: CharsetFinding, _ label: String, isJSON: Bool, _ bytes: Bytes
    ) -> CharsetFinding {
        let isASCII = ["ascii", "us-ascii", "ansi_x3.4-1968"].contains(label.lowercased())
        guard finding.charset == .windows1252, isASCII || isJSON, isUTF8(bytes) else { return checked(finding, bytes) }
        let hasLetters = (0..<min(sample, bytes.count)).contains { bytes[$0] >= 0x80 }
        guard isASCII || hasLetters else { return finding }
        var finding = finding
        finding.charset = .utf8
        if hasLetters { finding.note = "said to be \(label), but is UTF-8" }
        return finding
    }

    /// Corrects a declaration of two or four bytes per letter in a text that can be read as ASCII: it is UTF-8.
    private static func checked(_ finding: CharsetFinding, _ bytes: Bytes) -> CharsetFinding {
        var finding = finding
        let isWide: Bool =
            switch finding.charset {
            case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: true
            default: false
            }
        if isWide, bytes.count > 1, ByteScan.first(0, in: bytes, 0..<sample) == nil, isUTF8(bytes) {
            finding.note = "said to be \(finding.charset.name), but is UTF-8"
            finding.charset = .utf8
        }
        return finding
    }

    private static func guess(_ bytes: Bytes) -> Charset {
        if let wide = wide(bytes) { return wide }
        return isUTF8(bytes) ? .utf8 : .windows1252
    }

    private static func isUTF8(_ bytes: Bytes) -> Bool {
        UTF8Reader.firstInvalid(in: bytes, 0..<sample, moreToCome: bytes.count > sample) == nil
    }

    /// Returns UTF-16 or UTF-32 without a mark, recognized by the NULs in ASCII letters.
    private static func wide(_ bytes: Bytes) -> Charset? {
        guard bytes.count >= 4 else { return nil }
        let isNul = (0..<4).map { bytes[$0] == 0 }
        switch (isNul[0], isNul[1], isNul[2], isNul[3]) {
        case (true, true, true, false): return .utf32BigEndian
        case (false, true, true, true): return .utf32LittleEndian
        case (true, false, true, false): return .utf16BigEndian
        case (false, true, false, true): return .utf16LittleEndian
        default: return nil
        }
    }

    /// Returns the value of `charset=` or `encoding=` in the first 1024 bytes, where HTML, XML and CSS have it.
    private static func declared(in bytes: Bytes) -> Charset? {
        let head = bytes.text(0..<1024).lowercased()
        let start = head.drop { " \t\r\n".contains($0) }
        if start.hasPrefix("<?xml") {
            return value(after: "encoding", in: start.prefix { $0 != ">" })
        }
        if start.hasPrefix("@charset") { return value(after: "@charset", in: start) }
        guard start.hasPrefix("<") else { return nil }
        for tag in start.split(separator: "<") where tag.hasPrefix("meta") {
            if let found = value(after: "charset", in: tag.prefix { $0 != ">" }) { return found }
        }
        return nil
    }

    private static func value(after word: String, in text: Substring) -> Charset? {
        var rest = text
        while !rest.isEmpty, !rest.hasPrefix(word) { rest = rest.dropFirst() }
        let value = rest.dropFirst(word.count).drop { " =\t\"'\r\n".contains($0) }
        return known(String(value.prefix { !" \"';/?>".contains($0) }))
    }

    private static func known(_ label: String) -> Charset? {
        Charset(label: label).flatMap { $0.isKnown ? $0 : nil }
    }
}
