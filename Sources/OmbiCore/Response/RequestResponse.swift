#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server answered. Every part is optional: a fallback may have a body only, and a body may decode to nothing.
public struct RequestResponse<Body> {
    /// Where the response came from, after redirects.
    public var url: URL?
    /// Every field, in the order in which they came.
    public var headers: RequestHeaders?
    /// From 100 to 599 as a rule (RFC 9110 §15).
    public var statusCode: Int?
    /// nil where there was none, where the decoder gave none, and in `empty`.
    public var body: Body?

    /// For fallbacks, stubs and tests.
    public init(url: URL? = nil, headers: RequestHeaders? = nil, statusCode: Int? = nil, body: Body? = nil) {
        self.url = url
        self.headers = headers
        self.statusCode = statusCode
        self.body = body
    }

    /// A response with nothing in it, to stand in for an error.
    public static var empty: Self { Self() }

    /// The first value of a header field.
    public subscript(header: RequestHeaders.Key) -> RequestHeaders.Value? { headers?[header] }
}

extension RequestResponse: Sendable where Body: Sendable {}
extension RequestResponse: Equatable where Body: Equatable {}
extension RequestResponse: Hashable where Body: Hashable {}
