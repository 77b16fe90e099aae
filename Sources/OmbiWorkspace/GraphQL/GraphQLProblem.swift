import OmbiDocument

/// A problem of a query: what the service would refuse.
public struct GraphQLProblem: Sendable, Equatable, CustomStringConvertible {
    /// In bytes, from the start of the query.
    public var offset: Int
    public var position: TextPosition
    public var message: String

    public var description: String { "\(position): \(message)" }
}

extension GraphQLSchema {
    /// A longer query is not checked.
    public static let maximumQueryByteCount = 500_000

    /// Returns the problems of a query, in its order; none for a text that is too long to be checked.
    public func problems(in query: Bytes) -> [GraphQLProblem] {
        guard query.count <= Self.maximumQueryByteCount else { return [] }
        var walk = GraphQLWalk(query, schema: self)
        walk.walk()
        var locator = TextLocator(query)
        return walk.found.sorted { $0.offset < $1.offset }.map {
            GraphQLProblem(offset: $0.offset, position: locator.position(of: $0.offset), message: $0.message)
        }
    }

    public func problems(in query: String) -> [GraphQLProblem] { problems(in: Bytes(query.utf8)) }
}
