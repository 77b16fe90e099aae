/// Recognizes the kind of a text by its start, as far as possible.
struct TextSniffer {
    /// The first bytes, as UTF-8.
    let head: Bytes

    var kind: BodyKind? {
        guard let first = firstLetter else { return nil }
        switch head[first] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(first)
        case UInt8(ascii: "\""), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return number(first) ?? plain
        case UInt8(ascii: "<"): return markup(first)
        default: return plain
        }
    }

    private var firstLetter: Int? {
        (0..<head.count).first { !JSONScanner.isWhitespace(head[$0]) }
    }

    private func after(_ offset: Int) -> UInt8 {
        var offset = offset + 1
        while offset < head.count, JSONScanner.isWhitespace(head[offset]) { offset += 1 }
        return head[offset]
    }

    private func json(_ first: Int) -> BodyKind? {
        let next = after(first)
        let isObject = head[first] == UInt8(ascii: "{")
        let starts = isObject ? "\"}" : "[]{}\"-0123456789tfn"
        // A bracket may also begin a line of a log, or of Markdown.
        guard next == 0 || starts.utf8.contains(next) else { return nil }
        if !isObject, "tfn".utf8.contains(next), !isWord(after: first) { return nil }
        return isLines ? .jsonLines : .json
    }

    private func isWord(after bracket: Int) -> Bool {
        let rest = head.text(bracket + 1..<bracket + 40).drop { " \t\r\n".contains($0) }
        return ["true", "false", "null"].contains { word in
            rest.hasPrefix(word) && rest.dropFirst(word.count).first.map { ",] \t\r\n".contains($0) } ?? true
        }
    }

    /// True if each of the first three lines is a whole object or array.
    private var isLines: Bool {
        let lines = firstLines.filter { !$0.isEmpty }
        guard lines.count > 1 else { return false }
        return lines.prefix(3).allSatisfy { line in
            guard let start = line.first, let end = line.last else { return false }
            return start == "{" && end == "}" || start == "[" && end == "]"
        }
    }

    /// Up to eight lines, trimmed. The last one of a full sample may be cut off, and is omitted.
    private var firstLines: [String] {
        var lines: [String] = []
        var start = 0
        while start < head.count, lines.count < 8, let next = LineIndex.nextLine(after: start, in: head) {
            lines.append(Self.trimmed(head.text(start..<next)))
            start = next
        }
        if lines.count < 8, start < head.count, head.count < 4000 {
            lines.append(Self.trimmed(head.text(start..<head.count)))
        }
        return lines
    }

    private static func trimmed(_ text: String) -> String {
        String(Substring(text.unicodeScalars.trimming { " \t\r\n".unicodeScalars.contains($0) }))
    }

    /// Recognizes a number or a string by itself as JSON (RFC 8259) when nothing follows it.
    private func number(_ first: Int) -> BodyKind? {
        guard head.count < 4000 else { return nil }
        let text = Self.trimmed(head.text(first..<head.count))
        if text.first == "\"" {
            let inside = text.dropFirst().dropLast()
            return text.count > 1 && text.last == "\"" && !inside.contains { $0 == "\"" || $0.isNewline } ? .json : nil
        }
        return text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil ? .json : nil
    }

    private func markup(_ first: Int) -> BodyKind? {
        let start = head.text(first..<first + 1024).lowercased()
        if start.hasPrefix("<?xml") { return start.contains("<html") ? .html : .xml }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
        if start.hasPrefix("<!--") { return start.contains("<html") || start.contains("<!doctype html") ? .html : .xml }
        let name = start.dropFirst().prefix { $0.isLetter || $0 == "_" || $0 == ":" || $0.isNumber || $0 == "-" }
        guard let letter = name.first, letter.isLetter || letter == "_" else {
            return start.hasPrefix("<!doctype") ? .xml : nil
        }
        return Self.pageTags.contains(String(name)) ? .html : .xml
    }

    private static let pageTags: Set = [
        "head", "body", "title", "meta", "link", "script", "style", "div", "span", "p", "a", "h1", "h2", "h3", "table",
        "ul", "ol", "li", "br", "hr", "img", "form", "input", "button", "b", "i", "strong", "em", "pre", "code",
        "center",
    ]

    /// The kind of a text that is recognized by its lines instead of its first bytes.
    private var plain: BodyKind? {
        let lines = firstLines
        if let first = lines.first(where: { !$0.isEmpty }) {
            if ["data:", "event:", "id:", "retry:", ":"].contains(where: first.hasPrefix), isEvents(lines) {
                return .events
            }
            if first.hasPrefix("%YAML ") || first == "---" { return .yaml }
            if lines.count <= 1, isForm(first) { return .form }
        }
        return table(lines)
    }

    private func isEvents(_ lines: [String]) -> Bool {
        lines.contains { $0.hasPrefix("data:") }
            && lines.allSatisfy { line in
                line.isEmpty || ["data", "event", "id", "retry", ":"].contains(where: line.hasPrefix)
            }
    }

    private func isForm(_ line: String) -> Bool {
        let pairs = line.split(separator: "&", omittingEmptySubsequences: false)
        return line.contains("=")
            && pairs.allSatisfy { pair in
                guard let sign = pair.firstIndex(of: "="), sign > pair.startIndex else { return false }
                return pair.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>{}".utf8.contains($0) }
            } && (pairs.count > 1 || line.contains("%"))
    }

    /// Recognizes three or more rows with the same number of separators.
    private func table(_ lines: [String]) -> BodyKind? {
        let rows = lines.filter { !$0.isEmpty }
        guard rows.count >= 3 else { return nil }
        for separator in [UInt8(0x09), UInt8(ascii: ","), UInt8(ascii: ";")] {
            let counts = rows.map { Self.count(separator, in: $0) }
            if let first = counts.first, first > 0, counts.allSatisfy({ $0 == first }),
                separator == 0x09 || first > 1 || rows.allSatisfy({ !$0.contains(", ") })
            {
                return .table(separator: separator)
            }
        }
        return nil
    }

    private static func count(_ separator: UInt8, in line: String) -> Int {
        var isQuoted = false
        var count = 0
        for byte in line.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == separator, !isQuoted { count += 1 }
        }
        return count
    }
}

/// The encoding of a text, and how it was determined.
package struct CharsetFinding: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// The byte order mark.
        case mark
        /// The charset of the Content-Type.
        case header
        /// `<meta charset>`, the XML declaration, `@charset`.
        case document
        /// A guess from the bytes, without any declaration.
        case guess
    }

    package var charset: Charset
    package var source: Source
    /// The number of bytes of the byte order mark, which is not part of the text.
    package var markLength: Int
    /// A wrong or unknown declaration, for example UTF-16 above bytes that are UTF-8.
    package var note: String?

    /// Examines the mark, the header and the first 4 KiB. Without a declaration it is UTF-16 or UTF-32 by its NULs, or
    /// UTF-8 if these bytes are, and windows-1252 otherwise.
    package static func of(_ bytes: Bytes, contentType: ContentType?) -> CharsetFinding {
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

    /// Corrects a declaration that contradicts the text: letters that are UTF-8 are not ASCII, and JSON is always UTF-8
    /// (RFC 8259 §8.1).
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
        if finding.charset.isWide, bytes.count > 1, ByteScan.first(0, in: bytes, 0..<sample) == nil, isUTF8(bytes) {
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
