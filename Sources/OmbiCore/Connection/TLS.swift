extension Connection {
    /// Trust in the server, and the client's own certificate.
    public struct TLS: Sendable, Hashable {
        /// Whether the server of the request must prove who it is. Off holds for the origin of the request alone: a
        /// server that a redirect leads to is verified all the same. Each attempt says what was verified
        /// (`TransportMetrics.tls`).
        public var verifiesServer: Bool
        /// A PEM file with the certificates to trust, instead of the system's.
        public var caFile: String?
        /// The certificate that shows the server who the client is; nil for none.
        public var clientCertificate: ClientCertificate?
        /// SHA-256 hashes of the public keys that are accepted, as curl takes them: "sha256//YhKJ…=". Empty accepts any
        /// key of a trusted certificate. Pins hold for the origin of the request alone.
        public var pinnedPublicKeys: [String]
        /// The lowest version of TLS to accept.
        public var minimumVersion: Version

        /// Verifies against the system's certificates, with TLS 1.2 or later, unless said otherwise.
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
            /// RFC 2246; broken, for old servers only.
            case v1_0 = "1.0"
            /// RFC 4346; broken, for old servers only.
            case v1_1 = "1.1"
            /// RFC 5246.
            case v1_2 = "1.2"
            /// RFC 8446.
            case v1_3 = "1.3"
        }
    }

    /// A certificate and its private key in files. They go to the origin of the request alone, not to where a redirect
    /// leads.
    public enum ClientCertificate: Sendable, Hashable {
        /// Two PEM files, or one file with both; the password of an encrypted key.
        case pem(certificate: String, key: String? = nil, password: String? = nil)
        /// One PKCS#12 file, and its password.
        case pkcs12(file: String, password: String? = nil)
    }
}
