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

    /// Recognises the forms that browsers and API clients copy. A text without the marks of Windows is for bash.
    static func of(_ bytes: [UInt8]) -> ShellDialect {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        let hasBackslash = lines.contains { $0.hasSuffix("\\") }
        if hasBackslash { return .bash }
        if lines.dropLast().contains(where: { $0.hasSuffix("^") }) || text.contains(" ^\"") { return .cmd }
        if lines.dropLast().contains(where: { $0.hasSuffix("`") }) { return .powerShell }
        let isWindows = text.prefix { !$0.isWhitespace }.lowercased().hasSuffix("curl.exe")
        if isWindows { return text.contains("'") || text.contains("`") ? .powerShell : .cmd }
        let doubled = ["{\"\"", "[\"\"", "=\"\""].contains { text.contains($0) } && !text.contains("'")
        return doubled ? .cmd : .bash
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
