internal import OmbiBase

/// An authenticator for HTTP Digest (RFC 7616), which never sends the password.
///
///     manager.authenticator = DigestAuthenticator(username: "Mufasa", password: "Circle of Life")
///
/// The first request carries no credentials; its 401 brings the challenge. Later requests carry credentials right away,
/// until the server requires a new nonce. The strongest challenge wins: SHA-256 before MD5, including the session
/// variants. SHA-512-256 is not supported; a server that offers nothing else causes a `DigestError`.
///
/// Credentials apply to one URL. A redirect within the origin gets new ones, with the same nonce.
public final class DigestAuthenticator: Authenticator {
    private let username: String
    private let password: String
    private let clientNonce: @Sendable () -> String
    /// The sessions by origin.
    private let sessions = Lock<[String: DigestSession]>([:])

    /// Creates an authenticator. Both texts are hashed as UTF-8, and must be in Unicode normalization form C.
    public convenience init(username: String, password: String) {
        self.init(username: username, password: password, clientNonce: RandomText.token)
    }

    init(username: String, password: String, clientNonce: @escaping @Sendable () -> String) {
        self.username = username
        self.password = password
        self.clientNonce = clientNonce
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard let credentials = credentials(for: request) else { return request }
        let challenge = credentials.challenge
        let function = challenge.algorithm.function
        let bodyHash = challenge.protection == .authInt ? try await request.bodyHash(function) : ""
        var request = request
        request.headers[.authorization] = .string(credentials.header(of: request, bodyHash: bodyHash))
        request.hopCredentials = HopCredentials { [self] hop in
            var headers = hop.headers
            headers[.authorization] = self.credentials(for: hop).flatMap {
                $0.header(of: hop, streamHash: $0.challenge.algorithm.function == function ? bodyHash : nil)
            }.map { .string($0) }
            return headers
        }
        return request
    }

    private func credentials(for request: TransportRequest) -> DigestCredentials? {
        sessions.withLock { $0[request.url.origin]?.nextCredentials(clientNonce: clientNonce()) }
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request),
            let challenge = try DigestChallenge.strongest(in: response)
        else { return false }
        let origin = request.url.origin
        let sent = Self.sent(in: request)
        let old = sessions.withLock { $0[origin] }
        if let sent, let old, old.challenge.realm == challenge.realm, sent["realm"] == challenge.realm {
            // Another run has obtained a newer nonce.
            if old.nonce != sent["nonce"] { return true }
            // Wrong credentials, unless the server accepted them with this nonce before.
            if !challenge.isStale, !old.isAccepted { return false }
        }
        let session = DigestSession(
            challenge, username: username, password: password, clientNonce: clientNonce())
        sessions.withLock { $0[origin] = session }
        return true
    }

    public func accepted(_ response: TransportResponse, to request: TransportRequest) {
        guard response.cameFromOrigin(of: request), let nonce = Self.sent(in: request)?["nonce"] else { return }
        let next = response[.authenticationInfo].map { AuthenticationChallenge.parameters($0.text) }?["nextnonce"]
        sessions.withLock { sessions in
            guard var session = sessions[request.url.origin], session.nonce == nonce else { return }
            session.isAccepted = true
            if let next, !next.isEmpty { session.go(onWith: next) }
            sessions[request.url.origin] = session
        }
    }

    private static func sent(in request: TransportRequest) -> [String: String]? {
        guard let text = request.headers[.authorization]?.text else { return nil }
        return AuthenticationChallenge.parse(text).first { $0.uses("Digest") }?.parameters
    }
}

extension DigestCredentials {
    fileprivate func header(of request: TransportRequest, bodyHash: String) -> String {
        header(method: request.method.rawValue, uri: request.url.requestTarget, bodyHash: bodyHash)
    }

