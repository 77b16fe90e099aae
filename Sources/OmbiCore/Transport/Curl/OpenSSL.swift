#if canImport(CCurl)
import OmbiPlatform

/// The functions of OpenSSL for the TLS report of libcurl's connections. They belong to the library that libcurl has
/// loaded; LibreSSL and BoringSSL have them too.
struct OpenSSL: Sendable {
    typealias Object = UnsafeMutableRawPointer

    let version: @convention(c) @Sendable (Object) -> UnsafePointer<CChar>?
    let currentCipher: @convention(c) @Sendable (Object) -> Object?
    let cipherName: @convention(c) @Sendable (Object) -> UnsafePointer<CChar>?
    /// The received certificates, the server's own first; owned by the connection.
    let peerChain: @convention(c) @Sendable (Object) -> Object?
    let stackCount: @convention(c) @Sendable (Object) -> CInt
    let stackValue: @convention(c) @Sendable (Object, CInt) -> Object?

    let subject: @convention(c) @Sendable (Object) -> Object?
    let issuer: @convention(c) @Sendable (Object) -> Object?
    let notBefore: @convention(c) @Sendable (Object) -> Object?
    let notAfter: @convention(c) @Sendable (Object) -> Object?
    let timeToFields: @convention(c) @Sendable (Object, UnsafeMutableRawPointer) -> CInt
    /// Copies an extension by its number.
    let copyExtension: @convention(c) @Sendable (Object, CInt, UnsafeMutableRawPointer?, Object?) -> Object?
    let freeNames: @convention(c) @Sendable (Object) -> Void
    let nameValue: @convention(c) @Sendable (Object, UnsafeMutablePointer<CInt>) -> Object?
    let stringData: @convention(c) @Sendable (Object) -> UnsafePointer<UInt8>?
    let stringLength: @convention(c) @Sendable (Object) -> CInt

    let printName: @convention(c) @Sendable (Object, Object, CInt, CUnsignedLong) -> CInt
    let memoryKind: @convention(c) @Sendable () -> Object?
    let newStream: @convention(c) @Sendable (Object?) -> Object?
    let controlStream: @convention(c) @Sendable (Object, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
    let freeStream: @convention(c) @Sendable (Object) -> CInt

    /// nil if the certificates cannot be seen before their verification.
    let verification: OpenSSLVerification?

    private let setExtra: @convention(c) @Sendable (Object, CInt, Object?) -> CInt
    private let extra: @convention(c) @Sendable (Object, CInt) -> Object?
    private let index: CInt

    /// Returns nil if libcurl uses another TLS library, or none.
    init?(_ symbols: Symbols) {
        do throws(TransportError) {
            version = try symbols.find("SSL_get_version")
            currentCipher = try symbols.find("SSL_get_current_cipher")
            cipherName = try symbols.find("SSL_CIPHER_get_name")
            peerChain = try symbols.find("SSL_get_peer_cert_chain")
            stackCount = try symbols.find("OPENSSL_sk_num", or: "sk_num")
            stackValue = try symbols.find("OPENSSL_sk_value", or: "sk_value")
            subject = try symbols.find("X509_get_subject_name")
            issuer = try symbols.find("X509_get_issuer_name")
            notBefore = try symbols.find("X509_get0_notBefore")
            notAfter = try symbols.find("X509_get0_notAfter")
            timeToFields = try symbols.find("ASN1_TIME_to_tm")
            copyExtension = try symbols.find("X509_get_ext_d2i")
            freeNames = try symbols.find("GENERAL_NAMES_free")
            nameValue = try symbols.find("GENERAL_NAME_get0_value")
            stringData = try symbols.find("ASN1_STRING_get0_data")
            stringLength = try symbols.find("ASN1_STRING_length")
            printName = try symbols.find("X509_NAME_print_ex")
            memoryKind = try symbols.find("BIO_s_mem")
            newStream = try symbols.find("BIO_new")
            controlStream = try symbols.find("BIO_ctrl")
            freeStream = try symbols.find("BIO_free")
            verification = OpenSSLVerification(symbols)
            setExtra = try symbols.find("SSL_set_ex_data")
            extra = try symbols.find("SSL_get_ex_data")
            index = try Self.indexOfOwned(.connection, symbols)
        } catch {
            return nil
        }
        guard index >= 0 else { return nil }
    }

    /// Returns the report stored with a connection, which owns it.
    func known(of connection: Object) -> TLSReport? {
        extra(connection, index).map { Unmanaged<KnownTLS>.fromOpaque($0).takeUnretainedValue().report }
    }

    func keep(_ report: TLSReport, with connection: Object) {
        let value = Unmanaged.passRetained(KnownTLS(report))
        if setExtra(connection, index, value.toOpaque()) != 1 { value.release() }
    }
}

extension OpenSSL {
    /// The objects of OpenSSL that can own an object of the program.
    enum Owner: CInt {
        /// `CRYPTO_EX_INDEX_SSL`
        case connection = 0
        /// `CRYPTO_EX_INDEX_SSL_CTX`
        case context = 1
    }

