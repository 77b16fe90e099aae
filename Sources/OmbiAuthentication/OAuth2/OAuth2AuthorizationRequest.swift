#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in in a browser that was started here (RFC 6749 §4.1), protected by a state and a verifier that nobody else
/// knows (RFC 7636).
public struct OAuth2AuthorizationRequest: Sendable, Hashable {
    /// The page to open.
    public let url: URL
    /// Where the browser is sent afterwards.
    public let redirectURI: String
    let state: String
    let verifier: String

    /// The code that the browser has brought back.
    /// - Parameter redirect: The address that the browser was sent to, as it is or as a user has copied it.
    public func code(from redirect: String) throws(OAuth2Error) -> String {
        let parameters = Self.parameters(redirect)
        func value(_ name: String) -> String? { parameters[name]?.count == 1 ? parameters[name]?.first : nil }
        guard value("state") == state else { throw OAuth2Error(.stateMismatch) }
        if let name = value("error") {
            throw OAuth2Error(named: name, details: value("error_description"), uri: value("error_uri"))
        }
        guard let code = value("code"), !code.isEmpty else {
            throw OAuth2Error(.malformedResponse, details: "the browser brought no code")
        }
        return code
    }

    /// Whether an address belongs to this sign-in.
    func matches(_ redirect: String) -> Bool { Self.parameters(redirect)["state"] == [state] }

    /// By name, because a parameter that comes twice is not to be trusted (RFC 6749 §3.1).
    private static func parameters(_ address: String) -> [String: [String]] {
        let text = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" && !$0.isWhitespace }
        let parameters = RequestParameters(encoded: String(text)).allParameters
        return Dictionary(grouping: parameters, by: \.name).mapValues { $0.map(\.value.text) }
    }
}

extension OAuth2AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page to open.
    public var description: String { url.absoluteString }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Everything but the verifier.
    public var customMirror: Mirror { Mirror(self, children: ["url": url, "redirectURI": redirectURI]) }
}

extension OAuth2Client {
    /// Starts a sign-in in a browser, which the program opens at `url` of what is returned.
    /// - Parameters:
    ///   - redirectURI: Where the browser is sent afterwards; registered at the authorization server.
    ///   - scopes: What is asked for; none asks for what the server gives by default.
    ///   - parameters: Others of the page's, such as `prompt` or `login_hint`.
    public func authorizationRequest(
        redirectURI: String, scopes: [String] = [], parameters: RequestParameters = [:]
    ) throws(OAuth2Error) -> OAuth2AuthorizationRequest {
        try authorizationRequest(
            redirectURI: redirectURI, scopes: scopes, parameters: parameters, state: RandomText.token(),
            verifier: RandomText.token())
    }

    func authorizationRequest(
        redirectURI: String, scopes: [String], parameters: RequestParameters, state: String, verifier: String
    ) throws(OAuth2Error) -> OAuth2AuthorizationRequest {
        guard let authorizationURL else {
            throw OAuth2Error(.notConfigured, details: "set authorizationURL to the page that users sign in at")
        }
        var all: [RequestParameters.Parameter] = [
            .init("response_type", "code"), .init("client_id", .string(id)),
            .init("redirect_uri", .string(redirectURI)), .init("state", .string(state)),
            .init("code_challenge", .string(HashFunction.sha256(verifier).base64URL)),
            .init("code_challenge_method", "S256"),
        ]
        if let scope = OAuth2Grant.text(scopes) { all.append(.init("scope", .string(scope))) }
        all += parameters.allParameters
        var text = authorizationURL.absoluteString.prefix { $0 != "#" }
        text += (text.contains("?") ? "&" : "?") + RequestParameters(all).encoded
        guard let url = URL(string: String(text)) else {
            throw OAuth2Error(.notConfigured, details: "\(authorizationURL.absoluteString) takes no parameters")
        }
        return OAuth2AuthorizationRequest(url: url, redirectURI: redirectURI, state: state, verifier: verifier)
    }

    /// The token for a sign-in that has come back.
    /// - Parameter redirect: The address that the browser was sent to.
    public func token(
        for request: OAuth2AuthorizationRequest, redirectedTo redirect: String
    ) async throws(OAuth2Error) -> OAuth2Token {
        try await token(
            for: .authorizationCode(
                try request.code(from: redirect), redirectURI: request.redirectURI, verifier: request.verifier))
    }
}
