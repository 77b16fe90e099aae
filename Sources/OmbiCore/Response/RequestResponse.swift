#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of a server. Every part is optional: a fallback may have a body only, and a body may decode to nil.
public struct RequestResponse<Body> {
    /// The URL of the response, after redirects.
    public var url: URL?
    /// Every header field, in the order of arrival.
    public var headers: RequestHeaders?
    /// The status, from 100 to 599 in general (RFC 9110 §15).
    public var statusCode: Int?
    /// The decoded body; nil if there was none, if the decoder returned nil, and in `empty`.
    public var body: Body?

    /// Creates a response, for fallbacks, stubs and tests.
    public init(url: URL? = nil, headers: RequestHeaders? = nil, statusCode: Int? = nil, body: Body? = nil) {
        self.url = url
        self.headers = headers
        self.statusCode = statusCode
        self.body = body
    }

    /// A response without content, as a substitute for an error.
    public static var empty: Self { Self() }

    /// The first value of a header field.
    public subscript(header: RequestHeaders.Key) -> RequestHeaders.Value? { headers?[header] }
}

extension RequestResponse: Sendable where Body: Sendable {}
extension RequestResponse: Equatable where Body: Equatable {}
extension RequestResponse: Hashable where Body: Hashable {}
