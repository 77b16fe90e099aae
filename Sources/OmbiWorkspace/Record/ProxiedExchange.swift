import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request that a recording proxy has passed on, with what came of it; nothing of it is masked.
public struct ProxiedExchange: Sendable {
    public var method: String
    /// As the target got it.
    public var url: String
    /// Those that belong to no connection.
    public var headers: RequestHeaders
    /// Nil for one that is too long to be kept.
    public var body: Data?
    /// In bytes.
    public var bodySize: Int
    /// The head, and the body as far as it has come; a body that is too long to be kept is nil. Nil without a head.
    public var response: TransportResponse?
    /// In bytes.
    public var responseSize: Int
    /// The reason why the response is not complete; nil for none.
    public var problem: TransportError?
    /// True where the client was gone first.
    public var isCancelled: Bool
    public var metrics: TransportMetrics
    public var duration: Duration

    public init(
        method: String, url: String, headers: RequestHeaders = [:], body: Data? = Data(), bodySize: Int = 0,
        response: TransportResponse? = nil, responseSize: Int = 0, problem: TransportError? = nil,
        isCancelled: Bool = false, metrics: TransportMetrics = TransportMetrics(), duration: Duration = .zero
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodySize = bodySize
        self.response = response
        self.responseSize = responseSize
        self.problem = problem
        self.isCancelled = isCancelled
        self.metrics = metrics
        self.duration = duration
    }

    /// True for a response that came completely, and is no error.
    var hasSucceeded: Bool { problem == nil && !isCancelled && (response?.statusCode ?? 500) < 400 }

    /// The body as text; nil where it has none.
    var text: String? {
        let coding = headers[.contentEncoding]?.text.lowercased() ?? "identity"
        guard let body, coding == "identity" else { return nil }
        return String(validating: body, as: UTF8.self)
    }
}
