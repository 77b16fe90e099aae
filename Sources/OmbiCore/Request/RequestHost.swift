#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The host of a manager, checked once: the common start of all its URLs (RFC 3986).
///
/// Characters that are invalid in a URL are percent-encoded as UTF-8; existing escapes are kept. Text that would yield
/// a different URL than the one written is rejected: see `RequestURLCheck`.
struct RequestHost: Sendable {
    /// "https://api.example.com:8443"
    private let authority: String
    /// "/v1"; may be empty.
    private let path: String
    /// The path without a trailing slash.
    private let base: String
    /// True if `base` needs no escapes.
    private let isPlain: Bool
    private let query: String?

    init(_ text: String) throws {
        let text = Self.trimmed(text)
        try RequestURLCheck.host(text)
        let (address, query) = Self.split(HostName.ascii(in: text))
        let bytes = address.utf8
        let name = bytes.index(bytes.firstIndex(of: 0x3A) ?? bytes.startIndex, offsetBy: 3)
        let slash = bytes[name...].firstIndex(of: 0x2F) ?? bytes.endIndex
        authority = String(address[..<slash])
        path = String(address[slash...])
        base = path.utf8.last == 0x2F ? String(path.dropLast()) : path
        isPlain = RequestURLCheck.isPlain(base)
        self.query = query.map(PercentEncoding.escapeQuery)
    }

    /// Returns the URL of a request. An empty query is replaced by that of the path, or else that of the host.
    func url(path written: String, query items: [URLQueryItem]) throws -> URL {
        try RequestURLCheck.relative(written)
        let (ownPath, ownQuery) = Self.split(written)
        var text = authority
        text.reserveCapacity(authority.utf8.count + base.utf8.count + written.utf8.count + 1)
        if isPlain, RequestURLCheck.isPlain(ownPath) {
            join(ownPath, to: &text)
        } else {
            var path = ""
            join(ownPath, to: &path)
            try RequestURLCheck.path(path[...], written: written)
            text += PercentEncoding.escapePath(path)
        }
        if let query = items.isEmpty ? ownQuery.map(PercentEncoding.escapeQuery) ?? query : Self.text(of: items) {
            text += "?"
            text += query
        }
        return try Self.url(text)
    }

    /// Returns the path and the query below this host; nil for other URLs.
    func path(to url: URL) -> String? {
        guard let own = URL(string: authority), url.hasOrigin(of: own) else { return nil }
        let text = url.absoluteString.prefix { $0 != "#" }
        guard let address = text.firstRange(of: "://").map({ text[$0.upperBound...] }) else { return nil }
        let path = address.drop { $0 != "/" && $0 != "?" }
        guard path.hasPrefix(base) else { return nil }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || rest.first == "/" || rest.first == "?" ? String(rest) : nil
    }

    /// Returns the URL with a parameter at the end of its query, in place of any others of the name.
    static func adding(_ name: String, _ value: String, to url: URL) throws -> URL {
        let (address, query) = split(url.absoluteString)
        let name = PercentEncoding.escapeParameter(name)
        let others = (query ?? "").split(separator: "&").filter { $0 != name && !$0.hasPrefix(name + "=") }
        let parameter = name + "=" + PercentEncoding.escapeParameter(value)
        return try Self.url(address + "?" + (others.map(String.init) + [parameter]).joined(separator: "&"))
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else {
            throw MalformedRequest(.url, "\"\(LogMask.url(text).visible)\" is not a URL")
        }
        return url
    }

    /// Joins the paths with exactly one slash; an empty path adds none.
    private func join(_ ownPath: String, to text: inout String) {
        guard !ownPath.isEmpty else { return text += path }
        text += base
        if ownPath.utf8.first != 0x2F { text += "/" }
        text += ownPath
    }

    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func split(_ text: String) -> (String, String?) {
        guard let index = text.utf8.firstIndex(of: 0x3F) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.utf8.index(after: index)...]))
    }

    /// Returns the query; a nil value yields a bare name.
    private static func text(of query: [URLQueryItem]) -> String {
        var text = ""
        for (index, item) in query.enumerated() {
            if index > 0 { text += "&" }
            text += PercentEncoding.escapeParameter(item.name)
            if let value = item.value {
                text += "="
                text += PercentEncoding.escapeParameter(value)
            }
        }
        return text
    }
}
