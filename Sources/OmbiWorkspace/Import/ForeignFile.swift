import OmbiDocument

/// The content of a file of another tool, in UTF-8.
struct ForeignFile: Sendable {
    /// The name for what has none in the file.
    let name: String
    let bytes: [UInt8]
    /// Nil for a text that is no JSON.
    let document: JSONDocument?
    private let syntaxError: JSONSyntaxError?

    /// In bytes.
    private static let maximumSize = 64 << 20

    /// Throws for a text in no encoding of Unicode, and for one that is too long.
    init(_ content: [UInt8], name: String) throws(ImportError) {
        self.name = name
        guard content.count <= Self.maximumSize else {
            throw ImportLog([]).error(0, "the file is longer than 64 MiB, the limit of an import")
        }
        bytes = try Self.decoded(content)
        let start = bytes.first { $0 > 0x20 }
        guard start == UInt8(ascii: "{") || start == UInt8(ascii: "[") else {
            (document, syntaxError) = (nil, nil)
            return
        }
        var found: (document: JSONDocument?, error: JSONSyntaxError?) = (nil, nil)
        do throws(JSONSyntaxError) { found.document = try JSONDocument(checking: Bytes(bytes)) } catch {
            found.error = error
        }
        (document, syntaxError) = found
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of a JSON document.
    var root: ForeignValue? {
        guard let document, let node = document.firstRoot else { return nil }
        return ForeignValue(document: document, node: node)
    }

    /// The error of a file that no importer recognizes.
    var unknown: ImportError {
        let log = ImportLog(bytes)
        if let syntaxError { return log.error(syntaxError.offset, "no JSON: \(syntaxError.reason)") }
        let names = Importer.all.map(\.title).joined(separator: ", ")
        return log.error(0, "this is none of the formats that are imported: \(names)")
    }

    /// Returns `shop` for `files/shop.postman_collection.json`.
    static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = String(file.prefix { $0 != "." })
        return name.isEmpty || name == "-" ? "imported" : name
    }

    // MARK: Encodings

    private static func decoded(_ content: [UInt8]) throws(ImportError) -> [UInt8] {
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { return try checked(Array(content.dropFirst(3))) }
        let isLittle = content.starts(with: [0xFF, 0xFE])
        guard isLittle || content.starts(with: [0xFE, 0xFF]) else { return try checked(content) }
        let units = stride(from: 2, to: content.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(content[index]), UInt16(content[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func checked(_ bytes: [UInt8]) throws(ImportError) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) == nil else { return bytes }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
        throw ImportLog(bytes).error(offset, "the text is neither UTF-8 nor UTF-16 with a byte order mark")
    }
}

/// A value of a foreign JSON document. It is read leniently: a member that is null or missing is none.
struct ForeignValue {
    let document: JSONDocument
    let node: JSONNode

    var kind: JSONKind { document.kind(of: node) }

    /// In the bytes of the file.
    var offset: Int { document.range(of: node).lowerBound }

    subscript(key: String) -> ForeignValue? {
        guard let member = document.members(of: node)[key], member.kind != .null else { return nil }
        return ForeignValue(document: document, node: member.value)
    }

    /// Returns true for a member that is there, also if it is null.
    func has(_ key: String) -> Bool { document.members(of: node)[key] != nil }

    /// None for a value that is no array.
    var elements: [ForeignValue] {
        guard kind == .array else { return [] }
        return document.elements(of: node) { ForeignValue(document: document, node: $0) }
    }

    /// The content of a string; nil for other values.
    var string: String? { kind == .string ? document.text(of: node)?.string : nil }

    /// The content of a string, nothing for null, and JSON for other values.
    var text: String { kind == .null ? "" : string ?? json.compact }

    var bool: Bool? { kind == .true ? true : kind == .false ? false : nil }

    var json: JSONValue { document.value(of: node) }

    /// A text, or an object with a text in it, as descriptions are.
    var description: String { string ?? self["content"]?.string ?? "" }
}
