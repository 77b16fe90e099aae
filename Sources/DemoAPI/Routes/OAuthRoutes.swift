import Foundation

/// An authorization server with the client demo, whose secret is demo, the public client browser, and a route that its
/// tokens open.
func oauthRoutes(_ issuer: TokenIssuer) -> [Route] {
    [
        Route(
            "POST", "/oauth/token",
            "the client demo with the secret demo: its own credentials, password (demo, demo), device and authorization code"
        ) {
            request in
            let form = Form(request)
            try form.checkClient(request)
            let token = try await issuer.token(for: form)
            return .json(token, headers: [("Cache-Control", "no-store")])
        },
        Route("POST", "/oauth/device", "a code for a device without a browser") { request in
            let form = Form(request)
            try form.checkClient(request)
            let host = request.header("Host") ?? "127.0.0.1"
            return .json(await issuer.device(verification: "http://\(host)/oauth/verify"))
        },
        Route("GET", "/oauth/verify", "the page where a person enters the code; code approves it") { request in
            guard let code = request.value("code"), !code.isEmpty else {
                return .text(
                    "<form><input name=code placeholder=code autofocus><button>Sign in</button></form>",
                    type: "text/html; charset=utf-8")
            }
            guard await issuer.approve(code) else { throw APIError.notFound("the code \(code)") }
            return .text("Signed in. The device goes on by itself.")
        },
        Route("GET", "/oauth/authorize", "the page that a browser opens; a click on it signs in, with PKCE") {
            request in
            let code = try AuthorizationCode(request)
            guard request.value("decision") != nil else {
                return .text(code.page, type: "text/html; charset=utf-8")
            }
            let answer =
                request.value("decision") == "yes" ? "code=\(await issuer.authorize(code))" : "error=access_denied"
            return .empty(status: 302, headers: [("Location", code.redirect(with: answer))])
        },
        Route("*", "/oauth/protected", "needs a token of /oauth/token, which holds for 60 s") { request in
            let words = (request.header("Authorization") ?? "").split(separator: " ")
            guard words.count == 2, words[0] == "Bearer", await issuer.isValid(String(words[1])) else {
                throw APIError(
                    status: 401, message: "get a token at /oauth/token",
                    headers: [("WWW-Authenticate", #"Bearer realm="demo", error="invalid_token""#)])
            }
            return .json(.object([("authenticated", .bool(true)), ("scheme", "oauth2")]))
        },
    ]
}

/// The fields of a token request.
struct Form: Sendable {
    let values: [String: String]

    init(_ request: DemoRequest) {
        var components = URLComponents()
        components.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
            .replacingOccurrences(of: "+", with: "%20")
        values = Dictionary((components.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Accepts the client's credentials in the header or in the form.
    func checkClient(_ request: DemoRequest) throws {
        if values["client_id"] == AuthorizationCode.client, request.header("Authorization") == nil {
            // A public client has nothing of its own to show.
            guard values["grant_type"] == "authorization_code" || values["grant_type"] == "refresh_token" else {
                throw Self.error("unauthorized_client")
            }
            return
        }
        let basic = "Basic " + Data("demo:demo".utf8).base64EncodedString()
        let isInForm = values["client_id"] == "demo" && values["client_secret"] == "demo"
        guard request.header("Authorization") == basic || isInForm else {
            throw Self.error("invalid_client", status: 401)
        }
    }

    /// An error as RFC 6749 §5.2 has it.
    static func error(_ code: String, status: Int = 400) -> OAuthFailure { OAuthFailure(code: code, status: status) }
}

/// Tokens that were issued, and devices that wait.
actor TokenIssuer {
    private struct Device {
        var userCode: String
        var isApproved = false
    }

    private var expiries: [String: Date] = [:]
    private var refreshTokens: Set<String> = []
    private var devices: [String: Device] = [:]
    private var codes: [String: AuthorizationCode] = [:]
    private static let lifetime = 60
    private static let maximumCount = 1000

    func token(for form: Form) throws -> JSON {
        switch form.values["grant_type"] {
        case "client_credentials": return issue(refreshing: false)
        case "password":
            guard form.values["username"] == "demo", form.values["password"] == "demo" else {
                throw Form.error("invalid_grant")
            }
        case "refresh_token":
            guard let token = form.values["refresh_token"], refreshTokens.remove(token) != nil else {
                throw Form.error("invalid_grant")
            }
        case "authorization_code":
            guard let code = form.values["code"], let issued = codes.removeValue(forKey: code), issued.isMet(by: form)
            else { throw Form.error("invalid_grant") }
        case "urn:ietf:params:oauth:grant-type:device_code":
            guard let code = form.values["device_code"], let device = devices[code] else {
                throw Form.error("expired_token")
            }
            guard device.isApproved else { throw Form.error("authorization_pending") }
            devices[code] = nil
        default: throw Form.error("unsupported_grant_type")
        }
        return issue(refreshing: true)
    }

    private func issue(refreshing: Bool) -> JSON {
        if expiries.count >= Self.maximumCount { expiries = [:] }
        let token = Self.random()
        expiries[token] = Date().addingTimeInterval(Double(Self.lifetime))
        var members: [(String, JSON)] = [
            ("access_token", .string(token)), ("token_type", "Bearer"), ("expires_in", .integer(Self.lifetime)),
        ]
        if refreshing {
            if refreshTokens.count >= Self.maximumCount { refreshTokens = [] }
            let refresh = Self.random()
            refreshTokens.insert(refresh)
            members.append(("refresh_token", .string(refresh)))
        }
        return .object(members)
    }

    /// Returns the code of a user who has signed in.
    func authorize(_ request: AuthorizationCode) -> String {
        if codes.count >= Self.maximumCount { codes = [:] }
        let code = Self.random()
        codes[code] = request
        return code
    }

    func isValid(_ token: String) -> Bool { expiries[token].map { $0 > Date() } ?? false }

    func device(verification: String) -> JSON {
        if devices.count >= Self.maximumCount { devices = [:] }
        let code = Self.random()
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let user = String((0..<4).map { _ in letters[Int.random(in: 0..<letters.count)] })
        devices[code] = Device(userCode: user)
        return .object([
            ("device_code", .string(code)), ("user_code", .string(user)), ("verification_uri", .string(verification)),
            ("verification_uri_complete", .string(verification + "?code=" + user)), ("expires_in", .integer(300)),
            ("interval", .integer(1)),
        ])
    }

    func approve(_ userCode: String) -> Bool {
        guard let code = devices.first(where: { $0.value.userCode == userCode.uppercased() })?.key else { return false }
        devices[code]?.isApproved = true
        return true
    }

    private static func random() -> String {
        SHA256.hex((0..<4).flatMap { _ in withUnsafeBytes(of: UInt64.random(in: 0 ... .max)) { Array($0) } })
    }
}

/// A request for an authorization code (RFC 6749 §4.1.1) with the challenge of its client (RFC 7636).
struct AuthorizationCode: Sendable {
    /// A client without a secret.
    static let client = "browser"

    private let redirectURI: String
    private let state: String
    private let challenge: String

    init(_ request: DemoRequest) throws {
        guard request.value("client_id") == Self.client else {
            throw APIError(status: 400, message: "the client is \(Self.client)")
        }
        guard let address = request.value("redirect_uri"), let host = URLComponents(string: address)?.host,
            ["127.0.0.1", "localhost"].contains(host), !address.contains(where: \.isNewline)
        else { throw APIError(status: 400, message: "redirect_uri is an address on 127.0.0.1 or localhost") }
        guard request.value("response_type") == "code", request.value("code_challenge_method") == "S256",
            let challenge = request.value("code_challenge"), !challenge.isEmpty
        else { throw APIError(status: 400, message: "response_type is code, with a code_challenge of S256") }
        redirectURI = address
        state = request.value("state") ?? ""
        self.challenge = challenge
    }

    var page: String {
        let fields = [
            ("client_id", Self.client), ("response_type", "code"), ("redirect_uri", redirectURI), ("state", state),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        let hidden = fields.map { #"<input type=hidden name="\#($0.0)" value="\#(Self.escaped($0.1))">"# }.joined()
        return """
            <form>\(hidden)<p>Ombi would like to use the demo as you.</p>
            <button name=decision value=yes>Sign in</button> <button name=decision value=no>Refuse</button></form>
            """
    }

    /// The address to which the browser goes back.
    func redirect(with answer: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let state = state.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return redirectURI + (redirectURI.contains("?") ? "&" : "?") + answer + "&state=" + state
    }

    /// True for the token request of the client that asked for the code.
    func isMet(by form: Form) -> Bool {
        let digest = Data(SHA256.hash(Array((form.values["code_verifier"] ?? "").utf8))).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return form.values["redirect_uri"] == redirectURI && digest == challenge
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
            .replacingOccurrences(of: "<", with: "&lt;")
    }
}
