/// An empty request body, or an ignored response body.
public struct NoBody: Sendable, Hashable {
    /// Creates the only value.
    public init() {}
}
