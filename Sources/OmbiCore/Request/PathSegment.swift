/// One segment of a path, whatever the value holds: a slash in it is escaped.
///
///     var path: String { "/files/\(PathSegment(name))/versions" }
///
/// A request with the segment `.` or `..` is malformed, since servers and proxies resolve these.
public struct PathSegment: Sendable, Hashable, CustomStringConvertible {
    /// Percent-encoded (RFC 3986 §3.3).
    public let description: String

    /// A segment that stands for the value.
    public init(_ value: some StringProtocol) {
        description = PercentEncoding.escape(value)
    }
}
