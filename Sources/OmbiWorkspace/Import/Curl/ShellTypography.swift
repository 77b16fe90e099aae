/// Reads the dashes, the spaces and the quotes of a word processor in a command as those of a shell; outside of the
/// shell's own quotes, and not in the value of an option. Where it can, it writes as many bytes as it reads, so that the
/// places of notes stay.
struct ShellTypography {
    /// A note on what was read otherwise than it is written.
    /// - Parameter offset: in bytes of the result.
    typealias Remark = (offset: Int, subject: String, message: String)

    private let characters: [Character]
    /// That of the text, in which what the shell quotes is covered.
    private let outline: [UInt8]
    private var index = 0
    /// In bytes of the text.
    private var offset = 0
    private var result: [UInt8] = []
    private(set) var remarks: [Remark] = []

    /// Nil for a text of ASCII, and for one whose quotes are not closed.
    init?(_ text: String) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        guard !isASCII, let outline = BashOutline(Array(text.utf8))?.bytes else { return nil }
        characters = Array(text)
        self.outline = outline
    }

    mutating func read() -> String {
        while index < characters.count {
            let character = characters[index]
            let isBare = offset < outline.count && outline[offset] == character.utf8.first
            let isStart = Self.isBlank(result.last ?? 0x20)
            switch character {
            case _ where isBare && Self.isSpace(character):
                result += Self.spaces(character.utf8.count)
                skip(1)
            case _ where isBare && Self.invisible.contains(character):
                remark("an invisible character", "left out")
                skip(1)
            case _ where isBare && isStart && (character == "-" || Self.isDash(character)): dashes()
            case _ where isBare && (isStart || result.last == UInt8(ascii: "=")) && Self.quotes[character] != nil:
                quoted(Self.quotes[character] ?? "", isStart: isStart)
            default: copy(1)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func copy(_ count: Int) {
        for character in characters[index..<index + count] { result += character.utf8 }
        skip(count)
    }

    private mutating func skip(_ count: Int) {
        for character in characters[index..<index + count] { offset += character.utf8.count }
        index += count
    }

    /// Once for each subject.
    private mutating func remark(_ subject: String, _ message: String) {
        guard !remarks.contains(where: { $0.subject == subject }) else { return }
        remarks.append((result.count, subject, message))
    }

    private static func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: max(0, count)) }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A].contains(byte) }

    /// True for a space that is none for a shell.
    private static func isSpace(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, scalar.value >= 0x80 else { return false }
        return scalar.properties.generalCategory == .spaceSeparator
    }

    private static let invisible = "\u{200B}\u{2060}\u{FEFF}"

    // MARK: Dashes

    /// True for a dash or a minus that is none for a shell.
    private static func isDash(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, scalar.value >= 0x80 else { return false }
        return scalar == "\u{2212}" || scalar.properties.generalCategory == .dashPunctuation
    }

    /// One or two dashes in front of an option.
    private mutating func dashes() {
        let run = characters[index...].prefix { $0 == "-" || Self.isDash($0) }
        let isPlain = run.allSatisfy { $0 == "-" }
        guard !isPlain, run.count < 3, !Self.takesNext(lastWord) else { return copy(run.count) }
        let word = characters[run.endIndex...].prefix { ($0.asciiValue ?? 0) > 0x20 && $0 != "=" }
        let isLong = run.count > 1 || word.count > 1 && CurlOption.named(String(word)) != nil
        let size = run.reduce(0) { $0 + $1.utf8.count }
        result += Self.spaces(size - (isLong ? 2 : 1)) + Array((isLong ? "--" : "-").utf8)
        skip(run.count)
    }

    /// The word in front, as it is written.
    private var lastWord: String {
        guard let end = result.lastIndex(where: { !Self.isBlank($0) }) else { return "" }
        let start = result[...end].lastIndex(where: Self.isBlank).map { $0 + 1 } ?? 0
        return String(decoding: result[start...end], as: UTF8.self)
    }

    /// True for an option whose value is the next word.
    private static func takesNext(_ word: String) -> Bool {
        if word.hasPrefix("--") { return CurlOption.named(String(word.dropFirst(2)))?.takesValue ?? false }
        guard word.hasPrefix("-") else { return false }
        let letters = Array(word.dropFirst())
        let first = letters.firstIndex { CurlOption.named($0)?.takesValue ?? true }
        return first == letters.count - 1 && letters.last.flatMap { CurlOption.named($0) } != nil
    }

    // MARK: Quotes

    private static let double = "“”„‟«»＂"
    private static let single = "‘’‚‛‹›＇"

    /// The quotes that close each.
    private static let quotes: [Character: String] = Dictionary(
        uniqueKeysWithValues: double.map { ($0, double) } + single.map { ($0, single) })

    /// The text up to the quote that a space or an operator follows: an apostrophe closes none.
    private mutating func quoted(_ closing: String, isStart: Bool) {
        let ends = (index + 1..<characters.count).filter { closing.contains(characters[$0]) }
        guard let end = ends.first(where: { isEnd($0) }) ?? ends.first else { return copy(1) }
        remark("\(characters[index])…\(characters[end])", "read as the quotes of the shell")
        let (quote, padding) = (closing == Self.double ? "\"" : "'", Self.spaces(2))
        result += (isStart ? padding : []) + Array(quote.utf8)
        for character in characters[index + 1..<end] {
            switch (character, quote) {
            case ("\"", "\""): result += "\\\"".utf8
            case ("'", "'"): result += "'\\''".utf8
            case (_, "'") where Self.double.contains(character): result += "\"".utf8
            default: result += character.utf8
            }
        }
        result += Array(quote.utf8) + (isEnd(end) ? padding : [])
        skip(end + 1 - index)
    }

    /// True for an index behind which a word ends.
    private func isEnd(_ index: Int) -> Bool {
        guard index + 1 < characters.count else { return true }
        return characters[index + 1].isWhitespace || ";|&)".contains(characters[index + 1])
    }
}
