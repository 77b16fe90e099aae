#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A redirect that an attempt followed.
public struct RedirectReport: Sendable, Equatable {
    /// The redirecting response.
    public var head: ResponseHead
    /// The URL of the next request.
    public var target: URL
    /// The method of the next request.
    public var method: RequestMethod
    /// The header fields withheld because the target has another origin.
    public var withheld: [RequestHeaders.Key]
    /// The time taken by this step.
    public var timings: Timings
    /// The remote address, such as "127.0.0.1:8080".
    public var remoteAddress: String?

    /// Creates a report, for transports and tests.
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
