/// Paths of values.
extension JSONTree {
    /// Returns the normalized path of the row's value from its root (RFC 9535, section 2.7), such as `$['names'][0]`;
    /// nil after the last value.
    public func path(of row: JSONRow) -> String? {
        row.node.map { String(decoding: normalizedPath(of: $0), as: UTF8.self) }
    }

    func normalizedPath(of node: JSONNode) -> [UInt8] {
        var result = [UInt8(ascii: "$")]
        for location in branch(to: node).locations.dropFirst() {
            result.append(UInt8(ascii: "["))
            if let key = document.key(of: JSONNode(location.index)) {
                JSONStringEncoder.append(key.string, quote: UInt8(ascii: "'"), to: &result)
            } else {
                result += String(location.position).utf8
            }
            result.append(UInt8(ascii: "]"))
        }
        return result
    }

    /// Returns a shorter path, which is a JSONPath as well: `$.names[0]`, or `#3 $.names[0]` in the third of many
    /// roots.
    public func shortPath(of row: JSONRow) -> String? {
        row.node.flatMap { document.contains($0) ? shortPath(of: $0) : nil }
    }

    /// Returns that path of a value.
    public func shortPath(of node: JSONNode) -> String {
        let (root, locations) = branch(to: node)
        let start = document.nextSibling(of: JSONNode(0)) == nil ? "$" : "#\(root + 1) $"
        return locations.dropFirst().reduce(into: start) { $0 += document.shortStep(to: $1.index, at: $1.position) }
    }

    /// Returns the first value that a path selects: a JSONPath (`$.names[0]`), with or without its beginning
    /// (`names[0]`), or a path from `shortPath`. nil when there is none.
    /// - Throws: The error in the expression.
    public func node(atPath text: String, isCancelled: (() -> Bool)? = nil) throws(JSONPathError) -> JSONNode? {
        let (number, rest) = Self.rootNumber(in: text)
        let path = try JSONPath(Self.expression(rest))
        var roots = document.roots
        for _ in 0..<number { _ = roots.next() }
        guard let root = roots.next() else { return nil }
        return path.matches(in: document, root: root, isCancelled: isCancelled).first { _ in true }
    }

    /// Returns the root that `#3` in front of a path selects, from 0, and the rest.
    private static func rootNumber(in text: String) -> (Int, Substring) {
        let text = text.drop { $0 == " " }
        guard text.first == "#" else { return (0, text) }
        let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0 else { return (0, text) }
        return (number - 1, text.dropFirst(digits.count + 1).drop { $0 == " " })
    }

    private static func expression(_ text: Substring) -> String {
        if text.isEmpty || text == "." { return "$" }
        if text.hasPrefix("$") { return String(text) }
        return text.hasPrefix(".") || text.hasPrefix("[") ? "$" + text : "$." + text
    }
}
