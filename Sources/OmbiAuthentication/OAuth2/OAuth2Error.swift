#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why there is no token: what an authorization server answered, or what came in between.
public struct OAuth2Error: Error, Sendable {
    /// What to decide by. Those with a name of the server's have it in brackets.
    public enum Code: Sendable, Hashable {
        /// The server could not read the request (`invalid_request`, RFC 6749 §5.2).
        case invalidRequest
        /// The client is unknown, or its secret is wrong (`invalid_client`).
        case invalidClient
        /// The code or the refresh token is wrong, expired, used or revoked (`invalid_grant`).
        case invalidGrant
        /// The client may not use this grant (`unauthorized_client`).
        case unauthorizedClient
        /// The server does not know this grant (`unsupported_grant_type`).
        case unsupportedGrantType
        /// A scope is unknown, or more than may be granted (`invalid_scope`).
        case invalidScope
        /// The user, or the server, said no (`access_denied`, RFC 6749 §4.1.2.1).
        case accessDenied
        /// The server gives no code in this way (`unsupported_response_type`).
        case unsupportedResponseType
        /// The server failed (`server_error`).
        case serverError
        /// The server cannot answer now (`temporarily_unavailable`).
        case temporarilyUnavailable
        /// The user has not decided yet (`authorization_pending`, RFC 8628 §3.5).
        case authorizationPending
        /// Asked too often (`slow_down`).
        case slowDown
        /// The user did not decide in time (`expired_token`, or no answer from the browser).
        case expired
        /// Another name of the server's.
        case other(String)
        /// The server did not answer, or with something other than an answer to a token request; see `cause`.
        case requestFailed
        /// The answer is not what the RFC says.
        case malformedResponse
        /// What came back from the browser does not belong to the request that was started here.
        case stateMismatch
        /// There is no token, and no way to get one without the user.
        case signInRequired
        /// The client has no address for this.
        case notConfigured
        /// The task was cancelled, or the owner of the token set another one.
        case cancelled
    }

    /// What went wrong.
    public let code: Code
    /// The server's own words (`error_description`), or what was found here. Without control characters, at most 500
    /// characters long.
    public let details: String?
    /// A page of the server's about the error (`error_uri`).
    public let uri: String?
    /// The failed request, for `requestFailed`.
    public let cause: (any Error)?

    /// For tests, and for flows of one's own.
    public init(_ code: Code, details: String? = nil, uri: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.details = details.map(Self.short)
        self.uri = uri.map(Self.short)
        self.cause = cause
    }

    /// An error as a server names it.
    init(named name: String, details: String?, uri: String?) {
        self.init(Self.names[name] ?? .other(Self.short(name)), details: details, uri: uri)
    }

    private static let names: [String: Code] = [
        "invalid_request": .invalidRequest, "invalid_client": .invalidClient, "invalid_grant": .invalidGrant,
        "unauthorized_client": .unauthorizedClient, "unsupported_grant_type": .unsupportedGrantType,
        "invalid_scope": .invalidScope, "access_denied": .accessDenied,
        "unsupported_response_type": .unsupportedResponseType, "server_error": .serverError,
        "temporarily_unavailable": .temporarilyUnavailable, "authorization_pending": .authorizationPending,
        "slow_down": .slowDown, "expired_token": .expired,
    ]

    private static func short(_ text: String) -> String {
        let visible = text.visible
        return visible.count > 500 ? visible.prefix(500) + "…" : visible
    }
}

extension OAuth2Error: CustomStringConvertible, LocalizedError {
    /// A sentence for people, without a capital and without a full stop; the server's words in brackets.
    public var description: String {
        let cause = cause.map { ": \($0)" } ?? ""
        return sentence + cause + (details.map { " (\($0))" } ?? "")
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    private var sentence: String {
        switch code {
        case .invalidRequest: "the authorization server could not read the request"
        case .invalidClient: "the authorization server does not know the client, or its secret is wrong"
        case .invalidGrant: "the code or the refresh token is wrong, or has expired, or was used or revoked"
        case .unauthorizedClient: "the client may not get a token in this way"
        case .unsupportedGrantType: "the authorization server gives no token in this way"
        case .invalidScope: "the scope is unknown, or more than may be granted"
        case .accessDenied: "access was denied"
        case .unsupportedResponseType: "the authorization server gives no code in this way"
        case .serverError: "the authorization server failed"
        case .temporarilyUnavailable: "the authorization server cannot answer at the moment"
        case .authorizationPending: "the user has not decided yet"
        case .slowDown: "the authorization server was asked too often"
        case .expired: "nobody signed in in time"
        case .other(let name): "the authorization server answered \"\(name)\""
        case .requestFailed: "no token could be requested"
        case .malformedResponse: "the authorization server sent something else than a token"
        case .stateMismatch: "the answer of the browser does not belong to this sign-in"
        case .signInRequired: "there is no token; sign in"
        case .notConfigured: "the client has no address for this"
        case .cancelled: "cancelled"
        }
    }
}

extension OAuth2Error: Equatable {
    /// The cause is not compared.
    public static func == (left: OAuth2Error, right: OAuth2Error) -> Bool {
        left.code == right.code && left.details == right.details && left.uri == right.uri
    }
}