    private typealias Release =
        @convention(c) @Sendable (Object?, Object?, Object?, CInt, CLong, Object?) -> Void
    private typealias NewIndex =
        @convention(c) @Sendable (CInt, CLong, Object?, Object?, Object?, Release?) -> CInt

    /// Returns a new index for objects of the program that OpenSSL releases with their owner; a negative one if OpenSSL
    /// has no memory for it.
    static func indexOfOwned(_ owner: Owner, _ symbols: Symbols) throws(TransportError) -> CInt {
        let newIndex: NewIndex = try symbols.find("CRYPTO_get_ex_new_index")
        return newIndex(owner.rawValue, 0, nil, nil, nil) { _, value, _, _, _, _ in
            if let value { Unmanaged<AnyObject>.fromOpaque(value).release() }
        }
    }
}

/// A report owned by OpenSSL.
private final class KnownTLS: Sendable {
    let report: TLSReport

    init(_ report: TLSReport) { self.report = report }
}

extension Symbols {
    /// Finds a function under either name: forks of the library rename some.
    fileprivate func find<Function>(_ name: String, or other: String) throws(TransportError) -> Function {
        do { return try find(name) } catch { return try find(other) }
    }
}

// The report of a TLS connection. It is read once and stored with the connection, so that requests that share it report
// the same.
extension OpenSSL {
    func report(of connection: Object, isVerified: Bool) -> TLSReport {
        if let known = known(of: connection) { return known }
        let report = TLSReport(
            version: version(connection).map { String(cString: $0) },
            cipher: currentCipher(connection).flatMap(cipherName).map { String(cString: $0) },
            certificates: peerChain(connection).map(certificates) ?? [], isVerified: isVerified)
        keep(report, with: connection)
        return report
    }

    func certificates(_ chain: Object) -> [TLSReport.Certificate] {
        elements(of: chain).map { certificate in
            TLSReport.Certificate(
                subject: subject(certificate).map(text) ?? "", issuer: issuer(certificate).map(text) ?? "",
                names: names(of: certificate), notBefore: notBefore(certificate).flatMap(date),
                notAfter: notAfter(certificate).flatMap(date))
        }
    }

    private func elements(of stack: Object) -> [Object] {
        (0..<max(stackCount(stack), 0)).compactMap { stackValue(stack, $0) }
    }

    /// "C = DE, O = Example, CN = api.example.com", in UTF-8, with control characters escaped.
    private func text(of name: Object) -> String {
        guard let stream = newStream(memoryKind()) else { return "" }
        defer { _ = freeStream(stream) }
        guard printName(stream, name, 0, Self.nameFormat) >= 0 else { return "" }
        var start: UnsafeMutableRawPointer?
        let length = controlStream(stream, Self.streamData, 0, &start)
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// `XN_FLAG_ONELINE` without `ASN1_STRFLGS_ESC_MSB`.
    private static let nameFormat: CUnsignedLong = 0x82_031B
    /// `BIO_CTRL_INFO`
    private static let streamData: CInt = 3
    /// `NID_subject_alt_name`
    private static let alternativeNames: CInt = 85

    private func names(of certificate: Object) -> [String] {
        guard let names = copyExtension(certificate, Self.alternativeNames, nil, nil) else { return [] }
        defer { freeNames(names) }
        return elements(of: names).compactMap { name in
            var kind: CInt = 0
            guard let value = nameValue(name, &kind), let start = stringData(value) else { return nil }
            let bytes = UnsafeBufferPointer(start: start, count: Int(max(stringLength(value), 0)))
            switch kind {
            case 2: return String(decoding: bytes, as: UTF8.self)
            case 7: return Self.address(bytes)
            default: return nil
            }
        }
    }

    private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard [4, 16].contains(bytes.count) else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func date(_ time: Object) -> Date? {
        var fields = tm()
        guard timeToFields(time, &fields) == 1 else { return nil }
        return Date(timeIntervalSince1970: Double(timegm(&fields)))
    }
}

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
