import Foundation

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

    /// The page with the question.
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
