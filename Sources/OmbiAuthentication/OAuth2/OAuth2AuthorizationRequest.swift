#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authorization request for a browser (RFC 6749 §4.1), protected by a random state and a PKCE verifier (RFC 7636).
public struct OAuth2AuthorizationRequest: Sendable, Hashable {
    /// The page to open in a browser.
    public let url: URL
    /// The address that the server redirects the browser to.
    public let redirectURI: String
    let state: String
    let verifier: String

    /// Returns the authorization code of a redirect.
    /// - Parameter redirect: The address that the browser was redirected to, for example as pasted by the user.
    public func code(from redirect: String) throws(OAuth2Error) -> String {
        let parameters = Self.parameters(redirect)
        func value(_ name: String) -> String? { parameters[name]?.count == 1 ? parameters[name]?.first : nil }
        guard value("state") == state else { throw OAuth2Error(.stateMismatch) }
        if let name = value("error") {
            throw OAuth2Error(named: name, details: value("error_description"), uri: value("error_uri"))
        }
        guard let code = value("code"), !code.isEmpty else {
            throw OAuth2Error(.malformedResponse, details: "the redirect carries no code")
        }
        return code
    }

    /// Returns true if an address carries the state of this request.
    func matches(_ redirect: String) -> Bool { Self.parameters(redirect)["state"] == [state] }

    /// Groups the parameters by name; repeated ones are invalid (RFC 6749 §3.1).
    private static func parameters(_ address: String) -> [String: [String]] {
        let text = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" && !$0.isWhitespace }
        let parameters = RequestParameters(encoded: String(text)).allParameters
        return Dictionary(grouping: parameters, by: \.name).mapValues { $0.map(\.value.text) }
    }
}

extension OAuth2AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page to open in a browser.
    public var description: String { url.absoluteString }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The URLs; the verifier is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["url": url, "redirectURI": redirectURI]) }
}

extension OAuth2Client {
    /// Creates an authorization request with a new state and verifier.
    /// - Parameters:
    ///   - redirectURI: The address to redirect the browser to, as registered with the authorization server.
    ///   - scopes: The requested scopes; empty requests the server's default.
    ///   - parameters: Additional parameters, such as `prompt` or `login_hint`.
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
            throw OAuth2Error(.notConfigured, details: "set authorizationURL to the authorization endpoint")
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
            throw OAuth2Error(.notConfigured, details: "\(authorizationURL.absoluteString) cannot carry parameters")
        }
        return OAuth2AuthorizationRequest(url: url, redirectURI: redirectURI, state: state, verifier: verifier)
    }

    /// Exchanges the code of a redirect for a token.
    /// - Parameter redirect: The address that the browser was redirected to.
    public func token(
        for request: OAuth2AuthorizationRequest, redirectedTo redirect: String
    ) async throws(OAuth2Error) -> OAuth2Token {
        try await token(
            for: .authorizationCode(
                try request.code(from: redirect), redirectURI: request.redirectURI, verifier: request.verifier))
    }
}
