#if canImport(CCurl)
/// The functions of OpenSSL for the TLS report of libcurl's connections. They belong to the library that libcurl has
/// loaded; LibreSSL and BoringSSL have them too.
struct OpenSSL: Sendable {
    typealias Object = UnsafeMutableRawPointer

    let version: @convention(c) @Sendable (Object) -> UnsafePointer<CChar>?
    let currentCipher: @convention(c) @Sendable (Object) -> Object?
    let cipherName: @convention(c) @Sendable (Object) -> UnsafePointer<CChar>?
    /// The received certificates, the server's own first; owned by the connection.
    let peerChain: @convention(c) @Sendable (Object) -> Object?
    let selectedProtocol:
        @convention(c) @Sendable (
            Object, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<CUnsignedInt>
        ) -> Void
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
            selectedProtocol = try symbols.find("SSL_get0_alpn_selected")
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

    /// Returns true if HTTP/2 was negotiated.
    func speaksHTTP2(_ connection: Object) -> Bool {
        var name: UnsafePointer<UInt8>?
        var length: CUnsignedInt = 0
        selectedProtocol(connection, &name, &length)
        guard let name else { return false }
        return UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
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
#endif
