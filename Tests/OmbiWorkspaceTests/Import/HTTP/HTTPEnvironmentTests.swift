import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Files of environments next to a `.http` file.
@Suite struct HTTPEnvironmentTests {
    /// The collection of `shop.http` among other files, and all notes.
    /// - Parameter joined: the names of the files that are named as well.
    private func imported(
        _ text: String, _ files: [String: String], joined names: [String] = []
    ) throws -> (imported: Imported, notes: [ImportNote]) {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for (name, text) in files { _ = try folder.file(name, text) }
        let path = folder.path
        let inside = try #require(ImportFolder(path))
        let read = try (["shop.http"] + names).map { name in
            try Importer.read(Array((files[name] ?? text).utf8), from: path + "/" + name, in: inside)
        }
        let joined = try Imported.joined(read)
        return (joined, read.flatMap(\.notes) + joined.notes)
    }

    private static let settings =
        #"{"rest-client.environmentVariables": {"dev": {"host": "https://dev.test"}}, "a": 1}"#

    @Test(arguments: [
        ("http-client.env.json", #"{"dev": {"host": "https://dev.test"}}"#), (".vscode/settings.json", settings),
    ])
    func `environments of the folders around a file are its own, within its repository`(
        name: String, text: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file(name, text)
        let path = try folder.file("api/users/a.http", "GET {{host}}/x\n")
        let hosts = { CollectionFile.load(path).readInPlace.collection?.environments.map(\.host) }
        #expect(hosts() == ["{{host}}"])
        _ = try folder.file(".git/HEAD", "")
        #expect(hosts() == ["https://dev.test"])
        // The nearest ones count.
        _ = try folder.file("api/http-client.env.json", #"{"near": {"host": "https://near.test"}}"#)
        #expect(hosts() == ["https://near.test"])
    }

    @Test func `settings at the root of a folder are for the files in all of it`() throws {
        let (imported, _) = try FolderSample.imported([
            ".vscode/settings.json": Self.settings, "api/a.http": "GET {{host}}/x\n",
        ])
        #expect(imported.collection.environments.map(\.host) == ["https://dev.test"])
    }

    private static let dotenv = [".env": "API_KEY='hunter2hunter2'\nOTHER=1\n"]

    @Test func `the .env file next to it has the values that it names, and no value is copied`() throws {
        let text = "GET https://a.test/x\nX-Key: {{$dotenv API_KEY}}\nX-B: {{$dotenv NONE}}\n"
        let (imported, notes) = try imported(text, Self.dotenv)
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.envFile == ".env")
        #expect(environment.secrets == [Secret("NONE", .environment("NONE"))])
        #expect(imported.collection.requests.first?.headers.map(\.value) == ["{{API_KEY}}", "{{NONE}}"])
        #expect(!imported.written(keeping: .local).text.contains("hunter2hunter2") && notes.isEmpty, "\(notes)")
    }

    @Test(arguments: [("", ".env"), ("@API_KEY = x\n", nil), ("# @prompt API_KEY\n", nil)] as [(String, String?)])
    func `a variable that nothing else has is one of the .env file`(above: String, file: String?) throws {
        let (imported, _) = try imported(above + "GET https://a.test/{{API_KEY}}\n", Self.dotenv)
        #expect(imported.collection.environments.first?.envFile == file)
    }

    @Test func `a variable of the name of another value in the .env file is a loss`() throws {
        let (_, notes) = try imported(
            "@OTHER = 2\nGET https://a.test/{{OTHER}}\nX-Key: {{$dotenv API_KEY}}\n", Self.dotenv)
        #expect(notes.lose("OTHER", "the value in the .env file counts"))
    }

    @Test func `the .env file of a file that is opened is read when it is sent`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file(".env", Self.dotenv[".env"] ?? "")
        let path = try folder.file("shop.http", "GET https://a.test/x\nX-Key: {{$dotenv API_KEY}}\n")
        for opened in [CollectionFile.load(path).readInPlace, CollectionFile.load(path).importing] {
            #expect(opened?.collection?.overlay.envFiles == [".env": ["API_KEY", "OTHER"]])
        }
    }

