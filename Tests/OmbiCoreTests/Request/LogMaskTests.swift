import Testing

@testable import OmbiCore

/// Credentials in URLs.
@Suite struct LogMaskTests {
    @Test(arguments: [
        ("http://a.test/p?x=1&token=s3cr3t", "http://a.test/p?x=1&token=••••••"),
        ("http://me:s3cr3t@a.test/", "http://••••••@a.test/"),
        ("http://a.test/cb#access_token=s3cr3t&state=7", "http://a.test/cb#access_token=••••••&state=7"),
        ("http://a.test/cb?x=1#access_token=s3cr3t", "http://a.test/cb?x=1#access_token=••••••"),
        ("http://a.test/?token=s3cr3t#top", "http://a.test/?token=••••••#top"),
        ("http://a.test/cb?code=s3cr3t-s3cr3t-01&state=7", "http://a.test/cb?code=••••••&state=7"),
        ("http://a.test/t?grant_type=x&code=s3cr3t", "http://a.test/t?grant_type=x&code=••••••"),
        ("http://a.test/zip?state=CA&code=90210", "http://a.test/zip?state=CA&code=90210"),
        ("http://a.test/#/cb?token=s3cr3t&x=1", "http://a.test/#/cb?token=••••••&x=1"),
        ("http://a.test/x;jsessionid=s3cr3t;v=1/y?a=1", "http://a.test/x;jsessionid=••••••;v=1/y?a=1"),
        ("/login?next=https%3A%2F%2Fa.test%2F%3Faccess_token%3Ds3cr3t&x=1", "/login?next=••••••&x=1"),
        ("/login?next=%252Fcb%253Fa%253Db%2526token%253Ds3cr3t", "/login?next=••••••"),
        ("/login?next=/cb%23access_token=s3cr3t", "/login?next=••••••"),
        ("/login?next=%2Fcb%3Fa%3Db&q=50%25", "/login?next=%2Fcb%3Fa%3Db&q=50%25"),
        ("/next#section-2?", "/next#section-2?"), ("http://a.test/#", "http://a.test/#"), ("", ""),
        ("https://me@a.test:80/x@y", "https://••••••@a.test:80/x@y"), ("/mail/a@b:c@d", "/mail/a@b:c@d"),
        ("http://a.test/é@ö", "http://a.test/é@ö"), ("http://mé:ö@a.test/", "http://••••••@a.test/"), ("a:@", "a:@"),
    ])
    func `a URL has no value of a credential, in its query and in its fragment`(url: String, masked: String) {
        #expect(LogMask.url(url) == masked)
    }

    @Test(arguments: [
        ("X-Api-Key", true), ("apiKey", true), ("API KEY", true), ("user[pass_word]", true), ("To\u{212A}en", true),
        ("Pin", true), ("pinned", false), ("sessionId", true), ("cookieé", true), ("Content-Type", false), ("", false),
        ("tok", false), ("schlüssel", false), ("X-Session", true), ("x-auth", true), ("X-JWT", true), ("X-OTP", true),
        ("X-Auth-Key", true), ("DD-APPLICATION-KEY", true), ("Fastly-Key", true), ("license_key", true),
        ("Idempotency-Key", false), ("primaryKey", false), ("monkey", false), ("X-Request-Id", false), ("x", false),
        ("x_key", true), ("xKey", false), ("yKey", false), ("X-Tableau-Auth", true), ("x_user_session", true),
        ("X-Auth-Type", false), ("X-Author", false), ("X-Sessions", false), ("user_session", false),
        ("client_assertion", true), ("client_assertion_type", false), ("assertions", false), ("X-Hmac", true),
        ("passcode", true), ("X-2FA-Code", true), ("PHPSESSID", true), ("assessId", false), ("Jenkins-Crumb", true),
        ("X-Honeycomb-Team", true), ("X-Admin-Key", true), ("pageToken", false), ("NextToken", false),
        ("X-Continuation-Token", false), ("nextPageToken", false), ("tokenizer", false), ("secretary", false),
        ("secretaryPassword", true), ("tokenizerToken", true), ("accessToken", true), ("pageTokenSecret", true),
        ("pw", true), ("npw", false),
    ])
    func `the name of a credential is known in any case and with any separator`(name: String, isOne: Bool) {
        #expect(LogMask.isSensitive(name) == isOne)
    }

    @Test(arguments: [
        "x_pin", "X-Otp", "license_key", "auth_key", "secret_key", "secret_code2", "token_value", "cvv", "passcode",
    ])
    func `a credential that is a number is masked`(name: String) {
        #expect(LogMask.json("{\"\(name)\":123456}") == "{\"\(name)\":\"\(LogMask.mask)\"}")
    }

