import Testing

@testable import OmbiWorkspace

/// The places of secrets in a text: what is masked there, and nothing else.
@Suite struct SecretDetectorTests {
    @Test(arguments: [
        ("Bearer abc", "Authorization", "Bearer ••••••"), ("Custom abc def", "Authorization", "Custom ••••••"),
        ("abc", "Authorization", "••••••"), ("Basic dTpw", "Proxy-Authorization", "Basic ••••••"),
        ("KEY123456", "X-Api-Key", "••••••"), ("Token abc", "X-Auth-Token", "Token ••••••"),
        ("open sesame", "password", "••••••"), (" abc ", "X-Api-Key", " •••••• "),
        ("sessionid=SESS1; csrftoken=CSRF2; theme=dark", "Cookie", "sessionid=••••••; csrftoken=••••••; theme=••••••"),
        ("a=1; b={{b}};c=", "cookie", "a=••••••; b={{b}};c="), ("opaque", "Cookie", "••••••"),
        ("SECRETQ", "token", "••••••"), ("s3cret", "client_secret", "••••••"), ("1234", "pin", "••••••"),
        ("KEY123456", "key", "••••••"), ("name", "key", "name"), ("2024", "page", "2024"),
        ("/a?x=1&token=T1&y=2#z", "path", "/a?x=1&token=••••••&y=2#z"),
        ("/a?token={{t}}&api_key=K2", "path", "/a?token={{t}}&api_key=••••••"),
        ("http://u:p%40w@h.test/a?sig=S", "proxy", "http://u:••••••@h.test/a?sig=••••••"),
        ("socks5://u:{{p}}@h:1", "proxy", "socks5://u:{{p}}@h:1"),
        ("http://u:p<\"w@h.test/", "url", "http://u:••••••@h.test/"),
        (
            #"{"a":["https://h.test"],"b":[{"id":0}],"email":"u@h.test"}"#, "json",
            #"{"a":["https://h.test"],"b":[{"id":0}],"email":"u@h.test"}"#
        ),
        (
            "https://h.test/cb?next=https://x.test/?token=1", "callback",
            "https://h.test/cb?next=https://x.test/?token=1"
        ),
        ("550e8400-e29b-41d4-a716-446655440000", "X-Api-Key", "••••••"),
        ("550e8400-e29b-41d4-a716-446655440000", "X-Request-Id", "550e8400-e29b-41d4-a716-446655440000"),
    ])
    func `secrets are masked where they stand, and what is around them shows`(
        _ text: String, _ name: String, _ masked: String
    ) {
        #expect(SecretDetector.masked(text, named: name) == masked)
    }

    @Test(arguments: [
        ("name", "key"), ("sort", "session"), ("words of a sentence", "token"),
    ])
    func `in a body a name alone says nothing`(_ text: String, _ name: String) {
        #expect(SecretDetector.find(in: text, named: name, .body) == [])
        let disorder = "q8Zr-4Lm2" + "Xv7Tb1Kd9Pw"
        #expect(SecretDetector.find(in: disorder, named: name, .body).map(\.kind) == ["a secret"])
    }

    @Test(arguments: [
        "password", "passwd", "pw", "newPassword", "secret", "client_secret", "api_key", "apiKey", "access_token",
        "refreshToken",
        "private_key", "token",
    ])
    func `in a body a name that only credentials have says enough`(_ name: String) {
        #expect(SecretDetector.find(in: "hunter2222", named: name, .body).map(\.name) == [name])
    }