    @Test func `the .env file of a folder is that of the files in it`() throws {
        let text = "GET https://a.test/x\nX-Key: {{$dotenv API_KEY}}\n"
        let (imported, _) = try FolderSample.imported(["in/a.http": text, "in/.env": "API_KEY=1\n"])
        #expect(imported.collection.environments.first?.envFile == "in/.env")
        let files = ["a.http": text, ".env": "API_KEY=1\n", "in/b.http": text, "in/.env": "API_KEY=2\n"]
        let (_, notes) = try FolderSample.imported(files)
        #expect(notes.lose("in/.env", "not read"))
    }

    private static let secured = "GET {{host}}/x\nAuthorization: Bearer {{$auth.token(\"main\")}}\n"

    private static func configuration(_ members: String, _ environment: String = "dev") -> String {
        """
        {"\(environment)": {"host": "https://a.test", "Security": {"Auth": {"main": {
        "Type": "OAuth2", "Token URL": "https://id.test/token", "Client ID": "shop",
        \(members)}}}}}
        """
    }

    @Test func `the files next to it are its environments, also when one is named as well`() throws {
        let files = [
            "http-client.env.json": #"{"$shared": {"v": 1}, "dev": {"host": "https://dev.test", "user": "none"}}"#,
            "http-client.private.env.json": #"{"dev": {"user": "ada"}}"#,
        ]
        for names in [[], ["http-client.env.json"], ["http-client.env.json", "http-client.private.env.json"]] {
            let (imported, notes) = try imported("GET {{host}}/x?u={{user}}&v={{v}}\n", files, joined: names)
            let environments = imported.collection.environments
            #expect(environments.map(\.name) == ["dev"] && environments.map(\.host) == ["https://dev.test"])
            #expect(environments.first?.variables == [Field("v", "1")])
            #expect(imported.secrets.map(\.description) == ["user (dev)"] && notes.isEmpty, "\(notes)")
        }
    }

    @Test func `files of Visual Studio and settings of VS Code are read beside each other`() throws {
        let files = [
            "http-client.env.json": #"{"dev": {"host": "https://dev.test"}}"#,
            "http-client.env.json.user": #"{"dev": {"user": "ada"}}"#,
            ".vscode/settings.json": #"{"rest-client.environmentVariables": {"live": {"host": "https://live.test"}}}"#,
        ]
        let (imported, _) = try imported("GET {{host}}/x?u={{user}}\n", files)
        let hosts = imported.collection.environments.map { "\($0.name) \($0.host)" }
        #expect(Set(hosts) == ["dev https://dev.test", "live https://live.test"])
        #expect(imported.secrets.map(\.description) == ["user (dev)"])
    }

    @Test func `values of all environments alone are one environment`() throws {
        let files = [
            "http-client.env.json":
                #"{"$shared": {"host": "https://a.test", "$default_headers": {"X-A": "{{a}}"}, "a": "1"}}"#
        ]
        let environment = try #require(try imported("GET {{host}}/x\n", files).imported.collection.environments.first)
        #expect(environment.host == "https://a.test" && environment.variables == [Field("a", "1")])
        #expect(environment.additionalHeaders == [Field("X-A", "{{a}}")])
    }

    @Test func `the names of kulala are those of the others`() throws {
        let files = [
            "http-client.env.json": """
            { "$schema": "https://a.test/schema.json",
              "$kulalaShared": { "a": "1", "$kulalaDefaultHeaders": { "X-A": "1", "X-B": "1" } },
              "dev": { "host": "https://a.test", "$kulalaDefaultHeaders": { "X-B": "2" } } }
            """
        ]
        for names in [[], ["http-client.env.json"]] {
            let (read, notes) = try imported("GET {{host}}/x?a={{a}}\n", files, joined: names)
            let environments = read.collection.environments
            #expect(environments.map(\.name) == ["dev"] && notes.isEmpty, "\(notes)")
            #expect(environments.first?.additionalHeaders == [Field("X-B", "2"), Field("X-A", "1")])
            #expect(environments.first?.variables == [Field("a", "1")])
        }
    }

    @Test func `a file of environments with an error is a loss of its own`() throws {
        let (imported, notes) = try imported("GET https://a.test/x\n", ["http-client.env.json": "{\n\"dev\": {"])
        #expect(imported.requestCount == 1)
        let loss = try #require(notes.first { $0.kind == .loss && $0.subject == "http-client.env.json" })
        #expect(loss.file?.hasSuffix("http-client.env.json") == true)
    }

