#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
