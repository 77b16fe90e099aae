import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Credentials that are obtained or computed while a request is sent.
@Suite struct SessionAuthenticationTests {
    private static func order(
        _ authentication: SavedAuthentication, host: String = "http://api.test", path: String = "/p"
    ) -> RunOrder {
        var environment = Environment(name: "local", host: host)
        environment.secrets = [Secret("secret", .environment("SECRET"))]
        let request = SavedRequest(name: "r", path: path)
        let folder = Folder(
            name: "f", settings: SharedSettings(authentication: authentication), items: [.request(request)])
        let collection = Collection(name: "c", environments: [environment], items: [.folder(folder)])
        return RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "/shop/c.json")
    }

    private static func session(_ transport: any Transport) -> Session {
        Session(
            transport: transport,
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) })
    }

    private static func client(_ grant: OAuth2Authentication.Grant = .clientCredentials) -> SavedAuthentication {
        .oauth2(
            OAuth2Authentication(
                grant: grant, tokenURL: "/token", deviceURL: "/device", clientID: "app", clientSecret: "{{secret}}",
                scope: "read write", username: "ada", password: "{{secret}}"))
    }

    /// An authorization server and an API in one: issues `token-1`, `token-2`, …, and accepts the newest ones.
    private final class Server: Sendable {
        private let issued = Lock(0)
        private let requests = Lock<[TransportRequest]>([])
        let refuses: Int

        init(refusing count: Int = 0) { refuses = count }

        var seen: [String] {
            requests.withLock { $0 }.map { request in
                let body = String(decoding: request.body ?? Data(), as: UTF8.self)
                return "\(request.url.path) \(body)\(request.headers[.authorization]?.text ?? "")"
            }
        }

        var transport: StubTransport {
            StubTransport { [self] request in
                requests.withLock { $0.append(request) }
                if request.url.path == "/token" {
                    let number = issued.withLock { count in
                        count += 1
                        return count
                    }
                    let text = #"{"access_token": "token-\#(number)", "token_type": "Bearer", "expires_in": 600}"#
                    return .response(statusCode: 200, data: Data(text.utf8))
                }
                let isOpen = request.headers[.authorization]?.text == "Bearer token-\(refuses + 1)"
                return .response(statusCode: isOpen ? 200 : 401)
            }
        }
    }

    @Test func `further parameters go with the request for a token`() async throws {
        let text = #"""
            {"oauth2": {"grant": "clientCredentials", "tokenURL": "/token", "clientID": "app", "parameters": [
            {"name": "audience", "value": "https://{{secret}}"}, {"name": "resource", "value": "a"},
            {"name": "resource", "value": "b c"}, {"name": "off", "value": "1", "enabled": false}]}}
            """#
        let file =
            #"{"version": 1, "name": "c", "items": [{"request": "r", "path": "/p", "authentication": \#(text)}]}"#
        let read = CollectionFile.read(Array(file.utf8), file: "c.json")
        #expect(read.problems.isEmpty, "\(read.problems)")
        let authentication = try #require(read.collection?.requests.first?.authentication)
        let server = Server()
        _ = await Self.session(server.transport).events(of: Self.order(authentication))
        #expect(
            server.seen.first?.contains("&audience=https%3A%2F%2Fs3cret&resource=a&resource=b%20c&client_id=app")
                == true,
            "\(server.seen)")
        let field = try #require(authentication.kind.descriptors.first { $0.label == "parameters" })
        #expect(field.read(authentication) == "audience=https://{{secret}} resource=a 'resource=b c'")
        var edited = authentication
        try field.write(&edited, "audience=x \"resource=a b\"")
        #expect(field.read(edited) == "audience=x 'resource=a b'")
        #expect(throws: FieldError.self) { try field.write(&edited, "audience") }
    }

    @Test func `a client's token is obtained once, and shared by the requests of an environment`() async throws {
        let server = Server()
        let session = Self.session(server.transport)
        for _ in 0..<2 {
            let events = await session.events(of: Self.order(Self.client()))
            guard case .ended(let result)? = events.last, let sent = result.prepared else {
                Issue.record("\(events)")
                return
            }
            #expect(result.failures == [])
            let header = try #require(sent.headers.first { $0.name == "Authorization" })
            #expect(header.value == "Bearer ••••••")
            #expect(header.source.description == "from folder f")
            #expect(sent.authentication?.value.hasPrefix("OAuth 2, expires in ") == true)
            #expect(!"\(events)".contains("token-1") && !"\(events)".contains("s3cret"))
        }
        #expect(
            server.seen == [
                "/token grant_type=client_credentials&scope=read%20writeBasic YXBwOnMzY3JldA==",
                "/p Bearer token-1", "/p Bearer token-1",
            ])
    }

    @Test func `a refused token is replaced once, as an attempt with its reason`() async throws {
        let server = Server(refusing: 1)
        let events = await Self.session(server.transport).events(of: Self.order(Self.client()))
        guard case .ended(let result)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(result.failures == [])
        #expect(result.report?.attempts.map(\.reason).last == .credentialsRefreshed)
        #expect(events.contains { if case .step(.refreshingCredentials) = $0 { true } else { false } })
    }

    @Test func `user name and password are sent to the authorization server alone`() async throws {
        let server = Server()
        let events = await Self.session(server.transport).events(of: Self.order(Self.client(.password)))
        guard case .ended(let result)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(result.failures == [])
        #expect(server.seen.first?.contains("username=ada&password=s3cret") == true)
        #expect(!"\(events)".contains("s3cret"))
    }

    @Test func `a client that is refused fails the run with the server's words, and no secret in them`() async throws {
        let transport = StubTransport { _ in
            .response(
                statusCode: 401,
                data: Data(#"{"error": "invalid_client", "error_description": "no s3cret here"}"#.utf8))
        }
        let events = await Self.session(transport).events(of: Self.order(Self.client()))
        guard case .ended(let result)? = events.last, case .failure(let message) = result.ending else {
            Issue.record("\(events)")
            return
        }
        #expect(message.contains("no •••••• here"))
    }

    @Test func `a device code is shown to the run that waits`() async throws {
        let isApproved = Lock(false)
        let shown = Lock<[SignIn]>([])
        let transport = StubTransport { request in
            switch request.url.path {
            case "/device":
                let text = """
                    {"device_code": "d", "user_code": "ABCD", "verification_uri": "http://api.test/verify",
                     "expires_in": 300, "interval": 1}
                    """
                return .response(statusCode: 200, data: Data(text.utf8))
            case "/token":
                guard isApproved.withLock({ $0 }) else {
                    return .response(statusCode: 400, data: Data(#"{"error": "authorization_pending"}"#.utf8))
                }
                let text = #"{"access_token": "t", "token_type": "Bearer"}"#
                return .response(statusCode: 200, data: Data(text.utf8))
            default: return .response(statusCode: request.headers[.authorization] == nil ? 401 : 200)
            }
        }
        let session = Session(
            transport: transport,
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) },
            steps: SessionSteps(signIn: { _, signIn in
                shown.withLock { $0.append(signIn) }
                isApproved.withLock { $0 = true }
            }))
        let events = await session.events(of: Self.order(Self.client(.deviceCode)))
        let expected = SignIn(url: "http://api.test/verify", code: "ABCD")
        #expect(events.contains(.signIn(expected)))
        #expect(shown.withLock { $0 } == [expected])
        guard case .ended(let result)? = events.last else { return }
        #expect(result.failures == [])
    }

    @Test func `a signature covers the request, and is masked`() async throws {
        let sent = StubTransport.Record()
        let aws = AWSAuthentication(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "{{secret}}", region: "eu-central-1", service: "execute-api")
        let session = Self.session(StubTransport { _ in .response(statusCode: 200) }.recording(in: sent))
        let events = await session.events(of: Self.order(.aws(aws)))
        let header = try #require(sent.requests.first?.headers[.authorization]?.text)
        #expect(header.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"))
        #expect(header.contains("/eu-central-1/execute-api/aws4_request"))
        guard case .ended(let result)? = events.last else { return }
        #expect(result.prepared?.headers.first { $0.name == "Authorization" }?.value == "AWS4-HMAC-SHA256 ••••••")
    }

    @Test(arguments: APIKeyAuthentication.Location.allCases) func `an API key goes where the API wants it`(
        location: APIKeyAuthentication.Location
    ) async throws {
        let sent = StubTransport.Record()
        let key = APIKeyAuthentication(name: "X-Key", value: "{{secret}}", location: location)
        let session = Self.session(StubTransport { _ in .response(statusCode: 200) }.recording(in: sent))
        let events = await session.events(of: Self.order(.apiKey(key)))
        let request = try #require(sent.requests.first)
        #expect(request.headers["X-Key"]?.text == (location == .header ? "s3cret" : nil))
        #expect(request.url.query() == (location == .query ? "X-Key=s3cret" : nil))
        #expect(request.headers[.cookie]?.text == (location == .cookie ? "X-Key=s3cret" : nil))
        #expect(!"\(events)".contains("s3cret"))
    }

    @Test(arguments: [
        ("localhost:9312/token", "http://localhost:9312/token"), ("auth.test/token", "http://auth.test/token"),
        (" http://auth.test/token ", "http://auth.test/token"), (":9312/token", "http://localhost:9312/token"),
        ("HTTP://auth.test/token", "HTTP://auth.test/token"), ("token", "http://api.test/token"),
        (" /token ", "http://api.test/token"), ("oauth2/v1.0/token", "http://api.test/oauth2/v1.0/token"),
    ]) func `the address of a token means what the address of a request means`(
        written: String, asked: String
    ) async throws {
        let sent = StubTransport.Record()
        let client = OAuth2Authentication(tokenURL: written, clientID: "app", clientSecret: "{{secret}}")
        let session = Self.session(StubTransport { _ in .response(statusCode: 500) }.recording(in: sent))
        _ = await session.events(of: Self.order(.oauth2(client)))
        #expect(sent.requests.first?.url.absoluteString.lowercased() == asked.lowercased())
    }

    @Test(arguments: [
        "htp://auth.test/token", "http:/auth.test/token", "https//auth.test/token", "\"http://auth.test/token\"",
        "//auth.test/token", "POST /token",
        "localhost:99999/token", "ws://auth.test/token",
    ]) func `a misspelled address brings no credentials to the host of the environment`(written: String) {
        let session = Self.session(StubTransport { _ in .response(statusCode: 200) })
        let clients = [
            OAuth2Authentication(tokenURL: written, clientID: "a"),
            OAuth2Authentication(grant: .deviceCode, tokenURL: "/t", deviceURL: written, clientID: "a"),
            OAuth2Authentication(grant: .authorizationCode, tokenURL: "/t", authorizationURL: written, clientID: "a"),
        ]
        for client in clients {
            #expect(throws: ResolveError.self) { try session.check([Self.order(.oauth2(client))]) }
        }
    }

    @Test(arguments: [
        (OAuth2Authentication(tokenURL: "", clientID: "a"), "authentication token URL of the folder f"),
        (OAuth2Authentication(tokenURL: "http://a b/t", clientID: "a"), "authentication token URL of the folder f"),
        (
            OAuth2Authentication(grant: .deviceCode, tokenURL: "/t", deviceURL: "http://other.test/d", clientID: "a"),
            "authentication device URL of the folder f"
        ),
    ]) func `an endpoint that cannot be is told before anything is sent`(oauth2: OAuth2Authentication, field: String) {
        let session = Self.session(StubTransport { _ in .response(statusCode: 200) })
        let error = #expect(throws: ResolveError.self) { try session.check([Self.order(.oauth2(oauth2))]) }
        #expect(error?.field == field)
    }
}

/// The same against servers that are not Ombi's.
@Suite(.enabled(if: ChildProgram.find("lighttpd") != nil, "lighttpd is not installed: apt-get install lighttpd"))
struct SessionDigestPeerTests {
    private static let configuration = """
        server.document-root = var.CWD + "/root"
        server.bind = "/dev/stdin"
        server.modules = ( "mod_auth", "mod_authn_file" )
        server.errorlog = "error.log"
        auth.backend = "htdigest"
        auth.backend.htdigest.userfile = "users"
        auth.require = (
            "/page" => ( "method" => "digest", "realm" => "lions", "require" => "valid-user", "algorithm" => "MD5" ) )
        """

    @Test(arguments: [("Circle of Life", 200), ("wrong", 401)])
    func `lighttpd lets in who knows the password`(password: String, status: Int) async throws {
        // md5("Mufasa:lions:Circle of Life")
        let users = "Mufasa:lions:bf5295ae357df6b59139c9a092cfe06b\n"
        let server = try ServerProcess(
            try #require(ChildProgram.find("lighttpd")), ["-D", "-f", "lighttpd.conf"],
            files: ["lighttpd.conf": Self.configuration, "users": users, "root/page": "the page"])
        defer { server.stop() }
        let request = SavedRequest(
            name: "r", path: "/page",
            authentication: .digest(DigestAuthentication(username: "Mufasa", password: password)))
        let collection = Collection(
            name: "c", environments: [Environment(name: "e", host: server.host)], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "c.json")
        let session = Session()
        let events = await session.events(of: order)
        guard case .ended(let result)? = events.last else { return }
        #expect(result.response?.statusCode == status, "\(server.log)")
        #expect(result.report?.attempts.count == 2)
        #expect(result.prepared?.headers.first { $0.name == "Authorization" }?.value == "Digest ••••••")
    }
}
