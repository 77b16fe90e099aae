import TestSupport
import Testing

@testable import OmbiCore

@Suite struct AuthenticationChallengeTests {
    typealias Challenge = AuthenticationChallenge

    @Test(arguments: [
        ("Basic realm=\"a\"", [Challenge(scheme: "Basic", parameters: ["realm": "a"])]),
        ("Negotiate", [Challenge(scheme: "Negotiate")]),
        ("Negotiate YII=", [Challenge(scheme: "Negotiate", token: "YII=")]),
        ("NTLM TlRM/UwAB+AA==", [Challenge(scheme: "NTLM", token: "TlRM/UwAB+AA==")]),
        (
            "Negotiate YII=, Basic realm=x",
            [Challenge(scheme: "Negotiate", token: "YII="), Challenge(scheme: "Basic", parameters: ["realm": "x"])]
        ),
        (
            "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
            [
                Challenge(
                    scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                Challenge(scheme: "Basic", parameters: ["realm": "simple"]),
            ]
        ),
        (
            "Negotiate,Digest realm=\"a,b\",nonce=\"x==\" , qop=\"auth,auth-int\"",
            [
                Challenge(scheme: "Negotiate"),
                Challenge(scheme: "Digest", parameters: ["realm": "a,b", "nonce": "x==", "qop": "auth,auth-int"]),
            ]
        ),
        (
            "Bearer REALM = \"a\" , Error=\"b\"",
            [Challenge(scheme: "Bearer", parameters: ["realm": "a", "error": "b"])]
        ),
        ("Basic realm=\"first\", realm=\"second\"", [Challenge(scheme: "Basic", parameters: ["realm": "first"])]),
        (", ,Basic ,, realm=\"a\",,", [Challenge(scheme: "Basic", parameters: ["realm": "a"])]),
        ("Basic realm=", [Challenge(scheme: "Basic", token: "realm=")]),
        ("Basic realm=\"a", [Challenge(scheme: "Basic", parameters: ["realm": "a"])]),
        ("Basic realm=\"a\\", [Challenge(scheme: "Basic", parameters: ["realm": "a\\"])]),
        ("Basic realm=\"J\u{E4}s\u{F8}n\"", [Challenge(scheme: "Basic", parameters: ["realm": "J\u{E4}s\u{F8}n"])]),
        ("realm=\"a\", Basic", [Challenge(scheme: "Basic")]),
        ("\"Basic\" Digest", [Challenge(scheme: "Digest")]),
        ("Digest username*=UTF-8''a", [Challenge(scheme: "Digest", parameters: ["username*": "UTF-8''a"])]),
        ("", []), (" , ", []), ("=", []), ("\"", []),
    ])
    func `a field is read`(field: String, expected: [Challenge]) {
        #expect(Challenge.parse(field) == expected)
    }

    @Test func `a field without a scheme has parameters only`() {
        let text = "nextnonce=\"a\\\"b\", qop=auth, rspauth=\"\", cnonce=\"c\", nc=00000001"
        let expected = ["nextnonce": "a\"b", "qop": "auth", "rspauth": "", "cnonce": "c", "nc": "00000001"]
        #expect(Challenge.parameters(text) == expected)
        #expect(Challenge.parameters("").isEmpty && Challenge.parameters("Basic").isEmpty)
    }

    @Test func `no text stops the parser, and what it gives can be read again`() {
        var random = SeededRandom(seed: 9)
        let pieces = [
            "Basic", "Digest", " ", " ", ",", "=", "\"", "\\", "realm", "a", "/", "==", "\t", "\u{0}", "\u{E4}", ";",
            "(",
        ]
        for _ in 0..<20_000 {
            let count = Int(random.next() % 24)
            let text = random.pick(count, of: pieces).joined()
            for challenge in Challenge.parse(text) {
                #expect(HeaderCheck.isToken(challenge.scheme), "\(text)")
                #expect(challenge.token == nil || challenge.parameters.isEmpty, "\(text)")
                #expect(challenge.parameters.keys.allSatisfy { HeaderCheck.isToken($0) }, "\(text)")
            }
            _ = Challenge.parameters(text)
        }
    }

    @Test func `a long field takes time in proportion to its length`() {
        let field = String(repeating: "Basic realm=\"a\", ", count: 20_000)
        #expect(Challenge.parse(field).count == 20_000)
        // The last but one has the last for its data.
        #expect(Challenge.parse(String(repeating: "Basic ", count: 20_000)).count == 19_999)
        #expect(Challenge.parse(String(repeating: "\"", count: 100_001)).isEmpty)
    }
}
