/// A host, a path, a query or a header from which no request can be made, in words.
public struct MalformedRequest: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
