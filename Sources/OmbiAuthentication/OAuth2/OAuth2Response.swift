#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// Returns the members of JSON or a form, by the Content-Type: RFC 6749 has JSON only.
    private static func object(in response: TransportResponse) -> AnyJSON? {
        let body = response.body ?? Data()
        let type = response[.contentType]?.text.prefix { $0 != ";" && $0 != " " }.lowercased()
        if type != formType, let json = try? JSONDecoder().decode(AnyJSON.self, from: body), case .object = json {
            return json
        }
        guard type == formType || type == "text/plain" else { return nil }
        let parameters = RequestParameters(encoded: String(decoding: body, as: UTF8.self)).allParameters
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
