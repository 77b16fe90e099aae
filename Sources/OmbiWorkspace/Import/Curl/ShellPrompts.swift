/// Takes the prompts of a shell off the commands in a text: the one in front, and those by which the shell asks for the
/// rest. In front of words they become spaces, so that the places of notes stay; within quotes and
/// here-documents, where spaces count, they go.
struct ShellPrompts {
    private let lines: [Substring]
    private var result: [String] = []

    static func removed(from text: String) -> String {
        var prompts = ShellPrompts(text)
        var index = 0
        while index < prompts.lines.count { index = prompts.command(at: index) }
        return prompts.result.joined(separator: "\n")
    }

    /// Returns true for a text that begins with a command of root: behind `# `, which is a comment unless the shell asks
    /// for the rest of the command.
    static func beginWithRoot(_ text: Substring) -> Bool {
        guard text.hasPrefix(rootCommand) else { return false }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        return lines.count > 1 && rootPrompt(lines[0], before: lines[1]) != nil
    }

    private init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The state of a shell at the end of a line.
    private enum State: Equatable {
        case ended
        /// By a backslash or an operator.
        case continued
        case quoted(UInt8, hasEscapes: Bool)
        /// A here-document up to a line.
        case document(String)
    }

    /// Takes the lines of a command, or one other line. Returns the index of the next.
    private mutating func command(at start: Int) -> Int {
        let line = lines[start]
        let isFence = line.hasPrefix("```") || line.hasPrefix("~~~")
        let next = start + 1 < lines.count ? lines[start + 1] : nil
        let end = isFence ? line.endIndex : next.flatMap { Self.rootPrompt(line, before: $0) } ?? Self.prompt(line)
        result.append(Self.blank(line, upTo: end))
        guard !isFence, end > line.startIndex else { return start + 1 }
        if Self.isWindows(line[..<end].drop { $0 == " " }) { return windowsLines(at: start + 1) }
        var (index, state) = (start + 1, Self.state(after: line[end...], .ended))
        while index < lines.count, state != .ended {
            if state == .continued {
                let end = Self.mark(lines[index])?.end ?? lines[index].startIndex
                result.append(Self.blank(lines[index], upTo: end))
                state = Self.state(after: lines[index][end...], .ended)
                index += 1
            } else {
                (index, state) = text(at: index, state)
            }
        }
        return index
    }

    /// Takes the lines that begin with the mark by which cmd.exe or PowerShell asks for the rest of a command.
    private mutating func windowsLines(at start: Int) -> Int {
        var index = start
        while index < lines.count, let mark = ["More? ", ">>"].first(where: { lines[index].hasPrefix($0) }) {
            let line = lines[index]
            result.append(Self.blank(line, upTo: line.index(line.startIndex, offsetBy: mark.count)))
            index += 1
        }
        return index
    }

    /// Takes the lines of a quoted text or a here-document, up to the line that ends it.
    private mutating func text(at start: Int, _ opening: State) -> (index: Int, state: State) {
        // Without a prompt in one of them the mark belongs to the text.
        let found = text(at: start, opening, isPrompted: true) ?? text(at: start, opening, isPrompted: false)
        guard let (text, state) = found else { return (start, opening) }
        result += text.map(String.init)
        return (start + text.count, state)
    }

    private func text(at start: Int, _ opening: State, isPrompted: Bool) -> (text: [Substring], state: State)? {
        var (text, state) = ([Substring](), opening)
        while start + text.count < lines.count, state == opening {
            let line = lines[start + text.count]
            guard let begin = isPrompted ? Self.mark(line)?.text : line.startIndex else { return nil }
            text.append(line[begin...])
            state = Self.state(after: line[begin...], state)
        }
        return (text, state)
    }

    private static func blank(_ line: Substring, upTo end: Substring.Index) -> String {
        String(repeating: " ", count: line[..<end].utf8.count) + line[end...]
    }

    // MARK: The shell

