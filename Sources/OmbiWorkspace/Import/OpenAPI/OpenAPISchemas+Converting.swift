extension OpenAPISchemas {
    /// The limits of a schema with those that it refers to.
    private static let maximumDefinitions = 100
    private static let maximumSize = 32 << 10
    private static let maximumLevels = 100

    /// The schemas of one response, each under a name of its own.
    private struct Bundle {
        var names: [String: String] = [:]
        var pending: [(reference: String, name: String)] = []
        /// The schemas in schemas that it may still have.
        var left = 2000
        /// False for one with a reference that leads nowhere.
        var isWhole = true

        mutating func name(_ reference: String) -> String {
            if let name = names[reference] { return name }
            let last = reference.split(separator: "/").last.map(String.init) ?? "schema"
            let letters = last.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : "_" }
            let name = ForeignText.unused(String(letters)) { names.values.contains($0) }
            names[reference] = name
            pending.append((reference, name))
            return name
        }
    }

    /// Returns a schema as JSON Schema of draft 2020-12, with all that it refers to.
    mutating func converted(_ schema: JSONValue) -> ConvertedSchema {
        guard let key = Self.key(schema) else { return convertedOnce(schema) }
        if let known = conversions[key] { return known }
        let result = convertedOnce(schema)
        conversions[key] = result
        return result
    }

    private mutating func convertedOnce(_ schema: JSONValue) -> ConvertedSchema {
        var bundle = Bundle()
        let whole = converted(schema, &bundle, nesting: 0)
        if whole == .bool(false) { return .schema(whole) }
        guard case .object(var members) = whole else { return bundle.isWhole ? .nothing : .refused }
        var definitions: [JSONValue.Member] = []
        while let (reference, name) = bundle.pending.popLast() {
            guard bundle.isWhole, definitions.count < Self.maximumDefinitions, let target = target(reference) else {
                return .refused
            }
            definitions.append(JSONValue.Member(name, converted(target, &bundle, nesting: 0)))
        }
        guard bundle.isWhole else { return .refused }
        guard !members.isEmpty else { return .nothing }
        if !definitions.isEmpty {
            members.append(JSONValue.Member("$defs", .object(definitions.sorted { $0.key < $1.key })))
        }
        let result = JSONValue.object(members)
        guard result.compact.utf8.count <= Self.maximumSize, (try? JSONSchema(result)) != nil else { return .refused }
        return .schema(result)
    }

    private static let copied: Set<String> = [
        "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
        "maxLength",
        "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties",
        "minProperties", "required", "dependentRequired", "format",
    ]
    private static let schemas: Set<String> = [
        "not", "if", "then", "else", "items", "contains", "propertyNames", "additionalProperties", "unevaluatedItems",
        "unevaluatedProperties",
    ]

    private mutating func converted(_ schema: JSONValue, _ bundle: inout Bundle, nesting: Int) -> JSONValue {
        guard case .object(let members) = schema else { return schema == .bool(false) ? schema : .bool(true) }
        bundle.left -= 1
        guard nesting < Self.maximumLevels, bundle.left > 0 else {
            bundle.isWhole = false
            return .bool(true)
        }
        var result: [JSONValue.Member] = []
        if let reference = schema["$ref"]?.stringValue {
            guard target(reference) != nil else {
                bundle.isWhole = false
                return .bool(true)
            }
            result.append(JSONValue.Member("$ref", .string("#/$defs/\(bundle.name(reference))")))
            if version != .threeOne { return .object(result) }
        }
        if schema["type"] == .string("file") { return .bool(true) }
        for member in members {
            // The first of duplicate keys counts.
            guard !result.contains(where: { $0.key == member.key }),
                let value = converted(member, &bundle, nesting)
            else { continue }
            result.append(JSONValue.Member(member.key, value))
        }
        // Documents of 3.1 have the former keywords, too.
        Self.modernize(&result, schema)
        dropAbsent(&result, schema)
        return .object(result)
    }

    /// Returns the value of a keyword; nil for one that says nothing of values.
    private mutating func converted(
        _ member: JSONValue.Member, _ bundle: inout Bundle, _ nesting: Int
    ) -> JSONValue? {
        // The other keywords hold though a pattern is in a syntax that is not read.
        if member.key == "pattern", let text = member.value.stringValue, (try? TextPattern(ofSchema: text)) == nil {
            unreadPatterns.append(text)
            return nil
        }
        if Self.copied.contains(member.key) { return member.value }
        if Self.schemas.contains(member.key) {
            // A list of items was dropped from the later drafts.
            if case .array = member.value { return nil }
            return converted(member.value, &bundle, nesting: nesting + 1)
        }
        switch member.key {
        case "allOf", "anyOf", "oneOf", "prefixItems":
            guard let elements = member.value.elements, !elements.isEmpty else { return nil }
            return .array(elements.map { converted($0, &bundle, nesting: nesting + 1) })
        case "properties", "patternProperties", "dependentSchemas":
            guard case .object(let properties) = member.value else { return nil }
            var result: [JSONValue.Member] = []
            for property in properties where !result.contains(where: { $0.key == property.key }) {
                result.append(
                    JSONValue.Member(property.key, converted(property.value, &bundle, nesting: nesting + 1)))
            }
            return .object(result)
        default: return nil
        }
    }

    /// Writes `nullable` and the limits that are excluded as the later drafts do.
    private static func modernize(_ members: inout [JSONValue.Member], _ schema: JSONValue) {
        for (key, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            guard let index = members.firstIndex(where: { $0.key == key }), number(members[index].value) == nil else {
                continue
            }
            let isOpen = members.remove(at: index).value == .bool(true)
            guard isOpen, let other = members.firstIndex(where: { $0.key == limit }) else { continue }
            members[other].key = key
        }
        let isNullable = schema["nullable"] == .bool(true) || schema["x-nullable"] == .bool(true)
        guard isNullable, let index = members.firstIndex(where: { $0.key == "type" }),
            let type = members[index].value.stringValue
        else { return }
        members[index].value = .array([.string(type), "null"])
        guard let index = members.firstIndex(where: { $0.key == "enum" }), let values = members[index].value.elements,
            !values.contains(.null)
        else { return }
        members[index].value = .array(values + [.null])
    }

    /// A response need not have the properties that only requests have, and a request those of responses.
    private mutating func dropAbsent(_ members: inout [JSONValue.Member], _ schema: JSONValue) {
        guard let index = members.firstIndex(where: { $0.key == "required" }),
            let names = members[index].value.elements, case .object(let properties)? = schema["properties"]
        else {
            // In OpenAPI 2.0, `required: true` is that of a parameter.
            members.removeAll { $0.key == "required" && $0.value.elements == nil }
            return
        }
        let left = names.filter { name in
            let property = properties.first { .string($0.key) == name }?.value
            let target = property?["$ref"]?.stringValue.flatMap { self.target($0) }
            return property?[absentKey] != .bool(true) && target?[absentKey] != .bool(true)
        }
        members[index].value = .array(left)
        if left.isEmpty { members.remove(at: index) }
    }
}

/// The schemas of an OpenAPI document as JSON Schema, for all its responses or all its requests.
final class ConvertedSchemas: DocumentedSchemas {
    let digest: Int
    private let schemas: Lock<OpenAPISchemas>

    init(_ schemas: OpenAPISchemas, digest: Int) {
        self.schemas = Lock(schemas)
        self.digest = digest
    }

    static func digest(of content: [UInt8]) -> Int {
        var hasher = Hasher()
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    func converted(_ schema: JSONValue) -> ConvertedSchema { schemas.withLock { $0.converted(schema) } }

    func sample(_ schema: JSONValue) -> JSONValue? { schemas.withLock { $0.responseSample(schema).value } }
}
