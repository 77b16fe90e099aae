import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The options of entries of Hurl.
@Suite struct HurlOptionTests {
    private static func imported(_ text: String) throws -> (imported: Imported, notes: [ImportNote]) {
        try HurlImportTests.imported(text)
    }

    private func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(text)
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test func `options that Ombi has are settings of the request`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x
            [Options]
            retry: 3
            retry-interval: 500ms
            max-time: 2
            connect-timeout: 100ms
            proxy: 127.0.0.1:3128
            user: ada:{{password}}
            header: X-A: 1
            delay: 1s
            http2: false
            """)
        #expect(
            request.policy
                == RequestPolicy(
                    retries: 3, timeout: .seconds(2), backoff: Backoff(first: .milliseconds(500), factor: 1)))
        #expect(request.connection?.connectTimeout == .milliseconds(100))
        #expect(request.connection?.proxy == "http://127.0.0.1:3128")
        #expect(request.authentication == .basic(BasicAuthentication(username: "ada", password: "{{password}}")))
        #expect(request.headers == [Field("X-A", "1")])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [10])
    }

    @Test func `variables of an entry are those of the later ones`() throws {
        let (imported, _) = try Self.imported(
            """
            GET https://a.test/1
            [Options]
            variable: who="ada \\"l\\""
            variable: n=1
            GET https://a.test/2
            [Options]
            variable: n=2
            HTTP 200
            [Captures]
            n: jsonpath "$.n"
            GET https://a.test/3?n={{n}}
            HTTP 200
            """)
        #expect(imported.collection.variables == [Field("who", "ada \"l\"")])
        let requests = imported.collection.requests
        #expect(requests.map(\.variables) == [[Field("n", "1")], [Field("n", "2")], []])
    }

    @Test func `options that curl has are settings of the connection`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test
            [Options]
            cacert: ca.pem
            cert: c.pem
            key: k.pem
            unix-socket: /tmp/a.sock
            resolve: a.test:443:127.0.0.1
            ipv4: true
            ipv6: false
            insecure: true
            aws-sigv4: aws:amz:eu-west-1:s3
            user: id:{{key}}
            HTTP 200
            """)
        let connection = try #require(request.connection)
        #expect(connection.caFile == "ca.pem" && connection.unixSocket == "/tmp/a.sock")
        #expect(connection.clientCertificate?.file == "c.pem" && connection.clientCertificate?.key == "k.pem")
        #expect(connection.resolve == ["a.test:443:127.0.0.1"] && connection.addressFamily == .ipv4)
        let keys = AWSAuthentication(accessKeyID: "id", secretAccessKey: "{{key}}", region: "eu-west-1", service: "s3")
        #expect(request.authentication == .aws(keys))
        #expect(notes.map(\.subject) == ["insecure"])
    }

    @Test(
        arguments: [
            ("max-redirs: 3", nil), ("location: true", 50), ("max-redirs: 3\nlocation: true", 3),
            ("location: true\nmax-redirs: -1", 1000), ("location: false\nmax-redirs: 3", 0),
            ("location-trusted: true", 50),
        ] as [(String, Int?)])
    func `redirects are followed only where an entry says so`(options: String, maximum: Int?) throws {
        let (imported, notes) = try Self.imported(
            "GET https://a.test/x\n[Options]\n\(options)\nHTTP 200\n\nGET https://a.test/y\n")
        #expect(imported.collection.requests.map { $0.connection?.maximumRedirects } == [maximum, nil])
        #expect(notes.contains { $0.kind == .loss } == options.contains("trusted"))
    }

    @Test func `a signature without a user is a loss`() throws {
        let (request, notes) = try only("GET https://a.test/x\n[Options]\naws-sigv4: aws:amz:eu-west-1:s3\nHTTP 200\n")
        #expect(request.authentication == nil && notes.lose("aws-sigv4"))
    }

    @Test func `options that exclude each other cost one of them, and not the file`() throws {
        let (request, notes) = try only(
            "GET http://a.test/x\n[Options]\nproxy: 127.0.0.1:3128\nunix-socket: /tmp/a.sock\nHTTP 200\n")
        #expect(request.connection?.unixSocket == "/tmp/a.sock" && request.connection?.proxy == nil)
        #expect(notes.lose("proxy"))
    }

    @Test func `an accent behind the mark in an option belongs to the value`() throws {
        let (imported, _) = try Self.imported(
            "GET https://a.test\n[Options]\nvariable: n=\u{301}a\nuser: ada:\u{301}b\nHTTP 200\n")
        #expect(imported.collection.variables.first { $0.name == "n" }?.value == "\u{301}a")
        guard case .basic(let basic)? = imported.collection.requests.first?.authentication else {
            Issue.record("the user is left out")
            return
        }
        #expect(basic.username == "ada")
    }
}