    @Test(arguments: [
        (#"{"code":"s3cr3t","grant_type":"x"}"#, #"{"code":"••••••","grant_type":"x"}"#),
        (#"{"redirect_uri":"/cb","code":"s3cr"#, #"{"redirect_uri":"/cb","code":"••••••""#),
        (#"{"code":"90210","state":"CA"}"#, #"{"code":"90210","state":"CA"}"#),
        (#"{"code":400,"redirect_uri":"/cb"}"#, #"{"code":400,"redirect_uri":"/cb"}"#),
    ])
    func `the code of a grant is masked in JSON`(text: String, masked: String) {
        #expect(LogMask.json(text) == masked)
    }

    @Test(arguments: [
        "", "?", "http://a.test", "/a?b", "/a?b=1&c=2&d", "/a?page=12&sort=name", "/a?tokenize=1", "/a?sid=abc",
        "/a?q=what?&page=2", "/a?=1&&", "/a?code=410", "/a?title=x&state=open",
    ])
    func `a URL with nothing secret is as it was`(url: String) { #expect(LogMask.url(url) == url) }

    @Test(arguments: [
        ("/a?b=1&Api-Key=k", "/a?b=1&Api-Key=••••••"), ("/a?token=", "/a?token=••••••"),
        ("/a?x-sid=abc123defg&p=1", "/a?x-sid=••••••&p=1"), ("/a?%74oken=1", "/a?%74oken=••••••"),
        ("/a?next=/b?token=1", "/a?next=••••••"), ("/a?state=1&code=abcdefgh12345678", "/a?state=1&code=••••••"),
        ("/a#access_token=1", "/a#access_token=••••••"), ("/a;jsessionid=1?b", "/a;jsessionid=••••••?b"),
    ])
    func `a URL is masked wherever it has a secret`(url: String, masked: String) {
        #expect(LogMask.url(url) == masked)
    }

    @Test(arguments: ["x", "xs", "pw", "toke", "tokens", "secretary", "ſecret", "to-ken", "", "nexttokens", "x-otp"])
    func `a name is sensitive as text and as bytes alike`(name: String) {
        let isSensitive = ["pw", "tokens", "to-ken", "nexttokens", "x-otp"].contains(name)
        #expect(LogMask.isSensitive(name) == isSensitive)
        #expect(LogMask.isSensitive(Substring(name)) == isSensitive)
        #expect(Array(name.utf8).withUnsafeBufferPointer { LogMask.isSensitive($0) } == isSensitive)
    }

    /// Names that share a place among the known ones, escapes before quotation marks, and text that is cut off.
    @Test func `a long list is masked like each of its elements`() {
        let names = [
            "id", "token", "t\\u006Fken", "pin", "nip", "user name", "a\\\"token", "password\\\\", "tokens", "Token",
            "", "code", "access_token", "token_access", "x-otp", "é", "cookié",
        ]
        let values = [#""v""#, #""\\""#, #""a\"b""#, "12", "true", "null", #"["s"]"#, #"{"pin":"1"}"#, #""\\\"x""#]
        let rows = names.flatMap { name in values.map { "{\"\(name)\":\($0),\"n\":1}" } }
        let text = "[" + rows.joined(separator: ",") + "]"
        #expect(text.utf8.count > 2000)
        #expect(LogMask.json(text) == "[" + rows.map { LogMask.json($0) }.joined(separator: ",") + "]")
        let bytes = Array(text.utf8)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            let masked = LogMask.json(Array(bytes[..<end]))
            #expect(masked == Array(LogMask.json(Data(bytes[..<end]))))
        }
    }

    /// Quotation marks at each position in a word, near to each other and far apart.
    @Test func `a secret is masked wherever it is, also where the text is cut off in it`() {
        for indent in 0...80 {
            for length in [0, 1, 5, 6, 7, 8, 9, 55, 56, 63, 64, 65, 71, 72, 73, 150] {
                let note = String(repeating: "x", count: length)
                let start = String(repeating: " ", count: indent) + "{\"note\":\"\(note)\",\"token\":\""
                let rest = "\",\"a\":\"\(note)\",\"pin\":\""
                let mask = LogMask.mask
                #expect(LogMask.json(start + "s3cr3t" + rest + "1\"}") == start + mask + rest + mask + "\"}")
                #expect(LogMask.json(start + "s3cr3t") == start + mask + "\"")
            }
        }
    }

    @Test func `a literal that is longer than any number is masked`() {
        let text = "{\"max_tokens\":" + String(repeating: "1", count: 70) + "}"
        #expect(LogMask.json(text) == "{\"max_tokens\":\"••••••\"}")
    }

    @Test func `names of bodies before say the same as a look at each name`() {
        let long = String(repeating: "n", count: 24)
        // As many as the places do not hold, names that begin alike, and those of other bytes with the same words.
        let names =
            (0..<600).map { "name\($0)" } + (0..<600).map { "token\($0)" }
            + [long, long + "token", "token", "token\u{0}", "toke\u{0}", "code", "code\u{0}", ""]
        var known = KnownNames()
        for _ in 0..<2 {
            for name in names {
                let text = Data("{\"grant_type\":1,\"\(name)\":\"v\"}".utf8)
                #expect(LogMask.json(text, &known) == LogMask.json(text), "\(name)")
                let isMasked = LogMask.json(text, &known) != text
                #expect(isMasked == (LogMask.isSensitive(name) || name == "code"), "\(name)")
            }
        }
    }
}
