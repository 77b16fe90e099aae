/// The head of a request of HTTP/1.1 (RFC 9112) to a proxy. Anything that two servers might read in two ways is
/// refused.
struct ProxyHead: Equatable, Sendable {
    /// The reason why a request is not passed on, and the status of the response.
    struct Problem: Error, Equatable {
        var status = 400
        var reason: String
    }

    /// The length of the body.
    enum Framing: Equatable, Sendable {
        case length(Int)
        case chunked
    }

    private(set) var method = ""
    /// The path and the query as they came.
    private(set) var target = ""
    private(set) var fields = RequestHeaders()
    private(set) var framing = Framing.length(0)
    private(set) var keepsAlive = true
    /// True for a client that reads chunks.
    private(set) var takesChunks = true
    /// True where the client waits for a 100 before it sends the body.
    private(set) var awaitsContinue = false
    private var hasLength = false
    private var hosts = 0
    /// The names in `Connection`, in lower case.
    private var connectionNames: Set<String> = []

    /// In bytes.
    static let maximumSize = 64 << 10
    static let maximumBody = 16 << 30
    private static let maximumFields = 200

    /// Reads a head without the empty line that ends it.
    init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(reason: "the head of the request is not UTF-8")
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else {
            throw Problem(reason: "the head of the request has control characters")
        }
        // A pair of line ends is one character, and a line end by itself another.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard !lines.contains(where: { $0.utf8.contains { $0 == 0x0A || $0 == 0x0D } }) else {
            throw Problem(reason: HeadEnd.bareLineFeedReason)
        }
        guard lines.count <= Self.maximumFields + 1 else {
            throw Problem(status: 431, reason: "the request has more than \(Self.maximumFields) fields")
        }
        try readFirst(lines[0])
        for line in lines.dropFirst() { try read(line) }
        try check()
    }

    private mutating func readFirst(_ line: Substring) throws(Problem) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, HeaderCheck.isToken(words[0]), ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
            throw Problem(reason: "this is no request of HTTP/1.1")
        }
        (method, target) = (words[0], words[1])
        takesChunks = words[2] == "HTTP/1.1"
        keepsAlive = takesChunks
        guard method != "CONNECT" else { throw Problem(status: 501, reason: "CONNECT is not passed on") }
        guard target.hasPrefix("/"), !target.contains("#") else {
            throw Problem(reason: "the target of a request to this proxy is a path; it stands in front of one server")
        }
    }

    private mutating func read(_ line: Substring) throws(Problem) {
        guard let colon = line.firstIndex(of: ":"), HeaderCheck.isToken(String(line[..<colon])) else {
            throw Problem(reason: "a line of the request is no header field")
        }
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let rest = line[line.index(after: colon)...].drop(while: isSpace)
        let value = String(rest.reversed().drop(while: isSpace).reversed())
        let name = String(line[..<colon])
        fields.append(RequestHeaders.Value(value), forKey: RequestHeaders.Key(name))
        switch name.lowercased() {
        case "host": hosts += 1
        case "content-length": try setLength(value)
        case "transfer-encoding":
            guard value.lowercased() == "chunked", !hasLength, takesChunks else {
                throw Problem(reason: "the request has a length of two kinds, or an unknown coding")
            }
            (framing, hasLength) = (.chunked, true)
        case "connection":
            let names = value.lowercased().split(separator: ",").map { String($0).filter { !isSpace($0) } }
            connectionNames.formUnion(names)
        case "expect": awaitsContinue = value.lowercased() == "100-continue"
        default: break
        }
    }

    private mutating func setLength(_ value: String) throws(Problem) {
        guard !hasLength, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Problem(reason: "the request has a length of two kinds, or one that is no number")
        }
        guard let count = Int(value), count <= Self.maximumBody else {
            throw Problem(status: 413, reason: "the body of the request is longer than 16 GiB")
        }
        (framing, hasLength) = (.length(count), true)
    }

    private mutating func check() throws(Problem) {
        guard hosts == 1 || hosts == 0 && !takesChunks else {
            throw Problem(reason: "the request has \(hosts == 0 ? "no" : "more than one") Host")
        }
        if let reason = PageGuard.refusal(of: fields) { throw Problem(status: 403, reason: reason) }
        if connectionNames.contains("close") { keepsAlive = false }
        let upgrade = fields["Upgrade"]?.text.lowercased() ?? ""
        guard !connectionNames.contains("upgrade") || !upgrade.contains("websocket") else {
            throw Problem(status: 501, reason: "a WebSocket is not passed on; connect to the target itself")
        }
    }

    /// The fields that are passed on: those of the connection stay here, and the host is that of the target.
    var passed: RequestHeaders {
        RequestHeaders(
            fields.fields.filter { field in
                let name = field.key.name.lowercased()
                return !ProxyFields.ofConnection.contains(name) && !connectionNames.contains(name)
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
