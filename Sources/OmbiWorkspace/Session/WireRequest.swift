import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A resolved request with what belongs to one run of it: sends and receives bytes, and accepts every status.
struct WireRequest: Requestable {
    typealias RequestBody = Data
    typealias ResponseBody = Data
    typealias ResponseError = NoError

    let shared: SharedRequest
    let authenticator: (any Authenticator)?
    /// The cookies of the environment; nil where they are off.
    let cookieJar: CookieJar?
    /// Nil for a request that may go anywhere.
    let parts: GuardedParts?
    /// The trace of the run; nil for none.
    var trace: TraceContext?

    var resolved: ResolvedRequest { _read { yield shared.value } }
    var path: String { resolved.path }
    var method: RequestMethod { resolved.method }
    var headers: RequestHeaders { resolved.headers }
    var body: Data? { resolved.body?.encoded.data }
    var bodyStream: BodyStream? { resolved.body?.encoded.stream }
    var attemptTimeout: Duration? { resolved.attemptTimeout }
    /// `attemptTimeout` is the only limit of an attempt.
    var timeoutInterval: TimeInterval { .infinity }
    /// Adds the headers of the environment, which are filled in for each request; a redirect to another origin withholds
    /// them like those of a manager. Sets the query, which is encoded already, and the connection.
    var requestInterceptor: RequestInterceptor {
        let inherited = resolved.additionalHeaders
        let query = resolved.query.encoded
        let pageURL = resolved.pageURL
        let (connection, cookieJar, lifted, parts) = (resolved.connection, cookieJar, resolved.liftedLimits, parts)
        let trace = trace
        let authentication = resolved.credentials?.connectionAuthentication
        return RequestInterceptor { request in
            var request = request
            if connection != request.connection { request.connection = connection }
            request.connectionAuthentication = authentication
            request.cookieJar = cookieJar
            request.liftedLimits = lifted
            request.headers.merge(inherited)
            request.originHeaders.formUnion(inherited.fields.map(\.key))
            if let query, let url = URL(string: request.url.absoluteString + "?" + query) { request.url = url }
            if let pageURL { request.url = pageURL }
            if let trace { request.beginTrace(trace.next()) }
            parts?.apply(to: &request)
            return request
        }
    }

    /// Returns the request for one run. A request that is sent again and again is made once, without what belongs to one
    /// run: cookies, trace and gate.
    func built(by manager: RequestManager) -> BuiltRequest {
        let request = Result<TransportRequest, any Error> {
            var request = try shared.transportRequest {
                var common = self
                common.trace = nil
                return try manager.buildRequest(for: common)
            }
            request.cookieJar = cookieJar
            if let trace { request.beginTrace(trace.next()) }
            parts?.apply(to: &request)
            return request
        }
        return BuiltRequest(request, authenticator: authenticator)
    }
}
