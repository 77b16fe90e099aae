/// An authorization grant that is exchanged for a token.
public enum OAuth2Grant: Sendable, Hashable {
    /// The client's own credentials (RFC 6749 §4.4).
    case clientCredentials(scopes: [String] = [])
    /// A refresh token (RFC 6749 §6); scopes narrow the original grant.
    case refreshToken(String, scopes: [String] = [])
    /// An authorization code with its PKCE verifier (RFC 6749 §4.1.3, RFC 7636 §4.5).
    case authorizationCode(String, redirectURI: String, verifier: String)
    /// A device code (RFC 8628 §3.4).
    case deviceCode(String)
    /// An extension grant with its parameters (RFC 6749 §4.5).
    case other(type: String, parameters: RequestParameters)

    var parameters: RequestParameters {
        switch self {
        case .clientCredentials(let scopes): Self.parameters("client_credentials", ["scope": Self.text(scopes)])
        case .refreshToken(let token, let scopes):
            Self.parameters("refresh_token", ["refresh_token": token, "scope": Self.text(scopes)])
        case .authorizationCode(let code, let redirectURI, let verifier):
            Self.parameters(
                "authorization_code", ["code": code, "redirect_uri": redirectURI, "code_verifier": verifier])
        case .deviceCode(let code):
            Self.parameters("urn:ietf:params:oauth:grant-type:device_code", ["device_code": code])
        case .other(let type, let parameters):
            RequestParameters([.init("grant_type", .string(type))] + parameters.allParameters)
        }
    }

    private static func parameters(_ type: String, _ values: KeyValuePairs<String, String?>) -> RequestParameters {
        RequestParameters(
            [.init("grant_type", .string(type))]
                + values.compactMap { name, value in value.map { .init(name, .string($0)) } })
    }

    /// Returns the space-separated list, or nil if empty.
    static func text(_ scopes: [String]) -> String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }
}

extension OAuth2Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The grant type as sent.
    public var description: String { parameters["grant_type"]?.text ?? "" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The grant type; secrets are omitted.
    public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}
