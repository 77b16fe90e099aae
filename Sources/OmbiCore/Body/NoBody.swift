/// As the body of a request: nothing is sent. As the body of a response: whatever came is ignored.
public struct NoBody: Sendable, Hashable {
    /// The one value there is.
    public init() {}
}
