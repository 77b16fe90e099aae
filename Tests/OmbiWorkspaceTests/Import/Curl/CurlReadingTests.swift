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
        let paths = ["https://a.test/v1/x", "https://a.test/v1", "https://a.test/v12", "http://a.test/v1/x"].map {
            SavedRequest(name: "r", path: $0).relative(to: environment)?.path
        }
        #expect(paths == ["/x", "/", nil, nil])
    }

    @Test(arguments: [
        ("plain", "plain"), ("{{a}} \\{{b}}", "{{a}} \\\\{{b}}"), ("{{ a b }}", "\\{{ a b }}"),
        ("{{{a}}}", "\\{{{a}}}"),
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
