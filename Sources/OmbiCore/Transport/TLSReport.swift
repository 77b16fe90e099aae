#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The TLS connection that an attempt went over.
public struct TLSReport: Sendable, Equatable {
    /// "TLSv1.3"; nil when the transport does not know.
    public var version: String?
    /// "TLS_AES_256_GCM_SHA384"; nil when the transport does not know.
    public var cipher: String?
    /// The chain as the server sent it, its own certificate first; empty when the transport does not know.
    public var certificates: [Certificate]
    /// Whether the certificate was verified, or `Connection.TLS.verifiesServer` was off.
    public var isVerified: Bool
    /// What is wrong with a chain that was not verified: "self-signed certificate". nil where it was verified, where
    /// nothing is wrong with it, and where the transport does not know. Whether it is for this host was not looked at.
    public var problem: String?

    /// For transports and tests.
    public init(
        version: String? = nil, cipher: String? = nil, certificates: [Certificate] = [], isVerified: Bool,
        problem: String? = nil
    ) {
        self.version = version
        self.cipher = cipher
        self.certificates = certificates
        self.isVerified = isVerified
        self.problem = problem
    }

    /// One certificate of a chain (RFC 5280).
    public struct Certificate: Sendable, Hashable {
        /// The name of its owner: "CN = api.example.com".
        public var subject: String
        /// The name of who signed it.
        public var issuer: String
        /// The hosts that it is for (subjectAltName), without "DNS:".
        public var names: [String]
        /// The first moment at which it holds.
        public var notBefore: Date?
        /// The last moment at which it holds.
        public var notAfter: Date?

        /// For transports and tests.
        public init(
            subject: String, issuer: String, names: [String] = [], notBefore: Date? = nil, notAfter: Date? = nil
        ) {
            self.subject = subject
            self.issuer = issuer
            self.names = names
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }
}
