#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request as it goes on the wire: every default, template and encoder already applied.
public struct TransportRequest: Sendable, Equatable {
    /// With the scheme `http` or `https`.
    public var url: URL
    /// Any but CONNECT.
    public var method: RequestMethod
    /// In the order in which they are sent.
    public var headers: RequestHeaders
    /// nil sends none.
    public var body: Data?
    /// Sent instead of `body` when there is one.
    public var bodyStream: BodyStream?
    /// The limit of one attempt, in seconds, from its start to the last byte of the response.
    public var timeoutInterval: Double

    /// For transports, interceptors and tests.
    public init(
        url: URL, method: RequestMethod = .get, headers: RequestHeaders = [:], body: Data? = nil,
        bodyStream: BodyStream? = nil, timeoutInterval: Double = 120
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.bodyStream = bodyStream
        self.timeoutInterval = timeoutInterval
    }

    /// In bytes; nil without a body.
    public var bodyLength: Int? { bodyStream?.length ?? body?.count }
}
