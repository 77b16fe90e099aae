#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server answered. Every part is optional: a fallback may have a body only, and a body may decode to nothing.
public struct RequestResponse<Body> {
    /// Where the response came from, after redirects.
    public var url: URL?
    public var headers: RequestHeaders?
    public var statusCode: Int?
    public var body: Body?

    public init(url: URL? = nil, headers: RequestHeaders? = nil, statusCode: Int? = nil, body: Body? = nil) {
        self.url = url
        self.headers = headers
        self.statusCode = statusCode
        self.body = body
    }

    public static var empty: Self { Self() }

    public subscript(header: RequestHeaders.Key) -> RequestHeaders.Value? { headers?[header] }
}

extension RequestResponse: Sendable where Body: Sendable {}
extension RequestResponse: Equatable where Body: Equatable {}
extension RequestResponse: Hashable where Body: Hashable {}
