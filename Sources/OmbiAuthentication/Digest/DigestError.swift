/// Why a server's demand for Digest cannot be met.
public enum DigestError: Error, Sendable, Hashable {
    /// The server offers only algorithms that are not there, such as SHA-512-256.
    case unsupportedAlgorithms([String])
    /// The server offers neither `auth` nor `auth-int`.
    case unsupportedProtection(String)
    /// The server's challenge has no realm or no nonce.
    case malformedChallenge
}

extension DigestError: CustomStringConvertible {
    /// A sentence for people, without a capital and without a full stop.
    public var description: String {
        switch self {
        case .unsupportedAlgorithms(let names):
            "the server asks for Digest with \(names.joined(separator: " or ")); SHA-256 and MD5 are supported"
        case .unsupportedProtection(let text):
            "the server asks for Digest with the protection \"\(text)\"; auth and auth-int are supported"
        case .malformedChallenge: "the server asks for Digest without a realm or without a nonce"
        }
    }
}
