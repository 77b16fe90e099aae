#if !canImport(CryptoKit)
import Foundation
import OmbiBase
import Testing

@testable import OmbiCore

@Suite struct SHA1Tests {
    /// libcurl comes with OpenSSL or with GnuTLS; either has to do.
    @Test(arguments: ["libcurl.so.4", "libcurl-gnutls.so.4"])
    func `each library gives the hashes of FIPS 180`(name: String) throws {
        guard let library = SharedLibrary([name]) else {
            return print("not tested here, \(name) is not installed: SHA-1")
        }
        let sha1 = try #require(SHA1(Symbols(library: library)))
        func hash(_ text: String) -> String? {
            sha1.hash(Data(text.utf8))?.map { String(format: "%02x", $0) }.joined()
        }
        #expect(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hash(String(repeating: "a", count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }
}
#endif
