/// Splits text into commands like cmd.exe and the programs that it starts: first the carets and operators, then the
/// quotes and backslashes of the C runtime.
struct CmdReader {
    private let bytes: [UInt8]
    private var plain: [Symbol] = []

    /// A byte that a program gets, or an operator of the shell.
    private struct Symbol {
        var byte: UInt8
        var offset: Int
        var isOperator = false
        /// True behind a caret.
        var isEscaped = false
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ log: ImportLog) throws(ImportError) -> [ShellLine] {
        carets()
        var result: [ShellLine] = []
        var (index, operation, operationOffset) = (0, "", 0)
        while index < plain.count {
            let end = plain[index...].firstIndex(where: \.isOperator) ?? plain.count
            let words = try words(Array(plain[index..<end]), log)
            // The word behind > or < is the name of a file.
            if !words.isEmpty, operation != ">", operation != "<" {
                result.append(ShellLine(words: words, operation: operation, operationOffset: operationOffset))
            }
            guard end < plain.count else { break }
            let isLineEnd = plain[end].byte == 0x0A
            operation = isLineEnd ? "" : String(decoding: [plain[end].byte], as: UTF8.self)
            operationOffset = plain[end].offset
            index = end + 1
        }
        return result
    }

    /// A caret makes the next character a plain one; at the end of a line it joins the next line, whose first character is
    /// plain, even a line break.
    private mutating func carets() {
        var (index, isQuoted) = (0, false)
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "^") where !isQuoted:
                index += 1
                if index < bytes.count, bytes[index] == 0x0D { index += 1 }
                if index < bytes.count, bytes[index] == 0x0A {
                    index += 1
                    if index < bytes.count, bytes[index] == 0x0D { index += 1 }
                }
                if index < bytes.count { plain.append(Symbol(byte: bytes[index], offset: index, isEscaped: true)) }
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                plain.append(Symbol(byte: byte, offset: index))
            case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: break
            // A quoted text cannot go over a line end in cmd, but pasted text does.
            case 0x0A, UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"):
                plain.append(Symbol(byte: byte, offset: index, isOperator: !isQuoted))
            default: plain.append(Symbol(byte: byte, offset: index))
            }
            index += 1
        }
    }

    private func words(_ symbols: [Symbol], _ log: ImportLog) throws(ImportError) -> [ShellWord] {
        var words: [ShellWord] = []
        var word: ShellWord?
        var (index, quote) = (0, Int?.none)
        while index < symbols.count {
            let symbol = symbols[index]
            switch symbol.byte {
            case 0x20, 0x09:
                if quote == nil {
                    if let word { words.append(word) }
                    word = nil
                } else {
                    word?.bytes.append(symbol.byte)
                }
                index += 1
            case UInt8(ascii: "\\"), UInt8(ascii: "\""):
                var current = word ?? ShellWord(offset: symbol.offset)
                // Held twice, the bytes would be copied.
                word = nil
                quotes(symbols, &index, &current, &quote)
                word = current
            default:
                if word == nil { word = ShellWord(offset: symbol.offset) }
                word?.bytes.append(symbol.byte)
                index += 1
            }
        }
        if let quote { throw log.error(quote, "the \" is not closed") }
        return words + (word.map { [$0] } ?? [])
    }

    /// Backslashes count only before a quote: two of them are one, and a single one makes the quote a plain one. Two quotes
    /// within quotes are one.
    private func quotes(_ symbols: [Symbol], _ index: inout Int, _ word: inout ShellWord, _ quote: inout Int?) {
        let start = index
        while index < symbols.count, symbols[index].byte == UInt8(ascii: "\\") { index += 1 }
        let backslashes = index - start
        guard index < symbols.count, symbols[index].byte == UInt8(ascii: "\"") else {
            // Chrome writes two for each, with carets, though the runtime takes both.
            let areDoubled = symbols[start..<index].allSatisfy(\.isEscaped)
            word.bytes += Array(repeating: UInt8(ascii: "\\"), count: areDoubled ? (backslashes + 1) / 2 : backslashes)
            return
        }
        word.bytes += Array(repeating: UInt8(ascii: "\\"), count: backslashes / 2)
        word.isQuoted = true
        let isDoubled = quote != nil && index + 1 < symbols.count && symbols[index + 1].byte == UInt8(ascii: "\"")
        if backslashes % 2 == 1 {
            word.bytes.append(UInt8(ascii: "\""))
        } else if isDoubled {
            word.bytes.append(UInt8(ascii: "\""))
            index += 1
        } else {
            quote = quote == nil ? symbols[index].offset : nil
        }
        index += 1
    }
}

