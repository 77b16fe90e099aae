/// What a server asks for (RFC 7616 §3.3), as far as it can be answered.
struct DigestChallenge: Sendable, Equatable {
    struct Algorithm: Sendable, Equatable {
        /// As the server writes it.
        let name: String
        let function: HashFunction
        /// The secret is hashed once for a session, together with its first nonces.
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

    /// What of a request the answer covers.
    enum Protection: String, Sendable {
        /// RFC 2069, before there was a choice: method and URI.
        case legacy = ""
        /// Method and URI.
        case auth
        /// The body as well.
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// Whether the algorithm was named, and is to be named in turn.
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

    /// The strongest of those that a response offers, the first of equals; nil where it does not ask for Digest.
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
