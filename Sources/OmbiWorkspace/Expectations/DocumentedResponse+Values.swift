import OmbiCore
import OmbiDocument

/// A value in the body of a documented response.
public struct DocumentedValue: Sendable, Equatable {
    /// `$.items[*].id`
    public var path: String
    /// `integer`, `string or null, date-time`, `"a", "b"`; empty for any.
    public var type: String
    public var isRequired: Bool
}

extension DocumentedResponse {
    /// The values that its schema describes, each behind the one that it is in; none for a body of any form.
    public var values: [DocumentedValue] {
        guard let schema else { return [] }
        var outline = SchemaOutline(root: schema)
        outline.add(schema, at: "$", isRequired: false, inside: [], depth: 0)
        // That a body is an object is said by its members.
        return outline.values.count > 1 && outline.values[0].type == "object"
            ? Array(outline.values.dropFirst()) : outline.values
    }
}

/// Lists what a schema describes, down to the schemas that contain themselves.
private struct SchemaOutline {
    /// With the definitions that references lead to.
    let root: JSONValue
    private(set) var values: [DocumentedValue] = []

    private static let maximumValues = 200
    private static let maximumDepth = 8
    private static let maximumChoices = 6

    init(root: JSONValue) { self.root = root }

    mutating func add(
        _ schema: JSONValue, at path: String, isRequired: Bool, inside references: Set<String>, depth: Int
    ) {
        guard values.count < Self.maximumValues, depth < Self.maximumDepth else { return }
        var references = references
        let parts = parts(of: schema, &references, nesting: 0)
        values.append(DocumentedValue(path: path, type: Self.type(parts), isRequired: isRequired))
        let required = Set(parts.flatMap { $0["required"]?.elements ?? [] }.compactMap(\.stringValue))
        var known: Set<String> = []
        for part in parts {
            if case .object(let members)? = part["properties"] {
                for member in members where known.insert(member.key).inserted {
                    add(
                        member.value, at: path + Self.step(to: member.key),
                        isRequired: required.contains(member.key), inside: references, depth: depth + 1)
                }
            }
            if let items = part["items"], case .object = items {
                add(items, at: path + "[*]", isRequired: false, inside: references, depth: depth + 1)
            }
        }
    }

    /// The schema with those that it refers to and consists of.
    private func parts(of schema: JSONValue, _ references: inout Set<String>, nesting: Int) -> [JSONValue] {
        guard nesting < Self.maximumDepth, case .object = schema else { return [] }
        var parts = [schema]
        if let reference = schema["$ref"]?.stringValue, references.insert(reference).inserted,
            let target = root["$defs"]?[Self.name(of: reference)]
        {
            parts += self.parts(of: target, &references, nesting: nesting + 1)
        }
        for part in schema["allOf"]?.elements ?? [] {
            parts += self.parts(of: part, &references, nesting: nesting + 1)
        }
        let branches = Self.branches(of: schema)
        if branches.count == 1 { parts += self.parts(of: branches[0], &references, nesting: nesting + 1) }
        return parts
    }

    private static func branches(of schema: JSONValue) -> [JSONValue] {
        let all = (schema["oneOf"]?.elements ?? []) + (schema["anyOf"]?.elements ?? [])
        return all.filter { $0["type"]?.stringValue != "null" }
    }

    // MARK: Words

    private static func type(_ parts: [JSONValue]) -> String {
        for part in parts {
            if let choices = part["enum"]?.elements {
                let shown = choices.prefix(maximumChoices).map { $0.compact.excerpt(40) }.joined(separator: ", ")
                return choices.count > maximumChoices ? shown + ", …" : shown
            }
            if let value = part["const"] { return value.compact.excerpt(40) }
            let types = part["type"]?.elements?.compactMap(\.stringValue) ?? [part["type"]?.stringValue ?? ""]
            let type = types.joined(separator: " or ")
            guard type.isEmpty else { return type + (part["format"]?.stringValue.map { ", \($0)" } ?? "") }
        }
        if parts.contains(where: { $0["properties"] != nil }) { return "object" }
        if parts.contains(where: { $0["items"] != nil }) { return "array" }
        if let count = parts.map({ branches(of: $0).count }).max(), count > 1 { return "one of \(count) forms" }
        // It contains itself.
        return parts.first?["$ref"]?.stringValue.map { name(of: $0) } ?? ""
    }

    private static func name(of reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func step(to name: String) -> String {
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
        return isPlain && !(name.first?.isNumber ?? true) ? "." + name : "[\(JSONValue.quoted(name))]"
    }
}
