/// An assertion of httpyac, which is one of Bruno in other words: `?? body user.id > 1`, `?? header X-Id exists`.
struct HTTPAssertion {
    let value: ScriptValue
    let assertion: BrunoAssertion

    /// Nil for what has no counterpart.
    init?(_ line: String) {
        let words = line.dropFirst(2).split(whereSeparator: \.isWhitespace).map(String.init)
        guard let kind = words.first, let index = words.firstIndex(where: { Self.operators[$0] != nil }), index > 0,
            let comparison = Self.operators[words[index]]
        else { return nil }
        let name = words[1..<index].joined(separator: " ")
        let operand = words[(index + 1)...].joined(separator: " ")
        switch kind {
        case "status" where name.isEmpty: value = .status
        case "duration" where name.isEmpty: value = .time
        case "header" where !name.isEmpty: value = .header(name)
        case "body": value = .body(name.isEmpty ? "$" : name.hasPrefix("[") ? "$" + name : "$." + name)
        default: return nil
        }
        assertion = BrunoAssertion("\(comparison) \(operand)")
    }

    private static let operators = [
        "==": "eq", "!=": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "includes": "contains",
        "contains": "contains", "startsWith": "startsWith", "endsWith": "endsWith", "matches": "matches",
        "exists": "isDefined", "isNumber": "isNumber", "isString": "isString", "isBoolean": "isBoolean",
        "isArray": "isArray",
    ]
}
