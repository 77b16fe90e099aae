import OmbiDocument

/// A value of a collection file, with its position for error messages.
struct FileValue {
    let node: JSONNode
    let kind: JSONKind
    let log: ProblemLog

    private var document: JSONDocument { log.document }

    /// The offset of the value's first byte.
    var offset: Int { document.range(of: node).lowerBound }

    /// The content of a string; nil for other values.
    var string: String? { kind == .string ? document.text(of: node)?.string : nil }

    /// A number as written; nil for other values.
    var digits: String? { kind == .number ? document.source(of: node) : nil }

    /// The values in an array, in order.
    var elements: [FileValue] {
        let document = document
        return document.children(of: node).map { FileValue(node: $0, kind: document.kind(of: $0), log: log) }
    }

    /// The value without positions.
    var value: JSONValue { document.value(of: node) }

    /// The type of the value as error messages name it: "a string", "null".
    var kindName: String {
        switch kind {
        case .null, .true, .false: kind.rawValue
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
