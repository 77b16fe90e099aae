#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Credentials of a request, sent in the `Authorization` header (RFC 9110 §11.6.2).
public enum RequestAuthentication: Sendable, Hashable {
    /// RFC 7617, in UTF-8. A user name with a colon makes the request malformed: the server would cut it there.
    case basic(username: String, password: String)
    /// Sent as the word of its type, a space and the value as it is.
    case token(type: TokenType, value: String)

    /// The scheme that stands before a token (RFC 9110 §11.1 and the IANA registry); a string literal is a custom one.
    public enum TokenType: Sendable, Hashable, ExpressibleByStringLiteral {
        /// "Basic": a name and a password that are encoded already (RFC 7617).
        case basic
        /// "Bearer": a token of OAuth 2 and of most APIs (RFC 6750).
        case bearer
        /// "Digest" (RFC 7616). The value is sent as it is; nothing is computed.
        case digest
        /// "HOBA" (RFC 7486).
        case hoba
        /// "Mutual" (RFC 8120).
        case mutual
        /// "AWS4-HMAC-SHA256". The value is the signature and what belongs to it; sign in a `RequestInterceptor`.
        case aws
        /// Any other word, as it is.
        case custom(String)

        public init(stringLiteral value: String) { self = .custom(value) }

        /// As it stands in the header: "Bearer".
        public var word: String {
            switch self {
            case .basic: "Basic"
            case .bearer: "Bearer"
            case .digest: "Digest"
            case .hoba: "HOBA"
            case .mutual: "Mutual"
            case .aws: "AWS4-HMAC-SHA256"
            case .custom(let word): word
            }
        }
    }

    /// The field that carries the credentials: `Authorization`.
    public var headerKey: RequestHeaders.Key { .authorization }

    /// The value of that field: "Bearer abc".
    public var headerValue: RequestHeaders.Value {
        switch self {
        case .basic(let username, let password):
            RequestHeaders.Value("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
        case .token(let type, let value): RequestHeaders.Value("\(type.word) \(value)")
        }
    }
}

extension RequestAuthentication {
    /// Throws `MalformedRequest` for credentials that would arrive as other ones (RFC 7617 §2).
    func check() throws {
        guard case .basic(let username, _) = self, username.contains(":") else { return }
        throw MalformedRequest(
            .authentication, "the user name for Basic authentication contains a colon, which ends it; remove the colon")
    }
}

extension RequestHeaders.Value {
    /// A token as the value of `Authorization`, for headers that are written out; see `RequestAuthentication`.
    public static func authorization(type: RequestAuthentication.TokenType, token: String) -> Self {
        RequestAuthentication.token(type: type, value: token).headerValue
    }

    /// A name and a password as the value of `Authorization` (RFC 7617).
    public static func authorization(username: String, password: String) -> Self {
        RequestAuthentication.basic(username: username, password: password).headerValue
    }
}
