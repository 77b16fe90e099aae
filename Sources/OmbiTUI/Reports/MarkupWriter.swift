/// Markup of XML or HTML that is written piece by piece: a report has thousands of rows, and each piece may hold what a server
/// sent.
struct MarkupWriter {
    private var bytes: [UInt8] = []

    /// In bytes.
    var count: Int { bytes.count }
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds markup as it is.
    mutating func add(_ markup: String) {
        var markup = markup
        markup.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Adds one line as content of an element or as an attribute.
    mutating func add(text: String) {
        if !addPlain(text, isWhole: false) { addEscaped(Self.valid(SafeText.line(text))) }
    }

    /// Adds lines as content of an element.
    mutating func add(lines text: String) {
        if !addPlain(text, isWhole: true) { addEscaped(Self.valid(SafeText.lines(text))) }
    }

    /// Takes back what was added last.
    /// - Parameter count: the number of bytes that stay.
    mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

    /// Adds a text of printable ASCII; returns false, and adds nothing, for any other.
    /// - Parameter isWhole: true for a text that keeps its line ends.
    private mutating func addPlain(_ text: String, isWhole: Bool) -> Bool {
        var text = text
        let isPlain = text.withUTF8 { text in
            text.allSatisfy { $0 >= 0x20 && $0 < 0x7F || isWhole && $0 == 0x0A }
        }
        if isPlain { addEscaped(text) }
        return isPlain
    }

    /// Returns a text without the scalars that XML 1.0 has no place for; controls have pictures already.
    private static func valid(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isInvalid) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isInvalid(scalar) ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFFFE || scalar.value == 0xFFFF || scalar.value < 0x20 && scalar != "\n"
    }

    private mutating func addEscaped(_ text: String) {
        var text = text
        text.withUTF8 { text in
            var start = 0
            for index in text.indices {
                guard let entity = Self.entity(text[index]) else { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
                add(entity)
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }

    private static func entity(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
