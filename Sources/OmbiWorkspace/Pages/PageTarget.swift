import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The place of a later page: a URL that a response names, or the value of a parameter of the query.
struct PageTarget: Equatable, Sendable {
    enum Place: Equatable, Sendable {
        case url(URL)
        case parameter(String, value: String)
    }

    var place: Place
    /// True once a page was at another origin: it and the later ones get nothing that belongs to that of the request.
    var isForeign = false
}

extension ResolvedRequest {
    /// The URL as it is sent; nil for one that is not valid.
    var url: URL? { pageURL ?? URL(string: host + path + (query.encoded.map { "?" + $0 } ?? "")) }

    /// Returns the request of a later page.
    func page(at target: PageTarget) -> ResolvedRequest {
        var page = self
        switch target.place {
        case .parameter(let name, let value): page.query[name] = value
        case .url(let url): page.pageURL = target.isForeign ? url : withKey(url)
        }
        if target.isForeign { page.withhold() }
        return page
    }

    /// Adds an API key that goes into the query, and that the links of a server leave out.
    private func withKey(_ url: URL) -> URL {
        guard case .plain(.apiKey(let name, let value, .query)) = credentials else { return url }
        let text = url.absoluteString
        let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] }
        let names = (query ?? "").split(separator: "&").map { PercentEncoding.unescapeForm($0.prefix { $0 != "=" }) }
        guard !names.contains(name) else { return url }
        let key = PercentEncoding.escapeParameter(name) + "=" + PercentEncoding.escapeParameter(value)
        return URL(string: text + (query == nil ? "?" : query?.isEmpty ?? true ? "" : "&") + key) ?? url
    }

    /// Removes what a redirect withholds from another origin: credentials, secrets, the headers of the environment, and the
    /// settings of the connection that hold for one server.
    private mutating func withhold() {
        headers = RequestHeaders(
            headers.fields.filter { field in
                !field.key.isSensitive && !field.value.isSecret && field.key != .host
                    && sources.headers[field.key] == nil
            })
        additionalHeaders = [:]
        credentials = nil
        (sources.headers, sources.credentials, sources.url) = ([:], [], [])
        (isForeign, verifyTLS) = (true, true)
        (connection.tls.verifiesServer, connection.tls.clientCertificate) = (true, nil)
        (connection.tls.pinnedPublicKeys, connection.tls.caFile, connection.unixSocket) = ([], nil, nil)
    }
}