    @Test(arguments: [
        ("{\"user\":\"bob\",\"password\":\"hunter2222\"}", "{\"user\":\"bob\",\"password\":\"••••••\"}"),
        ("  \"api_key\" : \"bodykey777\",", "  \"api_key\" : \"••••••\","),
        ("{\"n\": {{n}}, \"password\": \"a\\\"b1\"}", "{\"n\": {{n}}, \"password\": \"••••••\"}"),
        ("grant_type=password&password=pw%409&x=1", "grant_type=password&password=••••••&x=1"),
        ("client%5Fsecret=s3cret", "client%5Fsecret=••••••"), ("a b=1&password=pw9", "a b=1&password=pw9"),
        ("{\"password\":\"{{pw}}\",\"token\":7}", "{\"password\":\"{{pw}}\",\"token\":7}"),
        ("{\"password\":\"cut off", "{\"password\":\"cut off"),
        ("{\"a\":\"password\",\"b\":\"x\"}", "{\"a\":\"password\",\"b\":\"x\"}"),
        (
            "mutation { login(user: \"bob\", password: \"pw12345\") { id } }",
            "mutation { login(user: \"bob\", password: \"••••••\") { id } }"
        ),
        ("query { a(token: $token) { password } }", "query { a(token: $token) { password } }"),
        ("<u><n>bob</n><password>pw=9==</password></u>", "<u><n>bob</n><password>••••••</password></u>"),
        ("<w:Password Type=\"Text\">pw12345</w:Password>", "<w:Password Type=\"Text\">••••••</w:Password>"),
        ("<db user=\"bob\" password=\"pw12345\"/>", "<db user=\"bob\" password=\"••••••\"/>"),
        ("<password>{{pw}}</password>", "<password>{{pw}}</password>"), ("<password>cut", "<password>cut"),
        ("<label for=\"password\">Password</label>", "<label for=\"password\">Password</label>"),
        ("password: \"pw12345\"\nuser: \"bob\"", "password: \"••••••\"\nuser: \"bob\""),
    ])
    func `the members of a body and the fields of a form are masked where they stand`(
        _ text: String, _ masked: String
    ) {
        #expect(SecretDetector.masked(body: text) == masked)
    }

    @Test func `a body of nothing but ends of elements is read once`() {
        // If each of them were followed to the end, this would not come to one.
        let text = "<a" + String(repeating: ">", count: 1 << 20)
        #expect(SecretDetector.masked(body: text) == text)
    }

    @Test(arguments: [
        ("abc", "Ocp-Apim-Subscription-Key"), ("abc", "x-functions-key"), ("123456", "X-Otp"), ("1234", "X-Pin"),
        ("appkey1", "app_key"), ("PHNhbWw+", "SAMLResponse"), ("QwErTyUiOpAsDfGhJkLz", "key"), ("abc123def456", "sid"),
        ("ST-1856-aA5Yuvrx", "ticket"), ("abc1", "X-Session"), ("abc", "X-Auth-Key"), ("abc", "DD-APPLICATION-KEY"),
        ("abc", "Fastly-Key"), ("abc", "X-JWT"), ("abc", "X-Tableau-Auth"), ("aB3dE5gH7", "X-Ticket"),
        ("abc", "client_assertion"),
    ])
    func `names of single services count`(_ value: String, _ name: String) {
        #expect(SecretDetector.masked(value, named: name) == "••••••")
        #expect(SecretDetector.masked("/a?\(name)=\(value)&b=1", named: "path") == "/a?\(name)=••••••&b=1")
    }

    @Test(arguments: [
        ("PROJ-12345", "ticket"), ("550e8400-e29b-41d4-a716-446655440000", "sid"), ("firstName", "key"),
        ("true", "pin"), ("false", "hide_password"), ("none", "auth"), ("100", "max_tokens"), ("7", "X-Tokens-Left"),
        ("Bearer", "token_type"), ("CAoQAA12", "pageToken"), ("word", "tokenizer"), ("PROJ-12345", "X-Ticket"),
    ])
    func `identifiers and columns are none`(_ value: String, _ name: String) {
        #expect(SecretDetector.find(in: value, named: name) == [])
    }

    @Test(arguments: [
        ("https://hooks.slack.test/services/T0AB12/B0CD34/", "aBcDeFgHiJkLmNoPqRsTuVwX", ""),
        ("https://api.telegram.test/bot123:", "AAEhBOweik6ad9rQXvTzKuNcLmPo", "/sendMessage?x=1"),
        ("/api/webhooks/112233445566778899/", "a1B2c3D4e5F6g7H8i9J0k1L2", ""),
    ])
    func `tokens in a path are masked`(_ before: String, _ token: String, _ after: String) {
        #expect(SecretDetector.masked(before + token + after, named: "path") == before + "••••••" + after)
        let none = before + "{{token}}" + after
        #expect(SecretDetector.masked(none, named: "path") == none)
    }

