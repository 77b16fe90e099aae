extension Connection {
    /// The way to a server through a proxy.
    public enum Proxy: Sendable, Hashable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, in either case but for `HTTP_PROXY`.
        case environment
        /// Straight to the server, whatever the environment says.
        case none
        /// Through this proxy, whatever the environment says.
        case server(Server)

        /// How to talk to a proxy.
        public enum Scheme: String, Sendable, Hashable, CaseIterable, Codable {
            /// HTTP; requests to `https` URLs go through a CONNECT tunnel (RFC 9110 §9.3.6).
            case http
            /// HTTP over TLS.
            case https
            /// SOCKS 4; names are looked up here.
            case socks4
            /// SOCKS 4a; names are looked up by the proxy.
            case socks4a
            /// SOCKS 5 (RFC 1928); names are looked up here.
            case socks5
            /// SOCKS 5; names are looked up by the proxy.
            case socks5h
        }

        /// One proxy.
        public struct Server: Sendable, Hashable {
            /// The protocol of the proxy.
            public var scheme: Scheme
            /// A name or an address.
            public var host: String
            /// The TCP port.
            public var port: Int
            /// Sent to the proxy alone; nil for none.
            public var username: String?
            /// Goes with the user name. Shown nowhere.
            public var password: String?
            /// Hosts that are reached without the proxy: names, which stand for their subdomains too, and addresses;
            /// "*" is every host.
            public var bypasses: [String]

            /// A proxy without credentials that nothing bypasses, unless said otherwise.
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
