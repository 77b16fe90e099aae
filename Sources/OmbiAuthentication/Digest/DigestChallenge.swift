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
