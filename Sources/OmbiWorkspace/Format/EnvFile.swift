/// The names and values of a `.env` file.
///
/// `NAME=value` a line, `export ` before it, comments after `#`. A value in `'` is as it stands; one in `"` knows `\n`, `\r`,
/// `\t`, `\"`, `\\` and `\$`; both may go over several lines. Nothing is expanded.
struct EnvFile: Equatable {
    struct Entry: Equatable {
        var name: String
        var value: String
    }

    struct Failure: Error, Equatable {
        /// From 1, in characters.
        var line: Int
        var column: Int
        var message: String
    }

    /// The last of each name, in the order of the file.
    private(set) var entries: [Entry] = []

    func value(of name: String) -> String? { entries.last { $0.name == name }?.value }

    /// Reads a file in UTF-8, with any ends of lines. Errors never quote a value.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard let text = TextFile.text(of: bytes) else {
            throw Failure(line: 1, column: 1, message: "the file is not UTF-8 text")
        }
        var reader = EnvReader(text)
        while let entry = try reader.next() {
            entries.removeAll { $0.name == entry.name }
            entries.append(entry)
        }
    }
}

/// Reads one assignment after the other.
private struct EnvReader {
    private let text: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { self.text = TextFile.scalars(of: text) }

    private var current: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// Returns nil at the end.
    mutating func next() throws(EnvFile.Failure) -> EnvFile.Entry? {
        while let character = current {
            if character == "#" {
                skip { !Self.isBreak($0) }
            } else if character.properties.isWhitespace {
                index += 1
            } else {
                break
            }
        }
        guard current != nil else { return nil }
        let name = try name()
        skip(Self.isSpace)
        guard current == "=" else {
            throw failure("there is no = after the name; write NAME=VALUE")
        }
        index += 1
        skip(Self.isSpace)
        return EnvFile.Entry(name: name, value: try value())
    }

    private mutating func name() throws(EnvFile.Failure) -> String {
        let start = index
        var name = word()
        if name == "export", let next = current, Self.isSpace(next) {
            skip(Self.isSpace)
            if let character = current, character != "=" { name = word() }
        }
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else {
            if index == start || name.isEmpty { throw failure("a name has letters, digits, _, - and .") }
            index = start
            throw failure("a name does not begin with a digit")
        }
        return name
    }

    private mutating func word() -> String {
        var word = ""
        while let character = current,
            character.isASCII && character.properties.isAlphabetic || ("0"..."9").contains(character)
                || character == "_" || character == "-" || character == "."
        {
            word.unicodeScalars.append(character)
            index += 1
        }
        return word
    }

    private mutating func value() throws(EnvFile.Failure) -> String {
        guard let quote = current, quote == "'" || quote == "\"" else { return plainValue() }
        let start = index
        index += 1
        var value = ""
        while let character = current, character != quote {
            index += 1
            if character == "\\", quote == "\"", let escaped = current {
                index += 1
                value += Self.unescaped(escaped)
            } else {
                value.unicodeScalars.append(character)
            }
        }
        guard current != nil else {
            index = start
            throw failure("the quote is not closed")
        }
        index += 1
        let end = index
        skip(Self.isSpace)
        if let character = current, !Self.isBreak(character), character != "#" {
            index = end
            throw failure("there is text behind the quote; put all of the value in quotes")
        }
        skip { !Self.isBreak($0) }
        return value
    }

    private static func unescaped(_ character: Unicode.Scalar) -> String {
        switch character {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case "\"", "\\", "$": String(character)
        case "\n": ""
        default: "\\" + String(character)
        }
    }

    /// Up to the end of the line, or to a comment behind a space.
    private mutating func plainValue() -> String {
        var value: [Unicode.Scalar] = []
        while let character = current, !Self.isBreak(character) {
            if character == "#", value.last.map(Self.isSpace) ?? true { break }
            value.append(character)
            index += 1
        }
        skip { !Self.isBreak($0) }
        while let last = value.last, Self.isSpace(last) { value.removeLast() }
        return value.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) {
        while let character = current, isSkipped(character) { index += 1 }
    }

    private func failure(_ message: String) -> EnvFile.Failure {
        let before = text[..<index]
        let line = before.count(where: Self.isBreak) + 1
        let start = before.lastIndex(where: Self.isBreak).map { $0 + 1 } ?? 0
        return EnvFile.Failure(line: line, column: index - start + 1, message: message)
    }
}

/// The text of a file in UTF-8, as every reader takes it.
enum TextFile {
    /// Returns the text without the byte order mark that some editors begin a file with; nil for a file in another encoding.
    static func text(of bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(validating: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    /// The scalars of a text; a line break of Windows is one.
    static func scalars(of text: String) -> [Unicode.Scalar] {
        var previous: Unicode.Scalar?
        return text.unicodeScalars.reduce(into: []) { text, scalar in
            if previous == "\r", scalar == "\n" { text.removeLast() }
            text.append(scalar)
            previous = scalar
        }
    }
}
