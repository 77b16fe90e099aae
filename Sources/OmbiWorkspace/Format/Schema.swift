import OmbiDocument

/// The JSON Schema (draft 2020-12) of the usual values in a file.
enum Schema {
    static func text(_ description: String? = nil, pattern: String? = nil) -> JSONValue {
        [
            "type": "string", "pattern": pattern.map(JSONValue.string),
            "description": description.map(JSONValue.string),
        ]
    }

    /// A text that must not be empty.
    static func name(_ description: String? = nil) -> JSONValue {
        ["type": "string", "minLength": 1, "description": description.map(JSONValue.string)]
    }

    static func flag(_ description: String? = nil, default standard: Bool? = nil) -> JSONValue {
        [
            "type": "boolean", "description": description.map(JSONValue.string),
            "default": standard.map(JSONValue.bool),
        ]
    }

    static func integer(
        _ description: String? = nil, in range: ClosedRange<Int>, default standard: Int? = nil
    ) -> JSONValue {
        [
            "type": "integer", "minimum": .number(range.lowerBound),
            "maximum": range.upperBound == .max ? nil : .number(range.upperBound),
            "description": description.map(JSONValue.string), "default": standard.map { JSONValue.number($0) },
        ]
    }

    static func choice(_ description: String, of names: [String]) -> JSONValue {
        ["description": .string(description), "enum": .strings(names)]
    }

    static func list(_ description: String? = nil, of element: JSONValue) -> JSONValue {
        ["type": "array", "description": description.map(JSONValue.string), "items": element]
    }

    /// Refers to a definition.
    static func reference(_ name: String, _ description: String? = nil) -> JSONValue {
        ["description": description.map(JSONValue.string), "$ref": .string("#/$defs/\(name)")]
    }
}
