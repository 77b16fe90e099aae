#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authorization grant that is exchanged for a token.
public enum OAuth2Grant: Sendable, Hashable {
    /// The client's own credentials (RFC 6749 §4.4).
    case clientCredentials(scopes: [String] = [])
    /// A refresh token (RFC 6749 §6); scopes narrow the original grant.
    case refreshToken(String, scopes: [String] = [])
    /// An authorization code with its PKCE verifier (RFC 6749 §4.1.3, RFC 7636 §4.5).
    case authorizationCode(String, redirectURI: String, verifier: String)
    /// A device code (RFC 8628 §3.4).
    case deviceCode(String)
    /// An extension grant with its parameters (RFC 6749 §4.5).
    case other(type: String, parameters: RequestParameters)

    var parameters: RequestParameters {
        switch self {
        case .clientCredentials(let scopes): Self.parameters("client_credentials", ["scope": Self.text(scopes)])
        case .refreshToken(let token, let scopes):
            Self.parameters("refresh_token", ["refresh_token": token, "scope": Self.text(scopes)])
        case .authorizationCode(let code, let redirectURI, let verifier):
            Self.parameters(
                "authorization_code", ["code": code, "redirect_uri": redirectURI, "code_verifier": verifier])
        case .deviceCode(let code):
            Self.parameters("urn:ietf:params:oauth:grant-type:device_code", ["device_code": code])
        case .other(let type, let parameters):
            RequestParameters([.init("grant_type", .string(type))] + parameters.allParameters)
        }
    }

    private static func parameters(_ type: String, _ values: KeyValuePairs<String, String?>) -> RequestParameters {
        RequestParameters(
            [.init("grant_type", .string(type))]
                + values.compactMap { name, value in value.map { .init(name, .string($0)) } })
    }

    /// Returns the space-separated list, or nil if empty.
    static func text(_ scopes: [String]) -> String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }
}

extension OAuth2Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The grant type as sent.
    public var description: String { parameters["grant_type"]?.text ?? "" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The grant type; secrets are omitted.
    public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}

/// A way to obtain a token when none can be refreshed.
public struct OAuth2Flow: Sendable {
    let obtain: @Sendable (OAuth2Client) async throws -> OAuth2Token

    /// Creates a custom flow, such as one with `OAuth2Grant.other(type:parameters:)`.
    public init(_ obtain: @escaping @Sendable (OAuth2Client) async throws -> OAuth2Token) { self.obtain = obtain }

    /// Obtains a token, for flows around this one.
    package func token(of client: OAuth2Client) async throws -> OAuth2Token { try await obtain(client) }

    /// No flow: requests fail with `OAuth2Error.Code.signInRequired` until the owner sets a token.
    public static let none = OAuth2Flow { _ in throw OAuth2Error(.signInRequired) }

    /// Uses the client's own credentials (RFC 6749 §4.4).
    public static func clientCredentials(scopes: [String] = []) -> OAuth2Flow {
        OAuth2Flow { try await $0.token(for: .clientCredentials(scopes: scopes)) }
    }

    /// Lets the user sign in with a browser on another device (RFC 8628).
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - prompt: Shows the address and the code. Must return at once; polling starts afterwards.
    public static func device(
        scopes: [String] = [], prompt: @escaping @Sendable (OAuth2DeviceAuthorization) -> Void
    ) -> OAuth2Flow {
        OAuth2Flow { client in
            let device = try await client.authorizeDevice(scopes: scopes)
            prompt(device)
            return try await client.token(for: device)
        }
    }

    /// Lets the user sign in with a browser on this machine, which is redirected to a port of 127.0.0.1 (RFC 8252 §7.3)
    /// with a code protected by PKCE (RFC 7636).
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - port: The port to listen on; 0 picks a free one, which most servers allow.
    ///   - path: The path of the redirect address.
    ///   - timeout: The time to wait for the redirect.
    ///   - open: Opens the page in a browser.
    public static func browser(
        scopes: [String] = [], port: Int = 0, path: String = "/callback", timeout: Duration = .seconds(300),
        open: @escaping @Sendable (URL) async throws -> Void
    ) -> OAuth2Flow {
        OAuth2Flow { client in
            let listener = try OAuth2RedirectListener(port: port, path: path)
            let request = try client.authorizationRequest(redirectURI: listener.redirectURI, scopes: scopes)
            async let redirect = listener.redirect(for: request, timeout: timeout, clock: client.clock)
            try await open(request.url)
            return try await client.token(for: request, redirectedTo: try await redirect)
        }
    }

    /// Lets the user sign in with any browser and paste the address that it is redirected to.
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - redirectURI: The redirect address; nothing has to listen there.
    ///   - ask: Shows the page to open, and returns the address that the user pastes.
    public static func pastedRedirect(
        scopes: [String] = [], redirectURI: String, ask: @escaping @Sendable (URL) async throws -> String
    ) -> OAuth2Flow {
        OAuth2Flow { client in
            let request = try client.authorizationRequest(redirectURI: redirectURI, scopes: scopes)
            return try await client.token(for: request, redirectedTo: try await ask(request.url))
        }
    }
}
