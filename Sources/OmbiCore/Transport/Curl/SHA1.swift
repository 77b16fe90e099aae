#if canImport(CCurl)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// SHA-1 from the TLS library that libcurl has loaded.
enum SHA1: Sendable {
    typealias Bytes = UnsafeRawPointer
    typealias Output = UnsafeMutableRawPointer

    typealias OpenSSLDigest =
        @convention(c) @Sendable (
            Bytes?, Int, Output?, UnsafeMutablePointer<CUnsignedInt>?, OpaquePointer?, OpaquePointer?
        ) -> CInt
    typealias OpenSSLAlgorithm = @convention(c) @Sendable () -> OpaquePointer?
    typealias GnuTLSDigest = @convention(c) @Sendable (CInt, Bytes?, Int, Output?) -> CInt

    case openSSL(OpenSSLDigest, OpenSSLAlgorithm)
    case gnuTLS(GnuTLSDigest)

    private static let byteCount = 20
    /// `GNUTLS_DIG_SHA1`
    private static let gnuTLSAlgorithm: CInt = 3

    /// Returns nil if libcurl uses another TLS library.
    init?(_ symbols: Symbols) {
        if let digest: OpenSSLDigest = symbols.findIfThere("EVP_Digest"),
            let algorithm: OpenSSLAlgorithm = symbols.findIfThere("EVP_sha1")
        {
            self = .openSSL(digest, algorithm)
        } else if let digest: GnuTLSDigest = symbols.findIfThere("gnutls_hash_fast") {
            self = .gnuTLS(digest)
        } else {
            return nil
        }
    }

    /// Returns the 20 bytes of the hash; nil if the library refuses, such as one restricted to approved algorithms.
    func hash(_ bytes: Data) -> Data? {
        var output = Data(count: Self.byteCount)
        let isDone = output.withUnsafeMutableBytes { output in
            bytes.withUnsafeBytes { hash($0, into: output.baseAddress) }
        }
        return isDone ? output : nil
    }

    private func hash(_ bytes: UnsafeRawBufferPointer, into output: Output?) -> Bool {
        switch self {
        case .openSSL(let digest, let algorithm):
            digest(bytes.baseAddress, bytes.count, output, nil, algorithm(), nil) == 1
        case .gnuTLS(let digest): digest(Self.gnuTLSAlgorithm, bytes.baseAddress, bytes.count, output) == 0
        }
    }
}
#endif
