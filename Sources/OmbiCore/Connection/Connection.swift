/// The settings for reaching a server: timeouts, proxy, trust, protocol versions, addresses, limits and redirects.
///
/// It is a value: change a copy and assign it to `RequestManager.connection`. Runs that start afterwards use it. A
/// setting that the transport does not support is an error of the attempt (`TransportError.Code.unsupportedOption`)
/// before anything is sent.
public struct Connection: Sendable, Hashable {
    /// The limit from the first name lookup to a usable connection, TLS included. nil, the default, leaves it to the
    /// limits of the request.
    public var connectTimeout: Duration?
    /// The proxy to use; by default that of the environment variables.
    public var proxy: Proxy
    /// Trust in the server, and the client's own certificate.
    public var tls: TLS
    /// The version of HTTP to use; by default one that both sides support.
    public var httpVersion: HTTPVersion
    /// The path of a Unix domain socket to connect to, whatever the host of the URL; nil for TCP.
    public var unixSocket: String?
    /// Addresses that replace a name lookup.
    public var addresses: [AddressOverride]
    /// The network interface, host name or IP address to connect from, such as "eth0"; nil leaves the choice to the
    /// system.
    public var networkInterface: String?
    /// The IP versions to use.
    public var addressFamily: AddressFamily
    /// The maximum number of concurrent connections to one host over HTTP/1.1; further requests queue. nil, the
    /// default, uses the transport's own limit.
    public var maximumConnectionsPerHost: Int?
    /// Requests compressed responses, and decodes them. On by default.
    public var acceptsCompression: Bool
    /// The maximum average rate of a response body, in bytes per second; nil for no limit.
    public var maximumReceiveRate: Int?
    /// The maximum average rate of a request body, in bytes per second; nil for no limit.
    public var maximumSendRate: Int?
    /// The redirects to follow, and the data they carry.
    public var redirects: RedirectPolicy

    /// Creates the default settings.
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

    /// Creates the default settings with changes:
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
        /// HTTP/2 over TLS if the server agrees, else HTTP/1.1.
        case automatic
        /// HTTP/1.1 (RFC 9112).
        case http1 = "1.1"
        /// HTTP/2 (RFC 9113), over TLS or by an upgrade, else HTTP/1.1.
        case http2 = "2"
        /// HTTP/2 without an upgrade, for servers known to support it without TLS.
        case http2PriorKnowledge = "2-prior-knowledge"
        /// HTTP/3 (RFC 9114), else an earlier version. Few builds of libcurl support it.
        case http3 = "3"
    }

    /// The IP versions to use.
    public enum AddressFamily: String, Sendable, Hashable, CaseIterable, Codable {
        /// Any version that the name lookup returns.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// An address that replaces a name lookup, as with curl's `--resolve`.
    public struct AddressOverride: Sendable, Hashable {
        /// The host in the URL.
        public var host: String
        /// The port of the URL, including the default port of its scheme.
        public var port: Int
        /// The IP address to connect to instead.
        public var address: String

        /// Creates an override: requests to `host` and `port` go to the same port of `address`.
        public init(host: String, port: Int, address: String) {
            self.host = host
            self.port = port
            self.address = address
        }
    }
}