/// Splits text into commands like PowerShell. `\"` in quotes is a quote, as Windows PowerShell needs it for programs.
struct PowerShellReader {
    private let bytes: [UInt8]
    private var index = 0
    private var result: [ShellLine] = []
    private var command = ShellLine()
    private var word: ShellWord?
    private(set) var log: ImportLog

    init(_ bytes: [UInt8], _ log: ImportLog) {
        self.bytes = bytes
        self.log = log
    }

    private func byte(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    mutating func read() throws(ImportError) -> [ShellLine] {
        while let byte = byte() {
            switch byte {
            case 0x20, 0x09, 0x0D:
                endWord()
                index += 1
            case 0x0A, UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ">"): endCommand(byte)
            case UInt8(ascii: "#") where word == nil: while let byte = self.byte(), byte != 0x0A { index += 1 }
            case UInt8(ascii: "`"): backtick()
            case UInt8(ascii: "'"): try quotes(byte) { _ in nil }
            case UInt8(ascii: "\""): try quotes(byte) { $0.expansion() }
            case UInt8(ascii: "$"):
                if let template = variable() {
                    append(template)
                } else {
                    append([byte])
                    index += 1
                }
            default:
                append([byte])
                index += 1
            }
        }
        endWord()
        endCommand(0x0A)
        return result
    }

    private mutating func append(_ bytes: [UInt8], quoted: Bool = false) {
        if word == nil { word = ShellWord(offset: index) }
        word?.bytes += bytes
        if quoted { word?.isQuoted = true }
    }

    private mutating func endWord() {
        if let word { command.words.append(word) }
        word = nil
    }

    private mutating func endCommand(_ operation: UInt8) {
        endWord()
        if !command.words.isEmpty, command.operation != ">" { result.append(command) }
        command = ShellLine(
            operation: operation == 0x0A ? "" : String(decoding: [operation], as: UTF8.self), operationOffset: index)
        index += 1
    }

    private mutating func backtick() {
        index += 1
        if byte() == 0x0D { index += 1 }
        if byte() == 0x0A {
            index += 1
        } else if let byte = byte() {
            append([Self.escapes[byte] ?? byte], quoted: true)
            index += 1
        }
    }

    /// The characters that stand for others behind a backtick.
    static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "0"): 0,
    ]

    /// Reads from a quote to its end; a doubled one stands for itself.
    private mutating func quotes(
        _ quote: UInt8, expanding: (inout PowerShellReader) -> [UInt8]?
    ) throws(ImportError) {
        let start = index
        append([], quoted: true)
        index += 1
        while let byte = byte() {
            if let text = expanding(&self) {
                append(text)
            } else if byte == UInt8(ascii: "\\"), self.byte(1) == UInt8(ascii: "\""), quote == UInt8(ascii: "'") {
                append([UInt8(ascii: "\"")])
                index += 2
            } else if byte == quote, self.byte(1) == quote {
                append([quote])
                index += 2
            } else if byte == quote {
                index += 1
                return
            } else {
                append([byte])
                index += 1
            }
        }
        throw log.error(start, "the \(String(decoding: [quote], as: UTF8.self)) is not closed")
    }

    /// Reads a backtick or a variable within double quotes; nil for any other text.
    private mutating func expansion() -> [UInt8]? {
        switch byte() {
        case UInt8(ascii: "`"):
            guard let next = byte(1) else { return nil }
            index += 2
            return [Self.escapes[next] ?? next]
        case UInt8(ascii: "\\") where byte(1) == UInt8(ascii: "`") && byte(2) == UInt8(ascii: "\""):
            index += 3
            return [UInt8(ascii: "\"")]
        case UInt8(ascii: "$"): return variable()
        default: return nil
        }
    }

    /// Returns the template for `$name`, `${name}` and `$env:name`; nil for any other text.
    private mutating func variable() -> [UInt8]? {
        let start = index
        var end = index + 1
        let isBraced = end < bytes.count && bytes[end] == UInt8(ascii: "{")
        if isBraced { end += 1 }
        if bytes[min(end, bytes.count)...].starts(with: "env:".utf8) { end += 4 }
        guard end < bytes.count, ShellVariable.isStart(bytes[end]) else {
            guard byte(1) == UInt8(ascii: "(") else { return nil }
            log.loss(start, "$(", "PowerShell would replace this; it stays as it is written")
            return nil
        }
        let name = Array(bytes[end...].prefix(while: ShellVariable.isPart))
        end += name.count
        if isBraced {
            guard end < bytes.count, bytes[end] == UInt8(ascii: "}") else { return nil }
            end += 1
        }
        index = end
        let written = String(decoding: bytes[start..<end], as: UTF8.self)
        return ShellVariable.template(name, written: written, at: start, &log)
    }
}
