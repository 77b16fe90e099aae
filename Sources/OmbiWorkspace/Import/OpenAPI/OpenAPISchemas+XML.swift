/// Samples as XML, with the names, attributes, lists and namespaces of their schemas (OpenAPI, "XML Object").
extension OpenAPISchemas {
    /// Elements in each other.
    private static let maximumElementLevels = 20

    /// Returns nil for a schema that does not say what its element is called.
    mutating func xml(_ sample: JSONValue, of schema: JSONValue) -> String? {
        spent = 0
        let name = keywords(of: schema, inside: [])?["xml"]?["name"]?.stringValue
        guard let root = name ?? schema["$ref"]?.stringValue.map({ OpenAPISchemas.name(of: $0) }) else { return nil }
        return elements(sample, schema, root, level: 0).joined(separator: "\n")
    }

    /// The lines of the elements of a value: a list has several.
    /// - Parameter outer: the name where the schema has none.
    private mutating func elements(
        _ value: JSONValue, _ schema: JSONValue, _ outer: String, level: Int
    ) -> [String] {
        guard level < Self.maximumElementLevels else { return [] }
        let found = keywords(of: schema, inside: []) ?? Keywords()
        let xml = found["xml"]
        if let values = value.elements {
            let items = found["items"] ?? .object([])
            guard level == 0 || xml?["wrapped"] == .bool(true) else {
                return values.flatMap { elements($0, items, outer, level: level + 1) }
            }
            let name = xml?["name"]?.stringValue ?? outer
            return Self.element(xml, outer, values.flatMap { elements($0, items, name, level: level + 1) })
        }
        guard case .object(let members) = value else {
            return Self.element(xml, outer, text: OpenAPIReader.text(value))
        }
        var (attributes, content) = ("", [String]())
        for member in members {
            let property = found["properties"]?[member.key] ?? .object([])
            let inner = keywords(of: property, inside: [])?["xml"]
            if inner?["attribute"] == .bool(true) {
                let text = Self.escaped(OpenAPIReader.text(member.value))
                attributes += " \(Self.name(inner, member.key))=\"\(text)\""
            } else {
                content += elements(member.value, property, member.key, level: level + 1)
            }
        }
        return Self.element(xml, outer, attributes: attributes, content)
    }

    /// The lines of an element with those in it, or with a text.
    private static func element(
        _ xml: JSONValue?, _ outer: String, attributes: String = "", text: String = "", _ content: [String] = []
    ) -> [String] {
        let name = name(xml, outer)
        var start = "<" + name + attributes
        if let namespace = xml?["namespace"]?.stringValue {
            let prefix = xml?["prefix"]?.stringValue.map { ":" + word($0) } ?? ""
            start += " xmlns\(prefix)=\"\(escaped(namespace))\""
        }
        if content.isEmpty { return [text.isEmpty ? start + "/>" : "\(start)>\(escaped(text))</\(name)>"] }
        return [start + ">"] + content.map { "  " + $0 } + ["</\(name)>"]
    }

    private static func name(_ xml: JSONValue?, _ outer: String) -> String {
        let prefix = xml?["prefix"]?.stringValue.map { word($0) + ":" } ?? ""
        return prefix + word(xml?["name"]?.stringValue ?? outer)
    }

    /// A name of XML; other characters become `_`.
    private static func word(_ text: String) -> String {
        let word = String(text.map { $0.isLetter || $0.isNumber || "_-.".contains($0) ? $0 : "_" })
        return word.first.map { $0.isLetter || $0 == "_" } ?? false ? word : "_" + word
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return plain.replacing("\"", with: "&quot;")
    }
}
