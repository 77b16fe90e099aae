#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request of an attempt: the first, or the one that a redirect asks for.
struct Hop {
    var url: URL
    var method: RequestMethod
    var headers: RequestHeaders
    /// A small body; a large one is read as a stream.
    private(set) var body: Data?
    private(set) var bodyStream: BodyStream?

    /// libcurl takes a body up to here into its own memory, and sends it together with the header.
    private static let maximumBodyInMemory = 64 << 10

    init(_ request: TransportRequest) {
        url = request.url
        method = request.method
        headers = request.headers
        body = request.body
        bodyStream = request.bodyStream
        if bodyStream == nil, let large = body, large.count > Self.maximumBodyInMemory {
            bodyStream = BodyStream(data: large)
        }
        if bodyStream != nil || method == .head { body = nil }
        if method == .head { bodyStream = nil }
    }

    var bodyLength: Int { bodyStream?.length ?? body?.count ?? 0 }

    static func isRedirect(_ statusCode: Int) -> Bool { [301, 302, 303, 307, 308].contains(statusCode) }

    /// The request that follows a redirect (RFC 9110 §15.4): 303 turns into GET, as does POST on 301 and 302. Fields
    /// that carry credentials stay with the host they were meant for.
    mutating func follow(to target: URL, statusCode: Int) {
        let becomesGet = statusCode == 303 ? method != .head : statusCode < 303 && method == .post
        if becomesGet {
            method = .get
            body = nil
            bodyStream = nil
            headers = headers.without { $0.name.lowercased().hasPrefix("content-") }
        }
        if !Self.isSameServer(url, target) {
            headers = headers.without { $0.isSensitive || $0 == .host }
        }
        url = target
    }

    /// As it is sent. What a jar adds is for this hop alone, and not taken to the next one.
    func withCookies(from jar: CookieJar?) -> Hop {
        guard let jar else { return self }
        var hop = self
        hop.headers = jar.adding(to: headers, for: url)
        return hop
    }

    /// The same host and port; going from http to https on their usual ports counts as the same.
    static func isSameServer(_ from: URL, _ to: URL) -> Bool {
        let schemes = (from.scheme?.lowercased(), to.scheme?.lowercased())
        guard from.host()?.lowercased() == to.host()?.lowercased() else { return false }
        if schemes.0 == schemes.1 { return port(from) == port(to) }
        return schemes == ("http", "https") && port(from) == 80 && port(to) == 443
    }

    private static func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }

    /// "127.0.0.1:8080"; without a port when the URL names none.
    var place: String {
        let host = url.host(percentEncoded: false) ?? url.absoluteString
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return url.port.map { "\(name):\($0)" } ?? name
    }
}

extension RequestHeaders {
    func without(_ isDropped: (Key) -> Bool) -> RequestHeaders {
        RequestHeaders(fields.filter { !isDropped($0.key) })
    }
}
