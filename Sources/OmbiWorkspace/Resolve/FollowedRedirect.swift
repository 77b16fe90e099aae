import OmbiCore

/// A redirect that the last attempt followed, with every secret masked.
public struct FollowedRedirect: Equatable, Sendable {
    public var statusCode: Int
    /// The headers of the redirecting response.
    public var headers: RequestHeaders
    /// The URL of the next request.
    public var target: String
    /// The method of the next request.
    public var method: RequestMethod
    /// The names of the headers that were withheld, because the target has another origin.
    public var withheld: [String]
    /// The time from the request to its response.
    public var duration: Duration
    public var remoteAddress: String?

    public init(
        statusCode: Int, headers: RequestHeaders = [:], target: String, method: RequestMethod = .get,
        withheld: [String] = [], duration: Duration = .zero, remoteAddress: String? = nil
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.target = target
        self.method = method
        self.withheld = withheld
        self.duration = duration
        self.remoteAddress = remoteAddress
    }
}

extension FollowedRedirect {
    init(_ report: RedirectReport, _ redactor: Redactor) {
        self.init(
            statusCode: report.head.statusCode, headers: redactor.redact(report.head.headers),
            target: redactor.redact(report.target.absoluteString), method: report.method,
            withheld: report.withheld.map(\.name), duration: report.timings.total,
            remoteAddress: report.remoteAddress)
    }
}
