import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A saved request with every template filled in and every policy decided: what OmbiCore sends.
///
/// It holds secrets in the clear. Show nothing of it that did not go through its `redactor`.
public struct ResolvedRequest: Sendable, Equatable {
    /// The saved request's name.
    public var name: String
    public var method: RequestMethod
    /// Scheme and authority, and the path of the environment's host when it has one; without a slash at the end.
    public var host: String
    /// Percent-encoded; empty, or with a slash in front.
    public var path: String
    /// Not encoded yet.
    public var query: [URLQueryItem]
    /// Those of the request itself, with its authentication and the type of its body.
    public var headers: RequestHeaders
    /// Those of the environment; a header of the request takes the place of the one of its name.
    public var additionalHeaders: RequestHeaders
    public var body: Data?
    public var verifyTLS: Bool
    /// The limit of one attempt, from its start to the last byte of the response.
    public var attemptTimeout: Duration?
    /// The limit over all attempts and waits.
    public var sla: Duration
    public var retry: RetryPolicy
    public var expectation: Expectation?
    /// What the environment adds, masked, for display.
    public var inherited: [InheritedHeader]
    /// Masks every secret that is in this request.
    public var redactor: Redactor
}

extension ResolvedRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, masked.
    public var description: String { redactor.redact("\(method.rawValue) \(host)\(path)") }
    /// Keeps secrets out of what a debugger or a failing test prints.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
