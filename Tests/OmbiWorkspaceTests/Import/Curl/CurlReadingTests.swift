import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The form that the parts of a command take in a request.
@Suite struct CurlReadingTests {
    private func request(_ line: String) throws -> SavedRequest {
        try #require(try CurlImport.read(line).requests.first)
    }

    @Test func `a JSON body keeps its order and its numbers`() throws {
        let body = try request("curl --json '{\"z\": 1.50, \"a\": [1e3, 12345678901234567890]}' a.test").body
        #expect(body?.kind == .json && body?.text == "{\n  \"z\": 1.50,\n  \"a\": [1e3, 12345678901234567890]\n}")
    }

    @Test func `a form becomes rows if those send the same bytes`() throws {
        #expect(
            try request("curl -d 'a=1+2&b=%C3%A9' a.test").body
                == .form(FormContent([Field("a", "1 2"), Field("b", "é")])))
        #expect(
            try request("curl -d 'a=%7e&b' a.test").body
                == .text(TextContent("a=%7e&b", contentType: "application/x-www-form-urlencoded")))
    }

    @Test func `a query becomes rows if those send the same`() throws {
        let rows = try request("curl 'https://a.test/x?a=1&b=%20'")
        #expect(rows.path == "https://a.test/x" && rows.query == [Field("a", "1"), Field("b", " ")])
        let kept = try request("curl 'https://a.test/x?a=1+2&b'")
        #expect(kept.path == "https://a.test/x?a=1+2&b" && kept.query.isEmpty)
    }

    @Test(arguments: [
        (
            "--digest -u ada:pw http://a.test",
            SavedAuthentication.digest(DigestAuthentication(username: "ada", password: "pw"))
        ),
        ("--digest http://ada:pw@a.test", .digest(DigestAuthentication(username: "ada", password: "pw"))),
        (
            "--digest -u 'ada:{{pw}}' http://a.test",
            .digest(DigestAuthentication(username: "ada", password: "{{pw}}"))
        ),
        ("--digest --no-digest -u ada:pw http://a.test", .basic(BasicAuthentication(username: "ada", password: "pw"))),
        (
            "--aws-sigv4 aws:amz:eu-central-1:execute-api -u AKID:s3cret -H 'X-Amz-Security-Token: t' https://a.test",
            .aws(
                AWSAuthentication(
                    accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: "t", region: "eu-central-1",
                    service: "execute-api"))
        ),
        (
            "--aws-sigv4 aws:amz -u AKID:s3cret https://s3.us-west-2.amazonaws.com/x",
            .aws(
                AWSAuthentication(
                    accessKeyID: "AKID", secretAccessKey: "s3cret", region: "us-west-2", service: "s3"))
        ),
        ("--ntlm -u me:pw http://a.test", .ntlm(NTLMAuthentication(username: "me", password: "pw"))),
        ("--ntlm http://me:pw@a.test", .ntlm(NTLMAuthentication(username: "me", password: "pw"))),
        (
            "--ntlm -u 'CORP\\me:{{pw}}' http://a.test",
            .ntlm(NTLMAuthentication(username: "me", password: "{{pw}}", domain: "CORP"))
        ),
        ("--negotiate -u : http://a.test", .negotiate(NegotiateAuthentication())),
        ("-n http://a.test", .netrc(NetrcAuthentication())),
        ("--netrc-optional http://a.test", .netrc(NetrcAuthentication())),
        ("-n http://me:pw@a.test", .netrc(NetrcAuthentication())),
        ("--netrc-file ./users http://a.test", .netrc(NetrcAuthentication(file: "./users"))),
        ("-n --no-netrc -u ada:pw http://a.test", .basic(BasicAuthentication(username: "ada", password: "pw"))),
        ("-n -u ada:pw http://a.test", .basic(BasicAuthentication(username: "ada", password: "pw"))),
    ]) func `credentials of other kinds become authentication, and go out again`(
        options: String, authentication: SavedAuthentication
    ) throws {
        let read = try request("curl \(options)")
        #expect(read.authentication == authentication && read.headers.isEmpty)
        #expect(try request(CurlExport.shown(read, in: nil)).authentication == authentication)
    }

    @Test(arguments: [
        ("-x http://u:p@p.test:81 -U a:b", "http://u:p@p.test:81"), ("-x p.test:81 -U a:b", "http://a:b@p.test:81"),
        ("-x p.test:81 -U a:b --proxy-basic", "http://a:b@p.test:81"),
        ("--socks5 p.test -U a:b", "socks5://a:b@p.test"), ("--socks5-hostname p.test:81", "socks5h://p.test:81"),
        ("--socks4 p.test:81", "socks4://p.test:81"), ("-x q.test --socks4a p.test:81", "socks4a://p.test:81"),
        ("--socks5 q.test -x p.test:81 --preproxy socks5://r.test", "http://p.test:81"),
        ("-x p.test:81 --noproxy '*'", "none"), ("--noproxy '*'", "none"),
    ])
    func `the proxy has the user that curl signs in with`(options: String, proxy: String) throws {
        #expect(try request("curl \(options) http://a.test").connection?.proxy == proxy)
    }

    @Test(arguments: ["anyauth", "digest", "negotiate", "ntlm"])
    func `a proxy's password for other credentials is not sent as Basic`(kind: String) throws {
        for proxy in ["-x http://p.test:81 -U a:b", "-x p.test:81 -U a:b", "-x http://a:b@p.test:81"] {
            let read = try CurlImport.read("curl \(proxy) --proxy-\(kind) http://a.test")
            #expect(read.requests.first?.connection?.proxy == "http://p.test:81")
            #expect(read.losses.map(\.subject) == ["--proxy-\(kind)"])
        }
        let basic = try CurlImport.read("curl -x p.test:81 -U a:b --proxy-\(kind) --no-proxy-\(kind) http://a.test")
        #expect(basic.requests.first?.connection?.proxy == "http://a:b@p.test:81" && basic.losses.isEmpty)
        let socks = try CurlImport.read("curl -x socks5://p.test:81 -U a:b --proxy-\(kind) http://a.test")
        #expect(socks.requests.first?.connection?.proxy == "socks5://a:b@p.test:81" && socks.losses.isEmpty)
    }

    @Test(arguments: [
        "--anyauth -u me:pw", "--ntlm --digest -u me:pw", "--ntlm --negotiate -u me:pw", "--digest -n", "--ntlm -n",
    ])
    func `a password for other credentials is not sent as Basic`(options: String) throws {
        #expect(try request("curl \(options) http://a.test").authentication == nil)
    }

    @Test func `a form keeps a multipart type, and no other`() throws {
        let related = try request("curl -F a=1 -H 'Content-Type: multipart/related; type=x' a.test")
        #expect(related.headers == [Field("Content-Type", "multipart/related; type=x")])
        for type in ["multipart/form-data", "multipart/form-data; boundary=x", "application/json"] {
            #expect(try request("curl -F a=1 -H 'Content-Type: \(type)' a.test").headers.isEmpty)
        }
    }

    @Test func `a URL without a scheme has that of the option`() throws {
        #expect(try request("curl --proto-default https a.test/x").path == "https://a.test/x")
        #expect(try request("curl --proto-default HTTPS http://a.test/x").path == "http://a.test/x")
    }

    @Test func `two files of one option are noted`() throws {
        let read = try CurlImport.read("curl -F 'f=@a.txt,b.txt' a.test")
        #expect(read.requests.first?.body?.rows?.count == 2)
        #expect(read.notes.contains { $0.message.contains("multipart/mixed") })
    }

    @Test func `a password of a digest in a command is noted`() throws {
        let remarks = try CurlImport.read("curl --digest -u ada:pw http://a.test").notes
        #expect(remarks.contains { "\($0)".contains("the palette (:) moves it to a secret") })
    }

    @Test func `retries and time limits become the policy`() throws {
        let policy = try request("curl --retry 3 --retry-delay 2 -m 2.5 --retry-max-time 20 a.test").policy
        #expect(
            policy
                == RequestPolicy(
                    retries: 3, sla: .seconds(20), timeout: .milliseconds(2500), backoff: .constant(.seconds(2))))
        #expect(
            try request("curl --retry 1 a.test").policy?.backoff == Backoff(first: .seconds(1), ceiling: .seconds(600)))
        #expect(try request("curl -m 90 a.test").policy == RequestPolicy(sla: .seconds(90), timeout: .seconds(90)))
        #expect(try request("curl a.test").policy == nil)
    }

    @Test(arguments: [
        ("-x p.test", "{\"proxy\":\"http://p.test:1080\"}"),
        ("-x socks5h://p.test", "{\"proxy\":\"socks5h://p.test\"}"),
        ("-x http://p.test:3128/ -U 'ada:p@ss'", "{\"proxy\":\"http://ada:p%40ss@p.test:3128\"}"),
        ("-x ''", "{\"proxy\":\"none\"}"), ("--cacert ca.pem", "{\"caFile\":\"ca.pem\"}"),
        ("-E me.pem:pw --key k", "{\"clientCertificate\":{\"file\":\"me.pem\",\"key\":\"k\",\"password\":\"pw\"}}"),
        ("-E me.p12 --pass '{{p}}'", "{\"clientCertificate\":{\"file\":\"me.p12\",\"password\":\"{{p}}\"}}"),
        (
            "--pinnedpubkey 'sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE='",
            "{\"pins\":[\"sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=\"]}"
        ),
        (
            "--tlsv1.3 --http2 --http1.1 -6",
            "{\"minimumTLS\":\"1.3\",\"httpVersion\":\"1.1\",\"addressFamily\":\"ipv6\"}"
        ),
        ("--max-redirs 3 --unix-socket /run/s", "{\"maximumRedirects\":3,\"unixSocket\":\"/run/s\"}"),
        (
            "--resolve a.test:80:127.0.0.1 --connect-timeout 2.5",
            "{\"connectTimeout\":\"2.5s\",\"resolve\":[\"a.test:80:127.0.0.1\"]}"
        ),
        (
            "--resolve a.test:80:127.0.0.1 --resolve +b.test:80:::1",
            "{\"resolve\":[\"a.test:80:127.0.0.1\",\"b.test:80:::1\"]}"
        ),
        ("-E 'a\\:b.pem' --pass '{{p}}'", "{\"clientCertificate\":{\"file\":\"a:b.pem\",\"password\":\"{{p}}\"}}"),
        ("--unix-socket /run/s -x p.test", "{\"unixSocket\":\"/run/s\"}"), ("--cacert none", "{\"caFile\":\"./none\"}"),
        ("--connect-timeout 1e8", "{\"connectTimeout\":\"1440m\"}"),
        ("--interface eth0", "{\"interface\":\"eth0\"}"),
        ("--limit-rate 2k", "{\"maximumReceiveRate\":2048,\"maximumSendRate\":2048}"),
    ])
    func `the way to the server becomes the connection, and goes out again`(options: String, json: String) throws {
        let request = try request("curl \(options) http://a.test")
        #expect(request.connection?.json.compact == json)
        let again = try self.request(CurlExport.shown(request, in: nil))
        let resolved = { (saved: SavedConnection?) in
            try saved?.resolved({ text, _ in text }, request: "", folder: "")
        }
        // A password that is written out is masked on its way out.
        if !options.contains("p@ss"), !options.contains("pw") {
            #expect(try resolved(again.connection) == resolved(request.connection))
        }
    }

    @Test(arguments: [
        "'https://a.test/?='", "-G -d = https://a.test", "-F =1 https://a.test", "--cacert '' https://a.test",
        "-E '' https://a.test", "-E :pw https://a.test", "-E me.p12 --key k https://a.test",
        "--unix-socket '' https://a.test", "--unix-socket /run/s -x p.test https://a.test", "-m 1e8 https://a.test",
        "--retry 1000 -m 80000 https://a.test", "--retry 1 --retry-delay 1e8 https://a.test",
        "--retry-max-time 1e8 https://a.test", "-m 1e-12 https://a.test", "--limit-rate 999999999999g https://a.test",
    ])
    func `what no file can have is kept in another form or left out`(options: String) throws {
        let collection = Collection(name: "c", items: [.request(try request("curl \(options)"))])
        let problems = CollectionFile.read(Array(collection.text.utf8), file: "c.json").problems
        #expect(!problems.contains { $0.severity == .error }, "\(problems)")
    }

    @Test(arguments: [
        ("HOST/up/?z", "HOST/up/f.txt?z"), ("HOST", "HOST/f.txt"), ("HOST/up", "HOST/up"),
        ("HOST/up/#x", "HOST/up/f.txt"),
    ])
    func `an upload to a folder goes to the file's name`(url: String, path: String) throws {
        let read = try CurlImport.read("curl -T some/f.txt '\(url.replacing("HOST", with: "https://a.test"))'") { _ in
            []
        }
        #expect(read.requests.map(\.path) == [path.replacing("HOST", with: "https://a.test")])
    }

    @Test func `an upload has its body with a query of data, too`() throws {
        let read = try CurlImport.read("curl -G -T a.txt -d x=1 https://a.test/s")
        let request = try #require(read.requests.first)
        #expect(request.method == .put && request.query == [Field("x", "1")])
        #expect(request.body == .file(FileContent("a.txt")))
    }

    @Test func `the words of a program are not read for another shell`() throws {
        for text in ["a ^\"b", "a`\nb", "a^\nb", "{\"\"a\"\":1}", "x\\\ny"] {
            let body = try CurlImport.read(words: ["curl", "a.test", "-H", "Content-Type: text/plain", "-d", text])
                .requests.first?.body
            #expect(body == .text(TextContent(text, contentType: "text/plain")))
        }
    }

    @Test func `thousands of notes in one line have their columns`() throws {
        let notes = try CurlImport.read("curl a.test/é -d '' " + String(repeating: "-d $a ", count: 5_000)).notes
        #expect(notes.count == 5_000)
        #expect(notes.first?.position == TextPosition(line: 1, column: 24))
        #expect(notes.last?.position == TextPosition(line: 1, column: 24 + 4_999 * 6))
    }

    @Test(arguments: [
        "-x ftp://p.test", "--resolve a.test", "--limit-rate fast", "--max-redirs x", "--interface 'a b'",
    ])
    func `a connection that is none is a mistake of the command`(options: String) {
        #expect(throws: ImportError.self) { try request("curl \(options) http://a.test") }
    }

    @Test(arguments: [
        ("https://a.test/v1/users/42?x=1", "users 42"), ("https://a.test", "a.test"), ("a.test:81/", "a.test:81"),
        ("https://a.test/x%20y", "x y"), ("{{host}}/users/:id", "users id"), ("{{host}}", "{{host}}"),
    ])
    func `the name comes from the URL`(url: String, name: String) throws {
        #expect(try request("curl '\(url)'").name == name)
    }

    @Test func `templates stay, and other braces are plain`() throws {
        let request = try request(
            "curl '{{host}}/x?q={{q}}' -H 'X-A: {{ a b }}' --json '{\"a\":\"{{x}} {{{{y}}\"}'")
        #expect(request.path == "{{host}}/x" && request.query == [Field("q", "{{q}}")])
        #expect(request.headers.first == Field("X-A", "\\{{ a b }}"))
        #expect(request.body == .json(JSONContent(.object([.init("a", .string("{{x}} \\{{{{y}}"))]))))
    }

    @Test func `a path below the host of an environment is relative to it`() throws {
        let environment = Environment(name: "e", host: "https://a.test/v1/")
        let urls = [
            "https://a.test/v1/x", "https://a.test/v1", "https://a.test/v12", "http://a.test/v1/x",
            "https://a.test/v1//bucket/key", "https://a.test/v1//b.test/key",
        ]
        let paths = urls.map { SavedRequest(name: "r", path: $0).relative(to: environment)?.path }
        #expect(paths == ["/x", "/", nil, nil, "//bucket/key", nil])
    }

    @Test(arguments: [
        ("plain", "plain"), ("{{a}} \\{{b}}", "{{a}} \\\\{{b}}"), ("{{ a b }}", "\\{{ a b }}"),
        ("{{{a}}}", "{{{a}}}"), ("{{{{a}}", "\\{{{{a}}"), ("\\{{{a}}", "\\\\{{{a}}"), ("{{{{{a}}", "\\{{{{{a}}"),
        ("\\{{{{{a}}", "\\\\\\{{{{{a}}"),
        ("\\{{", "\\\\\\{{"), ("{{", "\\{{"), ("{{a\n}}", "\\{{a\n}}"), ("{{$uuid}}", "{{$uuid}}"),
    ])
    func `text becomes a template that gives the text`(text: String, template: String) throws {
        #expect(TemplateText.escaped(text) == template)
        let filled = try Template(TemplateText.escaped(text)).parts.map { part in
            switch part {
            case .text(let text): text
            case .template(let template): template.description
            }
        }
        #expect(filled.joined() == text)
    }
}
