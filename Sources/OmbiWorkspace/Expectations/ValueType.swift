import OmbiDocument

/// A type of a JSON value, by the names of JSON Schema: an integer is a number, too.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
    case string, integer, number, boolean, array, object, null

    /// The names of all types.
    static let names = allCases.map(\.rawValue)

    /// Returns true for a value of this type.
    func holds(_ node: JSONNode, in document: JSONDocument) -> Bool {
        switch document.kind(of: node) {
        case .string: self == .string
        case .number: self == .number || self == .integer && document.isInteger(node)
        case .true, .false: self == .boolean
        case .array: self == .array
        case .object: self == .object
        case .null: self == .null
        }
    }

    /// The types that a value has.
    static func types(of value: JSONValue) -> Set<ValueType> {
        switch value {
        case .null: [.null]
        case .bool: [.boolean]
        case .number: [.number, .integer]
        case .string: [.string]
        case .array: [.array]
        case .object: [.object]
        }
    }
}