    /// Returns nil if the hash of a streamed body is needed, and not known.
    /// - Parameter streamHash: The hash of the body of the request before, which a redirect keeps or drops.
    fileprivate func header(of request: TransportRequest, streamHash: String?) -> String? {
        guard challenge.protection == .authInt else { return header(of: request, bodyHash: "") }
        let hash = request.bodyStream == nil ? challenge.algorithm.function.hex(request.body ?? Data()) : streamHash
        return hash.map { header(of: request, bodyHash: $0) }
    }
}

extension RequestHeaders.Key {
    /// Digest parameters after successful authentication (RFC 9110 §11.6.3).
    static let authenticationInfo: RequestHeaders.Key = "Authentication-Info"
}

/// A Digest challenge that cannot be met.
public enum DigestError: Error, Sendable, Hashable {
    /// The server offers only unsupported algorithms, such as SHA-512-256.
    case unsupportedAlgorithms([String])
    /// The server offers neither `auth` nor `auth-int`.
    case unsupportedProtection(String)
    /// The server's challenge has no realm or no nonce.
    case malformedChallenge
}

extension DigestError: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        switch self {
        case .unsupportedAlgorithms(let names):
            "the server requires Digest with \(names.joined(separator: " or ")); only SHA-256 and MD5 are supported"
        case .unsupportedProtection(let text):
            "the server requires Digest with qop \"\(text)\"; only auth and auth-int are supported"
        case .malformedChallenge: "the server's Digest challenge has no realm or no nonce"
        }
    }
}

