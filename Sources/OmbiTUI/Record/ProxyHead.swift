/// The head of a request to a recording proxy.
struct ProxyHead: Equatable, Sendable {
    typealias Problem = ClientHead.Problem
    typealias Framing = ClientHead.Framing

    private let head: ClientHead

    /// In bytes.
    static let maximumSize = 64 << 10
    static let maximumBody = 16 << 30

    var method: String { head.method }
    /// The path and the query as they came.
    var target: String { head.target }
    var framing: Framing { head.framing }
    var keepsAlive: Bool { head.keepsAlive }
    /// True for a client that reads chunks.
    var takesChunks: Bool { head.takesChunks }
    /// True where the client waits for a 100 before it sends the body.
    var awaitsContinue: Bool { head.awaitsContinue }

    /// Reads a head without the empty line that ends it.
    init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(reason: "the head of the request is not UTF-8")
        }
        let tooLong = Problem(status: 413, reason: "the body of the request is longer than 16 GiB")
        head = try ClientHead(text, maximumBody: Self.maximumBody, tooLong: tooLong)
        try checkTarget()
        guard framing != .chunked || takesChunks else {
            throw Problem(reason: "the request has a length of two kinds, or an unknown coding")
        }
        let hosts = head.fields.values(for: "Host").count
        guard hosts == 1 || hosts == 0 && !takesChunks else {
            throw Problem(reason: "the request has \(hosts == 0 ? "no" : "more than one") Host")
        }
        if let reason = PageGuard.refusal(of: head.fields) { throw Problem(status: 403, reason: reason) }
        let upgrade = head.fields["Upgrade"]?.text.lowercased() ?? ""
        guard !head.connectionNames.contains("upgrade") || !upgrade.contains("websocket") else {
            throw Problem(status: 501, reason: "a WebSocket is not passed on; connect to the target itself")
        }
    }

    private func checkTarget() throws(Problem) {
        guard method != "CONNECT" else { throw Problem(status: 501, reason: "CONNECT is not passed on") }
        guard target.hasPrefix("/"), !target.contains("#") else {
            throw Problem(reason: "the target of a request to this proxy is a path; it stands in front of one server")
        }
    }

    /// The fields that are passed on: those of the connection stay here, and the host is that of the target.
    var passed: RequestHeaders {
        RequestHeaders(
            head.fields.fields.filter { field in
                let name = field.key.name.lowercased()
                return !ProxyFields.ofConnection.contains(name) && !head.connectionNames.contains(name)
                    && !["host", "content-length", "expect"].contains(name)
            })
    }
}

/// The header fields that belong to one connection (RFC 9110 §7.6.1).
enum ProxyFields {
    static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The names of all fields of a response that belong to its connection.
    static func names(ofConnectionIn headers: RequestHeaders) -> Set<String> {
        let named = headers.values(for: "Connection").flatMap { value in
            value.text.lowercased().split(separator: ",").map { String($0).filter { $0 != " " && $0 != "\t" } }
        }
        return ofConnection.union(named)
    }
}

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

    /// The target of a request as the server behind gets it: never above the path of the target.
    func target(of head: ProxyHead) -> String { path + RequestTarget.belowRoot(head.target) }

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