    private static func state(after line: Substring, _ state: State) -> State {
        if case .document(let end) = state { return line == end ? .ended : state }
        let bytes = Array(line.utf8)
        var (quote, hasEscapes, document) = (UInt8?.none, false, String?.none)
        if case .quoted(let open, let escapes) = state { (quote, hasEscapes) = (open, escapes) }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case _ where quote != nil:
                if byte == quote { quote = nil } else if hasEscapes, byte == UInt8(ascii: "\\") { index += 1 }
            case UInt8(ascii: "\\"):
                index += 1
                if index == bytes.count { return .continued }
            case UInt8(ascii: "'"):
                (quote, hasEscapes) = (byte, index > 0 && bytes[index - 1] == UInt8(ascii: "$"))
            case UInt8(ascii: "\""): (quote, hasEscapes) = (byte, true)
            case UInt8(ascii: "#") where index == 0 || bytes[index - 1] == 0x20: return .ended
            case UInt8(ascii: "<") where bytes[index...].starts(with: "<<".utf8):
                let count = bytes[index...].prefix { $0 == byte }.count
                index += count - 1
                if count == 2 { document = Self.end(of: bytes[(index + 1)...]) }
            default: break
            }
            index += 1
        }
        if let quote { return .quoted(quote, hasEscapes: hasEscapes) }
        if let document { return .document(document) }
        let last = bytes.last { $0 != 0x20 }
        return last == UInt8(ascii: "|") || line.hasSuffix("&&") ? .continued : .ended
    }

    /// The word behind `<<`, which ends a here-document.
    private static func end(of rest: ArraySlice<UInt8>) -> String {
        let word = rest.drop { $0 == 0x20 || $0 == UInt8(ascii: "-") }.prefix { $0 > 0x20 && $0 != UInt8(ascii: "|") }
        return String(decoding: word.filter { !"'\"".utf8.contains($0) }, as: UTF8.self)
    }

    // MARK: Prompts

    /// The start of the words in front of `curl` that belong to its command, such as `sudo` and `timeout 5`; the end of a
    /// text without any.
    private static func start(of before: Substring) -> Substring.Index {
        let words = before.split(separator: " ", maxSplits: maximumWords)
        let index = words.indices.first { index in
            let own = words[index...].map(String.init)
            return (CurlPrefix.runners.contains(own[0]) || CurlPrefix.isAssignment(own[0]))
                && CurlPrefix.start(in: own + ["curl"]) == own.count
        }
        return index.map { words[$0].startIndex } ?? before.endIndex
    }

    /// In front of `curl`.
    private static let maximumWords = 32

    /// The end of `$ `, `me@host:~$ `, `❯ ` or `PS C:\> ` in front of a command of curl; the start of a line without one.
    private static func prompt(_ line: Substring) -> Substring.Index {
        guard let curl = line.firstRange(of: "curl")?.lowerBound else { return line.startIndex }
        let command = start(of: line[..<curl])
        let before = line[..<command].drop { $0 == " " }
        guard let first = before.first, let sign = before.last(where: { $0 != " " }),
            !before.contains(where: { "'\"=".contains($0) })
        else { return line.startIndex }
        let isWindows = Self.isWindows(before)
        let isPrompt =
            switch sign {
            case "$", "%": before.allSatisfy { " $%".contains($0) } || before.contains("@")
            case "#": before.contains("@")
            case "❯", "➜": true
            case ">": isWindows || first == "~" || before.contains("@")
            default: first == "➜"
            }
        return isPrompt && (before.last == " " || isWindows) ? command : line.startIndex
    }

    /// True for the prompt of PowerShell, `PS C:\> ` or `PS> `, and that of cmd.exe.
    private static func isWindows(_ prompt: Substring) -> Bool {
        prompt.hasPrefix("PS ") || prompt.hasPrefix("PS>") || prompt.dropFirst().hasPrefix(":\\")
    }

    /// The end of `# ` in front of `curl`, where the next line has a mark and the command goes on.
    private static func rootPrompt(_ line: Substring, before next: Substring) -> Substring.Index? {
        guard line.hasPrefix(rootCommand), mark(next) != nil else { return nil }
        let end = line.index(line.startIndex, offsetBy: 2)
        return state(after: line[end...], .ended) == .ended ? nil : end
    }

    private static let rootCommand = "# curl "

    /// The end of `> ` or `quote> `, by which bash and zsh ask for the rest of a command, and the start of the text behind
    /// it; nil for a line that has none.
    private static func mark(_ line: Substring) -> (end: Substring.Index, text: Substring.Index)? {
        let start = line.drop { $0 == " " }
        let names = start.prefix { $0.isLowercase || $0 == " " }
        guard names.last != " ", names.split(separator: " ").allSatisfy({ states.contains(String($0)) }),
            start[names.endIndex...].first == ">"
        else { return nil }
        let end = start.index(after: names.endIndex)
        guard end < line.endIndex else { return (end, end) }
        return line[end] == " " ? (end, line.index(after: end)) : nil
    }

    /// The states of its parser that zsh names.
    private static let states = [
        "quote", "dquote", "bquote", "heredoc", "pipe", "cmdand", "cmdor", "cmdsubst", "subsh",
    ]
}

