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

    mutating func read(_ log: ImportLog) throws(ImportError) -> ShellText {
        carets()
        var result = ShellText()
        var (index, operation, operationOffset) = (0, "", 0)
        while index < plain.count {
            let end = plain[index...].firstIndex(where: \.isOperator) ?? plain.count
            let words = try words(Array(plain[index..<end]), log)
            // The word behind > or < is the name of a file.
            if !words.isEmpty, operation != ">", operation != "<" {
                result.commands.append(
                    ShellLine(words: words, operation: operation, operationOffset: operationOffset))
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
            case 0x0A:
                // A quoted text cannot go over a line end in cmd, but pasted text does.
                plain.append(Symbol(byte: byte, offset: index, isOperator: !isQuoted))
            case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"):
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
