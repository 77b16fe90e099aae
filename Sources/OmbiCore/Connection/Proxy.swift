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