    @Test func `a client certificate is that of the environment`() throws {
        let files = [
            "http-client.env.json": #"{"dev": {"host": "https://a.test"}}"#,
            "http-client.private.env.json": """
            {"dev": {"SSLConfiguration": {"clientCertificate": "cert.pem", "clientCertificateKey": {"path": "key.pem"},
            "hasCertificatePassphrase": true, "verifyHostCertificate": false}}}
            """,
        ]
        let (imported, notes) = try imported("GET {{host}}/x\n", files)
        let environment = try #require(imported.collection.environments.first)
        let certificate = try #require(environment.connection?.clientCertificate)
        #expect(certificate.file == "cert.pem" && certificate.key == "key.pem")
        #expect(certificate.password == "{{certificatePassword}}" && environment.verifyTLS)
        #expect(environment.secrets == [Secret("certificatePassword", .prompt(""))])
        #expect(notes.lose("verifyHostCertificate"))
    }

    // MARK: Authentication

    @Test func `a token of a configuration is OAuth 2, without its secret in the file`() throws {
        let members = """
            "Grant Type": "Client Credentials", "Client Secret": "s3cr3t-of-shop", "Scope": "read write",
            "Client Credentials": "in body",
            "Custom Request Parameters": {"audience": "https://api.test", "r": ["1", "2"]}
            """
        let (imported, notes) = try imported(
            Self.secured, ["http-client.env.json": Self.configuration(members)])
        guard case .oauth2(let oauth2)? = imported.collection.requests.first?.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(oauth2.grant == .clientCredentials && oauth2.tokenURL == "https://id.test/token")
        #expect(oauth2.clientID == "shop" && oauth2.scope == "read write" && oauth2.sendsSecretInBody)
        #expect(oauth2.parameters == [Field("audience", "https://api.test"), Field("r", "1"), Field("r", "2")])
        #expect(oauth2.clientSecret == "{{clientSecret}}" && imported.secrets.map(\.name) == ["clientSecret"])
        #expect(!imported.written(keeping: .drop).text.contains("s3cr3t-of-shop") && notes.isEmpty, "\(notes)")
    }

    @Test(arguments: [
        (
            #""Grant Type": "Password", "Username": "ada", "Password": "{{pw}}", "Revoke URL": "", "#
                + #""Custom Request Parameters": {"prompt": {"Value": "x", "Use": "In Auth Request"}}"#,
            OAuth2Authentication.Grant.password
        ),
        (#""Grant Type": "Device Authorization", "Device Auth URL": "https://id.test/device""#, .deviceCode),
        (#""Grant Type": "Authorization Code", "Auth URL": "https://id.test/auth", "PKCE": true"#, .authorizationCode),
    ])
    func `each grant is that of the configuration`(members: String, grant: OAuth2Authentication.Grant) throws {
        let (imported, notes) = try imported(
            Self.secured, ["http-client.env.json": Self.configuration(members)])
        guard case .oauth2(let oauth2)? = imported.collection.requests.first?.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(oauth2.grant == grant && oauth2.clientSecret.isEmpty && !oauth2.sendsSecretInBody)
        #expect(oauth2.parameters.isEmpty)
        #expect(oauth2.password == (grant == .password ? "{{pw}}" : ""))
        #expect(oauth2.deviceURL == (grant == .deviceCode ? "https://id.test/device" : ""))
        #expect(oauth2.authorizationURL == (grant == .authorizationCode ? "https://id.test/auth" : ""))
        #expect(!notes.contains { $0.kind == .loss })
    }

    @Test func `what differs between environments is a variable of each, and a private file completes a public one`()
        throws
    {
        let block = { (url: String) in
            """
            {"host": "https://a.test", "Security": {"Auth": {"main": {"Type": "OAuth2", "Grant Type":
            "Client Credentials", "Token URL": "\(url)", "Client ID": "shop"}}}}
            """
        }
        let (imported, _) = try imported(
            Self.secured,
            [
                "http-client.env.json":
                    "{\"dev\": \(block("https://d.test/t")), \"live\": \(block("https://l.test/t"))}",
                "http-client.private.env.json":
                    #"{"dev": {"Security": {"Auth": {"main": {"Client Secret": "s3cr3t-of-dev"}}}}}"#,
            ])
        guard case .oauth2(let oauth2)? = imported.collection.requests.first?.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(oauth2.tokenURL == "{{main_token_url}}" && oauth2.clientID == "shop")
        #expect(oauth2.clientSecret == "{{main_client_secret}}")
        let environments = imported.collection.environments
        #expect(
            environments.map { $0.variables.first { $0.name == "main_token_url" }?.value }
                == ["https://d.test/t", "https://l.test/t"])
        #expect(imported.secrets.map(\.description) == ["main_client_secret (dev)"])
        #expect(!imported.written(keeping: .drop).text.contains("s3cr3t-of-dev"))
    }

    @Test func `parts without a counterpart are losses, and a configuration that is nowhere, too`() throws {
        let members = """
            "Grant Type": "Implicit", "Auth URL": "https://id.test/auth",
            "Use ID Token": true, "Start URL": "https://id.test/start"
            """
        let (_, notes) = try imported(Self.secured, ["http-client.env.json": Self.configuration(members)])
        #expect(notes.lose("implicit") && notes.lose("Use ID Token") && notes.lose("Start URL"))
        #expect(notes.allSatisfy { $0.file?.hasSuffix("http-client.env.json") == true })
        let (other, losses) = try imported(
            Self.secured, ["http-client.env.json": Self.configuration(members).replacing("main", with: "other")])
        #expect(other.collection.requests.first?.authentication == .noAuthentication)
        #expect(losses.contains { $0.kind == .loss && $0.position.line == 2 && $0.file == nil })
    }

    @Test func `the settings of VS Code next to it have environments`() throws {
        let files = [
            ".vscode/settings.json": """
            {
              // of the team
              "rest-client.environmentVariables": {
                "$shared": { "v": "1" }, "dev": { "host": "https://dev.test", "deep": { "provider": "x" } },
              },
            }
            """
        ]
        let (imported, notes) = try imported("GET {{host}}/{{v}}\n", files)
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.name == "dev" && environment.host == "https://dev.test")
        #expect(environment.variables == [Field("v", "1")])
        #expect(notes.map(\.subject) == ["x"] && notes.first?.file?.hasSuffix(".vscode/settings.json") == true)
        let (other, _) = try self.imported("GET https://a.test/x\n", [".vscode/settings.json": "{\"a\": 1}"])
        #expect(other.collection.environments.map(\.name) == ["a.test"])
    }

