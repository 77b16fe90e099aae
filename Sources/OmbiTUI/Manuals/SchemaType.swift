import OmbiDocument

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

    /// The name of the definition that a schema refers to.
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
