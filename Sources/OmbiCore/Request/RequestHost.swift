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
        let text = String(text.trimming(while: \.isWhitespace))
        try RequestURLCheck.host(text)
        let (address, query) = HostName.ascii(in: text).cut(at: UInt8(ascii: "?"))
        let bytes = address.utf8
        let name = bytes.index(bytes.firstIndex(of: 0x3A) ?? bytes.startIndex, offsetBy: 3)
        let slash = bytes[name...].firstIndex(of: 0x2F) ?? bytes.endIndex
        authority = String(address[..<slash])
        path = String(address[slash...])
        base = path.utf8.last == 0x2F ? String(path.dropLast()) : path
        isPlain = RequestURLCheck.isPlain(base)
        self.query = query.map(PercentEncoding.escapeQuery)
    }

    /// Returns the URL of a request. The query of the path, or else of the host, replaces an empty one.
    func url(path written: String, query items: [URLQueryItem]) throws -> URL {
        try RequestURLCheck.relative(written)
        let (ownPath, ownQuery) = written.cut(at: UInt8(ascii: "?"))
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
        let (address, query) = url.absoluteString.cut(at: UInt8(ascii: "?"))
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

/// Scheme, host and port of a URL (RFC 6454 §4).
package struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Parses the start of an absolute URL; nil for any other text, and for a host that no request can be sent to.
    package init?(_ address: String) {
        let written = Self.httpForm(of: String(address[..<Self.pathStart(of: address)]))
        guard (try? RequestURLCheck.host(written)) != nil else { return nil }
        let server = HostName.ascii(in: written)
        if let plain = Origin(plain: server) {
            self = plain
        } else if let url = URL(string: server) {
            self.init(url)
        } else {
            return nil
        }
    }

    /// Parses a server without a user, brackets and escapes, as most are: faster than `URL` does.
    private init?(plain server: String) {
        guard let scheme = Self.scheme(of: server) else { return nil }
        let parts = server.utf8.dropFirst(scheme.length).split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard let name = parts.first, name.allSatisfy(PercentEncoding.Characters.unreserved.contains) else {
            return nil
        }
        let standardPort = scheme.isSecure ? 443 : 80
        guard let port = parts.count > 1 ? Int(Substring(parts[1])) : standardPort else { return nil }
        (self.scheme, host, self.port) = (scheme.isSecure ? "https" : "http", Substring(name).lowercased(), port)
    }

    /// Returns true for text that begins with `http://`, `https://`, `ws://` or `wss://`.
    package static func isAbsolute(_ address: String) -> Bool { scheme(of: address) != nil }

    /// Returns true for text that begins with `ws://` or `wss://`.
    package static func isWebSocket(_ address: String) -> Bool { scheme(of: address)?.isWebSocket ?? false }

    /// Returns the address of the opening handshake: `http` for `ws`, `https` for `wss`.
    package static func httpForm(of address: String) -> String {
        guard let scheme = scheme(of: address), scheme.isWebSocket else { return address }
        return (scheme.isSecure ? "https" : "http")
            + address[address.utf8.index(address.startIndex, offsetBy: scheme.length - 3)...]
    }

    /// Returns the index of the path in an absolute URL.
    package static func pathStart(of address: String) -> String.Index { authority(of: address).upperBound }

    /// Returns the part of an absolute URL between `//` and the path.
    static func authority(of address: String) -> Range<String.Index> {
        let rest = address.utf8.dropFirst(scheme(of: address)?.length ?? 0)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return rest.startIndex..<(end ?? address.endIndex)
    }

    private struct Scheme {
        var start: StaticString
        var isWebSocket = false
        var isSecure = false
        var length: Int { start.utf8CodeUnitCount }

        /// By bytes, in either case: each key asks several times.
        func begins(_ address: String) -> Bool {
            let text = address.utf8
            guard text.count >= length else { return false }
            let expected = UnsafeBufferPointer(start: start.utf8Start, count: length)
            return zip(text, expected).allSatisfy { Self.isEqual($0, $1) }
        }

        private static func isEqual(_ byte: UInt8, _ expected: UInt8) -> Bool {
            byte == expected || expected.isASCIILetter && byte | 0x20 == expected
        }
    }

    private static let https = Scheme(start: "https://", isSecure: true)
    private static let http = Scheme(start: "http://")
    private static let secureWebSocket = Scheme(start: "wss://", isWebSocket: true, isSecure: true)
    private static let webSocket = Scheme(start: "ws://", isWebSocket: true)

    private static func scheme(of address: String) -> Scheme? {
        // Most texts that are asked for are paths.
        let (secure, plain): (Scheme, Scheme)
        switch address.utf8.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "h"): (secure, plain) = (https, http)
        case UInt8(ascii: "w"): (secure, plain) = (secureWebSocket, webSocket)
        default: return nil
        }
        return secure.begins(address) ? secure : plain.begins(address) ? plain : nil
    }

    /// Returns true for the same server, reached by https instead of http on their default ports.
    fileprivate func isUpgrade(of other: Origin) -> Bool {
        host == other.host && (other.scheme, other.port) == ("http", 80) && (scheme, port) == ("https", 443)
    }
}

extension URL {
    /// Host and port for messages, "127.0.0.1:8080"; the host alone for a URL without a port.
    package var server: String {
        let host = (host(percentEncoded: false) ?? absoluteString).excerpt()
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Returns true for the same origin. A change from http to https on their default ports preserves it: it is the same
    /// server, better protected.
    package func hasOrigin(of other: URL) -> Bool {
        guard let own = Origin(self), let other = Origin(other) else { return false }
        return own == other || own.isUpgrade(of: other)
    }
}
