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

/// A pending authorization of a device without a browser (RFC 8628 §3.2). Show the user its address and code.
public struct OAuth2DeviceAuthorization: Sendable, Hashable {
    /// The secret that identifies the device at the token endpoint.
    public let deviceCode: String
    /// The code that the user enters.
    public let userCode: String
    /// The page where the user enters the code.
    public let verificationURI: URL
    /// The same page with the code included, for a QR code; nil if the server offers none.
    public let completeVerificationURI: URL?
    /// The expiry of both codes.
    public let expiresAt: Date
    /// The minimum time between polls.
    public let interval: Duration

    /// Creates a device authorization, for tests.
    public init(
        deviceCode: String, userCode: String, verificationURI: URL, completeVerificationURI: URL? = nil,
        expiresAt: Date, interval: Duration = .seconds(5)
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.completeVerificationURI = completeVerificationURI
        self.expiresAt = expiresAt
        self.interval = interval
    }
}

extension OAuth2DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "enter WDJB-MJHT at https://id.example.com/device"
    public var description: String { "enter \(userCode) at \(verificationURI.absoluteString)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The description; the device code is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2Client {
    /// Requests the codes for a device (RFC 8628 §3.1).
    public func authorizeDevice(scopes: [String] = []) async throws(OAuth2Error) -> OAuth2DeviceAuthorization {
        guard let devicePath else {
            throw OAuth2Error(.notConfigured, details: "set devicePath to the device authorization endpoint")
        }
        let scope = OAuth2Grant.text(scopes).map { [RequestParameters.Parameter("scope", .string($0))] } ?? []
        let parameters = RequestParameters(scope + additionalParameters.allParameters)
        let now = now
        return try await send(parameters, to: devicePath) { response throws(OAuth2Error) in
            try response.deviceAuthorization(receivedAt: now())
        }
    }

    /// Polls until the user approves the device (RFC 8628 §3.5). The interval grows by 5 s after `slow_down`, and doubles
    /// when the server cannot be reached. Throws `accessDenied` if the user declines, and `expired` after the codes expire.
    public func token(for device: OAuth2DeviceAuthorization) async throws(OAuth2Error) -> OAuth2Token {
        var interval = device.interval
        while true {
            let left = Duration.seconds(max(device.expiresAt.timeIntervalSince(now()), 0))
            do {
                try await clock.sleep(for: min(interval, left))
            } catch {
                throw OAuth2Error(.cancelled)
            }
            guard now() < device.expiresAt else { throw OAuth2Error(.expired) }
            do throws(OAuth2Error) {
                return try await token(for: .deviceCode(device.deviceCode))
            } catch {
                switch error.code {
                case .authorizationPending: continue
                case .slowDown: interval += .seconds(5)
                case .requestFailed where error.isTransient: interval = min(interval * 2, .seconds(300))
                default: throw error
                }
            }
        }
    }
}

extension OAuth2Error {
    /// Returns true for failures of the network and transient statuses, which polling outlasts.
    var isTransient: Bool {
        switch cause {
        case let error as HTTPError: RetryPolicy.transientStatusCodes.contains(error.statusCode)
        case let error as RequestError<NoError>:
            switch error {
            case .connectionError(let error): error.code.isTransient
            case .timedOut, .slaExceeded: true
            default: false
            }
        default: false
        }
    }
}
