/// A Digest challenge that cannot be met.
public enum DigestError: Error, Sendable, Hashable {
    /// The server offers only unsupported algorithms, such as SHA-512-256.
    case unsupportedAlgorithms([String])
    /// The server offers neither `auth` nor `auth-int`.
    case unsupportedProtection(String)
    /// The server's challenge has no realm or no nonce.
    case malformedChallenge
}

extension DigestError: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        switch self {
        case .unsupportedAlgorithms(let names):
            "the server requires Digest with \(names.joined(separator: " or ")); only SHA-256 and MD5 are supported"
        case .unsupportedProtection(let text):
            "the server requires Digest with qop \"\(text)\"; only auth and auth-int are supported"
        case .malformedChallenge: "the server's Digest challenge has no realm or no nonce"
        }
    }
}
