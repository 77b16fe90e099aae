internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes what goes on the wire from a request and the settings of a manager. Pure: the same input, the same bytes.
struct RequestBuilder: Sendable {
    /// Checked once for all requests of a manager.
    var host: RequestHost
    var defaultHeaders: RequestHeaders
    var additionalHeaders: RequestHeaders
    var interceptors: [RequestInterceptor]
    var connection: ConnectionBox
    var cookieJar: CookieJar?

    /// Reads every member of the request once. Throws `MalformedRequest`, or what a member, an encoder or an interceptor
    /// throws.
    func build<T: Requestable>(
        _ requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, credentials: RequestAuthentication?
    ) throws -> TransportRequest {
        let body = try requestable._bodyStream.map { EncodedBody(stream: $0) } ?? requestable._encodedBody
        let url = try host.url(path: requestable.path, query: requestable._query)
        var request = TransportRequest(
            url: url, method: requestable.method, headers: try headers(of: requestable, decoder, body),
            body: body?.data, bodyStream: body?.stream, idleTimeout: try Self.idleTimeout(requestable._timeoutInterval),
            attemptTimeout: requestable._attemptTimeout, originHeaders: originHeaders)
        request.settings = connection
        request.cookieJar = cookieJar
        try credentials?.authenticate(&request)
        request.headers.merge(additionalHeaders)
        for interceptor in interceptors { request = try interceptor.intercept(request) }
        request = try requestable._requestInterceptor.intercept(request)
        if request.url != url { try RequestURLCheck.url(request.url) }
        try Self.checkFields(request)
        return request
    }

    /// Later ones replace earlier ones of the same name: what the coders say, the defaults, the request's own. The
    /// credentials and the manager's additional ones follow.
    private func headers<T: Requestable>(
        of requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, _ body: EncodedBody?
    ) throws -> RequestHeaders {
        var headers = RequestHeaders()
        if decoder.acceptType != nil || body?.contentType != nil { headers.reserveCapacity(Self.usualHeaders) }
        if let type = decoder.acceptType { headers.append(type, forKey: .acceptType) }
        if let type = body?.contentType { headers.append(type, forKey: .contentType) }
        headers.merge(defaultHeaders)
        headers.merge(try requestable._headers)
        return headers
    }

    /// More fields than most requests have.
    private static let usualHeaders = 8

    /// Header fields that a redirect to another origin withholds, whatever their names.
    private var originHeaders: Set<RequestHeaders.Key> { Set(additionalHeaders.fields.lazy.map(\.key)) }

    /// nil for infinity.
    private static func idleTimeout(_ seconds: Double) throws -> Duration? {
        guard seconds > 0 else { throw noTime(seconds) }
        return seconds.isInfinite ? nil : Duration(clampingSeconds: seconds)
    }

    private static func noTime(_ seconds: Double) -> MalformedRequest {
        MalformedRequest(
            .timeout, "the timeout of \(seconds) s leaves no time to answer; give more than 0 s, or .infinity")
    }

    /// Validates a request after foreign code. Throws `MalformedRequest`.
    static func check(_ request: TransportRequest) throws {
        try RequestURLCheck.url(request.url)
        try checkFields(request)
    }

    /// After the interceptors, which may have put anything in.
    private static func checkFields(_ request: TransportRequest) throws {
        try HeaderCheck.check(request.headers)
        for timeout in [request.idleTimeout, request.attemptTimeout] {
            guard timeout ?? .longest > .zero else { throw noTime(timeout?.inSeconds ?? 0) }
        }
        let method = request.method
        guard HeaderCheck.isToken(method.rawValue) else {
            throw MalformedRequest(
                .method,
                "\"\(method.rawValue.visible)\" is not a method; one has letters, digits and !#$%&'*+-.^_`|~ only")
        }
        guard method != .connect else {
            throw MalformedRequest(
                .method, "CONNECT asks a proxy for a tunnel (RFC 9110 section 9.3.6) and is no request to a server")
        }
    }
}
