#if canImport(Yams)
import OmbiCore
import OmbiDocument
import Yams

/// Writes the tree of a YAML text as JSON. Nothing else knows Yams; nothing of it is touched before a text is read.
struct YAMLReader {
    private let lines: YAMLLines
    private var json: [UInt8] = []
    private var places = YAMLPlaces()
    private var nodes = 0

    /// Those of aliases count each time.
    private let maximumNodes: Int
    /// In bytes of JSON.
    private static let maximumSize = 64 << 20
    /// Below that of a JSON document.
    private static let maximumDepth = 400

    /// - Parameter size: that of the text. Without aliases, a value takes a byte at least.
    private init(_ lines: YAMLLines, size: Int) {
        self.lines = lines
        maximumNodes = 10_000 + 10 * size
    }

    static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLDocument {
        if let offset = YAMLGuard.hostileOffset(bytes) {
            throw YAMLError(offset: offset, reason: "aliases in keys that are lists or objects are not read")
        }
        let lines = YAMLLines(bytes)
        let root: Yams.Node?
        do {
            let text = String(decoding: YAMLGuard.withoutTabs(bytes), as: UTF8.self)
            root = try Yams.Parser(yaml: text, resolver: .basic, encoding: .utf8).nextRoot()
        } catch {
            throw Self.error(error, lines)
        }
        guard let root else { throw YAMLError(offset: 0, reason: "the document is empty") }
        var reader = YAMLReader(lines, size: bytes.count)
        try reader.write(root, depth: 0)
        return YAMLDocument(json: reader.json, places: reader.places)
    }

    // MARK: Values

    private mutating func write(_ node: Yams.Node, depth: Int) throws(YAMLError) {
        let offset = offset(node.mark)
        try count(at: offset)
        guard depth < Self.maximumDepth else {
            throw YAMLError(
                offset: offset, reason: "more than \(Self.maximumDepth) lists and objects are in each other")
        }
        places.add(json.count, at: offset)
        switch node {
        case .scalar(let scalar): json += Self.json(scalar).utf8
        case .sequence(let sequence):
            json.append(UInt8(ascii: "["))
            for (index, element) in sequence.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try write(element, depth: depth + 1)
            }
            json.append(UInt8(ascii: "]"))
        case .mapping(let mapping):
            json.append(UInt8(ascii: "{"))
            for (index, pair) in try pairs(of: mapping, depth: depth).enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json += JSONValue.quoted(pair.key).utf8
                json.append(UInt8(ascii: ":"))
                try write(pair.value, depth: depth + 1)
            }
            json.append(UInt8(ascii: "}"))
        case .alias: throw YAMLError(offset: offset, reason: "an alias of nothing")
        }
    }

    private mutating func count(at offset: Int) throws(YAMLError) {
        nodes += 1
        guard nodes <= maximumNodes, json.count <= Self.maximumSize else {
            throw YAMLError(offset: offset, reason: "the document is too large with its aliases written out")
        }
    }

    private static func json(_ scalar: Yams.Node.Scalar) -> String {
        let prefix = "tag:yaml.org,2002:"
        let tag = scalar.tag.rawValue
        let isResolved = tag.isEmpty || ["int", "float", "bool", "null"].contains { tag == prefix + $0 }
        return isResolved ? YAMLScalar.json(scalar.string) : JSONValue.quoted(scalar.string)
    }

    /// The members of a mapping; `<<` gives those of others that it does not have itself, as in YAML 1.1.
    private mutating func pairs(
        of mapping: Yams.Node.Mapping, depth: Int
    ) throws(YAMLError) -> [(key: String, value: Yams.Node)] {
        var pairs: [(key: String, value: Yams.Node)] = []
        var merged: [Yams.Node.Mapping] = []
        for (key, value) in mapping {
            try count(at: offset(key.mark))
            guard case .scalar(let scalar) = key else {
                throw YAMLError(offset: offset(key.mark), reason: "a key is a text, not a list or an object")
            }
            if scalar.string == "<<", scalar.style == .plain {
                merged += try Self.mappings(value, offset(key.mark))
            } else {
                pairs.append((scalar.string, value))
            }
        }
        guard !merged.isEmpty else { return pairs }
        guard depth < Self.maximumDepth else {
            throw YAMLError(offset: offset(mapping.mark), reason: "too many mappings are merged")
        }
        var names: Set<String> = []
        for pair in pairs { names.insert(pair.key) }
        for other in merged {
            for pair in try self.pairs(of: other, depth: depth + 1) where names.insert(pair.key).inserted {
                pairs.append(pair)
            }
        }
        return pairs
    }

    private static func mappings(_ value: Yams.Node, _ offset: Int) throws(YAMLError) -> [Yams.Node.Mapping] {
        var found: [Yams.Node.Mapping] = []
        if case .mapping(let mapping) = value { return [mapping] }
        if case .sequence(let sequence) = value {
            for element in sequence { if case .mapping(let mapping) = element { found.append(mapping) } }
            if found.count == sequence.count { return found }
        }
        throw YAMLError(offset: offset, reason: "<< merges a mapping or a list of them")
    }

    // MARK: Positions

    private func offset(_ mark: Yams.Mark?) -> Int {
        mark.map { lines.offset(line: $0.line, column: $0.column) } ?? 0
    }

    private static func error(_ error: any Error, _ lines: YAMLLines) -> YAMLError {
        let at = { (mark: Yams.Mark) in lines.offset(line: mark.line, column: mark.column) }
        guard let error = error as? YamlError else { return YAMLError(offset: 0, reason: "not read") }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return YAMLError(offset: at(mark), reason: problem)
        case .reader(let problem, let offset, _, let yaml):
            return YAMLError(offset: yaml.prefix(offset ?? 0).utf8.count, reason: problem)
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.prefix(3).map { JSONValue.quoted($0.excerpt(40)) }.joined(separator: ", ")
            return YAMLError(offset: at(context.mark), reason: "duplicate key \(names)")
        case .memory: return YAMLError(offset: 0, reason: "too many lists and objects are in each other")
        default: return YAMLError(offset: 0, reason: "not read")
        }
    }
}
#else
/// Stands in for the reader in packages that leave the trait `Program` out.
enum YAMLReader {
    static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLDocument {
        throw YAMLError(offset: 0, reason: "YAML is read with the trait Program only")
    }
}
#endif
