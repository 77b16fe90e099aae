import OmbiDocument

/// A value of a collection file, with its position for error messages.
package struct FileValue {
    let node: JSONNode
    package let kind: JSONKind
    package let log: ProblemLog

    /// Lent, as threads that read parts of one document would count its references in turn.
    private var document: JSONDocument { _read { yield log.document } }

    /// The offset of the value's first byte.
    package var offset: Int { document.range(of: node).lowerBound }

    /// The bytes of the value.
    var range: Range<Int> { document.range(of: node) }

    /// The content of a string; nil for other values.
    package var string: String? { kind == .string ? document.text(ofString: node).string : nil }

    /// A number as written; nil for other values.
    package var digits: String? { kind == .number ? document.source(of: node) : nil }

    /// The values in an array, in order.
    package var elements: [FileValue] { compactMap { $0 } }

    /// Returns what `make` returns for each value in an array, in order, without nil.
    func compactMap<Element>(_ make: (FileValue) -> Element?) -> [Element] {
        document.elements(of: node) { make(FileValue(node: $0, kind: document.kind(of: $0), log: log)) }
    }

    /// The value without positions.
    var value: JSONValue { document.value(of: node) }

    /// The value without positions, read when it is asked for.
    var storedValue: Stored<JSONValue> { Stored(node, in: log.shared) { $0.value(of: $1) } }

    /// The content of a string, decoded when it is asked for.
    var storedText: Stored<String> { Stored(node, in: log.shared) { $0.text(ofString: $1).string } }

    /// The type of the value as error messages name it: "a string", "null".
    package var kindName: String {
        switch kind {
        case .null, .true, .false: kind.rawValue
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
