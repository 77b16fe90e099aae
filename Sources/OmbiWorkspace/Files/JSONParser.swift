/// Parses JSON strictly (RFC 8259), and explains the error in a text that is not JSON.
///
/// It keeps its own stack, so that no nesting overflows the thread's; `maximumDepth` bounds later walks over the tree.
public struct JSONParser {
    public static let maximumDepth = 512

    private var scanner: JSONScanner
    private var open: [Container] = []
    private var duplicateKeys: [JSONDocument.DuplicateKey] = []

    /// The value that a text says. Of a key that an object gives twice, both are kept.
    /// - Parameter onDuplicate: called for each such key.
    public static func parse(
        _ text: String, onDuplicate: (JSONMistake) -> Void = { _ in }
    ) throws(JSONMistake) -> JSONValue {
        let document = try document(Array(text.utf8))
        document.duplicateKeys.forEach { onDuplicate($0.mistake) }
        return document.root.value
    }

    /// Returns the tree of a file with the position of each value. A byte order mark at the front is skipped.
    static func document(_ bytes: [UInt8]) throws(JSONMistake) -> JSONDocument {
        let source = SourceText(bytes)
        try UTF8Check.check(source)
        var parser = JSONParser(scanner: JSONScanner(source))
        let root = try parser.parseRoot()
        return JSONDocument(root: root, source: source, duplicateKeys: parser.duplicateKeys)
    }

    private init(scanner: JSONScanner) { self.scanner = scanner }

    /// An array or object that is not closed yet.
    private struct Container {
        var offset: Int
        var isObject: Bool
        var elements: [JSONNode] = []
        var members: [JSONNode.Member] = []
        /// The key of the next value.
        var key = ""
        var keyOffset = 0

        mutating func add(_ node: JSONNode) {
            if isObject {
                members.append(JSONNode.Member(key: key, keyOffset: keyOffset, value: node))
            } else {
                elements.append(node)
            }
        }

        var node: JSONNode { JSONNode(offset: offset, content: isObject ? .object(members) : .array(elements)) }
        var closer: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
        var closerText: String { isObject ? "'}'" : "']'" }
    }

    private mutating func parseRoot() throws(JSONMistake) -> JSONNode {
        scanner.skipWhitespace()
        if scanner.isAtEnd { throw scanner.mistake("expected a value, found an empty file") }
        while true {
            var finished = try beginValue()
            while let node = finished {
                guard let last = open.indices.last else {
                    scanner.skipWhitespace()
                    if !scanner.isAtEnd { throw scanner.unexpected("the end of the file") }
                    return node
                }
                open[last].add(node)
                finished = try continueContainer(last)
            }
        }
    }

    /// Reads a scalar or an empty container; nil when a container was opened and its first value comes next.
    private mutating func beginValue() throws(JSONMistake) -> JSONNode? {
        scanner.skipWhitespace()
        let offset = scanner.offset
        guard let byte = scanner.next, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            return JSONNode(offset: offset, content: .scalar(try scanner.scalar(expecting: expectedValue)))
        }
        guard open.count < Self.maximumDepth else {
            throw scanner.mistake("nested more than \(Self.maximumDepth) levels deep")
        }
        scanner.advance()
        scanner.skipWhitespace()
        open.append(Container(offset: offset, isObject: byte == UInt8(ascii: "{")))
        if scanner.next == open[open.count - 1].closer { return close() }
        if byte == UInt8(ascii: "{") { try parseKey(expecting: "a key in double quotes or '}'") }
        return nil
    }

    private var expectedValue: String {
        guard let container = open.last, !container.isObject, container.elements.isEmpty else { return "a value" }
        return "a value or ']'"
    }

    /// Continues after a value: returns the container when it ends here, nil when another value follows.
    private mutating func continueContainer(_ index: Int) throws(JSONMistake) -> JSONNode? {
        scanner.skipWhitespace()
        if scanner.next == open[index].closer { return close() }
        guard scanner.next == UInt8(ascii: ",") else {
            throw scanner.unexpected("',' or \(open[index].closerText) after the value")
        }
        let comma = scanner.offset
        scanner.advance()
        scanner.skipWhitespace()
        if scanner.next == open[index].closer {
            throw scanner.mistake("trailing comma: remove the ',' before \(open[index].closerText)", at: comma)
        }
        if open[index].isObject { try parseKey(expecting: "a key in double quotes") }
        return nil
    }

    private mutating func close() -> JSONNode {
        scanner.advance()
        let container = open.removeLast()
        if container.isObject { noteDuplicates(in: container.members) }
        return container.node
    }

    private mutating func parseKey(expecting expected: String) throws(JSONMistake) {
        let offset = scanner.offset
        guard scanner.next == UInt8(ascii: "\"") else { throw scanner.unexpectedKey(expected) }
        let key = try scanner.string()
        scanner.skipWhitespace()
        guard scanner.next == UInt8(ascii: ":") else {
            throw scanner.unexpected("':' after the key \(JSONWriter.quoted(key))")
        }
        scanner.advance()
        open[open.count - 1].key = key
        open[open.count - 1].keyOffset = offset
    }

    /// Within the JSON that a request sends.
    private var isInBody: Bool { zip(open, open.dropFirst()).contains { $0.key == "body" && $1.key == "json" } }

    /// Keys are compared byte by byte: Swift would take a composed and a decomposed `é` for the same.
    private mutating func noteDuplicates(in members: [JSONNode.Member]) {
        for offset in members.count > Self.fewMembers ? duplicates(amongMany: members) : duplicates(amongFew: members) {
            let member = members[offset.again]
            let line = scanner.source.position(at: members[offset.first].keyOffset).line
            let mistake = scanner.mistake(
                "the key \(JSONWriter.quoted(member.key)) is given twice in this object, first on line \(line)",
                at: member.keyOffset)
            duplicateKeys.append(JSONDocument.DuplicateKey(mistake: mistake, isInBody: isInBody))
        }
    }

    /// Up to here, comparing every key with those before it is faster than a dictionary, whose type alone costs a
    /// quarter of a millisecond to set up at start.
    private static let fewMembers = 16

    private func duplicates(amongFew members: [JSONNode.Member]) -> [(first: Int, again: Int)] {
        members.indices.compactMap { again in
            let key = members[again].key.utf8
            return members[..<again].firstIndex { $0.key.utf8.elementsEqual(key) }.map { (first: $0, again: again) }
        }
    }

    private func duplicates(amongMany members: [JSONNode.Member]) -> [(first: Int, again: Int)] {
        var seen: [[UInt8]: Int] = [:]
        return members.indices.compactMap { again in
            let key = Array(members[again].key.utf8)
            if let first = seen[key] { return (first: first, again: again) }
            seen[key] = again
            return nil
        }
    }
}
