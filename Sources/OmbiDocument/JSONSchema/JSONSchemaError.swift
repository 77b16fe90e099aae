/// An error in a JSON Schema, or in a file that it refers to.
public struct JSONSchemaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the schema as a JSON Pointer (RFC 6901); empty for the whole of it.
    public var pointer: String
    public var reason: String

    public init(_ reason: String, at pointer: String = "") {
        self.reason = reason
        self.pointer = pointer
    }

    public var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// A value of a document that does not meet a keyword of its schema.
public struct JSONSchemaFailure: Equatable, Sendable {
    /// The value, or the object that lacks one.
    public var node: JSONNode
    public var keyword: String
    /// To follow the word `expected`: `the type string`.
    public var expected: String
    /// Nil where an excerpt of the value says it.
    public var found: String?

    init(_ node: JSONNode, _ keyword: String, _ expected: String, found: String? = nil) {
        (self.node, self.keyword, self.expected, self.found) = (node, keyword, expected, found)
    }
}
