import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A saved request with every template filled in and every policy decided: what OmbiCore sends.
///
/// It holds secrets in the clear, and stays in this module: others see what is masked, `PreparedRequest` and the events of
/// a `Session`.
struct ResolvedRequest: Sendable, Equatable {
    /// The saved request's name.
    var name: String
    var method: RequestMethod
    /// Scheme and authority, and the path of the environment's host when it has one; without a slash at the end.
    var host: String
    var hostSource: Provenance
    /// Percent-encoded; empty, or with a slash in front.
    var path: String
    /// Not encoded yet.
    var query: [URLQueryItem]
    /// Those of the request itself, with its authentication and the type of its body.
    var headers: RequestHeaders
    /// Those of the environment; a header of the request takes the place of the one of its name.
    var additionalHeaders: RequestHeaders
    var body: Data?
    /// It goes somewhere else than the environment's host.
    var isForeign: Bool
    var verifyTLS: Bool
    /// The limit of one attempt, from its start to the last byte of the response.
    var attemptTimeout: Duration?
    /// The limit over all attempts and waits.
    var sla: PreparedRequest.Setting<Duration>
    var retry: RetryPolicy
    var retriesSource: Provenance
    /// The variables that were filled in, in the clear.
    var variables: [UsedVariable]
    var expectation: Expectation?
    /// The headers that the environment adds, masked, for display.
    var inherited: [InheritedHeader]
    /// Masks every secret that is in this request.
    var redactor: Redactor
}

extension ResolvedRequest {
    var attempts: PreparedRequest.Setting<Int> { .init(retry.retries + 1, retriesSource) }
}

extension ResolvedRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, masked.
    var description: String { redactor.redact("\(method.rawValue) \(host)\(path)") }
    /// Keeps secrets out of what a debugger or a failing test prints.
    var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
