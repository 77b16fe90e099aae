/// Text from files and the network, made safe for a terminal.
enum SafeText {
    /// Returns the text as one line without control characters.
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for glyph in Glyphs(text) {
            result.append(glyph.scalar)
            // A view of scalars that takes several at once is copied for it.
            for mark in glyph.marks { result.append(mark) }
        }
        return String(result)
    }

    /// Returns a text as a terminal may get it: control and format characters have pictures, but for line ends, tabs and the
    /// colours of `Paint`.
    static func terminal(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let kept = kept(rest) {
                for scalar in kept.unicodeScalars { result.append(scalar) }
                rest = rest.dropFirst(kept.unicodeScalars.count)
                continue
            }
            rest.removeFirst()
            if case .unprintable(let picture) = ScalarClass(scalar) {
                result.append(picture)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The control characters at the start of a text that a terminal gets as they are.
    private static func kept(_ rest: Substring.UnicodeScalarView) -> String? {
        switch rest.first {
        case "\n": "\n"
        case "\t": "\t"
        case "\r": rest.starts(with: "\r\n".unicodeScalars) ? "\r\n" : nil
        case "\u{1B}": Paint.sequences.first { rest.starts(with: $0.unicodeScalars) }
        default: nil
        }
    }

    /// Returns the text with each of its lines made safe.
    static func lines(_ text: String) -> String { lines(text, each: line) }

    /// Returns a text that is written into a file, too, with each of its lines made safe. Its tabs stay.
    static func code(_ text: String) -> String {
        lines(text) { text in
            text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { line(String(Substring($0))) }.joined(separator: "\t")
        }
    }

    /// Returns the text with each of its lines changed. A carriage return belongs to its line.
    static func lines(_ text: String, each change: (String) -> String) -> String {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { change(String(Substring($0))) }.joined(separator: "\n")
    }
}

/// The colours and the emphasis of texts on a terminal, the only sequences that the command line writes (`SafeText.terminal`).
enum Paint: Int, CaseIterable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33

    private static let end = "\u{1B}[m"
    private var start: String { "\u{1B}[\(rawValue)m" }

    /// Every sequence that such a text has.
    static let sequences = Paint.allCases.map(\.start) + [end]

    func text(_ text: String) -> String { start + text + Self.end }
}

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

    /// Adds a number from 0 on, without a text for it.
    mutating func add(_ number: Int) {
        if number > 9 { add(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Adds `0.410`: seconds with three decimals.
    mutating func add(seconds duration: Duration) {
        let (seconds, attoseconds) = max(.zero, duration + .microseconds(500)).components
        let milliseconds = Int(attoseconds / 1_000_000_000_000_000)
        add(Int(seconds))
        bytes.append(UInt8(ascii: "."))
        add(milliseconds / 100)
        add(milliseconds / 10 % 10)
        add(milliseconds % 10)
    }

    /// Adds one line as content of an element or as an attribute.
    mutating func add(text: String) {
        if !addPlain(text, isWhole: false) { addEscaped(Self.valid(SafeText.line(text))) }
    }

    /// Adds lines as content of an element.
    mutating func add(lines text: String) {
        if !addPlain(text, isWhole: true) { addEscaped(Self.valid(SafeText.lines(text))) }
    }

    /// Adds one line between markup.
    mutating func add(_ start: String, text: String, _ end: String) {
        add(start)
        add(text: text)
        add(end)
    }

    /// Adds lines between markup.
    mutating func add(_ start: String, lines text: String, _ end: String) {
        add(start)
        add(lines: text)
        add(end)
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
