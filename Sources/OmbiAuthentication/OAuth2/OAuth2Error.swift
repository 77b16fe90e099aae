/// A failure to obtain a token: an error of the authorization server, or one found locally.
public struct OAuth2Error: Error, Sendable {
    /// The kind of error. Errors of the server are listed with their registered names.
    public enum Code: Sendable, Hashable {
        /// The request is malformed (`invalid_request`, RFC 6749 §5.2).
        case invalidRequest
        /// Client authentication failed (`invalid_client`).
        case invalidClient
        /// The code or refresh token is invalid, expired, used or revoked (`invalid_grant`).
        case invalidGrant
        /// The client may not use this grant (`unauthorized_client`).
        case unauthorizedClient
        /// The server does not support this grant (`unsupported_grant_type`).
        case unsupportedGrantType
        /// A scope is unknown or exceeds the grant (`invalid_scope`).
        case invalidScope
        /// The user or the server denied the request (`access_denied`, RFC 6749 §4.1.2.1).
        case accessDenied
        /// The server does not issue codes this way (`unsupported_response_type`).
        case unsupportedResponseType
        /// An internal error of the server (`server_error`).
        case serverError
        /// The server is overloaded or in maintenance (`temporarily_unavailable`).
        case temporarilyUnavailable
        /// The user has not decided yet (`authorization_pending`, RFC 8628 §3.5).
        case authorizationPending
        /// Polls are too frequent (`slow_down`).
        case slowDown
        /// The sign-in timed out (`expired_token`, or no redirect within the timeout).
        case expired
        /// Any other error code of the server.
        case other(String)
        /// The request failed, or its response is no OAuth response; see `cause`.
        case requestFailed
        /// The response violates the RFC.
        case malformedResponse
        /// The redirect does not belong to this authorization request.
        case stateMismatch
        /// There is no token, and no flow to obtain one.
        case signInRequired
        /// The client lacks an endpoint, or cannot listen for the redirect; see `details`.
        case notConfigured
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of error.
    public let code: Code
    /// The server's message (`error_description`), or local details. At most 500 characters, control characters escaped.
    public let details: String?
    /// A web page about the error (`error_uri`).
    public let uri: String?
    /// The failed request, for `requestFailed`.
    public let cause: (any Error)?
    /// The URL of the endpoint, for `requestFailed` and `malformedResponse`; nil if the error comes from elsewhere.
    public private(set) var endpoint: String?

    /// Creates an error, for custom flows and tests.
    public init(_ code: Code, details: String? = nil, uri: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.details = details.map(Self.short)
        self.uri = uri.map(Self.short)
        self.cause = cause
    }

    /// Creates an error from the server's error code.
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

    /// The same error with the endpoint that failed to answer as it should.
    func at(_ endpoint: String) -> OAuth2Error {
        guard code == .requestFailed || code == .malformedResponse else { return self }
        var error = self
        error.endpoint = Self.short(endpoint)
        return error
    }

    private static func short(_ text: String) -> String {
        let visible = text.visible
        return visible.count > 500 ? visible.prefix(500) + "…" : visible
    }
}

extension OAuth2Error: CustomStringConvertible, LocalizedError {
    /// A sentence in lower case without a full stop; details in parentheses.
    public var description: String {
        let cause = cause.map { ": \($0)" } ?? ""
        return sentence + cause + (details.map { " (\($0))" } ?? "")
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    private var sentence: String {
        switch code {
        case .invalidRequest: "the authorization server rejected the request as malformed"
        case .invalidClient: "client authentication failed: check client ID and secret"
        case .invalidGrant: "the code or refresh token is invalid, expired, used or revoked"
        case .unauthorizedClient: "the client may not use this grant"
        case .unsupportedGrantType: "the authorization server does not support this grant"
        case .invalidScope: "a scope is unknown or exceeds the grant"
        case .accessDenied: "access was denied"
        case .unsupportedResponseType: "the authorization server does not issue codes this way"
        case .serverError: "the authorization server failed internally"
        case .temporarilyUnavailable: "the authorization server is temporarily unavailable"
        case .authorizationPending: "the user has not decided yet"
        case .slowDown: "the authorization server was polled too often"
        case .expired: "the sign-in timed out"
        case .other(let name): "the authorization server reported \"\(name)\""
        case .requestFailed: "the request to \(endpoint ?? "the authorization server") failed"
        case .malformedResponse: "the response of \(endpoint ?? "the authorization server") is malformed"
        case .stateMismatch: "the redirect does not belong to this sign-in"
        case .signInRequired: "there is no valid token; sign in"
        case .notConfigured: "the OAuth 2 client is not set up for this"
        case .cancelled: "cancelled"
        }
    }
}

extension OAuth2Error: Equatable {
    /// Cause and endpoint are not compared.
    public static func == (left: OAuth2Error, right: OAuth2Error) -> Bool {
        left.code == right.code && left.details == right.details && left.uri == right.uri
    }
}
