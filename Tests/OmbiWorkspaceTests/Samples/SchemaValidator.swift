import OmbiDocument

@testable import OmbiWorkspace

/// Checks JSON against a schema, with those keywords of JSON Schema 2020-12 that Ombi's schema uses.
/// Any other keyword is a failure, so that none is passed over unchecked.
struct SchemaValidator {
    let root: JSONValue

    private static let annotations: Set<String> = ["$schema", "$defs", "title", "description", "default"]

    func failures(_ value: JSONValue, _ schema: JSONValue? = nil, at path: String = "$") -> [String] {
        guard case .object(let keywords) = schema ?? root else { return ["\(path): the schema is no object"] }
        return keywords.flatMap { keyword in
            Self.annotations.contains(keyword.key) ? [] : check(keyword, of: keywords, value, path)
        }
    }

    private func check(
        _ keyword: JSONValue.Member, of schema: [JSONValue.Member], _ value: JSONValue, _ path: String
    ) -> [String] {
        func fail(_ isFine: Bool) -> [String] {
            isFine ? [] : ["\(path): \(keyword.key) \(keyword.value.compact)"]
        }
        switch (keyword.key, keyword.value) {
        case ("$ref", .string(let reference)):
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            guard reference.hasPrefix("#/$defs/"), let target = root["$defs"]?[name] else {
                return ["no schema \(reference)"]
            }
            return failures(value, target, at: path)
        case ("type", .string(let type)): return fail(isType(type, value))
        case ("const", let constant): return fail(value == constant)
        case ("enum", .array(let allowed)): return fail(allowed.contains(value))
        case ("required", .array(let keys)):
            guard case .object = value else { return [] }
            return keys.flatMap { key in
                guard case .string(let name) = key else { return ["required holds no string"] }
                return value[name] == nil ? ["\(path): missing \(name)"] : []
            }
        case ("properties", .object(let properties)):
            return properties.flatMap { property in
                value[property.key].map { failures($0, property.value, at: "\(path).\(property.key)") } ?? []
            }
        case ("additionalProperties", let inner):
            guard case .object(let members) = value else { return [] }
            let known = JSONValue.object(schema)["properties"]
            return members.filter { known?[$0.key] == nil }.flatMap {
                failures($0.value, inner, at: "\(path).\($0.key)")
            }
        case ("items", let inner):
            guard case .array(let elements) = value else { return [] }
            return elements.enumerated().flatMap { failures($1, inner, at: "\(path)[\($0)]") }
        case ("oneOf", .array(let choices)), ("anyOf", .array(let choices)):
            let valid = choices.count { failures(value, $0, at: path).isEmpty }
            return valid == 1 || valid > 1 && keyword.key == "anyOf" ? [] : ["\(path): not one of \(choices)"]
        case ("allOf", .array(let parts)): return parts.flatMap { failures(value, $0, at: path) }
        case ("minLength", .number(let digits)):
            guard case .string(let text) = value, let least = Int(digits) else { return [] }
            return fail(text.unicodeScalars.count >= least)
        case ("minimum", .number(let digits)): return fail(number(value).map { $0 >= Double(digits)! } ?? true)
        case ("maximum", .number(let digits)): return fail(number(value).map { $0 <= Double(digits)! } ?? true)
        case ("pattern", .string(let pattern)):
            guard case .string(let text) = value else { return [] }
            return fail((try? Regex(pattern).firstMatch(in: text)) ?? nil != nil)
        default: return ["the keyword \(keyword.key) is not known to the validator"]
        }
    }

    private func number(_ value: JSONValue) -> Double? {
        if case .number(let digits) = value { Double(digits) } else { nil }
    }

    private func isType(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("number", .number):
            true
        case ("integer", .number(let digits)): Double(digits).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }
}
