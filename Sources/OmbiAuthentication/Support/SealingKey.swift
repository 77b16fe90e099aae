#if canImport(Crypto)
internal import Crypto
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A secret key that makes data unreadable and unchangeable for others: AES-256 in Galois/Counter Mode.
package struct SealingKey: Sendable {
    private let bytes: Data

    /// Creates a random key.
    package init() { bytes = RandomText.bytes(32) }

    /// Reads the text of a key; nil for any other.
    package init?(text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The key in base64, for the keyring.
    package var text: String { bytes.base64EncodedString() }

    /// Seals data under a name, without which it cannot be opened.
    package func seal(_ data: Data, as name: String) -> Data? {
        try? AES.GCM.seal(data, using: SymmetricKey(data: bytes), authenticating: Data(name.utf8)).combined
    }

    /// Returns sealed data; nil where the key or the name is another, or a byte has changed.
    package func open(_ sealed: Data, as name: String) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return try? AES.GCM.open(box, using: SymmetricKey(data: bytes), authenticating: Data(name.utf8))
    }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "sealing key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
