/// The settings for reaching a server: timeouts, proxy, trust, protocol versions, addresses, limits and redirects.
///
/// It is a value: change a copy and assign it to `RequestManager.connection`. Runs that start afterwards use it. A
/// setting that the transport does not support is an error of the attempt (`TransportError.Code.unsupportedOption`)
/// before anything is sent.
public struct Connection: Sendable, Hashable {
    /// The limit from the first name lookup to a usable connection, TLS included. nil, the default, leaves it to the
    /// limits of the request.
    public var connectTimeout: Duration?
    /// The proxy; by default, the one named by the environment variables.
    public var proxy = Proxy.environment
    /// Trust in the server, and the client's own certificate.
    public var tls = TLS()
    /// The version of HTTP to use; by default one that both sides support.
    public var httpVersion = HTTPVersion.automatic
    /// The path of a Unix domain socket to connect to, whatever the host of the URL; nil for TCP.
    public var unixSocket: String?
    /// Addresses that replace a name lookup.
    public var addresses: [AddressOverride] = []
    /// The network interface, host name or IP address to connect from, such as "eth0"; nil leaves the choice to the
    /// system.
    public var networkInterface: String?
    /// The IP versions to use.
    public var addressFamily = AddressFamily.any
    /// The maximum number of concurrent connections to one host over HTTP/1.1; further requests queue. nil, the
    /// default, uses the transport's own limit.
    public var maximumConnectionsPerHost: Int?
    /// Requests compressed responses, and decodes them. On by default.
    public var acceptsCompression = true
    /// The maximum average rate of a response body, in bytes per second; nil for no limit.
    public var maximumReceiveRate: Int?
    /// The maximum average rate of a request body, in bytes per second; nil for no limit.
    public var maximumSendRate: Int?
    /// The redirects to follow, and the data they carry.
    public var redirects = RedirectPolicy()

    /// Creates the default settings.
    public init() {}

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

extension Connection {
    /// The way to a server through a proxy.
    public enum Proxy: Sendable, Hashable {
        /// The environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, in either case but for
        /// `HTTP_PROXY`.
        case environment
        /// A direct connection, regardless of the environment.
        case none
        /// A specific proxy, regardless of the environment.
        case server(Server)

        /// The protocol of a proxy.
        public enum Scheme: String, Sendable, Hashable, CaseIterable, Codable {
            /// HTTP; requests to `https` URLs go through a CONNECT tunnel (RFC 9110 §9.3.6).
            case http
            /// HTTP over TLS.
            case https
            /// SOCKS 4; names are resolved locally.
            case socks4
            /// SOCKS 4a; names are resolved by the proxy.
            case socks4a
            /// SOCKS 5 (RFC 1928); names are resolved locally.
            case socks5
            /// SOCKS 5; names are resolved by the proxy.
            case socks5h
        }

        /// A proxy server.
        public struct Server: Sendable, Hashable {
            /// The protocol of the proxy.
            public var scheme: Scheme
            /// The name or IP address of the proxy; for SOCKS also the absolute path of a Unix domain socket, which
            /// needs libcurl 7.84.
            public var host: String
            /// The TCP port; of no meaning with a socket.
            public var port: Int
            /// The user name for the proxy; nil for none.
            public var username: String?
            /// The password for the user name. No description shows it.
            public var password: String?
            /// Hosts to reach without the proxy: names, which include their subdomains, and addresses; "*" matches
            /// every host.
            public var bypasses: [String]

            package var socketPath: String? { host.hasPrefix("/") ? host : nil }

            /// Creates a proxy; by default, one over HTTP without credentials and exceptions.
            public init(
                scheme: Scheme = .http, host: String, port: Int, username: String? = nil, password: String? = nil,
                bypasses: [String] = []
            ) {
                self.scheme = scheme
                self.host = host
                self.port = port
                self.username = username
                self.password = password
                self.bypasses = bypasses
            }
        }
    }
}

extension Connection {
    /// Trust in the server, and the client's own certificate.
    public struct TLS: Sendable, Hashable {
        /// True to verify the server. False applies to the origin of the request alone: a server reached by a redirect
        /// is still verified. Each attempt reports what was verified (`TransportMetrics.tls`).
        public var verifiesServer: Bool
        /// A PEM file with the certificates to trust, instead of the system's.
        public var caFile: String?
        /// The certificate that identifies the client to the server; nil for none.
        public var clientCertificate: ClientCertificate?
        /// SHA-256 hashes of the accepted public keys, in curl's form: "sha256//YhKJ…=". Empty accepts any key of a
        /// trusted certificate. Pins apply to the origin of the request alone.
        public var pinnedPublicKeys: [String]
        /// The lowest version of TLS to accept.
        public var minimumVersion: Version

        /// Creates settings; by default, servers are verified against the system's certificates, with TLS 1.2 or later.
        public init(
            verifiesServer: Bool = true, caFile: String? = nil, clientCertificate: ClientCertificate? = nil,
            pinnedPublicKeys: [String] = [], minimumVersion: Version = .v1_2
        ) {
            self.verifiesServer = verifiesServer
            self.caFile = caFile
            self.clientCertificate = clientCertificate
            self.pinnedPublicKeys = pinnedPublicKeys
            self.minimumVersion = minimumVersion
        }

        /// A version of TLS.
        public enum Version: String, Sendable, Hashable, CaseIterable, Codable {
            /// TLS 1.0 (RFC 2246); broken, for old servers only.
            case v1_0 = "1.0"
            /// TLS 1.1 (RFC 4346); broken, for old servers only.
            case v1_1 = "1.1"
            /// TLS 1.2 (RFC 5246).
            case v1_2 = "1.2"
            /// TLS 1.3 (RFC 8446).
            case v1_3 = "1.3"
        }
    }

    /// A certificate and its private key in files. They are sent to the origin of the request alone, not to the target
    /// of a redirect.
    public enum ClientCertificate: Sendable, Hashable {
        /// Two PEM files, or one file with both; the password decrypts an encrypted key.
        case pem(certificate: String, key: String? = nil, password: String? = nil)
        /// A PKCS#12 file and its password.
        case pkcs12(file: String, password: String? = nil)
    }
}

/// The redirects to follow, and the data they carry (RFC 9110 §15.4).
///
/// Data of one origin stays there: fields with sensitive names, those marked as secret, the manager's additional
/// headers and its credentials are withheld from another origin, and the report names them.
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects in one attempt; 0 makes the redirect itself the response.
    public var maximum: Int
    /// Preserves the method and the body on 301 and 302 too. By default POST becomes GET there, as in browsers; 303
    /// always changes to GET, 307 and 308 never do.
    public var keepsMethod: Bool
    /// Also sends the data of the first origin to other origins. Off by default.
    public var keepsCredentialsAcrossOrigins: Bool
    /// Fails with `TransportError.Code.redirectRefused` at a redirect to another origin, which then gets nothing of the
    /// request. Off by default.
    public var staysInOrigin: Bool

    /// Creates a policy; by default, one that follows up to 20 redirects as browsers do.
    public init(
        maximum: Int = 20, keepsMethod: Bool = false, keepsCredentialsAcrossOrigins: Bool = false,
        staysInOrigin: Bool = false
    ) {
        self.maximum = maximum
        self.keepsMethod = keepsMethod
        self.keepsCredentialsAcrossOrigins = keepsCredentialsAcrossOrigins
        self.staysInOrigin = staysInOrigin
    }

    /// A policy that follows no redirects.
    public static let none = RedirectPolicy(maximum: 0)
}
