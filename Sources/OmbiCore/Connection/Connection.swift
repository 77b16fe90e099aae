/// How a manager reaches its server: timeouts, proxy, trust, protocol versions, addresses, limits and redirects.
///
/// It is a value: change a copy and give it to `RequestManager.connection`. Runs that start afterwards use it. What the
/// transport at hand cannot do is an error of the attempt (`TransportError.Code.unsupportedOption`) before anything is
/// sent.
public struct Connection: Sendable, Hashable {
    /// The limit from the first name lookup to a connection that a request can be sent over, TLS included. nil, the
    /// default, leaves it to the limits of the request.
    public var connectTimeout: Duration?
    /// The way to the server; the environment variables by default.
    public var proxy: Proxy
    /// Trust in the server, and the client's own certificate.
    public var tls: TLS
    /// The version of HTTP to speak; what both sides know by default.
    public var httpVersion: HTTPVersion
    /// The path of a Unix domain socket to connect to, whatever the host of the URL; nil for TCP.
    public var unixSocket: String?
    /// Addresses that take the place of a name lookup.
    public var addresses: [AddressOverride]
    /// The network interface, host name or IP address to connect from, such as "eth0"; nil leaves it to the system.
    public var networkInterface: String?
    /// The IP versions to use.
    public var addressFamily: AddressFamily
    /// Connections to one host at the same time over HTTP/1.1; further requests queue. nil, the default, takes the
    /// transport's own limit.
    public var maximumConnectionsPerHost: Int?
    /// Asks for compressed responses, and decodes them. On by default.
    public var acceptsCompression: Bool
    /// Bytes of a response body per second, on average; nil is no limit.
    public var maximumReceiveRate: Int?
    /// Bytes of a request body per second, on average; nil is no limit.
    public var maximumSendRate: Int?
    /// Which redirects are followed, and what goes along.
    public var redirects: RedirectPolicy

    /// Every setting at its default.
    public init() {
        connectTimeout = nil
        proxy = .environment
        tls = TLS()
        httpVersion = .automatic
        unixSocket = nil
        addresses = []
        networkInterface = nil
        addressFamily = .any
        maximumConnectionsPerHost = nil
        acceptsCompression = true
        maximumReceiveRate = nil
        maximumSendRate = nil
        redirects = RedirectPolicy()
    }

    /// The defaults, changed by `change`:
    ///
    ///     manager.connection = Connection { $0.tls.caFile = "ca.pem" }
    public init(_ change: (inout Connection) -> Void) {
        self.init()
        change(&self)
    }
}

extension Connection {
    /// A version of HTTP.
    public enum HTTPVersion: String, Sendable, Hashable, CaseIterable, Codable {
        /// HTTP/2 over TLS where the server agrees, else HTTP/1.1.
        case automatic
        /// HTTP/1.1 (RFC 9112).
        case http1 = "1.1"
        /// HTTP/2 (RFC 9113), over TLS or by an upgrade, else HTTP/1.1.
        case http2 = "2"
        /// HTTP/2 without an upgrade, for servers that are known to speak it without TLS.
        case http2PriorKnowledge = "2-prior-knowledge"
        /// HTTP/3 (RFC 9114), else an earlier version. Few builds of libcurl have it.
        case http3 = "3"
    }

    /// The IP versions that may be used.
    public enum AddressFamily: String, Sendable, Hashable, CaseIterable, Codable {
        /// Whatever the name lookup gives.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// An address that takes the place of a name lookup, as in curl's `--resolve`.
    public struct AddressOverride: Sendable, Hashable {
        /// The host in the URL.
        public var host: String
        /// The port of the URL, also where the URL leaves it to its scheme.
        public var port: Int
        /// The IP address to connect to instead.
        public var address: String

        /// Requests to `host` and `port` go to `address`, and the same port there.
        public init(host: String, port: Int, address: String) {
            self.host = host
            self.port = port
            self.address = address
        }
    }
}
