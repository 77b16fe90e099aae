/// One segment of a path with any value: slashes in it are escaped.
///
///     var path: String { "/files/\(PathSegment(name))/versions" }
///
/// A request with the segment `.` or `..` is malformed, since servers and proxies resolve these.
public struct PathSegment: Sendable, Hashable, CustomStringConvertible {
    /// The value, percent-encoded (RFC 3986 §3.3).
    public let description: String

    /// Creates a segment from an unescaped value.
    public init(_ value: some StringProtocol) {
        description = PercentEncoding.escape(String(value))
    }
}
