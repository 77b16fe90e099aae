#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Credentials of a request, sent in the `Authorization` header (RFC 9110 §11.6.2).
public enum RequestAuthentication: Sendable, Hashable {
    /// RFC 7617, in UTF-8.
    case basic(username: String, password: String)
    case token(type: TokenType, value: String)

    /// The scheme that stands before a token.
    public enum TokenType: Sendable, Hashable, ExpressibleByStringLiteral {
        case basic
        case bearer
        case digest
        case hoba
        case mutual
        case aws
        case custom(String)

        public init(stringLiteral value: String) { self = .custom(value) }

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

    public var headerKey: RequestHeaders.Key { .authorization }

    public var headerValue: RequestHeaders.Value {
        switch self {
        case .basic(let username, let password):
            RequestHeaders.Value("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
        case .token(let type, let value): RequestHeaders.Value("\(type.word) \(value)")
        }
    }
}

extension RequestHeaders.Value {
    public static func authorization(type: RequestAuthentication.TokenType, token: String) -> Self {
        RequestAuthentication.token(type: type, value: token).headerValue
    }

    public static func authorization(username: String, password: String) -> Self {
        RequestAuthentication.basic(username: username, password: password).headerValue
    }
}