/// The commands of curl in the fenced blocks of a document in Markdown, such as a runbook.
struct MarkdownCommands {
    private struct Block {
        /// The number of lines in front of it.
        let line: Int
        let text: String
        /// The first word behind the fence, in lower case.
        let language: String

        /// True for one with commands of curl; others may stand in front of them in one that says that it is of a shell.
        var hasCommand: Bool {
            let name = MarkdownCommands.shells.contains(language) ? ".sh" : ""
            return CurlImport.recognizes(text) || CurlImport.recognizes(script: text, at: name)
        }

        /// True for one with a request as `.http` files have it.
        var hasRequest: Bool {
            guard ["http", "rest"].contains(language) else { return false }
            return TextLine.lines(of: Array(text.utf8)).contains { $0.isWholeRequest }
        }
    }

    private let blocks: [Block]
    private static let shells: Set<String> = ["bash", "sh", "zsh", "shell", "console", "terminal", "shell-session"]

    /// Nil for another file, and for one without such a block.
    init?(_ file: ForeignFile) {
        guard Self.isDocument(file) else { return nil }
        blocks = Self.blocks(of: file.text).filter(\.hasCommand)
        if blocks.isEmpty { return nil }
    }

    private static func isDocument(_ file: ForeignFile) -> Bool {
        [".md", ".markdown"].contains { file.path.lowercased().hasSuffix($0) }
    }

    /// Returns the blocks with requests and those with commands of curl as a `.http` file, as VS Code sends them, each in
    /// its line; nil for a file without a request, and for one that is no document.
    static func requests(of file: ForeignFile) -> String? {
        guard isDocument(file) else { return nil }
        let blocks = Self.blocks(of: file.text)
        guard blocks.contains(where: \.hasRequest) else { return nil }
        var lines: [Substring] = []
        for block in blocks where block.hasRequest || block.hasCommand {
            while lines.count < block.line - 1 { lines.append("") }
            lines.append("###")
            lines += block.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            lines.append("###")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the requests of all blocks. One that cannot be read is a loss.
    func read() throws(ImportError) -> ImportedRequests {
        var result = ImportedRequests(requests: [])
        var failure: ImportError?
        for block in blocks {
            do throws(ImportError) {
                let read = try CurlImport.read(block.text)
                result.requests += read.requests
                result.variables += read.variables
                result.notes += read.notes.map { note in
                    var note = note
                    note.position.line += block.line
                    return note
                }
            } catch {
                var error = error
                error.position.line += block.line
                failure = failure ?? error
                result.notes.append(error.loss("curl"))
            }
        }
        if let failure, result.requests.isEmpty { throw failure }
        return result
    }

    private static func blocks(of text: String) -> [Block] {
        var (blocks, lines, fence): ([Block], [Substring], Substring?) = ([], [], nil)
        var (start, indent, language) = (0, 0, "")
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in all.enumerated() {
            let content = line.drop { $0 == " " }
            if let open = fence {
                guard content.hasPrefix(open) else {
                    let isIndented = line.prefix(indent).allSatisfy { $0 == " " }
                    lines.append(isIndented ? line.dropFirst(indent) : content)
                    continue
                }
                let text = commands(in: lines).joined(separator: "\n")
                blocks.append(Block(line: start, text: text, language: language))
                fence = nil
            } else if content.hasPrefix("```") || content.hasPrefix("~~~") {
                (fence, lines) = (content.prefix(3), [])
                (start, indent) = (number + 1, line.count - content.count)
                language = content.dropFirst(3).trimmed.prefix { $0.isLetter || $0 == "-" }.lowercased()
            }
        }
        return blocks
    }

    /// The lines without those that a terminal printed, where commands have a prompt.
    private static func commands(in lines: [Substring]) -> [Substring] {
        let prompt = "$ "
        guard lines.contains(where: { $0.hasPrefix(prompt) }) else { return lines }
        var goesOn = false
        return lines.map { line in
            let isCommand = line.hasPrefix(prompt) || goesOn
            goesOn = isCommand && line.hasSuffix("\\")
            return isCommand ? line : ""
        }
    }
}
