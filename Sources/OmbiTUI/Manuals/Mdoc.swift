/// The source of a manual page in mdoc(7). Texts and words are escaped, so that they show as they are.
struct Mdoc: Equatable, Sendable {
    /// Longer lines of text are bad style for `mandoc -T lint`.
    private static let maximumColumns = 78

    private(set) var source = ""

    /// Adds a line with a macro. Its arguments that are not macros are words.
    mutating func macro(_ line: String) { source += ".\(line)\n" }

    /// Adds a text, with each sentence on a line of its own: `mandoc -T lint` asks for that, too.
    mutating func text(_ text: String) {
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            let escaped = Self.escaped(word)
            if line.utf8.count + escaped.utf8.count >= Self.maximumColumns { endLine(&line) }
            line += (line.isEmpty ? "" : " ") + escaped
            if Self.endsSentence(word) { endLine(&line) }
        }
        endLine(&line)
    }

    /// Adds a text after an empty line.
    mutating func paragraph(_ text: String) {
        macro("Pp")
        self.text(text)
    }

    private mutating func endLine(_ line: inout String) {
        guard !line.isEmpty else { return }
        source += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
        line = ""
    }

    mutating func add(_ block: ManualBlock) {
        switch block {
        case .section(let title): macro("Sh " + title)
        case .subsection(let title, let name):
            macro("Ss " + Self.word(title) + (name.map { " Pq Cm " + Self.word($0) } ?? ""))
        case .usage(let command, let arguments):
            macro("Nm " + command)
            for argument in arguments { macro((argument.isOptional ? "Op " : "") + Self.words(argument.words)) }
        case .text(let text): self.text(text)
        case .paragraph(let text): paragraph(text)
        case .list(let items): list(items)
        }
    }

    /// Adds a list of terms, each with its text.
    private mutating func list(_ items: [ManualBlock.Item]) {
        guard !items.isEmpty else { return }
        macro("Bl -tag -width Ds")
        for item in items {
            macro("It " + Self.words(item.term))
            text(item.text)
            if let name = item.name { macro("Pq Cm " + Self.word(name)) }
        }
        macro("El")
    }

    private static func words(_ words: [ManualWord]) -> String { words.map(macro).joined(separator: " ") }

    private static func macro(_ word: ManualWord) -> String {
        switch word {
        // The macro writes one hyphen.
        case .flag(let text): "Fl " + Self.word(String(text.dropFirst()))
        case .argument(let text): "Ar " + Self.word(text)
        case .name(let text): "Cm " + Self.word(text)
        case .key(let text): "Ic " + Self.word(text)
        case .page(let name): "Xr " + name.reference
        case .plain(let text): Self.word(text)
        case .note(let text): "Pq " + Self.word(text)
        case .comma, .dots: word.text
        }
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        let end = word.last { !")\"']".contains($0) }
        return end.map { ".!?".contains($0) } ?? false
    }

    /// Returns one argument of a macro, which is neither taken for a macro nor for punctuation.
    static func word(_ text: String) -> String {
        let parts = text.split(whereSeparator: \.isWhitespace)
        var word = parts.map(escaped).joined(separator: " ")
        // The names of macros have two or three letters.
        if text.count < 4 || isDelimiter(text.first) { word = "\\&" + word }
        if isDelimiter(text.last) { word += "\\&" }
        return parts.count > 1 ? "\"\(word)\"" : word
    }

    private static func isDelimiter(_ character: Character?) -> Bool {
        character.map { ".,:;()[]?!|".contains($0) } ?? false
    }

    /// Returns a text without anything that troff takes for its own, and in ASCII.
    static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case " "..."}": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
    }
}
