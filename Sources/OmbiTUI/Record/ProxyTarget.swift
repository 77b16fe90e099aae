import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server behind a recording proxy, and the way to it.
struct ProxyTarget: Sendable {
    /// `https://api.example.com:8443`
    let origin: String
    /// The path in front of that of each request; empty, or with a slash in front and none at the end.
    let path: String
    let connection: Connection
    let transport: any Transport

    /// Reads `http://localhost:8080/api`; nil for text that is no such URL.
    init?(_ text: String, transport: any Transport = CurlTransport.shared) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil, url.query() == nil,
            url.fragment() == nil, !text.contains("{")
        else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        origin = "\(scheme)://\(name)" + (url.port.map { ":\($0)" } ?? "")
        var path = url.path()[...]
        while path.last == "/" { path.removeLast() }
        self.path = String(path)
        self.transport = transport
        connection = Connection {
            $0.redirects = .none
            // Passed on byte by byte, and recorded as it can be read.
            $0.acceptsCompression = false
            $0.connectTimeout = .seconds(30)
            // A client may have as many open streams as it has connections.
            $0.maximumConnectionsPerHost = RecordServer.maximumConnections
            if ["localhost", "[::1]"].contains(name) || name.hasPrefix("127.") { $0.proxy = .none }
        }
    }

    /// The target of a request as the server behind gets it.
    func target(of head: ProxyHead) -> String { path + head.target }

    /// Returns the request to send; nil for a target that no URL has.
    func request(_ head: ProxyHead, _ body: BodyStream?) -> TransportRequest? {
        guard let url = URL(string: origin + target(of: head)) else { return nil }
        var headers = head.passed
        headers[.acceptEncoding] = "identity"
        return TransportRequest(
            url: url, method: RequestMethod(stringLiteral: head.method), headers: headers, bodyStream: body,
            idleTimeout: nil, connection: connection)
    }
}
