import OmbiDocument

extension JSONDocument {
    /// The document of a text.
    init(_ text: String, roots: JSONRoots = .one) { self.init(Array(text.utf8), roots: roots) }

    init(_ bytes: [UInt8], roots: JSONRoots = .one) {
        self = JSONIndex.document(Bytes(bytes), roots: roots)
    }

    /// The document of bytes that come in two parts.
    init(_ bytes: [UInt8], splitAt middle: Int, roots: JSONRoots = .one) {
        let index = JSONIndex(roots: roots)
        let body = Bytes(bytes)
        _ = index.append(body[0..<middle])
        _ = index.append(body)
        self = index.finish()
    }

    /// Everything that is in the document, joined again without white space; a container that is unfinished ends in …
    var rebuilt: String {
        var result = ""
        var previous: [JSONNode] = []
        var node = firstRoot
        while let current = node {
            let around = ancestors(of: current)
            for closed in previous.reversed() where !around.contains(closed) { result += end(of: closed) }
            if previousSibling(of: current) != nil { result += around.isEmpty ? " " : "," }
            if let key = keyBytes(of: current) { result += String(decoding: bytes(in: key), as: UTF8.self) + ":" }
            let kind = kind(of: current)
            result += kind == .object ? "{" : kind == .array ? "[" : source(of: current)
            previous = kind.isContainer ? around + [current] : around
            node = next(after: current)
        }
        for closed in previous.reversed() { result += end(of: closed) }
        return result
    }

    private func end(of node: JSONNode) -> String {
        isUnfinished(node) ? "\u{2026}" : kind(of: node) == .object ? "}" : "]"
    }

    /// The node that a row of child positions leads to from the first root.
    func node(_ positions: Int...) -> JSONNode? {
        positions.reduce(firstRoot) { node, position in node.flatMap { child(at: position, of: $0) } }
    }
}

enum JSONSamples {
    /// Some of everything, on several lines, with what RFC 8259 allows and few write.
    static let mixed = """
        { "id": 0, "name" : "\\"Zoë\\" \\u00e9\\uD83D\\uDE00\\n", "tags":["a", [], {}, [[1 ,2],3]],
        \t"price": -12.50e+3 , "none":null,"yes":true, "no": false, "\\u006bey": {"deep": {"a\\"b\\\\": [1E5]}},
          "twice": 1, "twice": 2, "東京": "\\/ \\b\\f\\r\\t", "": "" }

        """
}
