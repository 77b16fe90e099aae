/// Writes the tree of a YAML text as JSON.
struct YAMLReader {
    private let tree: YAMLTree
    private var json: [UInt8] = []
    private var places = YAMLPlaces()
    private var nodes = 0

    /// True where a tag that is none of YAML's own is an object around its value: `{"!request": …}`.
    private let keepsTags: Bool
    /// Those of aliases count each time.
    private let maximumNodes: Int
    /// In bytes of JSON.
    private static let maximumSize = 64 << 20

    /// - Parameter size: that of the text. Without aliases, a value takes a byte at least.
    private init(_ tree: YAMLTree, size: Int, keepsTags: Bool) {
        (self.tree, self.keepsTags) = (tree, keepsTags)
        maximumNodes = 10_000 + 10 * size
    }

    static func read(
        _ bytes: [UInt8], keepsTags: Bool
    ) throws(YAMLError) -> (json: [UInt8], places: YAMLPlaces) {
        let text = YAMLGuard.withoutTabs(bytes)
        let tree = try YAMLParser.withEvents(of: text, YAMLLines(bytes), YAMLLoader.load)
        var reader = YAMLReader(tree, size: bytes.count, keepsTags: keepsTags)
        try reader.write(tree.root, depth: 0)
        return (reader.json, reader.places)
    }

    // MARK: Values

    private mutating func write(_ index: Int, depth: Int) throws(YAMLError) {
        let node = tree.nodes[index]
        try count(at: node.offset)
        guard depth < YAMLTree.maximumDepth else { throw YAMLTree.tooDeep(node.offset) }
        places.add(json.count, at: node.offset)
        guard keepsTags, let tag = node.tag else { return try write(node, depth: depth) }
        json += "{\(JSONValue.quoted(tag)):".utf8
        places.add(json.count, at: node.offset)
        try write(node, depth: depth + 1)
        json.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ node: YAMLTree.Node, depth: Int) throws(YAMLError) {
        switch node.value {
        case .scalar(let scalar):
            json += (scalar.isResolved ? YAMLScalar.json(scalar.text) : JSONValue.quoted(scalar.text)).utf8
        case .sequence(let elements):
            json.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try write(element, depth: depth + 1)
            }
            json.append(UInt8(ascii: "]"))
        case .mapping(let mapping):
            json.append(UInt8(ascii: "{"))
            for (index, member) in try members(of: mapping, node.offset, depth: depth).enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json += JSONValue.quoted(member.key).utf8
                json.append(UInt8(ascii: ":"))
                try write(member.value, depth: depth + 1)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    private mutating func count(at offset: Int) throws(YAMLError) {
        nodes += 1
        guard nodes <= maximumNodes, json.count <= Self.maximumSize else {
            throw YAMLError(offset: offset, reason: "the document is too large with its aliases written out")
        }
    }

    /// The members of a mapping; `<<` gives those of others that it does not have itself, as in YAML 1.1.
    private mutating func members(
        of mapping: [YAMLTree.Pair], _ offset: Int, depth: Int
    ) throws(YAMLError) -> [(key: String, value: Int)] {
        var members: [(key: String, value: Int)] = []
        var merged: [Int] = []
        for pair in mapping {
            let key = tree.nodes[pair.key]
            try count(at: key.offset)
            guard case .scalar(let scalar) = key.value else {
                throw YAMLError(offset: key.offset, reason: "keys that are lists or objects are not read")
            }
            if scalar.text == "<<", scalar.isPlain {
                merged += try mappings(pair.value, key.offset)
            } else {
                members.append((scalar.text, pair.value))
            }
        }
        guard !merged.isEmpty else { return members }
        guard depth < YAMLTree.maximumDepth else {
            throw YAMLError(offset: offset, reason: "too many mappings are merged")
        }
        var names: Set<String> = []
        for member in members { names.insert(member.key) }
        for other in merged {
            // One without members has nothing else that counts.
            try count(at: offset)
            guard case .mapping(let mapping) = tree.nodes[other].value else { continue }
            for member in try self.members(of: mapping, tree.nodes[other].offset, depth: depth + 1)
            where names.insert(member.key).inserted {
                members.append(member)
            }
        }
        return members
    }

    /// The mappings that `<<` at an offset merges.
    private func mappings(_ index: Int, _ offset: Int) throws(YAMLError) -> [Int] {
        if isMapping(index) { return [index] }
        if case .sequence(let elements) = tree.nodes[index].value, elements.allSatisfy(isMapping) { return elements }
        throw YAMLError(offset: offset, reason: "<< merges a mapping or a list of them")
    }

    private func isMapping(_ index: Int) -> Bool {
        if case .mapping = tree.nodes[index].value { true } else { false }
    }
}

/// A plain scalar by the core schema of YAML 1.2: `NO`, `on`, `12:30` and dates are texts.
enum YAMLScalar {
    /// Returns the value as JSON. A number that JSON cannot write, such as `.inf` or `017`, stays a text.
    static func json(_ text: String) -> String {
        switch text {
        case "", "~", "null", "Null", "NULL": "null"
        case "true", "True", "TRUE": "true"
        case "false", "False", "FALSE": "false"
        default: number(Array(text.utf8)) ?? JSONValue.quoted(text)
        }
    }

