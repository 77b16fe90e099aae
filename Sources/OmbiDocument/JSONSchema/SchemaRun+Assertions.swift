/// Keywords about the value alone.
extension SchemaRun {
    mutating func holds(_ part: SchemaNode, _ node: JSONNode) -> Bool {
        var isValid = true
        if let types = part.types, !types.contains(where: { has($0, node) }) {
            fail(node, "type", "the type " + types.joined(separator: " or "))
            isValid = false
        }
        if let values = part.values, !values.contains(where: { document.isEqual(node, to: $0, within: time) }) {
            let words = values.map { String($0.compact.prefix(40)) }.joined(separator: ", ")
            fail(node, part.isConstant ? "const" : "enum", part.isConstant ? words : "one of \(words)")
            isValid = false
        }
        for (keyword, value) in part.bounds where !holds(keyword, value, node) {
            let length = Self.counted(keyword) ? document.length(of: node) : nil
            fail(node, keyword, Self.words(keyword, value), found: length.map(String.init))
            isValid = false
        }
        if let (text, machine) = part.pattern, let string = document.text(of: node)?.string,
            !machine.matches(Bytes(string.utf8), within: time)
        {
            fail(node, "pattern", "a match of \(text.prefix(80))")
            isValid = false
        }
        return isValid
    }

    private func has(_ type: String, _ node: JSONNode) -> Bool {
        switch (type, document.kind(of: node)) {
        case ("null", .null), ("boolean", .true), ("boolean", .false), ("object", .object), ("array", .array),
            ("number", .number), ("string", .string):
            true
        case ("integer", .number): document.isInteger(node)
        default: false
        }
    }

    private static func counted(_ keyword: String) -> Bool {
        keyword.hasSuffix("Length") || keyword.hasSuffix("Items") || keyword.hasSuffix("Properties")
    }

    /// A keyword says nothing about values of other types.
    private func holds(_ keyword: String, _ value: JSONValue, _ node: JSONNode) -> Bool {
        guard case .number(let digits) = value else { return true }
        let kind = document.kind(of: node)
        if Self.counted(keyword) {
            let fitting: JSONKind =
                keyword.hasSuffix("Length") ? .string : keyword.hasSuffix("Items") ? .array : .object
            guard kind == fitting, let bound = Int(digits), let length = document.length(of: node) else { return true }
            return keyword.hasPrefix("min") ? length >= bound : length <= bound
        }
        guard kind == .number else { return true }
        if keyword == "multipleOf" {
            return DecimalDigits(document.source(of: node)).isMultiple(of: DecimalDigits(digits))
        }
        guard let order = document.order(node, value) else { return true }
        return switch keyword {
        case "minimum": order >= 0
        case "maximum": order <= 0
        case "exclusiveMinimum": order > 0
        default: order < 0
        }
    }

    private static func words(_ keyword: String, _ value: JSONValue) -> String {
        let bound = value.compact
        return switch keyword {
        case "minimum": "at least \(bound)"
        case "maximum": "at most \(bound)"
        case "exclusiveMinimum": "more than \(bound)"
        case "exclusiveMaximum": "less than \(bound)"
        case "multipleOf": "a multiple of \(bound)"
        case "minLength": "at least \(bound) characters"
        case "maxLength": "at most \(bound) characters"
        case "minItems": "at least \(bound) elements"
        case "maxItems": "at most \(bound) elements"
        case "minProperties": "at least \(bound) members"
        default: "at most \(bound) members"
        }
    }
}
