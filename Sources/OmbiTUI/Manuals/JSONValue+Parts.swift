import OmbiDocument

extension JSONValue {
    /// The elements of an array; empty for other values.
    var list: [JSONValue] { elements ?? [] }

    /// The members of an object; empty for other values.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