    @Test func `a body and a message keep templates when their secrets are moved`() throws {
        let text = """
            { "version": 1, "name": "sec", "items": [
              { "request": "a", "method": "POST", "path": "/a",
                "body": { "json": { "user": "bob", "password": "hunter2222", "api_key": "bodykey777" } } },
              { "request": "b", "method": "POST", "path": "/b", "body": { "text": "grant_type=password&password=pw9" } },
              { "request": "c", "path": "/c", "webSocket": { "messages": [{ "name": "m", "text": "{\\"token\\":\\"message888\\"}" }] } }
            ] }
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "sec.json").collection)
        let secrets = try #require(PlainSecrets(of: collection, file: "sec.json"))
        #expect(Set(secrets.found.map(\.value)) == ["hunter2222", "bodykey777", "pw9", "message888"])
        let moved = try #require(secrets.collection(without: secrets.found, of: collection))
        #expect(moved.requests[0].body?.text?.contains("{{api_key}}") == true)
        #expect(moved.requests[1].body?.text?.hasPrefix("grant_type=password&password={{password") == true)
        #expect(PlainSecrets(of: moved, file: "sec.json")?.found == [])
    }

    @Test(arguments: ["demo", "demo-token", "an example", "your.placeholder", "not-a-secret"])
    func `words that say that a value is nobody's are left`(_ value: String) {
        #expect(SecretDetector.isPlaceholder(value[...]))
        #expect(!SecretDetector.isPlaceholder("hunter2") && !SecretDetector.isPlaceholder("s3cret"))
    }

    /// A pasted command: everything that the screen masks is named, and moved.
    @Test func `what the screen masks is what the file is told of, and what is moved`() throws {
        let text = """
            { "version": 1, "name": "sec",
              "environments": [{ "name": "l", "host": "http://u:hostpass1@h.test", "variables": { "password": "hunter2" } }],
              "items": [{ "request": "a", "path": "/a?sig=SIG9",
                "query": [{ "name": "x", "value": "1" }, { "name": "token", "value": "SECRETQ" }],
                "headers": [{ "name": "X-Api-Key", "value": "KEY123456" },
                  { "name": "Cookie", "value": "sessionid=SESS1; csrftoken=CSRF2; theme=dark" }],
                "authentication": { "basic": { "username": "bob", "password": "hunter2" } },
                "body": { "form": [{ "name": "pin", "value": "1234" }] } }] }
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "sec.json").collection)
        let secrets = try #require(PlainSecrets(of: collection, file: "sec.json"))
        #expect(
            Set(secrets.found.map(\.value)) == [
                "hostpass1", "hunter2", "SIG9", "SECRETQ", "KEY123456", "SESS1", "CSRF2", "dark", "1234",
            ])
        let names = Dictionary(secrets.found.map { ($0.value, $0.name) }) {
            #expect($0 == $1)
            return $1
        }
        #expect(names["SESS1"] == "sessionid" && names["KEY123456"] == "XApiKey" && names["SECRETQ"] == "token")
        let moved = try #require(secrets.collection(without: secrets.found, of: collection))
        let request = moved.requests[0]
        #expect(request.headers[1].value == "sessionid={{sessionid}}; csrftoken={{csrftoken}}; theme={{theme}}")
        #expect(request.query.map(\.value) == ["1", "{{token}}"] && request.path == "/a?sig={{sig}}")
        for secret in secrets.found where secret.value != "dark" { #expect(!moved.text.contains(secret.value)) }
        #expect(PlainSecrets(of: moved, file: "sec.json")?.found == [])
        #expect(PlainSecrets.new(in: collection, since: collection, file: "sec.json") == [])
        #expect(PlainSecrets.new(in: collection, since: moved, file: "sec.json").count == secrets.found.count)
    }
}
