#if canImport(CCurl)
/// The certificates that a server sent in a handshake, whatever became of it: libcurl closes a connection that cannot be
/// verified before anyone can look at it.
final class SentCertificates: Sendable {
    private let openSSL: OpenSSL
    private let verification: OpenSSLVerification
    private let sent = Lock<[TLSReport.Certificate]>([])

    /// Watches the handshakes of a context of OpenSSL, which owns the object from then on. Returns nil if another library is
    /// in use.
    init?(of context: OpenSSL.Object, _ openSSL: OpenSSL?) {
        guard let openSSL, let verification = openSSL.verification else { return nil }
        (self.openSSL, self.verification) = (openSSL, verification)
        guard verification.watch(context, self) else { return nil }
    }

    var all: [TLSReport.Certificate] { sent.withLock { $0 } }

    /// Notes the certificates, and verifies them as OpenSSL would.
    fileprivate func verify(_ context: OpenSSL.Object) -> CInt {
        if let chain = verification.received(context) {
            let certificates = openSSL.certificates(chain)
            sent.withLock { $0 = certificates }
        }
        return max(verification.verify(context), 0)
    }
}

/// The functions of OpenSSL around the verification of a server's certificates.
struct OpenSSLVerification: Sendable {
    typealias Object = OpenSSL.Object

    fileprivate let verify: @convention(c) @Sendable (Object) -> CInt
    /// The certificates as they were received, the server's own first; owned by the context.
    fileprivate let received: @convention(c) @Sendable (Object) -> Object?
    private let setVerification: @convention(c) @Sendable (Object, Verify?, Object?) -> Void
    private let setExtra: @convention(c) @Sendable (Object, CInt, Object?) -> CInt
    private let index: CInt

    private typealias Verify = @convention(c) @Sendable (Object?, Object?) -> CInt

    /// Returns nil if a function is missing.
    init?(_ symbols: Symbols) {
        do throws(TransportError) {
            verify = try symbols.find("X509_verify_cert")
            received = try symbols.find("X509_STORE_CTX_get0_untrusted")
            setVerification = try symbols.find("SSL_CTX_set_cert_verify_callback")
            setExtra = try symbols.find("SSL_CTX_set_ex_data")
            index = try OpenSSL.indexOfOwned(.context, symbols)
        } catch {
            return nil
        }
        guard index >= 0 else { return nil }
    }

    fileprivate func watch(_ context: Object, _ certificates: SentCertificates) -> Bool {
        let value = Unmanaged.passRetained(certificates)
        guard setExtra(context, index, value.toOpaque()) == 1 else {
            value.release()
            return false
        }
        setVerification(
            context,
            { context, value in
                guard let context, let value else { return 0 }
                return Unmanaged<SentCertificates>.fromOpaque(value).takeUnretainedValue().verify(context)
            }, value.toOpaque())
        return true
    }
}
#endif