    /// Returns a number with its digits; nil for a text that is none.
    private static func number(_ text: [UInt8]) -> String? {
        if text.starts(with: "0x".utf8) { return integer(text.dropFirst(2), radix: 16) }
        if text.starts(with: "0o".utf8) { return integer(text.dropFirst(2), radix: 8) }
        var rest = text[...]
        let sign = rest.first == UInt8(ascii: "-") ? "-" : ""
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = digits(&rest)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = ""
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            exponent = "e"
            if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
                if first == UInt8(ascii: "-") { exponent += "-" }
                rest.removeFirst()
            }
            let power = digits(&rest)
            guard !power.isEmpty else { return nil }
            exponent += String(decoding: power, as: UTF8.self)
        }
        // Leading zeros are those of codes and keys more often than of numbers.
        guard rest.isEmpty, whole.count < 2 || whole.first != UInt8(ascii: "0") else { return nil }
        let start = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        let end = fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self)
        return sign + start + end + exponent
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }

    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> String? {
        guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { String($0) }
    }
}

/// Changes a YAML text to one that libyaml reads.
enum YAMLGuard {
    /// Returns the text with spaces for the tabs of lines that have nothing else, which libyaml refuses.
    static func withoutTabs(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x09) else { return bytes }
        var result = bytes
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            if bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                for index in start..<end { result[index] = 0x20 }
            }
            start = end + 1
        }
        return result
    }
}

/// A YAML text as JSON, which all importers read, with the place of each value in the text.
struct YAMLDocument: Sendable {
    let json: [UInt8]
    let places: YAMLPlaces

    /// Reads the first document of a text in UTF-8.
    /// - Parameter keepsTags: true for each tag that is none of YAML's own as an object around its value.
    init(_ bytes: [UInt8], keepsTags: Bool = false) throws(YAMLError) {
        (json, places) = try YAMLReader.read(bytes, keepsTags: keepsTags)
    }

    /// Returns true for a text whose first line with content is a key, as that of a request or of a command is not.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        for line in bytes.prefix(maximumHead).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
            guard let first = rest.first, first != UInt8(ascii: "#") else { continue }
            if rest.starts(with: "---".utf8) || first == UInt8(ascii: "%") { return true }
            let key = rest.prefix { isKey($0) }
            let end = rest[key.endIndex...]
            guard !key.isEmpty, end.first == UInt8(ascii: ":") else { return false }
            return end.dropFirst().first.map { $0 == 0x20 || $0 == 0x09 } ?? true
        }
        return false
    }

    /// Returns true for a mapping in braces whose first key is not in double quotes, as that of JSON is.
    static func isFlow(_ bytes: [UInt8]) -> Bool {
        let rest = bytes.prefix(maximumHead).drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: "{"), let first = rest.dropFirst().first(where: { $0 > 0x20 }) else {
            return false
        }
        return isKey(first) && first != UInt8(ascii: "\"")
    }

    /// In bytes; comments may stand in front.
    private static let maximumHead = 64 << 10

    private static func isKey(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "_$.-\"'".utf8.contains(byte) }
}

/// The lines of a YAML text, for the positions that its parser gives.
struct YAMLLines {
    private let bytes: [UInt8]
    private var starts = [0]

    /// Counting characters is bounded: a hostile text may be one line.
    private static let maximumCount = 512

    /// Lines end as in YAML 1.1, which libyaml reads: also at U+0085, U+2028 and U+2029.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var next = 0
        while next < bytes.count {
            let length = Self.breakLength(bytes, next)
            next += max(length, 1)
            if length > 0 { starts.append(next) }
        }
    }

    private static func breakLength(_ bytes: [UInt8], _ index: Int) -> Int {
        switch bytes[index] {
        case 0x0A: return 1
        case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
        case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xE2:
            let isBreak =
                index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] | 1) == 0xA9
            return isBreak ? 3 : 0
        default: return 0
        }
    }

    /// Returns the offset of a line and a column, which count from 1; columns count characters.
    func offset(line: Int, column: Int) -> Int {
        guard line > 0, line <= starts.count else { return line > 0 ? bytes.count : 0 }
        var offset = starts[line - 1]
        var left = max(column - 1, 0)
        var counted = 0
        while left > 0, counted < Self.maximumCount, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
            counted += 1
        }
        return min(offset + left, bytes.count)
    }
}

/// The offsets in a YAML text of the values of its JSON.
struct YAMLPlaces: Sendable {
    private var places: [(json: Int, text: Int)] = []

    /// Adds a value behind all others.
    mutating func add(_ json: Int, at text: Int) { places.append((json, text)) }

    /// Returns the offset in the text of the value that begins at an offset of the JSON, or of the one before.
    func offset(of json: Int) -> Int {
        let next = places.partitioningIndex { $0.json > json }
        return next > 0 ? places[next - 1].text : 0
    }
}

/// The error of a YAML text that is not read.
struct YAMLError: Error, Sendable, Equatable {
    /// In bytes.
    var offset: Int
    var reason: String
}