    @Test func `a value for all environments is that, also where one has another`() throws {
        let files = [
            ".vscode/settings.json": """
            {"rest-client.environmentVariables": {"$shared": {"v": "1", "w": "2"},
            "dev": {"host": "https://dev.test", "v": "3", "old": "{{$shared v}}/{{$shared w}}"}}}
            """
        ]
        let (imported, notes) = try imported("GET {{host}}/{{v}}/{{$shared v}}/{{old}}\n", files)
        let variables = try #require(imported.collection.environments.first?.variables)
        let expected = [
            Field("v", "3"), Field("old", "{{shared_v}}/{{w}}"), Field("w", "2"), Field("shared_v", "1"),
        ]
        #expect(variables == expected && notes.isEmpty, "\(variables)")
        #expect(imported.collection.requests.first?.path == "/{{v}}/{{shared_v}}/{{old}}")
    }

    @Test func `environments may have comments and commas at ends`() throws {
        let text = "{\n  // of all\n  \"dev\": { \"host\": \"https://dev.test\", /* none */ },\n}\n"
        let (imported, notes) = try imported("GET {{host}}/x\n", ["http-client.env.json": text])
        #expect(imported.collection.environments.map(\.host) == ["https://dev.test"] && notes.isEmpty, "\(notes)")
        let alone = try Importer.read(Array(text.utf8), from: "http-client.env.json")
        #expect(alone.collection.environments.map(\.name) == ["dev"])
        let (_, losses) = try self.imported("GET https://a.test/x\n", ["http-client.env.json": "{\"dev\": {"])
        #expect(losses.lose("http-client.env.json", "no JSON"))
    }

    @Test func `headers of all requests in the settings are those of the environment, and other settings losses`()
        throws
    {
        let settings = """
            {"rest-client.defaultHeaders": {"User-Agent": "x", "X-Team": "a"}, "rest-client.followredirect": false,
            "rest-client.timeoutinmilliseconds": 500, "rest-client.certificates": {"a.test": {"pfx": "a.p12"}}}
            """
        let (imported, notes) = try imported("GET https://a.test/x\n", [".vscode/settings.json": settings])
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.host == "https://a.test" && environment.additionalHeaders == [Field("X-Team", "a")])
        let subjects = ["followredirect", "timeoutinmilliseconds", "certificates"].map { "rest-client." + $0 }
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == subjects)
    }
}
