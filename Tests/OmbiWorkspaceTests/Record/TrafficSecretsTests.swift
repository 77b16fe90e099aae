import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Credentials in recorded traffic: in no collection, and masked in every run.
@Suite struct TrafficSecretsTests {
    private static let origin = "http://127.0.0.1:8080"

    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var target = "/x"
        var headers: RequestHeaders = [:]
        var body = ""
        var secrets: [String]

        var testDescription: String { name }

        var exchange: ProxiedExchange {
            let data = Data(body.utf8)
            return ProxiedExchange(
                method: body.isEmpty ? "GET" : "POST", url: TrafficSecretsTests.origin + target, headers: headers,
                body: data, bodySize: data.count, response: TransportResponse(statusCode: 200, body: Data("{}".utf8)))
        }
    }

    private static let json: RequestHeaders = ["Content-Type": "application/json"]
    private static let form: RequestHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    private static let yaml: RequestHeaders = ["Content-Type": "application/yaml"]

    static let samples = [
        Sample(name: "bearer", headers: ["Authorization": "Bearer hunter2-token"], secrets: ["hunter2-token"]),
        Sample(name: "basic", headers: ["Authorization": "Basic YWRhOmh1bnRlcjI="], secrets: ["YWRhOmh1bnRlcjI="]),
        Sample(name: "no scheme", headers: ["Authorization": "/hunter2"], secrets: ["/hunter2"]),
        Sample(name: "a placeholder", headers: ["X-Api-Key": "demo-key-7"], secrets: ["demo-key-7"]),
        Sample(
            name: "cookies", headers: ["Cookie": "sid=not-a-word-1; cart=c4rt5"],
            secrets: ["not-a-word-1", "c4rt5"]),
        Sample(name: "query", target: "/x?access_token=hunter2x&page=1", secrets: ["hunter2x"]),
        Sample(name: "raw query", target: "/x?flag&api_key=hunter2x", secrets: ["hunter2x"]),
        Sample(
            name: "path", target: "/share/eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlMTIz",
            secrets: ["eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlMTIz"]),
        Sample(name: "JSON", headers: json, body: "{\"user\":\"ada\",\"password\":\"hunter2\"}", secrets: ["hunter2"]),
        Sample(name: "a PIN", headers: json, body: "{\"pin\":472911}", secrets: ["472911"]),
        Sample(
            name: "nested JSON", headers: json, body: "{\"a\":[{\"clientSecret\":\"hunter2\"}]}",
            secrets: ["hunter2"]),
        Sample(
            name: "the value of a secret", headers: json, body: "{\"secret\":{\"value\":\"hunter2\"}}",
            secrets: ["hunter2"]),
        Sample(
            name: "a URL in a query", target: "/x?next=http%3A%2F%2Fa.test%2F%3Fa%3Db%26token%3Dhunter2x",
            secrets: ["hunter2x"]),
        Sample(
            name: "a URL with one parameter in a query", target: "/x?next=https%3A%2F%2Fa.test%2F%3Ftoken%3Dhunter2x",
            secrets: ["hunter2x"]),
        Sample(
            name: "a URL in JSON", headers: json, body: "{\"to\":\"https://a.test/?access_token=hunter2x&a=b\"}",
            secrets: ["hunter2x"]),
        Sample(name: "JSON like a path", headers: json, body: "{\"password\":\"/hunter2\"}", secrets: ["/hunter2"]),
        Sample(name: "form", headers: form, body: "user=ada&password=hunter2", secrets: ["hunter2"]),
        Sample(
            name: "JSON as text", headers: ["Content-Type": "text/plain"], body: "{\"password\":\"hunter2\"}",
            secrets: ["hunter2"]),
        Sample(
            name: "form as text", headers: ["Content-Type": "text/plain"], body: "a=1&password=hunter2",
            secrets: ["hunter2"]),
        Sample(name: "a header of one's own", headers: ["X-Auth": "hunter2"], secrets: ["hunter2"]),
        Sample(
            name: "XML", headers: ["Content-Type": "application/soap+xml"],
            body: "<a:l xmlns:a='x'>\n<a:Password Type=\"text\">hunter2</a:Password><b/>\n<apiKey>k3y-9</apiKey></a:l>",
            secrets: ["hunter2", "k3y-9"]),
        Sample(
            name: "GraphQL", target: "/graphql", headers: json,
            body: "{\"query\":\"mutation L($p: String!) { l(p: $p) }\",\"variables\":{\"password\":\"hunter2\"}}",
            secrets: ["hunter2"]),
        Sample(
            name: "GraphQL without variables", target: "/graphql", headers: json,
            body: #"{"query":"mutation{login(password:\"hunter2\"){id}}"}"#, secrets: ["hunter2"]),
        Sample(
            name: "JSON in JSON", headers: json, body: #"{"data":"{\"password\":\"hunter2\"}"}"#, secrets: ["hunter2"]),
        Sample(name: "JSON in a header", headers: ["X-Context": #"{"password":"hunter2"}"#], secrets: ["hunter2"]),
        Sample(
            name: "an attribute of XML", headers: ["Content-Type": "application/xml"],
            body: #"<a><b password="hunter2"/></a>"#, secrets: ["hunter2"]),
        Sample(
            name: "a code in a redirect", target: "/cb?code=4a0b8c1d9e2f7a6b&state=xyz",
            secrets: ["4a0b8c1d9e2f7a6b"]),
        Sample(
            name: "a code in a form", headers: form,
            body: "grant_type=authorization_code&code=hunter2x&redirect_uri=http%3A%2F%2Fa.test%2Fcb",
            secrets: ["hunter2x"]),
        Sample(
            name: "a code in JSON", headers: json,
            body: #"{"grant_type":"authorization_code","code":"SplxlOBeZQQYbYS6WxSbIA","redirect_uri":"/cb"}"#,
            secrets: ["SplxlOBeZQQYbYS6WxSbIA"]),
        Sample(
            name: "YAML", headers: yaml,
            body: "# login\nuser: ada\npassword: hunter2 # mine\nkeys:\n  - name: a\n    api_key: \"k3y-9\"\n",
            secrets: ["hunter2", "k3y-9"]),
        Sample(name: "a word in YAML", headers: yaml, body: "---\r\n\"password\": sesame\r\n", secrets: ["sesame"]),
        Sample(
            name: "YAML below its keys", headers: yaml, body: "password: |\n  hunter2\ntokens:\n  - k3y-9\n",
            secrets: ["hunter2", "k3y-9"]),
        Sample(
            name: "CSV", headers: ["Content-Type": "text/csv"],
            body: "user,\"password\",note\r\nada,hunter2,\"a\nb\"\r\nbob,\"k3y,9\",c\r\n",
            secrets: ["hunter2", "k3y,9"]),
    ]

    @Test(arguments: [
        "query { user(id: 1) { password: hash } }", "query Q {\n  login(\n    password: $password\n  )\n}",
        "keys:\n  max_token_count: 4096\n  password_reset: true\n", "Dear Ada,\n\nthe token, please.\n",
        "name,tokens\n", "Reset the password, please\nThanks, Bob\n",
        "query L($password: String!, $user: String!) {\n  login(password: $password, user: $user)\n}",
    ])
    func `a text of another form, and figures and switches in YAML, stay`(text: String) {
        var secrets = TrafficSecrets()
        let request: JSONValue = ["request": "r", "body": ["text": .string(text)]]
        #expect(secrets.moved(request: request) == request)
        #expect(secrets.found.isEmpty)
    }

    @Test func `a code without a grant next to it is none, nor is a short one next to a state`() {
        var secrets = TrafficSecrets()
        for path in ["/x?code=4a0b8c1d9e2f7a6b&page=1", "/zip?code=90210&state=CA"] {
            let request: JSONValue = ["request": "r", "path": .string(path)]
            #expect(secrets.moved(request: request) == request)
        }
        let zip: JSONValue = ["request": "r", "body": ["json": ["code": "90210", "state": "CA"]]]
        #expect(secrets.moved(request: zip) == zip)
    }

    @Test func `of a long table no more credentials become variables than people would look at`() {
        var secrets = TrafficSecrets()
        let rows = (0..<150).map { "u\($0),pa55-\($0)\n" }.joined()
        let moved = secrets.moved(request: ["request": "r", "body": ["text": .string("user,password\n" + rows)]])
        #expect(secrets.found.count == 100)
        #expect(!moved.compact.contains("pa55") && moved.compact.contains("u149,••••••"), "\(moved.compact)")
    }

    @Test(arguments: samples) func `a credential is in the local file alone`(_ sample: Sample) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.json"
        var recorder = try TrafficRecorder(path: path, origin: Self.origin)
        let recorded = recorder.add(sample.exchange)
        #expect(try recorder.write(isLast: true) == 1)
        let (text, local) = (folder.text("c.json") ?? "", folder.text("c.local.json") ?? "")
        let ignored = folder.text(".gitignore") ?? ""
        #expect(text.contains("\"items\""), "\(text)")
        let run = RecordedDetails.json(try #require(recorded.result.prepared)).compact
        for secret in sample.secrets {
            #expect(!text.contains(secret), "\(text)")
            #expect(local.contains(JSONValue.string(secret).compact), "\(local)")
            #expect(!run.contains(secret), "\(run)")
            #expect(!recorded.title.contains(secret) && recorded.newName?.contains(secret) == false)
        }
        let loaded = CollectionFile.load(path)
        #expect(loaded.problems.isEmpty && loaded.plainSecrets?.found == [], "\(loaded.problems)")
        #expect(ignored.contains("c.local.json"), "\(ignored)")
    }

    @Test(arguments: ["jsessionid", "sid"])
    func `the session in a path is masked, and in no collection`(name: String) throws {
        let folder = try TemporaryFolder()
        var recorder = try TrafficRecorder(path: folder.path + "/c.json", origin: Self.origin)
        for session in ["hunter2x", "hunter3x"] {
            let sample = Sample(name: "", target: "/cart;v=a;\(name)=\(session)/items", secrets: [])
            let recorded = recorder.add(sample.exchange)
            #expect(recorded.title == "GET /cart;v=a;\(name)=••••••/items")
            let run = RecordedDetails.json(try #require(recorded.result.prepared)).compact
            #expect(!run.contains(session), "\(run)")
        }
        #expect(try recorder.write(isLast: true) == 1)
        let text = folder.text("c.json") ?? ""
        #expect(text.contains("/cart;v=a/items") && !text.contains("hunter"), "\(text)")
    }

    @Test func `a credential of an earlier request is masked in a later response`() throws {
        let folder = try TemporaryFolder()
        var recorder = try TrafficRecorder(path: folder.path + "/c.json", origin: Self.origin)
        _ = recorder.add(Self.samples[0].exchange)
        var echo = Self.samples[0].exchange
        echo.headers = [:]
        echo.response = TransportResponse(statusCode: 200, body: Data("you are hunter2-token".utf8))
        let masked = try #require(recorder.add(echo).result.maskedBody)
        #expect(String(decoding: masked, as: UTF8.self) == "you are ••••••")
    }

    @Test func `a value with braces under the name of a credential is not kept`() throws {
        let folder = try TemporaryFolder()
        var recorder = try TrafficRecorder(path: folder.path + "/c.json", origin: Self.origin)
        _ = recorder.add(
            ProxiedExchange(
                method: "GET", url: Self.origin + "/x", headers: ["X-Api-Key": "hunter2{{x}}"],
                response: TransportResponse(statusCode: 200)))
        #expect(try recorder.write(isLast: true) == 1)
        let text = folder.text("c.json") ?? "hunter2"
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test func `a number of tokens is no credential`() {
        var secrets = TrafficSecrets()
        let request: JSONValue = ["request": "r", "body": ["json": ["token_count": 12_345, "tokens": 12]]]
        #expect(secrets.moved(request: request) == request)
        #expect(secrets.found.isEmpty)
    }

    @Test func `a run has one attempt with what came, and the reason why no more did`() throws {
        let folder = try TemporaryFolder()
        var recorder = try TrafficRecorder(path: folder.path + "/c.json", origin: Self.origin)
        var broken = Self.samples[5].exchange
        broken.problem = TransportError(code: .connectionLost, message: "the connection broke")
        broken.duration = .seconds(2)
        let result = recorder.add(broken).result
        #expect(result.ending == .failure("the connection broke") && !result.passed)
        #expect(result.report?.attempts.count == 1 && result.report?.attempts.first?.isPartial == true)
        #expect(result.partial?.statusCode == 200 && result.report?.duration == .seconds(2))
        broken.isCancelled = true
        #expect(recorder.add(broken).result.ending == .cancelled)
    }

    @Test func `a credential in a path is kept as its template is filled in`() {
        var secrets = TrafficSecrets()
        let key: JSONValue = ["name": "X-Api-Key", "value": "a%2Bb"]
        _ = secrets.moved(request: ["request": "r", "path": "/x?flag&api_key=sk%2B1%20x9"])
        _ = secrets.moved(request: ["request": "s", "path": "/x", "headers": [key]])
        #expect(secrets.found.map(\.value) == ["sk+1 x9", "a%2Bb"])
    }
}
