#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An access token, its expiry, and the refresh token for the next one (RFC 6749 §5.1).
///
/// It is `Codable`, so that its owner can save it. The description omits both tokens.
public struct OAuth2Token: Sendable, Hashable, Codable {
    /// The token sent with requests.
    public var accessToken: String
    /// The token for obtaining the next access token; nil if the server issued none.
    public var refreshToken: String?
    /// The expiry of the access token; nil if unknown.
    public var expiresAt: Date?
    /// The granted scopes; nil if they are those requested.
    public var scopes: [String]?

    /// Creates a token, for tests and tokens obtained elsewhere.
    public init(
        accessToken: String, refreshToken: String? = nil, expiresAt: Date? = nil, scopes: [String]? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.scopes = scopes
    }

    /// The only supported token type, "Bearer" (RFC 6750).
    public static let type = "Bearer"

    /// Returns the token with values that a refresh response omits taken from the old one (RFC 6749 §6).
    func completed(by old: OAuth2Token) -> OAuth2Token {
        var token = self
        token.refreshToken = refreshToken ?? old.refreshToken
        token.scopes = scopes ?? old.scopes
        return token
    }

    var header: RequestHeaders.Value { .authorization(type: .bearer, token: accessToken) }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "Bearer token, expires 2026-11-21 12:00:00 +0000, refreshable, scopes: read write"
    public var description: String {
        var parts = ["\(Self.type) token"]
        if let expiresAt { parts.append("expires \(expiresAt)") }
        if refreshToken != nil { parts.append("refreshable") }
        if let scopes { parts.append("scopes: \(scopes.joined(separator: " "))") }
        return parts.joined(separator: ", ")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The description; the tokens are omitted.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
