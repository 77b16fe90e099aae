#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The TLS connection of an attempt.
public struct TLSReport: Sendable, Equatable {
    /// "TLSv1.3"; nil if the transport does not report it.
    public var version: String?
    /// "TLS_AES_256_GCM_SHA384"; nil if the transport does not report it.
    public var cipher: String?
    /// The chain as sent by the server, its own certificate first; empty if the transport does not report it.
    public var certificates: [Certificate]
    /// True if the certificate was verified; false if `Connection.TLS.verifiesServer` was off.
    public var isVerified: Bool

    /// Creates a report, for transports and tests.
    public init(
        version: String? = nil, cipher: String? = nil, certificates: [Certificate] = [], isVerified: Bool
    ) {
        self.version = version
        self.cipher = cipher
        self.certificates = certificates
        self.isVerified = isVerified
    }

    /// A certificate of a chain (RFC 5280).
    public struct Certificate: Sendable, Hashable {
        /// The name of the owner: "CN = api.example.com".
        public var subject: String
        /// The name of the signer.
        public var issuer: String
        /// The hosts in subjectAltName, without "DNS:".
        public var names: [String]
        /// The start of its validity.
        public var notBefore: Date?
        /// The end of its validity.
        public var notAfter: Date?

        /// Creates a certificate, for transports and tests.
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
