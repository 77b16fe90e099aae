import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Files of other tools, each run as it is: the server gets what the tool sends by its own documents.
    @Suite struct SentBytesTests {
        /// A file with one request, in which `$H` is the server, and what comes of it.
        struct Sample: Sendable, CustomStringConvertible {
            let description: String
            let file: String
            let text: String
            /// Method and target.
            let line: String
            /// Names in lower case. An empty value is a header that is not sent.
            var headers: [String: String] = [:]
            var body = Body.text("")
            /// Other files beside it.
            var others: [String: String] = [:]
        }

        enum Body: Sendable {
            case text(String)
            /// Compared by value.
            case json(String)
            /// Parts of the body, in this order.
            case parts([String])
        }

        @Test(arguments: httpFiles + hurlFiles + brunoFiles + postmanFiles + insomniaFiles + otherFiles)
        func `a file of another tool is sent as that tool sends it`(sample: Sample) throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("{}") }
                defer { server.stop() }
                for (name, text) in sample.others { try scene.write(name, text) }
                try scene.write(sample.file, sample.text.replacingOccurrences(of: "$H", with: server.host))
                let outcome = try scene.ombi("run", sample.file, "--trust", "--no-record")
                let sent = try #require(server.requests.last, "\(outcome.output)\(outcome.errors)")
                #expect(server.requests.count == 1)
                #expect("\(sent.method) \(sent.target)" == sample.line)
                for (name, value) in sample.headers {
                    #expect(sent.headers[name] == (value.isEmpty ? nil : value), "\(name)")
                }
                try Self.compare(sent, sample.body)
            }
        }

        private static func compare(_ sent: LoopbackRequest, _ body: Body) throws {
            switch body {
            case .text(let text): #expect(sent.text == text)
            case .json(let text):
                let values = try [sent.body, Data(text.utf8)].map {
                    try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) as? NSObject
                }
                #expect(values[0] == values[1], "\(sent.text)")
            case .parts(let parts):
                var rest = Substring(sent.text)
                for part in parts {
                    let place = try #require(rest.range(of: part), "\(part): \(sent.text)")
                    rest = rest[place.upperBound...]
                }
            }
        }
    }
}

