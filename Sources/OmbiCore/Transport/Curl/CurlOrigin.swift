#if canImport(CCurl)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The unit of connection limits: scheme, host and port (RFC 6454 §4), and the settings that decide the version of
/// HTTP.
struct CurlOrigin: Hashable, Sendable {
    /// "https://api.example.com:8443"
    let server: Substring
    let version: Connection.HTTPVersion
    let unixSocket: String?

    init(_ url: URL, _ connection: ConnectionBox) {
        server = Self.server(url.absoluteString)
        version = connection.value.httpVersion
        unixSocket = connection.value.unixSocket
    }

    /// An equal value that does not retain the whole URL.
    var copy: CurlOrigin { CurlOrigin(server: Substring(String(server)), version: version, unixSocket: unixSocket) }

    private init(server: Substring, version: Connection.HTTPVersion, unixSocket: String?) {
        self.server = server
        self.version = version
        self.unixSocket = unixSocket
    }

    /// True if many requests may share one connection.
    var mayMultiplex: Bool {
        switch version {
        case .http1: false
        case .http2PriorKnowledge: true
        case .automatic, .http2, .http3: server.utf8.dropFirst(4).first == UInt8(ascii: "s")
        }
    }

    /// Returns everything before the path, normalized for comparison. Most URLs already are.
    private static func server(_ text: String) -> Substring {
        let bytes = text.utf8
        let name = bytes.firstIndex(of: UInt8(ascii: ":")).flatMap {
            bytes.index($0, offsetBy: 3, limitedBy: bytes.endIndex)
        }
        let end = bytes[(name ?? bytes.startIndex)...].firstIndex {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        }
        let server = text[..<(end ?? bytes.endIndex)]
        let isPlain = server.utf8.allSatisfy { !(0x41...0x5A).contains($0) && $0 != UInt8(ascii: "@") }
        return isPlain ? withoutUsualPort(server) : withoutUsualPort(normalized(server, name: name))
    }

    private static func normalized(_ server: Substring, name: String.Index?) -> Substring {
        guard let name, let at = server[name...].utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return Substring(server.lowercased())
        }
        return Substring((server[..<name] + server[server.utf8.index(after: at)...]).lowercased())
    }

    private static func withoutUsualPort(_ server: Substring) -> Substring {
        let port = server.utf8.dropFirst(4).first == UInt8(ascii: "s") ? ":443" : ":80"
        return server.utf8.suffix(port.utf8.count).elementsEqual(port.utf8) ? server.dropLast(port.utf8.count) : server
    }
}
#endif
