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
