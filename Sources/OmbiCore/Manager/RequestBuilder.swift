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

    /// Reads every member of the request once. Throws `MalformedRequest`, or what an encoder or an interceptor throws.
    func build<T: Requestable>(
        _ requestable: T, credentials: RequestAuthentication?
    ) throws -> TransportRequest {
        let stream = try requestable.bodyStream
        let body = stream == nil ? try requestable.encodedBody() : nil
        let headers = try headers(of: requestable, hasBody: body != nil || stream != nil, credentials)
        let url = try host.url(path: requestable.path, query: requestable.query)
        var request = TransportRequest(
            url: url,
            method: requestable.method, headers: headers, body: body, bodyStream: stream,
            idleTimeout: try Self.idleTimeout(requestable.timeoutInterval),
            attemptTimeout: requestable.attemptTimeout, originHeaders: Set(additionalHeaders.fields.map(\.key)))
        for interceptor in interceptors + [requestable.requestInterceptor] {
            request = try interceptor.intercept(request)
        }
        if request.url != url { try RequestURLCheck.url(request.url) }
        try Self.checkFields(request)
        return request
    }

    /// Later ones replace earlier ones of the same name: what the coders say, the defaults, the request's own, the
    /// credentials, the manager's additional ones.
    private func headers<T: Requestable>(
        of requestable: T, hasBody: Bool, _ credentials: RequestAuthentication?
    ) throws -> RequestHeaders {
        var headers = RequestHeaders()
        if let type = requestable.responseDecoder.acceptType { headers[.acceptType] = type }
        if hasBody, let type = requestable.requestEncoder.contentType { headers[.contentType] = type }
        headers = headers.merging(defaultHeaders).merging(requestable.headers)
        if let credentials {
            try credentials.check()
            headers[credentials.headerKey] = credentials.headerValue
        }
        return headers.merging(additionalHeaders)
    }

    /// nil for infinity.
    private static func idleTimeout(_ seconds: Double) throws -> Duration? {
        guard seconds > 0 else { throw noTime(seconds) }
        return seconds.isInfinite ? nil : Duration(clampingSeconds: seconds)
    }

    private static func noTime(_ seconds: Double) -> MalformedRequest {
        MalformedRequest(
            .timeout, "the timeout of \(seconds) s leaves no time to answer; give more than 0 s, or .infinity")
    }

    /// Of a request that others have made or changed. Throws `MalformedRequest`.
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
        guard request.method != .connect else {
            throw MalformedRequest(
                .method, "CONNECT asks a proxy for a tunnel (RFC 9110 section 9.3.6) and is no request to a server")
        }
    }
}