extension EndToEnd.SentBytesTests {
    private static let httpFiles = [
        Sample(
            description: ".http: a URL alone is a GET", file: "a.http", text: "$H/comments/1\n", line: "GET /comments/1"
        ),
        Sample(
            description: ".http: a query in lines of its own", file: "a.http",
            text: "GET $H/comments\n    ?page=2\n    &pageSize=10\n", line: "GET /comments?page=2&pageSize=10"),
        Sample(
            description: ".http: fields and a body", file: "a.http",
            text: "POST $H/comments HTTP/1.1\ncontent-type: application/json\nX-A: 1\n\n{\n  \"name\": \"sample\"\n}\n",
            line: "POST /comments", headers: ["content-type": "application/json", "x-a": "1"],
            body: .json(#"{"name": "sample"}"#)),
        Sample(
            description: ".http: a form in lines", file: "a.http",
            text: "POST $H/login\nContent-Type: application/x-www-form-urlencoded\n\nname=foo\n&password=bar\n",
            line: "POST /login", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("name=foo&password=bar")),
        Sample(
            description: ".http: variables of the file", file: "a.http",
            text: "@base = $H\n@id = 7\n\nGET {{base}}/users/{{id}}\n", line: "GET /users/7"),
        Sample(
            description: ".http: Basic with two words", file: "a.http",
            text: "GET $H/a\nAuthorization: Basic user passwd\n", line: "GET /a",
            headers: ["authorization": "Basic dXNlcjpwYXNzd2Q="]),
        Sample(
            description: ".http: comments and a name", file: "a.http",
            text: "### First\n# @name first\n// a comment\nDELETE $H/a\n# another\nX-B: 2\n", line: "DELETE /a",
            headers: ["x-b": "2"]),
        Sample(
            description: ".http: a body of a file", file: "a.http",
            text: "PUT $H/x\nContent-Type: application/xml\n\n< ./body.xml\n", line: "PUT /x",
            headers: ["content-type": "application/xml"], body: .text("<a>1</a>"), others: ["body.xml": "<a>1</a>"]),
        Sample(
            description: ".http: a cookie as it stands", file: "a.http",
            text: "GET $H/c\nCookie: theme=alpha; lang=en\n", line: "GET /c",
            headers: ["cookie": "theme=alpha; lang=en"]),
        Sample(
            description: ".http: GraphQL", file: "a.http",
            text: "POST $H/graphql\nX-REQUEST-TYPE: GraphQL\n\nquery q($a: Int) { x(a: $a) }\n\n{\"a\": 1}\n",
            line: "POST /graphql", headers: ["content-type": "application/json"],
            body: .json(#"{"query": "query q($a: Int) { x(a: $a) }", "operationName": "q", "variables": {"a": 1}}"#)),
        Sample(
            description: ".http: a query without spaces in front, spaces in a form", file: "a.http",
            text: "POST $H/f?a=1\n&b=2\nContent-Type: application/x-www-form-urlencoded\n\nname=a b\n&c=%20\n",
            line: "POST /f?a=1&b=2", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("name=a%20b&c=%20")),
        Sample(
            description: ".http: indented fields, and a version on a line of its own", file: "a.http",
            text: "  GET $H/a\n    ?b=1\n    HTTP/1.1\n  X-A: 1\n", line: "GET /a?b=1", headers: ["x-a": "1"]),
        Sample(
            description: ".http: a variable with a path behind the host", file: "a.http",
            text: "@path = /a/b\nGET $H{{path}}?c=1\n", line: "GET /a/b?c=1"),
    ]

    private static let hurlFiles = [
        Sample(
            description: "Hurl: query rows", file: "a.hurl",
            text: "GET $H/news\n[Query]\norder: newest\nq: a b\nHTTP 200\n",
            line: "GET /news?order=newest&q=a%20b"),
        Sample(
            description: "Hurl: rows behind a query in the URL", file: "a.hurl",
            text: "GET $H/news?page=2\n[QueryStringParams]\norder: newest\n", line: "GET /news?page=2&order=newest"),
        Sample(
            description: "Hurl: a form", file: "a.hurl",
            text: "POST $H/contact\n[Form]\ndefault: false\nemail: john.doe@rookie.org\n", line: "POST /contact",
            headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("default=false&email=john.doe%40rookie.org")),
        Sample(
            description: "Hurl: Basic", file: "a.hurl", text: "GET $H/a\n[BasicAuth]\nbob: secret\n", line: "GET /a",
            headers: ["authorization": "Basic Ym9iOnNlY3JldA=="]),
        Sample(
            description: "Hurl: cookies", file: "a.hurl", text: "GET $H/a\n[Cookies]\ntheme: alpha\nlang: en\n",
            line: "GET /a",
            headers: ["cookie": "theme=alpha; lang=en"]),
        Sample(
            description: "Hurl: JSON", file: "a.hurl",
            text: "POST $H/cats\n{\n  \"id\": 42,\n  \"n\": [1, 2]\n}\nHTTP 200\n",
            line: "POST /cats", headers: ["content-type": "application/json"], body: .json(#"{"id": 42, "n": [1, 2]}"#)),
        Sample(
            description: "Hurl: a text of several lines", file: "a.hurl",
            text: "POST $H/models\nContent-Type: text/csv\n```\nYear,Make\n1997,Ford\n```\nHTTP 200\n",
            line: "POST /models",
            headers: ["content-type": "text/csv"], body: .text("Year,Make\n1997,Ford\n")),
        Sample(
            description: "Hurl: Base64", file: "a.hurl", text: "POST $H/b\nbase64,VGVzdCBiYXNlNjQ=;\nHTTP 200\n",
            line: "POST /b", body: .text("Test base64")),
        Sample(
            description: "Hurl: digits", file: "a.hurl", text: "POST $H/b\nhex,54657374;\nHTTP 200\n", line: "POST /b",
            body: .text("Test")),
        Sample(
            description: "Hurl: a variable of an option", file: "a.hurl",
            text: "GET $H/cats/{{id}}\n[Options]\nvariable: id=42\nHTTP 200\n", line: "GET /cats/42"),
        Sample(
            description: "Hurl: a file", file: "a.hurl", text: "POST $H/f\nfile,data.bin;\nHTTP 200\n", line: "POST /f",
            body: .text("bytes"), others: ["data.bin": "bytes"]),
        Sample(
            description: "Hurl: spaces in front of lines", file: "a.hurl",
            text: "  POST $H/a\n  X-A: 1\n  [Form]\n  b: 2\n  HTTP 200\n", line: "POST /a", headers: ["x-a": "1"],
            body: .text("b=2")),
    ]

    private static let brunoFiles = [
        Sample(
            description: "Bruno: query rows, one of them off", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                get {
                  url: $H/a?x=1&y=2
                  body: none
                  auth: none
                }
                params:query {
                  x: 1
                  ~y: 2
                }
                headers {
                  X-A: one
                  ~X-B: two
                }
                """, line: "GET /a?x=1", headers: ["x-a": "one", "x-b": ""]),
        Sample(
            description: "Bruno: JSON", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                post {
                  url: $H/a
                  body: json
                  auth: none
                }
                body:json {
                  {
                    "id": 1
                  }
                }
                """, line: "POST /a", headers: ["content-type": "application/json"], body: .json(#"{"id": 1}"#)),
        Sample(
            description: "Bruno: a form", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                post {
                  url: $H/a
                  body: formUrlEncoded
                  auth: none
                }
                body:form-urlencoded {
                  a: 1
                  b: x y
                  ~c: 3
                }
                """, line: "POST /a", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("a=1&b=x+y")),
        Sample(
            description: "Bruno: a token", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                get {
                  url: $H/a
                  body: none
                  auth: bearer
                }
                auth:bearer {
                  token: abc123
                }
                """, line: "GET /a", headers: ["authorization": "Bearer abc123"]),
        Sample(
            description: "Bruno: parameters of the path", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                get {
                  url: $H/users/:id/posts
                  body: none
                  auth: none
                }
                params:path {
                  id: 42
                }
                """, line: "GET /users/42/posts"),
        Sample(
            description: "Bruno: XML", file: "a.bru",
            text: """
                meta {
                  name: a
                  type: http
                }
                put {
                  url: $H/a
                  body: xml
                  auth: none
                }
                body:xml {
                  <a>1</a>
                }
                """, line: "PUT /a", headers: ["content-type": "application/xml"], body: .text("<a>1</a>")),
    ]

    /// A collection of Postman 2.1 with one request.
    private static func postman(_ request: String, _ rest: String = "") -> String {
        """
        {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "item": [{"name": "r", "request": {\(request)}}]\(rest)}
        """
    }

    private static let postmanFiles = [
        Sample(
            description: "Postman: variables of the path, a query row that is off", file: "c.json",
            text: postman(
                """
                "method": "GET", "url": {"raw": "$H/users/:id?a=1&b=2", "path": ["users", ":id"],
                "query": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "disabled": true}],
                "variable": [{"key": "id", "value": "7"}]}
                """), line: "GET /users/7?a=1"),
        Sample(
            description: "Postman: a value that would divide the query", file: "c.json",
            text: postman(
                #""method": "GET", "url": {"raw": "$H/a?q=a&b", "path": ["a"], "#
                    + #""query": [{"key": "q", "value": "a&b"}, {"key": "h", "value": "c#d"}]}"#),
            line: "GET /a?q=a%26b&h=c%23d"),
        Sample(
            description: "Postman: a form", file: "c.json",
            text: postman(
                """
                "method": "POST", "url": "$H/f", "body": {"mode": "urlencoded", "urlencoded": [
                {"key": "a", "value": "1=2"}, {"key": "b", "value": "x", "disabled": true}, {"key": "c", "value": "&"}]}
                """), line: "POST /f", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("a=1%3D2&c=%26")),
        Sample(
            description: "Postman: JSON by its language", file: "c.json",
            text: postman(
                """
                "method": "POST", "url": "$H/j", "body": {"mode": "raw", "raw": "{\\"a\\": 1}",
                "options": {"raw": {"language": "json"}}}
                """), line: "POST /j", headers: ["content-type": "application/json"], body: .json(#"{"a": 1}"#)),
        Sample(
            description: "Postman: text", file: "c.json",
            text: postman(#""method": "POST", "url": "$H/t", "body": {"mode": "raw", "raw": "hello"}"#),
            line: "POST /t",
            headers: ["content-type": "text/plain"], body: .text("hello")),
        Sample(
            description: "Postman: parts", file: "c.json",
            text: postman(
                """
                "method": "POST", "url": "$H/m", "body": {"mode": "formdata", "formdata": [
                {"key": "a", "value": "1", "type": "text"}, {"key": "off", "value": "2", "disabled": true},
                {"key": "b", "value": "{}", "type": "text", "contentType": "application/json"}]}
                """), line: "POST /m",
            body: .parts(["name=\"a\"", "\r\n\r\n1\r\n", "name=\"b\"", "application/json", "\r\n\r\n{}\r\n"])),
        Sample(
            description: "Postman: credentials of the collection", file: "c.json",
            text: postman(
                #""method": "GET", "url": "$H/a""#,
                #", "auth": {"type": "basic", "basic": [{"key": "username", "value": "bob"}, "#
                    + #"{"key": "password", "value": "secret"}]}"#), line: "GET /a",
            headers: ["authorization": "Basic Ym9iOnNlY3JldA=="]),
        Sample(
            description: "Postman: an API key in the query", file: "c.json",
            text: postman(
                #""method": "GET", "url": "$H/a?x=1", "auth": {"type": "apikey", "apikey": ["#
                    + #"{"key": "key", "value": "api_key"}, {"key": "value", "value": "abc123"}, "#
                    + #"{"key": "in", "value": "query"}]}"#), line: "GET /a?x=1&api_key=abc123"),
        Sample(
            description: "Postman: GraphQL", file: "c.json",
            text: postman(
                #""method": "POST", "url": "$H/g", "body": {"mode": "graphql", "graphql": "#
                    + #"{"query": "{ a }", "variables": "{\"x\": 1}"}}"#), line: "POST /g",
            headers: ["content-type": "application/json"], body: .json(#"{"query": "{ a }", "variables": {"x": 1}}"#)),
        Sample(
            description: "Postman: variables of the collection", file: "c.json",
            text: postman(
                #""method": "PATCH", "url": "{{base}}/v/{{v}}", "header": [{"key": "X-V", "value": "{{v}}"}]"#,
                #", "variable": [{"key": "base", "value": "$H"}, {"key": "v", "value": "3"}]"#), line: "PATCH /v/3",
            headers: ["x-v": "3"]),
    ]

    /// An export of Insomnia 4 with one request.
    private static func insomnia(_ request: String) -> String {
        """
        {"_type": "export", "__export_format": 4, "resources": [
        {"_id": "wrk_1", "_type": "workspace", "parentId": null, "name": "c"},
        {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "r", \(request)}]}
        """
    }

    private static let insomniaFiles = [
        Sample(
            description: "Insomnia: parameters and headers", file: "i.json",
            text: insomnia(
                """
                "method": "GET", "url": "$H/a", "parameters": [{"name": "q", "value": "a b"},
                {"name": "off", "value": "1", "disabled": true}], "headers": [{"name": "X-A", "value": "1"}]
                """), line: "GET /a?q=a%20b", headers: ["x-a": "1"]),
        Sample(
            description: "Insomnia: escapes in a parameter", file: "i.json",
            text: insomnia(
                #""method": "GET", "url": "$H/a", "parameters": [{"name": "q", "value": "a%20b"}, "#
                    + #"{"name": "r", "value": "x%2Fy&z"}]"#), line: "GET /a?q=a%20b&r=x%2Fy%26z"),
        Sample(
            description: "Insomnia: JSON", file: "i.json",
            text: insomnia(
                """
                "method": "POST", "url": "$H/a", "headers": [{"name": "Content-Type", "value": "application/json"}],
                "body": {"mimeType": "application/json", "text": "{\\"a\\": 1}"}
                """), line: "POST /a", headers: ["content-type": "application/json"], body: .json(#"{"a": 1}"#)),
        Sample(
            description: "Insomnia: a token with a prefix of its own", file: "i.json",
            text: insomnia(
                """
                "method": "GET", "url": "$H/a",
                "authentication": {"type": "bearer", "token": "abc123", "prefix": "Token"}
                """), line: "GET /a", headers: ["authorization": "Token abc123"]),
        Sample(
            description: "Insomnia: a form", file: "i.json",
            text: insomnia(
                """
                "method": "POST", "url": "$H/a", "body": {"mimeType": "application/x-www-form-urlencoded",
                "params": [{"name": "a", "value": "1"}, {"name": "b", "value": "x&y"}]}
                """), line: "POST /a", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("a=1&b=x%26y")),
    ]

    private static let otherFiles = [
        Sample(
            description: "HAR: a recorded request", file: "a.har",
            text: """
                {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
                {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": {"method": "POST",
                "url": "$H/h?x=%20a", "httpVersion": "HTTP/1.1", "headers": [{"name": "X-A", "value": "1"},
                {"name": "Content-Type", "value": "text/plain"}], "queryString": [{"name": "x", "value": " a"}],
                "cookies": [], "headersSize": -1, "bodySize": 5, "postData": {"mimeType": "text/plain", "text": "hello"}},
                "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [],
                "content": {"size": 0, "mimeType": ""}, "redirectURL": "", "headersSize": -1, "bodySize": 0},
                "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
                """, line: "POST /h?x=%20a", headers: ["x-a": "1", "content-type": "text/plain"], body: .text("hello")),
        Sample(
            description: "HAR: a form as pairs", file: "a.har",
            text: """
                {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
                {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": {"method": "POST",
                "url": "$H/h", "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [],
                "headersSize": -1, "bodySize": 5, "postData": {"mimeType": "application/x-www-form-urlencoded",
                "params": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}},
                "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [],
                "content": {"size": 0, "mimeType": ""}, "redirectURL": "", "headersSize": -1, "bodySize": 0},
                "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
                """, line: "POST /h", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: .text("a=1&b=2")),
        Sample(
            description: "OpenAPI: examples of parameters", file: "openapi.yaml",
            text: """
                openapi: 3.0.3
                info: {title: t, version: "1"}
                servers: [{url: "$H/v1"}]
                paths:
                  /users/{id}:
                    get:
                      parameters:
                        - {name: id, in: path, required: true, schema: {type: integer}, example: 7}
                        - {name: sort, in: query, required: true, schema: {type: string}, example: name}
                      responses: {"200": {description: ok}}
                """, line: "GET /v1/users/7?sort=name"),
        Sample(
            description: "OpenAPI: a body from its example", file: "openapi.yaml",
            text: """
                openapi: 3.1.0
                info: {title: t, version: "1"}
                servers: [{url: "$H"}]
                paths:
                  /users:
                    post:
                      requestBody:
                        content:
                          application/json:
                            example: {name: Ada, tags: [a]}
                      responses: {"201": {description: made}}
                """, line: "POST /users", headers: ["content-type": "application/json"],
            body: .json(#"{"name": "Ada", "tags": ["a"]}"#)),
        Sample(
            description: "posting: rows and a body", file: "a.posting.yaml",
            text: """
                name: a
                method: POST
                url: $H/a
                params:
                - {name: a, value: "1"}
                - {name: b, value: "2", enabled: false}
                headers:
                - {name: X-A, value: "1"}
                body:
                  form_data:
                  - {name: x, value: "1"}
                  - {name: y, value: "a b"}
                """, line: "POST /a?a=1", headers: ["x-a": "1", "content-type": "application/x-www-form-urlencoded"],
            body: .text("x=1&y=a+b")),
        Sample(
            description: "slumber: rows and JSON", file: "slumber.yml",
            text: """
                requests:
                  a:
                    name: a
                    method: POST
                    url: "$H/a"
                    query:
                      a: "1"
                    headers:
                      X-A: "1"
                    body:
                      type: json
                      data: {"x": 1}
                """, line: "POST /a?a=1", headers: ["x-a": "1", "content-type": "application/json"],
            body: .json(#"{"x": 1}"#)),
    ]
}
