/// A server's request for credentials: a scheme such as "Basic" or "Digest", and its parameters (RFC 9110 §11.6.1).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme as sent; schemes are case-insensitive.
    public let scheme: String
    /// The base64 data of schemes without parameters, such as "Negotiate" (`token68`).
    public let token: String?
    /// The parameters by lowercase name, unquoted and unescaped. The first of a repeated name wins.
    public let parameters: [String: String]

    /// Creates a challenge, for tests and authenticators.
    public init(scheme: String, token: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }

    /// Parses one `WWW-Authenticate` field, which may hold several challenges. Malformed parts are skipped.
    public static func parse(_ field: String) -> [AuthenticationChallenge] {
        var scanner = ChallengeScanner(field)
        return scanner.challenges()
    }

    /// Parses a field of parameters without a scheme, such as `Authentication-Info`.
    package static func parameters(_ field: String) -> [String: String] {
        var scanner = ChallengeScanner(field)
        return scanner.parameters()
    }

    package func uses(_ scheme: String) -> Bool { self.scheme.lowercased() == scheme.lowercased() }
}

/// A scanner over the bytes of a field. A token is a scheme unless an equals sign follows it.
private struct ChallengeScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func challenges() -> [AuthenticationChallenge] {
        var found: [AuthenticationChallenge] = []
        while let name = nextName() {
            guard !takesEqualsSign() else {
                _ = value()
                continue
            }
            let token = token68()
            found.append(
                AuthenticationChallenge(scheme: name, token: token, parameters: token == nil ? parameters() : [:]))
        }
        return found
    }

    /// Scans parameters up to the next scheme or the end.
    mutating func parameters() -> [String: String] {
        var found: [String: String] = [:]
        while true {
            let start = rest
            guard let name = nextName(), takesEqualsSign() else {
                rest = start
                return found
            }
            let value = value()
            if found[name.lowercased()] == nil { found[name.lowercased()] = value }
        }
    }

    /// Skips bytes that cannot start a token. Returns nil at the end.
    private mutating func nextName() -> String? {
        while let byte = rest.first, !Self.isToken(byte) {
            if rest.takeQuoted() == nil { rest.removeFirst() }
        }
        return rest.isEmpty ? nil : rest.take(while: Self.isToken)
    }

    private mutating func takesEqualsSign() -> Bool {
        let start = rest
        rest.skipSpaces()
        guard rest.first == UInt8(ascii: "=") else {
            rest = start
            return false
        }
        rest.removeFirst()
        rest.skipSpaces()
        return true
    }

    private mutating func value() -> String { rest.takeQuoted() ?? rest.take(while: Self.isToken) }

    /// Scans base64 data after a scheme. Returns nil if parameters or another challenge follow instead.
    private mutating func token68() -> String? {
        guard rest.first == UInt8(ascii: " ") else { return nil }
        let start = rest
        rest.skipSpaces()
        let text = rest.take { Self.isToken($0) || $0 == UInt8(ascii: "/") } + rest.take { $0 == UInt8(ascii: "=") }
        rest.skipSpaces()
        guard !text.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ",") else {
            rest = start
            return nil
        }
        return text
    }

    private static func isToken(_ byte: UInt8) -> Bool { PercentEncoding.Characters.token.contains(byte) }
}
