/// A text split into commands, by the rules of one shell. Nothing is run, and no file is read.
struct ShellText: Equatable {
    var commands: [ShellLine] = []
}

/// The words of one command.
struct ShellLine: Equatable {
    var words: [ShellWord] = []
    /// The standard input from a here-document or a here-string.
    var input: [UInt8]?
    /// The file of the standard input.
    var inputFile: ShellWord?
    /// The operator in front, such as `|` or `;`; empty for the first command and on a new line.
    var operation = ""
    var operationOffset = 0
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

    func split(_ bytes: [UInt8], _ log: inout ImportLog) throws(ImportError) -> ShellText {
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
