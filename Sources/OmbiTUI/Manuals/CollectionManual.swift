/// The manual page of the file format, from its JSON Schema: a section for the file and for each definition.
enum CollectionManual {
    /// - Parameter schema: the text of `collections/ombi.schema.json`.
    static func page(schema text: String) throws(JSONSyntaxError) -> ManualPage {
        let schema = try JSONValue.parse(text)
        let others = [["ombi"], ["ombi", "check"], ["ombi", "run"]].map(ManualPage.Name.command)
        let definitions = schema["$defs"] ?? .object([])
        let sections = [JSONValue.Member("collection", schema)] + definitions.members
        return ManualPage(
            .collection, abstract: "file format of Ombi's collections", seeAlso: others + [.keys],
            introduction + sections.flatMap { section($0.key, $0.value, definitions) })
    }

    private static let introduction: [ManualBlock] = [
        .section("DESCRIPTION"),
        .text(
            """
            A collection is a JSON file in UTF-8. Each section below describes a type of value: the collection, which \
            is the whole file, and the types that its keys refer to. A key in another object is named after it, as in \
            keyring.service; [] stands for each element of an array, and * for any key.
            """),
    ]

    private static func section(_ title: String, _ schema: JSONValue, _ definitions: JSONValue) -> [ManualBlock] {
        let type = SchemaType.alternatives(SchemaType.names(of: schema))
        let keys = SchemaKey.all(of: schema, in: definitions).map { key in
            ManualBlock.Item(term: [.name(key.path), .note(key.type)], text: key.text)
        }
        var blocks: [ManualBlock] = [.subsection(title, name: nil)]
        if let text = schema["description"]?.stringValue { blocks.append(.text(text)) }
        if type != "object", !type.isEmpty { blocks.append(.text("The type: \(type).")) }
        return keys.isEmpty ? blocks : blocks + [.list(keys)]
    }
}

/// A key that a JSON Schema describes: a line of the manual page of a file format.
struct SchemaKey: Equatable, Sendable {
    /// The key, after those of the objects around it: `messages[].name`. A `*` stands for any key.
    let path: String
    /// The type, and the rules for it: `string, required`.
    let type: String
    /// The description of the key, or of the definition that it refers to.
    let text: String

    /// Returns the keys of an object and of the objects in it, without those of other definitions.
    static func all(of schema: JSONValue, in definitions: JSONValue) -> [SchemaKey] {
        let keys = keys(of: schema, below: "", isChoice: false, definitions)
        return keys.enumerated().filter { index, key in
            // One of several choices often names a key again, only to require or forbid it.
            !key.text.isEmpty || !keys[..<index].contains { $0.path == key.path }
        }.map(\.element)
    }

    /// - Parameter isChoice: true for one of several schemas, whose keys are not always required.
    private static func keys(
        of schema: JSONValue, below path: String, isChoice: Bool, _ definitions: JSONValue
    ) -> [SchemaKey] {
        let required: [String] = isChoice ? [] : schema["required"]?.list.compactMap(\.stringValue) ?? []
        let own = (schema["properties"]?.members ?? []).filter { $0.value != .bool(false) }
        var keys: [SchemaKey] = own.flatMap { property in
            let key = SchemaKey(
                path: path + property.key,
                type: SchemaType.text(property.value, isRequired: required.contains(property.key)),
                text: description(of: property.value, in: definitions))
            return [key] + Self.keys(of: property.value, below: key.path + ".", isChoice: false, definitions)
        }
        if let items = schema["items"] {
            let place = path.isEmpty ? path : String(path.dropLast())
            keys += Self.keys(of: items, below: place + "[].", isChoice: false, definitions)
        }
        if let others = schema["additionalProperties"] {
            keys += Self.keys(of: others, below: path + "*.", isChoice: false, definitions)
        }
        for choice in SchemaType.choices(of: schema) {
            keys += Self.keys(of: choice, below: path, isChoice: true, definitions)
        }
        return keys
    }

    private static func description(of schema: JSONValue, in definitions: JSONValue) -> String {
        let own = schema["description"]?.stringValue
        let referred = SchemaType.reference(of: schema).flatMap { definitions[$0]?["description"]?.stringValue }
        return own ?? referred ?? ""
    }
}

/// The types of values as words, from a JSON Schema.
enum SchemaType {
    /// Returns the type of a property with the rules for it: `integer, 0 to 1000, default 3`.
    static func text(_ schema: JSONValue, isRequired: Bool) -> String {
        let names = names(of: schema)
        var parts = [names.isEmpty ? "any value" : alternatives(names)]
        if isRequired { parts.append("required") }
        switch (schema["minimum"], schema["maximum"]) {
        case (let minimum?, let maximum?): parts.append("\(minimum.compact) to \(maximum.compact)")
        case (let minimum?, nil): parts.append("at least \(minimum.compact)")
        case (nil, let maximum?): parts.append("at most \(maximum.compact)")
        case (nil, nil): break
        }
        if let standard = schema["default"] { parts.append("default \(standard.compact)") }
        return parts.joined(separator: ", ")
    }

    /// Returns the types that a value may have, constants and names of definitions among them; none for any value.
    static func names(of schema: JSONValue) -> [String] {
        if let reference = reference(of: schema) { return [reference] }
        if let values = schema["enum"] { return values.list.map(\.compact) }
        if let value = schema["const"] { return [value.compact] }
        guard let type = schema["type"]?.stringValue else {
            return choices(of: schema).flatMap(names).reduce(into: []) { all, name in
                if !all.contains(name) { all.append(name) }
            }
        }
        let content = type == "array" ? schema["items"] : type == "object" ? schema["additionalProperties"] : nil
        let inner = content.map(names) ?? []
        return [inner.isEmpty ? type : "\(type) of \(alternatives(inner))"]
    }

    static func reference(of schema: JSONValue) -> String? {
        schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
    }

    /// The schemas of which a value meets one, or all.
    static func choices(of schema: JSONValue) -> [JSONValue] {
        ["oneOf", "anyOf", "allOf"].flatMap { schema[$0]?.list ?? [] }
    }

    /// "a, b or c"
    static func alternatives(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension JSONValue {
    /// The elements of an array; empty for other values.
    var list: [JSONValue] { elements ?? [] }

    /// The members of an object; empty for other values.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
