import OmbiDocument

/// The conditions of one object in a file.
extension ObjectReader {
    /// Reads the conditions, in canonical order; logs what is wrong with them, and what no value can meet.
    func conditions() -> [ValueCondition] {
        let conditions = ValueCondition.keys.compactMap { key in value(key).flatMap { condition(key, $0) } }
        for contradiction in conditions.contradictions {
            log.warning(
                at: value(contradiction.key)?.offset ?? offset, "\"\(contradiction.key)\": \(contradiction.reason)")
        }
        return conditions
    }

    private func condition(_ key: String, _ value: FileValue) -> ValueCondition? {
        switch key {
        case "equals": .equals(value.value)
        case "contains": contained(value)
        case "matches": pattern(value)
        case "type": types(value)
        case "count": comparison(key).map { .count($0) }
        case "exists": bool(key).map { .exists($0) }
        case "less": bound(key, value).map { .less($0) }
        case "atMost": bound(key, value).map { .atMost($0) }
        case "greater": bound(key, value).map { .greater($0) }
        case "atLeast": bound(key, value).map { .atLeast($0) }
        default: nil
        }
    }

    private func contained(_ value: FileValue) -> ValueCondition? {
        if value.string == "" {
            error("contains", "the text is empty, and in every text")
            return nil
        }
        return .contains(value.value)
    }

    private func pattern(_ value: FileValue) -> ValueCondition? {
        guard let pattern = string("matches") else { return nil }
        do throws(PatternError) {
            try ValueCondition.checkPattern(pattern)
            return .matches(pattern)
        } catch {
            log.error(at: value.offset(ofColumn: error.column), "\"matches\": \(error.reason)")
            return nil
        }
    }

    private func types(_ value: FileValue) -> ValueCondition? {
        let values = value.kind == .array ? value.elements : [value]
        let types = values.compactMap { value in
            if let type = value.string.flatMap(ValueType.init) { return type }
            let found = value.string.map(JSONValue.quoted) ?? value.kindName
            let hint = ValueType.suggestion(for: value.string ?? "")
            log.error(at: value.offset, "\"type\": unknown type \(found)\(hint)")
            return nil
        }
        if values.isEmpty { error("type", "the list is empty; known: " + ValueType.names.joined(separator: ", ")) }
        return types.isEmpty ? nil : .type(types)
    }

    /// Reads a comparison: a text such as ">0", or a number.
    func comparison(_ key: String) -> NumberComparison? {
        guard let value = value(key) else { return nil }
        guard let comparison = (value.string ?? value.digits).flatMap({ NumberComparison($0) }) else {
            let found = value.string.map(JSONValue.quoted) ?? value.digits ?? value.kindName
            error(key, "\(found) is not a comparison; \(NumberComparison.form)")
            return nil
        }
        return comparison
    }

    private func bound(_ key: String, _ value: FileValue) -> JSONValue? {
        switch value.kind {
        case .number, .string: return value.value
        case .null, .true, .false, .array, .object:
            error(key, "expected a number or a string, found \(value.kindName)")
            return nil
        }
    }
}

extension FileValue {
    /// Returns the offset of a column of a string, from 1; that of the string where it has escapes.
    func offset(ofColumn column: Int) -> Int {
        guard let text = string, log.document.source(of: node).utf8.count == text.utf8.count + 2 else { return offset }
        let before = String(text.unicodeScalars.prefix(max(0, column - 1)))
        return offset + 1 + before.utf8.count
    }
}

extension ValueType {
    /// `; did you mean "integer"?`, or the names of all types.
    static func suggestion(for name: String) -> String {
        let meant = meant(by: name)
        return ValueType(rawValue: meant) == nil
            ? Spelling.suggestion(for: name, in: names) : "; did you mean \(JSONValue.quoted(meant))?"
    }

    /// Returns the type that a name of other languages stands for; else the name.
    static func meant(by name: String) -> String {
        let others = [
            "int": "integer", "bool": "boolean", "float": "number", "double": "number", "list": "array",
            "dict": "object", "map": "object", "str": "string", "text": "string", "nil": "null", "none": "null",
        ]
        return others[name.lowercased()] ?? name
    }
}

extension ValueCondition {
    /// Throws for a pattern that is not valid or empty.
    static func checkPattern(_ pattern: String) throws(PatternError) {
        if pattern.isEmpty { throw PatternError(reason: "the pattern is empty, and matches every text", column: 1) }
        _ = try TextPattern(pattern)
    }
}
