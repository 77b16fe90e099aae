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

/// A parsed response of an authorization server: JSON with a token, device codes, or an error. Also a form, which GitHub
/// and older servers send.
struct OAuth2Response {
    private let json: AnyJSON

    /// Throws the server's error whatever the status, since some servers send errors with 200.
    init(_ response: TransportResponse) throws(OAuth2Error) {
        let json = Self.object(in: response)
        let status = response.statusCode ?? 200
        if let json {
            if let name = json["error"]?.stringValue {
                throw OAuth2Error(
                    named: name, details: json["error_description"]?.stringValue, uri: json["error_uri"]?.stringValue)
            }
            if (200..<300).contains(status) {
                self.json = json
                return
            }
        }
        guard (200..<300).contains(status) else {
            throw OAuth2Error(.requestFailed, cause: HTTPError(status))
        }
        throw OAuth2Error(.malformedResponse, details: "the response is neither a JSON object nor a form")
    }

    /// Returns the members of JSON whatever its Content-Type, or else of a form by it: RFC 6749 has JSON only.
    private static func object(in response: TransportResponse) -> AnyJSON? {
        let body = response.body ?? Data()
        if let json = try? JSONDecoder().decode(AnyJSON.self, from: body), case .object = json { return json }
        let text = String(decoding: body, as: UTF8.self)
        let type = response[.contentType]?.text.prefix { $0 != ";" && $0 != " " }.lowercased()
        // Without a type only what is meant can tell.
        guard [formType, "text/plain"].contains(type) || type == nil && text.contains("access_token=") else {
            return nil
        }
        let parameters = RequestParameters(encoded: text).allParameters
        return .object(Dictionary(parameters.map { ($0.name, .string($0.value.text)) }) { first, _ in first })
    }

    private static let formType = "application/x-www-form-urlencoded"

    func token(receivedAt now: Date) throws(OAuth2Error) -> OAuth2Token {
        guard let accessToken = json["access_token"]?.stringValue, !accessToken.isEmpty else {
            throw OAuth2Error(.malformedResponse, details: "there is no access_token")
        }
        // RFC 6749 §7.1: tokens of unknown types must not be used.
        if let type = json["token_type"]?.stringValue, type.lowercased() != OAuth2Token.type.lowercased() {
            throw OAuth2Error(.malformedResponse, details: "the token type \"\(type)\" is not supported")
        }
        return OAuth2Token(
            accessToken: accessToken, refreshToken: text("refresh_token"),
            expiresAt: seconds("expires_in").map { now.addingTimeInterval($0) },
            scopes: text("scope").map { $0.split(separator: " ").map(String.init) })
    }

    func deviceAuthorization(receivedAt now: Date) throws(OAuth2Error) -> OAuth2DeviceAuthorization {
        guard let deviceCode = text("device_code"), let userCode = text("user_code"),
            let place = text("verification_uri") ?? text("verification_url"), let lifetime = seconds("expires_in")
        else {
            throw OAuth2Error(
                .malformedResponse, details: "there is no device_code, user_code, verification_uri or expires_in")
        }
        return OAuth2DeviceAuthorization(
            deviceCode: deviceCode, userCode: userCode.visible, verificationURI: try Self.page(place),
            completeVerificationURI: try text("verification_uri_complete").map(Self.page),
            expiresAt: now.addingTimeInterval(lifetime), interval: .seconds(max(seconds("interval") ?? 5, 1)))
    }

    /// Parses the address of a page to open; only web addresses are accepted.
    private static func page(_ text: String) throws(OAuth2Error) -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw OAuth2Error(.malformedResponse, details: "\"\(text)\" is not a web address")
        }
        return url
    }

    /// Returns nil for an empty string.
    private func text(_ name: String) -> String? {
        json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a number, also from a string, clamped to between 0 and 100 years.
    private func seconds(_ name: String) -> Double? {
        guard let number = json[name]?.doubleValue ?? json[name]?.stringValue.flatMap(Double.init),
            number.isFinite
        else { return nil }
        return min(max(number, 0), 3_155_760_000)
    }
}
