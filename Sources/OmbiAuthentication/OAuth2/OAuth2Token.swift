#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an authorization server grants: an access token, and what is needed to get the next one (RFC 6749 §5.1).
///
/// It is `Codable` for its owner to save. Its description shows neither token.
public struct OAuth2Token: Sendable, Hashable, Codable {
    /// The token that goes with requests.
    public var accessToken: String
    /// Gets the next access token; nil where there is none.
    public var refreshToken: String?
    /// When the access token expires; nil where the server did not say.
    public var expiresAt: Date?
    /// What was granted; nil where the server did not say, which means what was asked for.
    public var scopes: [String]?

    /// For tests, and for tokens that come from elsewhere.
    public init(
        accessToken: String, refreshToken: String? = nil, expiresAt: Date? = nil, scopes: [String]? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.scopes = scopes
    }

    /// The type as it stands before the token: "Bearer" (RFC 6750), the only one that is supported.
    public static let type = "Bearer"

    /// What a server leaves out when it refreshes stays as it was (RFC 6749 §6).
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
    /// Everything but the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
