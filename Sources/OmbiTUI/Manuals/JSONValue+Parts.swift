import OmbiDocument

extension JSONValue {
    /// The content of a string; nil for other values.
    var textValue: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array; empty for other values.
    var list: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The members of an object; empty for other values.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
