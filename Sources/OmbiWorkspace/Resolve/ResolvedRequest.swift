import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A saved request with its templates filled in and its policies merged, as OmbiCore sends it.
///
/// It holds unmasked secrets and stays in this module: others see `PreparedRequest` and the events of a `Session`.
struct ResolvedRequest: Sendable, Equatable {
    /// The saved request's name.
    var name: String
    var method: RequestMethod
    /// Scheme and authority, and the path of the environment's host when it has one; without a slash at the end.
    var host: String
    var hostSource: Provenance
    /// Percent-encoded; empty, or with a slash in front.
    var path: String
    var query: ResolvedQuery
    /// The headers of the request, its folders and the collection, with its credentials and the type of its body.
    var headers: RequestHeaders
    /// The headers of the environment, without those that the request has itself.
    var additionalHeaders: RequestHeaders
    /// The levels of the inherited headers.
    var headerSources: [RequestHeaders.Key: Provenance]
    /// Nil for none.
    var credentials: PreparedCredentials?
    var credentialsSource: Provenance
    var body: PreparedBody?
    /// True for another origin than the environment's.
    var isForeign: Bool
    var verifyTLS: Bool
    /// The way to the server, with absolute paths.
    var connection = Connection()
    /// The host of ssh that connections go through; nil for none.
    var via: SSHHost?
    /// The settings of the connection, masked.
    var connectionSettings: [PreparedRequest.ConnectionSetting] = []
    /// Nil leaves cookies to the program.
    var keepsCookies: Bool?
    /// The limit of one attempt, from its start to the last byte of the response.
    var attemptTimeout: Duration?
    /// The limit over all attempts and waits.
    var sla: PreparedRequest.Setting<Duration>
    /// The defaults of Ombi, which do not hold for a stream.
    var liftedLimits: LiftedLimits = []
    /// Nil for a request that is none.
    var webSocket: ResolvedWebSocket?
    /// Nil for a request whose response is whole.
    var pages: SavedPages?
    /// The URL of a later page, instead of host, path and query; nil for the request itself.
    var pageURL: URL?
    var retry: RetryPolicy
    var retriesSource: Provenance
    /// The variables that were filled in, unmasked.
    var variables: [UsedVariable]
    var expectation: Expectation?
    /// True where the same request with the same captured values and secrets is resolved to this again.
    var isRepeatable = false
    /// The sources that its parts were made from.
    var sources = PartSources()
    /// Every source with every destination that it goes to.
    var flows: [Flow] = []
    /// The place that a request with sources is sent to; nil until its flows are known.
    var knownDestination: Destination?
    /// The texts that are masked in the name of a host.
    var secrets: [String] = []
    /// Masks every secret that is in this request.
    var redactor: Redactor
}

/// A resolved request that is passed on without being copied: each of its texts and lists would be retained.
final class SharedRequest: Sendable {
    let value: ResolvedRequest
    /// The request as it is shown: without the socket of a tunnel, which means nothing elsewhere, and as its first page.
    let prepared: PreparedRequest

    convenience init(_ value: ResolvedRequest) { self.init(value, shownAs: PreparedRequest(value)) }

    init(_ value: ResolvedRequest, shownAs prepared: PreparedRequest) {
        (self.value, self.prepared) = (value, prepared)
    }
}

extension ResolvedRequest {
    /// The environment whose `verifyTLS` holds for the request, as text for a message; nil where none does.
    var verifyingEnvironment: String? {
        guard !isForeign else { return nil }
        if case .environment(let name) = hostSource { return "the environment " + name }
        return "the environment"
    }

    var attempts: PreparedRequest.Setting<Int> { .init(retry.retries + 1, retriesSource) }
}

extension ResolvedRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, masked.
    var description: String { redactor.redact("\(method.rawValue) \(host)\(path)") }
    /// Keeps secrets out of debuggers and failing tests.
    var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