/// A supported Digest challenge (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Equatable {
    struct Algorithm: Sendable, Equatable {
        /// The name as sent by the server.
        let name: String
        let function: HashFunction
        /// Indicates a session variant, which derives the secret from the first nonces.
        let isSession: Bool

        init?(_ name: String) {
            switch name.uppercased() {
            case "MD5": (function, isSession) = (.md5, false)
            case "MD5-SESS": (function, isSession) = (.md5, true)
            case "SHA-256": (function, isSession) = (.sha256, false)
            case "SHA-256-SESS": (function, isSession) = (.sha256, true)
            default: return nil
            }
            self.name = name
        }
    }

    /// The quality of protection: the parts of a request that the response covers.
    enum Protection: String, Sendable {
        /// Method and URI, as in RFC 2069.
        case legacy = ""
        /// Method and URI.
        case auth
        /// Method, URI and body.
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// True if the challenge names the algorithm; credentials then name it as well.
    let namesAlgorithm: Bool
    let protection: Protection
    let isStale: Bool
    let hashesUsername: Bool

    init(_ challenge: AuthenticationChallenge) throws(DigestError) {
        let parameters = challenge.parameters
        guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { throw .malformedChallenge }
        guard let algorithm = Algorithm(parameters["algorithm"] ?? "MD5") else {
            throw .unsupportedAlgorithms([parameters["algorithm"] ?? ""])
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        namesAlgorithm = parameters["algorithm"] != nil
        opaque = parameters["opaque"]
        protection = try Self.protection(parameters["qop"])
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUsername = parameters["userhash"]?.lowercased() == "true"
    }

    private static func protection(_ text: String?) throws(DigestError) -> Protection {
        guard let text else { return .legacy }
        let offered = text.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        if offered.contains("auth") { return .auth }
        guard offered.contains("auth-int") else { throw .unsupportedProtection(text) }
        return .authInt
    }

    /// Returns the strongest challenge of a response, the first of equals; nil without a Digest challenge.
    static func strongest(in response: TransportResponse) throws(DigestError) -> DigestChallenge? {
        var best: DigestChallenge?
        var failures: [DigestError] = []
        for challenge in response.challenges where challenge.uses("Digest") {
            do throws(DigestError) {
                let candidate = try DigestChallenge(challenge)
                if best == nil || (best?.algorithm.function == .md5 && candidate.algorithm.function == .sha256) {
                    best = candidate
                }
            } catch {
                failures.append(error)
            }
        }
        if let best { return best }
        let names = failures.flatMap { if case .unsupportedAlgorithms(let names) = $0 { names } else { [String]() } }
        if !names.isEmpty { throw .unsupportedAlgorithms(names) }
        if let failure = failures.first { throw failure }
        return nil
    }
}

/// The state between two challenges of a server.
struct DigestSession: Sendable {
    let challenge: DigestChallenge
    private let username: String
    private let secret: String
    /// The nonce of the challenge, or a later `nextnonce`.
    private(set) var nonce: String
    private(set) var nonceCount = 0
    /// True after the server accepted credentials with this nonce.
    var isAccepted = false

    init(_ challenge: DigestChallenge, username: String, password: String, clientNonce: @autoclosure () -> String) {
        self.challenge = challenge
        self.username = username
        nonce = challenge.nonce
        let function = challenge.algorithm.function
        let plain = function.hex("\(username):\(challenge.realm):\(password)")
        guard challenge.algorithm.isSession else {
            (secret, sessionNonce) = (plain, nil)
            return
        }
        let sessionNonce = clientNonce()
        secret = function.hex("\(plain):\(challenge.nonce):\(sessionNonce)")
        self.sessionNonce = sessionNonce
    }

    /// The constant client nonce of a session algorithm.
    private let sessionNonce: String?

    /// Returns credentials for one request and advances the nonce count.
    mutating func nextCredentials(clientNonce: @autoclosure () -> String) -> DigestCredentials {
        nonceCount += 1
        return DigestCredentials(
            challenge: challenge, username: username, secret: secret, nonce: nonce, count: nonceCount,
            clientNonce: sessionNonce ?? clientNonce())
    }

    /// Switches to the `nextnonce` of the server (RFC 7616 §3.5).
    mutating func go(onWith nextNonce: String) {
        guard nextNonce != nonce else { return }
        nonce = nextNonce
        nonceCount = 0
    }
}

/// The credentials of one request (RFC 7616 §3.4).
struct DigestCredentials {
    let challenge: DigestChallenge
    let username: String
    /// H(A1), in hexadecimal.
    let secret: String
    let nonce: String
    let count: Int
    let clientNonce: String

    /// Returns the value of `Authorization`.
    /// - Parameter bodyHash: The hash of the body in hexadecimal; used by auth-int only.
    func header(method: String, uri: String, bodyHash: String) -> String {
        var parts = user
        parts.append("realm=\(Self.quoted(challenge.realm))")
        parts.append("nonce=\(Self.quoted(nonce))")
        parts.append("uri=\(Self.quoted(uri))")
        if challenge.namesAlgorithm { parts.append("algorithm=\(challenge.algorithm.name)") }
        if challenge.protection != .legacy || challenge.algorithm.isSession {
            parts.append("cnonce=\(Self.quoted(clientNonce))")
        }
        if challenge.protection != .legacy { parts += ["nc=\(nc)", "qop=\(challenge.protection.rawValue)"] }
        parts.append("response=\"\(response(method: method, uri: uri, bodyHash: bodyHash))\"")
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUsername { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func response(method: String, uri: String, bodyHash: String) -> String {
        let function = challenge.algorithm.function
        let covered = challenge.protection == .authInt ? "\(method):\(uri):\(bodyHash)" : "\(method):\(uri)"
        let protection =
            challenge.protection == .legacy ? "" : "\(nc):\(clientNonce):\(challenge.protection.rawValue):"
        return function.hex("\(secret):\(nonce):\(protection)\(function.hex(covered))")
    }

    /// The nonce count as eight hexadecimal digits.
    private var nc: String { count.digits(8, radix: 16) }

    /// The user name: hashed if the server requires it, in the extended notation of RFC 8187 if it is not ASCII (§3.4).
    private var user: [String] {
        if challenge.hashesUsername {
            return ["username=\"\(challenge.algorithm.function.hex("\(username):\(challenge.realm)"))\""]
        }
        guard username.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return ["username*=UTF-8''\(PercentEncoding.escape(username))"]
        }
        return ["username=\(Self.quoted(username))"]
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
