/// Splits text into commands like bash and zsh. Variables become templates; what the shell would run stays as it is
/// written.
struct BashReader {
    private let bytes: [UInt8]
    /// The offset of the bytes in the text of the log.
    private var origin = 0
    private var index = 0
    private var result: [ShellLine] = []
    private var command = ShellLine()
    private var word: ShellWord?
    /// The subshells that are open: `(`.
    private var depth = 0
    /// Takes the next word.
    private var redirect: Redirect?
    private var heredocs: [Heredoc] = []
    /// The substitutions around: `$(`.
    private var nesting = 0
    /// The substitutions so far that may have been commands of curl; each takes a copy of the text.
    private var substitutions = 0
    private(set) var log: ImportLog

    private enum Redirect {
        case output(offset: Int, written: String)
        case input
        case hereString
        case heredoc(stripsTabs: Bool)
    }

    private struct Heredoc {
        /// The index of its command.
        var command: Int
        var end: ShellWord
        var stripsTabs: Bool
    }

    init(_ bytes: [UInt8], _ log: ImportLog) {
        self.bytes = bytes
        self.log = log
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }
    private func peek() -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    mutating func read() throws(ImportError) -> [ShellLine] {
        while let byte {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                endWord()
                index += 1
            case UInt8(ascii: "\n"): try newline()
            case UInt8(ascii: "#") where word == nil: while let byte = self.byte, byte != 0x0A { index += 1 }
            case UInt8(ascii: "<") where peek() == UInt8(ascii: "("),
                UInt8(ascii: ">") where peek() == UInt8(ascii: "("):
                append(kept(upTo: UInt8(ascii: ")")))
            case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"):
                operation(byte)
            case UInt8(ascii: "(") where word == nil && command.words.isEmpty: subshell(1)
            case UInt8(ascii: ")") where depth > 0: subshell(-1)
            default: try part(byte)
            }
        }
        endWord()
        endCommand()
        return result
    }

    /// Reads one character, or a quoted part, of a word.
    private mutating func part(_ byte: UInt8) throws(ImportError) {
        switch byte {
        case UInt8(ascii: "\\"): backslash()
        case UInt8(ascii: "'"): try singleQuotes()
        case UInt8(ascii: "\""): try doubleQuotes()
        case UInt8(ascii: "$") where peek() == UInt8(ascii: "'"): try escapedQuotes()
        case UInt8(ascii: "$") where peek() == UInt8(ascii: "\""):
            index += 1
            try doubleQuotes()
        case UInt8(ascii: "$"): append(dollar())
        case UInt8(ascii: "`"): append(kept(upTo: byte))
        default:
            append([byte])
            index += 1
        }
    }

    private mutating func append(_ bytes: [UInt8], quoted: Bool = false, from start: Int? = nil) {
        if word == nil { word = ShellWord(offset: start ?? index) }
        word?.bytes += bytes
        if quoted { word?.isQuoted = true }
    }

    // MARK: Words and commands

    private mutating func endWord() {
        guard let word else { return }
        self.word = nil
        switch redirect {
        case nil: command.words.append(word)
        case .output(let offset, let written):
            if !written.hasPrefix("2") && word.text != "/dev/null" {
                log.remark(offset, "\(written) \(word.text)", "left out; S in the response saves the body to a file")
            }
        case .input: command.inputFile = word
        case .hereString: command.input = word.bytes + [0x0A]
        case .heredoc(let stripsTabs):
            heredocs.append(Heredoc(command: result.count, end: word, stripsTabs: stripsTabs))
        }
        redirect = nil
    }

    private mutating func endCommand(_ operation: String = "", at offset: Int = 0) {
        if !command.words.isEmpty { result.append(command) }
        command = ShellLine(operation: operation, operationOffset: offset)
    }

    private mutating func newline() throws(ImportError) {
        endWord()
        endCommand()
        index += 1
        for heredoc in heredocs {
            let text = try read(heredoc)
            if result.indices.contains(heredoc.command) { result[heredoc.command].input = text }
        }
        heredocs = []
    }

    private mutating func read(_ heredoc: Heredoc) throws(ImportError) -> [UInt8] {
        var text: [UInt8] = []
        while byte != nil {
            var line = Array(bytes[index...].prefix { $0 != 0x0A })
            var start = index
            index = min(index + line.count + 1, bytes.count)
            if line.last == 0x0D { line.removeLast() }
            if heredoc.stripsTabs {
                start += line.prefix { $0 == 0x09 }.count
                line = Array(line.drop { $0 == 0x09 })
            }
            if line == heredoc.end.bytes { return text }
            text += (heredoc.end.isQuoted ? line : expanded(line, at: start)) + [0x0A]
        }
        throw log.error(heredoc.end.offset, "the text after << does not end with a line \(heredoc.end.text)")
    }

    /// Returns a line of a here-document with its variables as templates.
    private mutating func expanded(_ line: [UInt8], at start: Int) -> [UInt8] {
        var reader = BashReader(line, log)
        (reader.origin, reader.nesting) = (origin + start, Self.maximumNesting)
        var text: [UInt8] = []
        while let byte = reader.byte {
            switch byte {
            case UInt8(ascii: "\\") where reader.peek().map { "$`\\".utf8.contains($0) } ?? false:
                text += [line[reader.index + 1]]
                reader.index += 2
            case UInt8(ascii: "$"): text += reader.dollar()
            default:
                text.append(byte)
                reader.index += 1
            }
        }
        log = reader.log
        return text
    }

    private mutating func operation(_ first: UInt8) {
        let start = index
        let isAmpersandRedirect = first == UInt8(ascii: "&") && peek() == UInt8(ascii: ">")
        if first == UInt8(ascii: "<") || first == UInt8(ascii: ">") || isAmpersandRedirect { return redirection() }
        endWord()
        while byte == first, index < start + 2 { index += 1 }
        if first == UInt8(ascii: "|"), byte == UInt8(ascii: "&") { index += 1 }
        endCommand(String(decoding: bytes[start..<index], as: UTF8.self), at: start)
    }

    /// Goes on behind a parenthesis: the commands in it are like others.
    private mutating func subshell(_ step: Int) {
        if step < 0 {
            endWord()
            endCommand()
        }
        depth += step
        index += 1
    }

    private mutating func redirection() {
        var start = index
        // The number of a descriptor belongs to the operator.
        if let number = word, !number.isQuoted, number.bytes.allSatisfy({ (0x30...0x39).contains($0) }) {
            start = number.offset
            word = nil
        }
        endWord()
        let isInput = byte == UInt8(ascii: "<")
        while let byte, "<>&|".utf8.contains(byte) { index += 1 }
        var written = String(decoding: bytes[start..<index], as: UTF8.self)
        if written.hasSuffix("<<"), byte == UInt8(ascii: "-") {
            index += 1
            written += "-"
        }
        switch written.drop(while: \.isNumber) {
        case "<<<": redirect = .hereString
        case "<<": redirect = .heredoc(stripsTabs: false)
        case "<<-": redirect = .heredoc(stripsTabs: true)
        case _ where isInput: redirect = .input
        default: redirect = .output(offset: start, written: written)
        }
    }

    // MARK: Quotes

    private mutating func backslash() {
        let start = index
        var end = index + 1
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D { end += 1 }
        if end < bytes.count, bytes[end] == 0x0A {
            let isPlain = bytes[start + 1..<end].allSatisfy { $0 == 0x0D }
            if !isPlain { log.remark(start, "\\", "a space follows it; read as the end of a line that goes on") }
            index = end + 1
            if !isPlain { endWord() }
            return
        }
        index += 1
        guard let byte else { return append([UInt8(ascii: "\\")], from: start) }
        append([byte], quoted: true, from: start)
        index += 1
    }

    private mutating func singleQuotes() throws(ImportError) {
        let start = index
        guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
            throw log.error(start, "the ' is not closed")
        }
        append(Array(bytes[start + 1..<end]), quoted: true)
        index = end + 1
    }

    private mutating func doubleQuotes() throws(ImportError) {
        let start = index
        append([], quoted: true)
        index += 1
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\") where peek() == 0x0A: index += 2
            case UInt8(ascii: "\\") where peek().map { "$`\"\\".utf8.contains($0) } ?? false:
                append([bytes[index + 1]])
                index += 2
            case UInt8(ascii: "$"): append(dollar())
            case UInt8(ascii: "`"): append(kept(upTo: byte))
            default:
                append([byte])
                index += 1
            }
        }
        throw log.error(start, "the \" is not closed")
    }

    /// `$'…'`, with its escapes.
    private mutating func escapedQuotes() throws(ImportError) {
        let start = index
        append([], quoted: true)
        index += 2
        var escapes = EscapeReader(bytes, index)
        guard let text = escapes.read() else { throw log.error(start, "the $' is not closed") }
        append(text)
        index = escapes.index
    }

    // MARK: Expansions

    /// Reads from a `$`: a variable becomes a template, anything else stays as it is.
    private mutating func dollar() -> [UInt8] {
        let start = index
        let isBraced = peek() == UInt8(ascii: "{")
        let nameStart = index + (isBraced ? 2 : 1)
        if nameStart < bytes.count, ShellVariable.isStart(bytes[nameStart]) {
            let name = Array(bytes[nameStart...].prefix(while: ShellVariable.isPart))
            let end = nameStart + name.count
            if !isBraced || (end < bytes.count && bytes[end] == UInt8(ascii: "}")) {
                index = isBraced ? end + 1 : end
                return ShellVariable.template(name, written: written(from: start), at: origin + start, &log)
            }
        }
        switch peek() {
        case UInt8(ascii: "{"): return kept(upTo: UInt8(ascii: "}"))
        case UInt8(ascii: "("): return substitution()
        case .some(let next) where (0x30...0x39).contains(next) || "?#*@!$-".utf8.contains(next):
            index += 2
            noteKept(start)
            return Array(bytes[start..<index])
        default:
            index += 1
            return [UInt8(ascii: "$")]
        }
    }

    /// `$(curl … | jq -r .token)`: its commands are read like others, in front of the one that it is in, and that part of the
    /// response becomes a variable. Any other text stays.
    private mutating func substitution() -> [UInt8] {
        let start = index
        guard nesting < Self.maximumNesting, substitutions < Self.maximumSubstitutions, heredocs.isEmpty else {
            return kept(upTo: UInt8(ascii: ")"))
        }
        substitutions += 1
        guard let end = end(ofSubstitution: start) else { return kept(upTo: UInt8(ascii: ")")) }
        var inner = BashReader(Array(bytes[..<end]), log)
        (inner.index, inner.nesting, inner.substitutions) = (start + 2, nesting + 1, substitutions)
        guard var commands = try? inner.read(),
            let curl = commands.lastIndex(where: { CurlImport.start(of: $0) != nil })
        else { return kept(upTo: UInt8(ascii: ")")) }
        log = inner.log
        index = end + 1
        let capture = capture(by: commands[(curl + 1)...])
        if let capture {
            commands[curl].capture = capture
            commands.removeSubrange((curl + 1)...)
            log.variables.insert(capture.name)
        }
        result += commands
        if let capture { return Array("{{\(capture.name)}}".utf8) }
        noteKept(start)
        return Array(bytes[start..<index])
    }

    /// In each other; it bounds the stack.
    private static let maximumNesting = 4
    /// In a text; it bounds the time.
    private static let maximumSubstitutions = 500
    /// In bytes: farther from the start, substitutions are not read.
    private static let maximumText = 1 << 20

    /// The index of the parenthesis that ends `$(`; nil without one, and far from the start.
    private func end(ofSubstitution start: Int) -> Int? {
        var (index, depth, quote) = (start + 2, 1, UInt8?.none)
        while index < min(bytes.count, Self.maximumText) {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"): index += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: "(") where quote == nil: depth += 1
            case UInt8(ascii: ")") where quote == nil: depth -= 1
            default: break
            }
            if depth == 0 { return index }
            index += 1
        }
        return nil
    }

    /// The capture that a pipe of `jq` behind curl stands for, with the name of the variable that gets it, or of the part;
    /// nil for other commands.
    private func capture(by commands: ArraySlice<ShellLine>) -> Capture? {
        guard commands.count == 1, let filter = commands.first, filter.operation == "|",
            let path = JQFilter.path(filter.words)
        else { return nil }
        let written = word?.text ?? ""
        let isAssigned = CurlPrefix.isAssignment(written) && written.hasSuffix("=")
        let source = Capture.Source.path(path)
        do throws(FieldError) { try source.check() } catch { return nil }
        let name =
            isAssigned
            ? String(written.dropLast()) : ForeignText.unused(JQFilter.name(of: path), where: log.variables.contains)
        return Capture(name, source, isSecret: ForeignText.namesSecret(name + path))
    }

    private mutating func kept(upTo end: UInt8) -> [UInt8] {
        let start = index
        index = (bytes[(index + 1)...].firstIndex(of: end) ?? bytes.count - 1) + 1
        noteKept(start)
        return Array(bytes[start..<index])
    }

    private mutating func noteKept(_ start: Int) {
        log.loss(origin + start, shown(from: start), "the shell would replace this; it stays as it is written")
    }

    /// The first word of what the shell would replace: the others may have credentials.
    private func shown(from start: Int) -> String {
        let text = written(from: start)
        let word = text.prefix { $0.isLetter || $0.isNumber || "$<>({`_".contains($0) }
        guard word.count + 1 < text.count, let last = text.last else { return text.excerpted }
        return "\(String(word).excerpt(40)) …\(last)"
    }

    private func written(from start: Int) -> String { String(decoding: bytes[start..<index], as: UTF8.self) }
}
