/// A text in the language of Bruno, version 2: blocks of pairs, of names or of text.
struct BruFile: Sendable, Equatable {
    /// `headers { … }` or `vars:secret [ … ]`
    struct Block: Sendable, Equatable {
        let name: String
        /// In bytes.
        let offset: Int
        /// Empty for a block of text.
        var pairs: [Pair] = []
        /// Without its indentation; empty for another block.
        var text = ""
    }

    /// `name: value`, or a name alone.
    struct Pair: Sendable, Equatable {
        var name: String
        var value = ""
        /// False behind a `~`.
        var isEnabled = true
        /// In bytes.
        var offset: Int
        /// The text of `@description('…')`; empty without one.
        var description = ""
        var words: [String] = []
        /// The rest of the line behind a text in `'''`.
        var trailer = ""
    }

    struct Failure: Error, Sendable, Equatable {
        /// In bytes.
        var offset: Int
        var reason: String
    }

    private(set) var blocks: [Block] = []

    /// Reads a text in UTF-8.
    init(_ bytes: [UInt8]) throws(Failure) {
        var lines = TextLine.lines(of: bytes)[...]
        while let line = lines.popFirst() {
            // The colour of an environment on the screen.
            if line.isBlank || line.text.hasPrefix("color:") { continue }
            guard let head = BruHead(line.text) else {
                throw Failure(offset: line.offset, reason: "expected a block, such as: headers {")
            }
            blocks.append(try Self.block(head, at: line.offset, &lines))
        }
    }

    /// Returns the block of that name; of several the last, as Bruno does.
    subscript(name: String) -> Block? { blocks.last { $0.name == name } }

    private static func block(
        _ head: BruHead, at offset: Int, _ lines: inout ArraySlice<TextLine>
    ) throws(Failure) -> Block {
        var block = Block(name: head.name, offset: offset)
        if let inner = head.inner {
            block.pairs = inner.split(separator: ",").map { Pair(name: $0.trimmed, offset: offset) }
                .filter { !$0.name.isEmpty }
            return block
        }
        var content: [TextLine] = []
        var isInText = false
        while let line = lines.popFirst() {
            if !isInText, line.text.hasPrefix(head.isList ? "]" : "}") {
                if head.isList {
                    block.pairs = BruPairReader.names(content)
                } else if head.hasPairs {
                    block.pairs = try BruPairReader.pairs(content)
                } else {
                    block.text = content.map { $0.outdented(by: 2) }.joined(separator: "\n")
                }
                return block
            }
            if head.hasPairs { isInText = line.isInText(behind: isInText) }
            content.append(line)
        }
        let end = head.isList ? "]" : "}"
        throw Failure(
            offset: offset, reason: "the block \(head.name) is not closed: no line after it begins with \(end)")
    }

    // MARK: Recognition

    /// Returns true for a text whose first line with content is the head of a block that Bruno has.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        guard let line = firstLine(of: bytes), let head = BruHead(line) else { return false }
        return head.isKnown
    }

    /// Returns true for a text in version 1 of the language, which has lines such as `type http-request`.
    static func isVersion1(_ bytes: [UInt8]) -> Bool {
        guard let first = firstLine(of: bytes), BruHead(first) == nil else { return false }
        let lines = TextLine.lines(of: bytes)
        let isEnvironment = first == "vars" && lines.contains { $0.text == "/vars" }
        return isEnvironment || lines.contains { $0.text == "type http-request" || $0.text == "type graphql-request" }
    }

    private static func firstLine(of bytes: [UInt8]) -> String? {
        let start = bytes.prefix(maximumHead).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        let line = start.first { $0.contains { $0 != 0x20 && $0 != 0x09 } }
        return line.map { String(decoding: $0, as: UTF8.self) }
    }

    /// In bytes.
    private static let maximumHead = 4 << 10
}

/// The lines of a `.bru` file.
extension TextLine {
    /// The number of spaces and tabs in front.
    var indentation: Int { text.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count }

    /// The line with at most that many spaces less in front.
    func outdented(by count: Int) -> String {
        let spaces = text.utf8.prefix(count).prefix { $0 == 0x20 }.count
        return String(text.dropFirst(spaces))
    }

    /// Returns true if a text in `'''` goes on behind this line of pairs.
    func isInText(behind isInText: Bool) -> Bool {
        let isOdd = text.starts(of: "'''").count % 2 == 1
        if isInText { return !isOdd }
        guard isOdd else { return false }
        let line = text.trimmed
        if line.hasPrefix("@"), line.contains("('''") { return true }
        guard let colon = line.firstIndex(of: ":") else { return false }
        // The colon may stand in a name in quotes.
        let value = line[line.index(after: colon)...]
        return value.trimmed.hasPrefix("'''") || line.hasPrefix("\"") || line.hasPrefix("~\"")
    }
}

extension String {
    /// The places at which a text of ASCII begins in it.
    func starts(of mark: String) -> [Index] {
        var (starts, rest) = ([Index](), self[...])
        while let found = rest.firstRange(of: mark) {
            starts.append(found.lowerBound)
            rest = rest[found.upperBound...]
        }
        return starts
    }
}

/// The line that begins a block: `body:json {`, `vars:secret [`.
struct BruHead: Sendable {
    let name: String
    let isList: Bool
    /// The names of a list on the same line; empty for a block that ends there; nil for one that goes on.
    let inner: String?

    /// Nil for another line.
    init?(_ line: String) {
        let word = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || ":_-".contains($0)) }
        let rest = line[word.endIndex...].trimmed
        guard !word.isEmpty, word.first != ":", let sign = rest.first, sign == "{" || sign == "[" else { return nil }
        let end = sign == "{" ? "}" : "]"
        let behind = rest.dropFirst().trimmed
        guard behind.isEmpty || behind.hasSuffix(end) && (sign == "[" || behind == end) else { return nil }
        name = String(word)
        isList = sign == "["
        inner = behind.isEmpty ? nil : String(behind.dropLast())
    }

    /// True for a block of pairs. Others, also those of versions to come, are text.
    var hasPairs: Bool {
        Self.pairs.contains(name) || ["params:", "auth:", "vars:"].contains { name.hasPrefix($0) }
    }

    var isKnown: Bool {
        hasPairs || ["tests", "docs", "example"].contains(name) || ["body:", "script:"].contains { name.hasPrefix($0) }
    }

    private static let pairs = BruHead.methods.union([
        "meta", "http", "grpc", "ws", "query", "headers", "metadata", "auth", "vars", "assert", "settings",
        "body:form-urlencoded", "body:multipart-form", "body:file", "body:grpc", "body:ws",
    ])

    /// The blocks of requests over HTTP that are named after their methods.
    static let methods: Set<String> = [
        "get", "post", "put", "delete", "patch", "options", "head", "trace", "connect",
    ]
}
