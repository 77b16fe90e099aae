#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A redirect that an attempt followed.
public struct RedirectReport: Sendable, Equatable {
    /// The response that redirects.
    public var head: ResponseHead
    /// The URL that is requested next.
    public var target: URL
    /// The method with which it is requested.
    public var method: RequestMethod
    /// The header fields that were not sent on, because the target has another origin.
    public var withheld: [RequestHeaders.Key]
    /// The time that this step took.
    public var timings: Timings
    /// The address that answered, such as "127.0.0.1:8080".
    public var remoteAddress: String?

    /// For transports and tests.
    public init(
        head: ResponseHead, target: URL, method: RequestMethod, withheld: [RequestHeaders.Key] = [],
        timings: Timings = Timings(), remoteAddress: String? = nil
    ) {
        self.head = head
        self.target = target
        self.method = method
        self.withheld = withheld
        self.timings = timings
        self.remoteAddress = remoteAddress
    }
}
