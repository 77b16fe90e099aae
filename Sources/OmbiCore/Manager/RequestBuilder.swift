#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes what goes on the wire from a request and the settings of a manager. Pure: the same input, the same bytes.
struct RequestBuilder: Sendable {
    var host: String
    var defaultHeaders: RequestHeaders
    var additionalHeaders: RequestHeaders
    /// Used when neither the request nor the call has its own.
    var authentication: RequestAuthentication?
    var interceptors: [RequestInterceptor]

    /// Reads every member of the request once.
    func build<T: Requestable>(
        _ requestable: T, authentication callAuthentication: RequestAuthentication?
    ) throws -> TransportRequest {
        let body = try requestable.encodedBody()
        var headers = RequestHeaders()
        if let type = requestable.responseDecoder.acceptType { headers[.acceptType] = type }
        if body != nil, let type = requestable.requestEncoder.contentType { headers[.contentType] = type }
        headers = headers.merging(defaultHeaders).merging(requestable.headers)
        if let credentials = requestable.authentication ?? callAuthentication ?? authentication {
            headers[credentials.headerKey] = credentials.headerValue
        }
        var request = TransportRequest(
            url: try RequestURL.make(host: host, path: requestable.path, query: requestable.query),
            method: requestable.method, headers: headers.merging(additionalHeaders), body: body,
            timeoutInterval: requestable.timeoutInterval)
        for interceptor in interceptors + [requestable.requestInterceptor] {
            request = try interceptor.intercept(request)
        }
        try HeaderCheck.check(request.headers)
        return request
    }
}
