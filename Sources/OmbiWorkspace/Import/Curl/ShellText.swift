/// The words of one command, as a shell splits them. Nothing is run, and no file is read.
struct ShellLine: Equatable {
    var words: [ShellWord] = []
    /// The standard input from a here-document or a here-string.
    var input: [UInt8]?
    /// The file of the standard input.
    var inputFile: ShellWord?
    /// The operator in front, such as `|` or `;`; empty for the first command and on a new line.
    var operation = ""
    var operationOffset = 0
    /// The part of the response that a variable of the shell gets.
    var capture: Capture?

    /// Takes what a command writes, an `echo` or a `cat` of one file, as the standard input.
    mutating func takeInput(of command: ShellLine) {
        guard command.words.first?.text == "echo" else { return inputFile = command.words.last }
        let words = command.words.dropFirst()
        let isCut = words.first?.text == "-n"
        let end: [UInt8] = isCut ? [] : [0x0A]
        input = Array(words.dropFirst(isCut ? 1 : 0).map(\.bytes).joined(separator: [0x20])) + end
    }
}

/// A word without its quotes.
struct ShellWord: Equatable {
    var bytes: [UInt8] = []
    /// In bytes of the text.
    var offset: Int
    var isQuoted = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The shell that a text is written for.
enum ShellDialect: Equatable {
    case bash, cmd, powerShell

    /// Recognises the forms that browsers and API clients copy. A text without the marks of Windows is for bash; within
    /// the quotes of bash there are none.
    static func of(_ bytes: [UInt8]) -> ShellDialect {
        let text = String(decoding: bytes, as: UTF8.self)
        if lines(of: text).contains(where: { $0.hasSuffix("\\") }) { return .bash }
        let bare = BashOutline(bytes).map { String(decoding: $0.bytes, as: UTF8.self) } ?? text
        let bareLines = lines(of: bare).dropLast()
        if bareLines.contains(where: { $0.hasSuffix("^") }) || bare.contains(" ^\"") { return .cmd }
        if bareLines.contains(where: { $0.hasSuffix("`") }) { return .powerShell }
        let isWindows = text.prefix { !$0.isWhitespace }.lowercased().hasSuffix("curl.exe")
        if isWindows { return text.contains("'") || text.contains("`") ? .powerShell : .cmd }
        return hasDoubledQuotes(bytes) ? .cmd : .bash
    }

    /// Without spaces at their ends.
    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line in
            String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    /// Returns true for pairs of `""` within quotes, such as `"{""a"":1}"`. A single one is for bash, where quotes end and
    /// begin again.
    private static func hasDoubledQuotes(_ bytes: [UInt8]) -> Bool {
        guard !bytes.contains(UInt8(ascii: "'")), !bytes.contains(UInt8(ascii: "$")) else { return false }
        let quote = UInt8(ascii: "\"")
        var (index, isQuoted, doubled, isMarked) = (0, false, 0, false)
        while index < bytes.count {
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case quote where isQuoted && next == quote:
                if "{[=".utf8.contains(bytes[index - 1]) { isMarked = true }
                doubled += 1
                index += 1
            case quote: isQuoted.toggle()
            default: break
            }
            index += 1
        }
        return isMarked && doubled % 2 == 0
    }

    func split(_ bytes: [UInt8], _ log: inout ImportLog) throws(ImportError) -> [ShellLine] {
        switch self {
        case .bash:
            var reader = BashReader(bytes, log)
            defer { log = reader.log }
            return try reader.read()
        case .cmd:
            var reader = CmdReader(bytes)
            return try reader.read(log)
        case .powerShell:
            var reader = PowerShellReader(bytes, log)
            defer { log = reader.log }
            return try reader.read()
        }
    }
}

/// A name of a shell's variable, which becomes that of a template.
enum ShellVariable {
    static func isStart(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
    }

    static func isPart(_ byte: UInt8) -> Bool { isStart(byte) || (0x30...0x39).contains(byte) }

    /// Returns the template, and notes it.
    static func template(_ name: [UInt8], written: String, at offset: Int, _ log: inout ImportLog) -> [UInt8] {
        let name = String(decoding: name, as: UTF8.self)
        let template = "{{\(name)}}"
        log.variables.insert(name)
        log.remark(offset, written, "became \(template); define it as a variable or a secret")
        return Array(template.utf8)
    }
}

/// A text with dots in place of what bash takes as quoted or as a comment, to find the marks of other shells in the
/// rest.
struct BashOutline {
    private(set) var bytes: [UInt8]

    /// Nil for a text whose quotes are not closed in bash.
    init?(_ text: [UInt8]) {
        bytes = text
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                let quote = text[index]
                let hasEscapes = quote == UInt8(ascii: "\"") || index > 0 && text[index - 1] == UInt8(ascii: "$")
                guard let end = Self.end(of: quote, from: index, hasEscapes, in: text) else { return nil }
                cover(index + 1..<end)
                index = end + 1
            case UInt8(ascii: "#") where index == 0 || [0x20, 0x09, 0x0A].contains(text[index - 1]):
                let end = text[index...].firstIndex(of: 0x0A) ?? text.count
                cover(index..<end)
                index = end
            case UInt8(ascii: "<") where text[index...].starts(with: "<<".utf8):
                // Here-documents, whose text may hold anything, are in bash alone.
                bytes = Array(bytes[..<index])
                return
            default: index += 1
            }
        }
    }

    private mutating func cover(_ range: Range<Int>) {
        for index in range { bytes[index] = UInt8(ascii: ".") }
    }

    private static func end(of quote: UInt8, from start: Int, _ hasEscapes: Bool, in text: [UInt8]) -> Int? {
        var index = start + 1
        while index < text.count, text[index] != quote {
            index += hasEscapes && text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < text.count ? index : nil
    }
}

/// A command as documents print it: behind a prompt, between fences of Markdown, with the dashes, the spaces and the
/// quotes of a word processor. Where they can, they give way to spaces and ASCII of as many bytes, so that the places of
/// notes stay.
enum PrintedCommand {
    static func read(_ text: String) -> (text: String, remarks: [ShellTypography.Remark]) {
        let text = ShellPrompts.removed(from: text)
        guard var typography = ShellTypography(text) else { return (text, []) }
        return (typography.read(), typography.remarks)
    }
}

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
        case UInt8(ascii: "x"): number(radix: 16, maximumDigits: 2, from: start)
        case UInt8(ascii: "u"): unicode(maximumDigits: 4, from: start)
        case UInt8(ascii: "U"): unicode(maximumDigits: 8, from: start)
        case UInt8(ascii: "c") where index < bytes.count:
            text.append(bytes[index] & 0x1F)
            index += 1
        case 0x30...0x37:
            index -= 1
            number(radix: 8, maximumDigits: 3, from: start)
        default:
            if let byte = Self.simple[kind] { text.append(byte) } else { text += bytes[start..<index] }
        }
    }

    /// Reads digits; without any, the escape stays as it is.
    private mutating func number(radix: Int, maximumDigits: Int, from start: Int) {
        guard let value = digits(radix: radix, maximumDigits) else { return text += bytes[start..<index] }
        text.append(UInt8(value & 0xFF))
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
