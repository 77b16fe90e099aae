#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        let server = Self.httpForm(of: String(address[..<Self.pathStart(of: address)]))
        guard (try? RequestURLCheck.host(server)) != nil, let url = URL(string: server) else { return nil }
        self.init(url)
    }

    /// Returns true for text that begins with `http://`, `https://`, `ws://` or `wss://`.
    package static func isAbsolute(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://" || isWebSocket(address)
    }

    /// Returns true for text that begins with `ws://` or `wss://`.
    package static func isWebSocket(_ address: String) -> Bool {
        let start = address.prefix(6).lowercased()
        return start.hasPrefix("ws://") || start == "wss://"
    }

    /// Returns the address of the opening handshake: `http` for `ws`, `https` for `wss`.
    package static func httpForm(of address: String) -> String {
        guard isWebSocket(address) else { return address }
        let rest = address.drop { $0 != ":" }
        return (rest.startIndex == address.index(address.startIndex, offsetBy: 3) ? "https" : "http") + rest
    }

    /// Returns the index of the path in an absolute URL.
    package static func pathStart(of address: String) -> String.Index {
        let lengths = ["https://", "http://", "wss://", "ws://"]
        let start = address.prefix(8).lowercased()
        let scheme = lengths.first { start.hasPrefix($0) }?.count ?? 7
        let pathStart = address.index(address.startIndex, offsetBy: scheme, limitedBy: address.endIndex)
        let rest = address[(pathStart ?? address.endIndex)...]
        return rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
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
