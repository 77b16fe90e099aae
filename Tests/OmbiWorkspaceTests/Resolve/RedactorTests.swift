import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite struct RedactorTests {
    private let mask = Redactor.mask

    @Test(arguments: [
        "pä/ss \"w\\ord+~*&", "x", "token-123", "日本/語", "line\nbreak",
    ])
    func `a secret is masked in all its forms`(secret: String) throws {
        let redactor = Redactor([secret])
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let percent = try #require(secret.addingPercentEncoding(withAllowedCharacters: unreserved))
        var forms = [secret, percent, Data(secret.utf8).base64EncodedString()]
        forms.append(percent.replacing(/%../) { $0.output.lowercased() })
        forms.append(percent.replacing("%20", with: "+").replacing("~", with: "%7E").replacing("%2A", with: "*"))
        for options in [[.fragmentsAllowed, .withoutEscapingSlashes], [.fragmentsAllowed]]
            as [JSONSerialization.WritingOptions]
        {
            let quoted = String(
                decoding: try JSONSerialization.data(withJSONObject: secret, options: options), as: UTF8.self)
            forms.append(String(quoted.dropFirst().dropLast()))
        }
        for form in forms {
            let redacted = redactor.redact("<\(form)>")
            #expect(redacted == "<\(mask)>", "\(form)")
        }
        #expect(redactor.redact(Data("a\(secret)b".utf8)) == Data("a\(mask)b".utf8))
    }

    @Test func `secrets that touch or overlap are masked as one, and the rest stays as it is`() {
        let redactor = Redactor(["abc-123", "123-xyz"])
        #expect(redactor.redact("<abc-123-xyz> abc-12 <123-xyz>") == "<\(mask)> abc-12 <\(mask)>")
        #expect(redactor.redact("abc-123123-xyz") == mask + mask)
        let plain = Data("nothing to mask: abc, 123 and xyz".utf8)
        #expect(redactor.redact(plain) == plain && redactor.redact(Data()) == Data())
        #expect(redactor.redact("") == "" && redactor.redact("abc") == "abc")
    }

    @Test(arguments: [
        "Sk-4f9Q/7h2+xZ==", "pä/ss \"w\\ord+~*&<'>", "hunter22", "line\nbreak %41", "日本/語のToken", "a%2Fb\\u0041\\",
    ])
    func `a secret is masked in every form in which a server repeats it`(secret: String) {
        let redactor = Redactor([secret])
        for (name, form) in SecretEchoes.forms(of: secret) {
            let redacted = redactor.redact("<\(form)>")
            #expect(redacted.contains(mask), "\(name): \(redacted)")
            if name.hasPrefix("Base64") {
                // At both ends a character may hold bits of the secret and of its neighbours.
                #expect(redacted.replacing(mask, with: "").count <= 2 + 3 + 8, "\(name): \(redacted)")
            } else {
                #expect(redacted == "<\(mask)>", "\(name): \(redacted)")
            }
            #expect(redactor.redact(Data("<\(form)>".utf8)) == Data(redacted.utf8), "\(name)")
        }
    }

    @Test func `credentials that a server repeats decoded are masked`() {
        let basic = Data("me:hunter22".utf8).base64EncodedString()
        for secret in [basic, "Basic " + basic] {
            let redactor = Redactor([secret])
            #expect(redactor.redact("user me:hunter22") == "user \(mask)", "\(secret)")
            #expect(redactor.redact("password HUNTER22, 68756e7465723232") == "password \(mask), \(mask)", "\(secret)")
            #expect(redactor.redact("for me") == "for me")
        }
    }

    @Test func `a short secret is found as it is, and in no text that only looks like it`() {
        let redactor = Redactor(["ab1"])
        #expect(redactor.redact("ab1 %61b1 &#97;b1") == "\(mask) \(mask) \(mask)")
        #expect(redactor.redact("AB1 616231 6162310a") == "AB1 616231 6162310a")
    }

    /// Each byte of the text begins an occurrence, or one that breaks off: to compare all of them would take hours.
    @Test(.timeLimit(.minutes(1)), arguments: ["a", "abc"])
    func `a long secret that repeats itself is found without comparing it from each byte of a text`(unit: String) {
        let secret = String(repeating: unit, count: 150_000 / unit.utf8.count)
        let redactor = Redactor([secret])
        let copies = Data((secret + secret).utf8)
        #expect(redactor.redact(copies) == Data(mask.utf8))
        let shorter = copies.prefix(secret.utf8.count - unit.utf8.count)
        #expect(redactor.redact(Data(shorter)) == shorter)
        #expect(redactor.redact(part: Data(shorter)) == Data(mask.utf8))
        #expect(redactor.redact(Data(secret.utf8).base64EncodedString()).contains(mask))
    }

    @Test func `a repeating secret is found where its beginning stands before it, and escaped at its end`() {
        let secret = String(repeating: "ab-1", count: 100) + "/end"
        let redactor = Redactor([secret])
        let start = secret.dropLast(4)
        for (text, masked) in [
            ("<\(start)\(secret)>", "<\(start)\(mask)>"), ("<\(start.dropFirst(4))x\(secret.uppercased())>", nil),
            ("<\(start)%2Fend \(start)\\/end>", "<\(mask) \(mask)>"), ("<ab-1ab-1\(secret)>", "<ab-1ab-1\(mask)>"),
            ("<\(start)/enx>", "<\(start)/enx>"), ("<ab\(secret.dropFirst(2).dropLast(9))…", "<\(mask)…"),
        ] as [(String, String?)] {
            let expected = masked ?? "<\(start.dropFirst(4))x\(mask)>"
            #expect(redactor.redact(text) == expected)
        }
    }

    @Test func `every one of many secrets is found among the others`() {
        let secrets = (0..<40).map { "secret-\($0 * 7919)-\(String($0, radix: 36))" }
        let redactor = Redactor(secrets)
        for secret in secrets {
            #expect(redactor.redact("a \(secret.uppercased()) b") == "a \(mask) b", "\(secret)")
        }
        let text = String(repeating: "secret- is no secret, %41&amp;\\u0041 neither. ", count: 100)
        #expect(redactor.redact(text) == text)
    }

    @Test(arguments: ["%", "&", "\\"]) func `what only looks like an escape hides no secret`(first: String) {
        let run = String(repeating: first, count: 9)
        for secret in ["\(first)zy98", "zy98"] {
            let masked = Redactor([secret]).redact("\(run)zy98\(run)")
            #expect(masked.hasPrefix(first) && masked.hasSuffix(mask + run) && !masked.contains("zy98"), "\(secret)")
        }
        #expect(Redactor(["zy98"]).redact("\(run)&#122;y98 %%7Ay98 \(run)") == "\(run)\(mask) %\(mask) \(run)")
        #expect(Redactor(["<zy98"]).redact("&&lt;zy98 &l") == "&\(mask) &l")
    }

    @Test func `a token that is full of beginnings of tokens is masked as one`() {
        var redactor = Redactor()
        redactor.add(tokensOf: .ntlm(username: "me", password: "secret"))
        // If each of them were followed to the end, this would not come to one.
        let token = String(repeating: "TlRMTVNTUAAD", count: 10_000)
        #expect(redactor.redact("a \(token) b Negotiate YIIabcdefghijklmn") == "a \(mask) b \(mask)")
        #expect(redactor.redact("4E544C4D53535000030000001800180082000000") == mask)
    }

    @Test func `a secret in the names of a certificate, in an unknown coding and in the path of a socket is masked`() {
        let name = "acme-4711.example.com"
        var metrics = TransportMetrics(
            tls: TLSReport(
                certificates: [.init(subject: "CN = \(name)", issuer: "CN = \(name.uppercased())", names: [name])],
                isVerified: true))
        (metrics.unknownCoding, metrics.remoteAddress) = ("acme-4711", "/tmp/acme-4711.sock:80")
        let attempt = AttemptReport(number: 1, startedAt: .zero, duration: .zero, metrics: metrics, outcome: .succeeded)
        let report = RequestReport(attempts: [attempt], duration: .zero, sla: nil, outcome: .succeeded)
        let masked = Redactor(["acme-4711"]).redact(report).attempts[0].metrics
        let host = "\(mask).example.com"
        #expect(
            masked.tls?.certificates == [
                .init(subject: "CN = \(host)", issuer: "CN = \(mask).EXAMPLE.COM", names: [host])
            ])
        #expect(masked.unknownCoding == mask)
        #expect(masked.remoteAddress == "/tmp/\(mask).sock:80")
        #expect(Redactor(["1"]).redact(address: "10.0.3.1:80") == "10.0.3.1:80")
        #expect(Redactor(["other"]).redact(report).attempts[0].metrics == metrics)
    }

    @Test(arguments: [0, 1, 2, 3]) func `a secret is masked in Base64 for URLs`(before: Int) {
        let secret = "~~~???>>>-s3cret"
        let data = Data((String(repeating: "u", count: before) + secret).utf8)
        let plain = data.base64EncodedString().replacing("=", with: "")
        for text in [plain, plain.replacing("+", with: "-").replacing("/", with: "_")] {
            #expect(Redactor([secret]).redact(text).contains(mask), "\(text)")
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `a secret is masked in a body of UTF-16, and the rest stays readable`(encoding: String.Encoding) throws {
        let redactor = Redactor(["token-0123"])
        let text = try #require("{\"a\":\"TOKEN-0123\",\"b\":\"other token-01234 text\"}".data(using: encoding))
        let masked = redactor.redact(text)
        #expect(masked.range(of: Data("0\u{0}1\u{0}2".utf8)) == nil)
        #expect(String(data: masked, encoding: encoding)?.hasSuffix(" text\"}") == true)
        #expect(redactor.redact(part: text.prefix(24)).range(of: Data("T\u{0}O".utf8)) == nil)
        let short = try #require("ab1".data(using: encoding))
        #expect(Redactor(["ab1"]).redact(short) == short)
    }

    @Test func `a secret that a body breaks off in is masked, and the rest is as it was`() {
        let redactor = Redactor(["token-0123456789"])
        #expect(redactor.redact(part: Data("a token-0123".utf8)) == Data("a \(mask)".utf8))
        for text in ["a b…", "a tok", ""] {
            #expect(redactor.redact(part: Data(text.utf8)) == Data(text.utf8), "\(text)")
        }
    }

    @Test(arguments: ["token—0123", "token€0123"])
    func `a secret that breaks off before a character that begins as the ellipsis does is masked`(secret: String) {
        #expect(Redactor([secret]).redact(part: Data("a token".utf8)) == Data("a \(mask)".utf8))
    }

    @Test func `an earlier response that a secret would be captured from is not kept`() {
        var redactor = Redactor(["captured-2"])
        redactor.hidesEarlierResponses = true
        let attempts = [200, 503, 200].enumerated().map { index, status in
            AttemptReport(
                number: index + 1, startedAt: .zero, duration: .zero, outcome: .abandoned,
                response: TransportResponse(
                    headers: ["X-Id": "captured-1"], statusCode: status, body: Data("captured-\(index + 1)".utf8)),
                willRetry: index < 2)
        }
        let masked = redactor.redact(
            RequestReport(attempts: attempts, duration: .zero, sla: nil, outcome: .succeeded)
        ).attempts
        #expect(masked[0].received?.body == nil && masked[0].omittedBody == 10)
        #expect(masked[0].received?.headers?["X-Id"]?.text == mask)
        #expect(masked[1].received?.body == Data(mask.utf8) && masked[1].omittedBody == nil)
        #expect(masked[2].received?.body == Data("captured-3".utf8))
    }

    @Test(arguments: 0..<7)
    func `a secret amid other bytes is masked in their Base64`(count: Int) {
        let secret = "pä/ss?~\u{ff}>\"w\\ord"
        let text = Data((String(repeating: "n", count: count) + secret + "tail").utf8).base64EncodedString()
        for form in [text, text.replacing("+", with: "-").replacing("/", with: "_"), text.replacing("/", with: "\\/")] {
            let redacted = Redactor([secret]).redact(form)
            #expect(redacted.contains(mask), "\(form)")
            // At both ends a character may hold bits of the secret and of its neighbours.
            let left = redacted.replacing(mask, with: "")
            #expect(left.count <= (count + 4) * 4 / 3 + 6, "\(redacted)")
        }
    }

    @Test func `the Base64 of a part of a short secret is no reason to mask anything`() {
        #expect(Redactor(["abc"]).redact("YWJj YWJ xhYmN5") == "\(mask) YWJ xhYmN5")
    }

    @Test(arguments: [
        "dGhpcw/aGVsbG8%2Bd29ybGQ==", "dGhpcw%2faGVsbG8+d29ybGQ%3D%3d", "dGhpcw\\/aGVsbG8\\u002bd29ybGQ=%3D",
        "dghpcw/agvsbg8+d29ybgq==", "dGhpcw/aGVsbG8…",
    ])
    func `a secret is masked however much of it is escaped, and where a message cuts it off`(form: String) {
        let redacted = Redactor(["dGhpcw/aGVsbG8+d29ybGQ=="]).redact("<\(form)>")
        #expect(redacted.hasPrefix("<\(mask)") && redacted.count <= mask.count + 3, "\(redacted)")
    }

    @Test func `the parts of an address that is a secret are masked`() {
        let redactor = Redactor(["https://Hidden.example.com:8443/v2/key-7?token=a%2Bb&x"])
        #expect(
            redactor.redact("could not connect to hidden.example.com:8443; GET /v2/key-7?token=a+b&x")
                == "could not connect to \(mask); GET \(mask)?token=\(mask)&x")
    }

    @Test func `a header field without the spaces at its ends is masked`() {
        #expect(Redactor([" s3cret\t"]).redact("[s3cret]") == "[\(mask)]")
    }

    @Test func `escapes of other writers are masked`() {
        let redactor = Redactor(["pä😀/"])
        #expect(redactor.redact("\"p\\u00e4\\ud83d\\ude00\\/\"") == "\"\(mask)\"")
        #expect(redactor.redact("\"p\\u00e4\\ud83d\\ude00/\"") == "\"\(mask)\"")
    }

    @Test func `secrets that overlap leave no end behind`() {
        #expect(Redactor(["abc", "cde"]).redact("xabcdey") == "x\(mask)y")
        #expect(Redactor(["ab", "abcd"]).redact("abcd ab") == "\(mask) \(mask)")
        #expect(Redactor(["aa"]).redact("aaa") == mask)
        #expect(Redactor(["abcd", "bc"]).redact("abcd") == mask)
    }

    @Test func `what is no secret stays`() {
        #expect(Redactor().redact("text") == "text")
        #expect(Redactor([""]).redact("text") == "text")
        #expect(Redactor(["secret"]).redact("secre t") == "secre t")
    }

    @Test func `a redactor does not tell its secrets`() {
        var dumped = ""
        dump(Redactor(["hunter2"]), to: &dumped)
        #expect(!dumped.contains("hunter2") && !"\(Redactor(["hunter2"]))".contains("hunter2"))
        #expect(!dumped.contains("104"))
    }
}
