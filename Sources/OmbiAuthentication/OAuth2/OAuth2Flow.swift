#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a token is obtained when there is none that could be refreshed.
public struct OAuth2Flow: Sendable {
    let obtain: @Sendable (OAuth2Client) async throws -> OAuth2Token

    /// A flow of one's own, such as one with `OAuth2Grant.other(type:parameters:)`.
    public init(_ obtain: @escaping @Sendable (OAuth2Client) async throws -> OAuth2Token) { self.obtain = obtain }

    /// None: the requests fail with `OAuth2Error.Code.signInRequired` until the owner sets a token.
    public static let none = OAuth2Flow { _ in throw OAuth2Error(.signInRequired) }

    /// The client itself, without a user (RFC 6749 §4.4).
    public static func clientCredentials(scopes: [String] = []) -> OAuth2Flow {
        OAuth2Flow { try await $0.token(for: .clientCredentials(scopes: scopes)) }
    }

    /// A user with a browser somewhere else (RFC 8628).
    /// - Parameter prompt: Shows the address and the code; the flow goes on polling meanwhile.
    public static func device(
        scopes: [String] = [], prompt: @escaping @Sendable (OAuth2DeviceAuthorization) -> Void
    ) -> OAuth2Flow {
        OAuth2Flow { client in
            let device = try await client.authorizeDevice(scopes: scopes)
            prompt(device)
            return try await client.token(for: device)
        }
    }

    /// A browser on this machine, which comes back to a port of 127.0.0.1 (RFC 8252 §7.3) with a code (RFC 7636).
    /// - Parameters:
    ///   - scopes: What is asked for.
    ///   - port: Of the address that the browser comes back to; 0 takes a free one, which most servers allow.
    ///   - path: Of that address.
    ///   - timeout: How long to wait for the browser.
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

    /// A browser anywhere, whose last address the user brings back.
    /// - Parameters:
    ///   - scopes: What is asked for.
    ///   - redirectURI: Where the browser ends up; nobody needs to listen there.
    ///   - ask: Shows the page to open, and gives the address that the user has copied from the browser afterwards.
    public static func pastedRedirect(
        scopes: [String] = [], redirectURI: String, ask: @escaping @Sendable (URL) async throws -> String
    ) -> OAuth2Flow {
        OAuth2Flow { client in
            let request = try client.authorizationRequest(redirectURI: redirectURI, scopes: scopes)
            return try await client.token(for: request, redirectedTo: try await ask(request.url))
        }
    }
}
