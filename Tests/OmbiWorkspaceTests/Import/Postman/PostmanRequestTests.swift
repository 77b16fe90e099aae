import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The bodies, headers, credentials and settings of Postman's requests.
@Suite struct PostmanRequestTests {
    private static let url = "\"url\": \"https://a.test/x\""

    private func body(_ body: String, _ more: String = "") throws -> (SavedBody?, notes: [ImportNote]) {
        let (request, notes) = try PostmanSample.only("\(Self.url), \"body\": \(body)\(more)")
        return (request.body, notes)
    }

    // MARK: Bodies

    @Test func `a JSON body is JSON, and a template without quotes has a kind`() throws {
        let raw =
            #"{"mode": "raw", "raw": "{\"id\": {{id}}, \"name\": \"{{ full name }}\"}", "#
            + #""options": {"raw": {"language": "json"}}}"#
        let (found, _) = try body(raw)
        #expect(
            found
                == .json(
                    JSONContent(
                        .object([
                            .init("id", .string("{{id:json}}")), .init("name", .string("{{full_name}}")),
                        ]))))
    }

    @Test(arguments: [
        (#"{"mode": "raw", "raw": "<a/>", "options": {"raw": {"language": "xml"}}}"#, "<a/>", "application/xml"),
        (#"{"mode": "raw", "raw": "{a: 1}", "options": {"raw": {"language": "json"}}}"#, "{a: 1}", "application/json"),
        (#"{"mode": "raw", "raw": "hello"}"#, "hello", "text/plain"),
        (
            #"{"mode": "raw", "raw": "{\"a\": [1, {{n}},],}", "options": {"raw": {"language": "json"}}}"#,
            #"{"a": [1, {{n}},],}"#, "application/json"
        ),
        (
            #"{"mode": "raw", "raw": "x()", "options": {"raw": {"language": "javascript"}}}"#, "x()",
            "application/javascript"
        ),
    ])
    func `another text has its type`(text: String, content: String, type: String) throws {
        #expect(try body(text).0 == .text(TextContent(content, contentType: type)))
    }

    @Test func `a form that is written as it is sent has rows`() throws {
        let text = #"{"mode": "urlencoded", "urlencoded": "a=1&b={{ c }}&d=e%20f"}"#
        #expect(
            try body(text).0
                == .text(
                    TextContent("a=1&b={{c}}&d=e%20f", contentType: "application/x-www-form-urlencoded")))
        let plain = #"{"mode": "urlencoded", "urlencoded": "a=1&b=2+3"}"#
        #expect(try body(plain).0 == .form(FormContent([Field("a", "1"), Field("b", "2 3")])))
        #expect(try body(#"{"mode": "urlencoded", "urlencoded": ""}"#).0 == nil)
    }

    @Test func `a Content-Type that the body says itself is dropped`() throws {
        let (request, _) = try PostmanSample.only(
            Self.url + #", "header": [{"key": "Content-Type", "value": "application/json"}], "#
                + #""body": {"mode": "raw", "raw": "{}"}"#)
        #expect(request.headers.isEmpty && request.body == .json(JSONContent(.object([]))))
    }

    @Test func `forms keep disabled rows, and each file is a part`() throws {
        let (form, _) = try body(
            #"{"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1"}, {"key": "b", "disabled": true}]}"#)
        #expect(form == .form(FormContent([Field("a", "1"), Field("b", "", enabled: false)])))
        let (parts, notes) = try body(
            #"{"mode": "formdata", "formdata": [{"key": "t", "value": "x", "contentType": "text/csv"}, "#
                + #"{"key": "f", "type": "file", "src": ["a.png", "b.png"]}, "#
                + #"{"key": "g", "type": "file", "src": "x/c.png", "fileName": "d.png"}, "#
                + #"{"key": "h", "type": "file", "src": "x/c.png", "fileName": "c.png"}, "#
                + #"{"key": "n", "type": "file", "src": null}]}"#
        )
        #expect(
            parts
                == .multipart(
                    MultipartContent([
                        MultipartPart("t", .text("x"), contentType: "text/csv"), MultipartPart("f", .file("a.png")),
                        MultipartPart("f", .file("b.png")), MultipartPart("g", .file("x/c.png"), fileName: "d.png"),
                        MultipartPart("h", .file("x/c.png")), MultipartPart("n", .text("")),
                    ])))
        #expect(notes.contains { $0.kind == .loss && $0.subject == "n" })
    }

    @Test func `a file, a GraphQL query and a disabled body`() throws {
        #expect(try body(#"{"mode": "file", "file": {"src": "a.bin"}}"#).0 == .file(FileContent("a.bin")))
        #expect(try body(#"{"mode": "file", "file": {"content": "hi"}}"#).0?.text == "hi")
        #expect(try body(#"{"mode": "raw", "raw": ""}"#).0 == nil)
        let (query, _) = try body(
            #"{"mode": "graphql", "graphql": {"query": "query A { a }", "operationName": "A", "#
                + #""variables": "{\"id\": {{id}}}"}}"#)
        let variables = JSONValue.object([.init("id", .string("{{id:json}}"))])
        #expect(query == .graphql(GraphQLContent("query A { a }", variables: variables, operationName: "A")))
        let (disabled, notes) = try body(#"{"mode": "raw", "raw": "x", "disabled": true}"#)
        #expect(disabled == nil && notes.contains { $0.kind == .loss && $0.subject == "body" })
    }

    @Test func `comments of JSON are not sent, and slashes in texts are`() throws {
        let raw = #"{ // one\n \"a\": \"b//c\\\"/*d*/\", /* two */ \"e\": 1 }"#
        let (found, notes) = try body(
            #"{"mode": "raw", "raw": "\#(raw)", "options": {"raw": {"language": "json"}}}"#)
        let value = JSONValue.object([.init("a", .string(#"b//c"/*d*/"#)), .init("e", .number(1))])
        #expect(found == .json(JSONContent(value)))
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("comments") })
    }

    @Test func `a form without rows is no body, and one of disabled rows is named`() throws {
        for mode in ["urlencoded", "formdata"] {
            let (empty, _) = try body("{\"mode\": \"\(mode)\", \"\(mode)\": []}")
            #expect(empty == nil)
            let rows = "[{\"key\": \"a\", \"value\": \"1\", \"disabled\": true}]"
            let (disabled, notes) = try body("{\"mode\": \"\(mode)\", \"\(mode)\": \(rows)}")
            #expect(disabled != nil && notes.contains { $0.kind == .remark && $0.subject == "body" })
            let (_, lost) = try body(
                "{\"mode\": \"\(mode)\", \"\(mode)\": [{\"key\": \"\", \"value\": \"1\"}]}")
            #expect(lost.contains { $0.kind == .loss && $0.subject == "body" })
        }
    }

    @Test func `a part of text keeps the name of its file`() throws {
        let (parts, _) = try body(
            #"{"mode": "formdata", "formdata": [{"key": "t", "value": "x", "type": "text", "fileName": "t.txt"}]}"#)
        #expect(parts == .multipart(MultipartContent([MultipartPart("t", .text("x"), fileName: "t.txt")])))
    }

    @Test(arguments: [
        ("GET", "", true), ("GET", ", \"protocolProfileBehavior\": {\"disableBodyPruning\": true}", false),
        ("POST", "", false),
    ])
    func `a body that Postman does not send with the method is named`(
        method: String, more: String, isNamed: Bool
    ) throws {
        let (request, notes) = try PostmanSample.only(
            Self.url + ", \"method\": \"\(method)\", \"body\": {\"mode\": \"raw\", \"raw\": \"x\"}", more)
        #expect(request.body != nil && notes.contains { $0.subject == "body of GET" } == isNamed)
    }

    @Test func `credentials that an export leaves out are losses`() throws {
        for type in ["bearer", "apikey", "basic", "digest", "ntlm", "awsv4"] {
            let (_, notes) = try PostmanSample.only(
                Self.url + ", \"auth\": {\"type\": \"\(type)\", \"\(type)\": [{\"key\": \"key\", \"value\": \"k\"}]}")
            #expect(notes.contains { $0.kind == .loss && $0.subject == type })
        }
        let user = #", "auth": {"type": "basic", "basic": {"username": "ada", "password": ""}}"#
        #expect(try PostmanSample.only(Self.url + user).1.isEmpty)
    }

    // MARK: Headers and names

    @Test func `headers are rows or lines, and one without a name is dropped`() throws {
        let (rows, _) = try PostmanSample.only(
            Self.url + #", "header": [{"key": "X-A", "value": "1"}, {"key": "", "value": "2"}, "#
                + #"{"key": "X-B", "value": "3", "disabled": true}]"#)
        #expect(rows.headers == [Field("X-A", "1"), Field("X-B", "3", enabled: false)])
        let (lines, _) = try PostmanSample.only(Self.url + #", "header": "X-A: 1\n// X-C: 2\nX-B: b:c\n""#)
        #expect(lines.headers == [Field("X-A", "1"), Field("X-C", "2", enabled: false), Field("X-B", "b:c")])
    }

    @Test(arguments: [
        ("{{$guid}}", "{{$uuid}}"), ("{{$randomUUID}}", "{{$uuid}}"), ("{{$timestamp}}", "{{$timestamp}}"),
        ("{{$randomInt}}", "{{$randomInt(0, 1000)}}"), ("{{$randomFirstName}}", "{{randomFirstName}}"),
        ("{{ a b }}", "{{a_b}}"), ("{{}}", "\\{{}}"), ("{{#each}}", "{{_each}}"),
        ("{{vault:key}}", "{{key}}"),
    ])
    func `templates have the names and functions of Ombi`(written: String, found: String) throws {
        let (request, _) = try PostmanSample.only(
            Self.url + ", \"header\": [{\"key\": \"X\", \"value\": \"\(written)\"}]")
        #expect(request.headers.first?.value == found)
    }

    @Test func `a random value without a function is a variable with a sample, and a loss`() throws {
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request("\"url\": \"https://a.test/{{$randomEmail}}\"")))
        #expect(imported.collection.variables == [Field("randomEmail", "ada@example.com")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "{{$randomEmail}}" })
    }

    // MARK: Authentication and connection

    private static let credentials: [(auth: String, expected: String)] = [
        (#"{"type": "bearer", "bearer": [{"key": "token", "value": "{{t}}"}]}"#, #"{"bearer":"{{t}}"}"#),
        (
            #"{"type": "basic", "basic": {"username": "ada", "password": "{{p}}"}}"#,
            #"{"basic":{"username":"ada","password":"{{p}}"}}"#
        ),
        (
            #"{"type": "digest", "digest": [{"key": "username", "value": "ada"}, "#
                + #"{"key": "password", "value": "{{p}}"}]}"#,
            #"{"digest":{"username":"ada","password":"{{p}}"}}"#
        ),
        (
            #"{"type": "ntlm", "ntlm": {"username": "ada", "password": "{{p}}", "domain": "CORP"}}"#,
            #"{"ntlm":{"username":"ada","password":"{{p}}","domain":"CORP"}}"#
        ),
        (
            #"{"type": "apikey", "apikey": [{"key": "key", "value": "k"}, {"key": "value", "value": "{{v}}"}, "#
                + #"{"key": "in", "value": "query"}]}"#,
            #"{"apiKey":{"name":"k","value":"{{v}}","in":"query"}}"#
        ),
        (
            #"{"type": "awsv4", "awsv4": [{"key": "accessKey", "value": "A"}, {"key": "secretKey", "value": "{{s}}"}, "#
                + #"{"key": "region", "value": "eu"}, {"key": "service", "value": "s3"}]}"#,
            #"{"aws":{"accessKeyID":"A","secretAccessKey":"{{s}}","region":"eu","service":"s3"}}"#
        ),
        (
            #"{"type": "oauth2", "oauth2": [{"key": "grant_type", "value": "client_credentials"}, "#
                + #"{"key": "accessTokenUrl", "value": "https://i.test/t"}, {"key": "clientId", "value": "c"}]}"#,
            #"{"oauth2":{"grant":"clientCredentials","tokenURL":"https://i.test/t","clientID":"c"}}"#
        ),
        (#"{"type": "oauth2", "oauth2": [{"key": "accessToken", "value": "{{t}}"}]}"#, #"{"bearer":"{{t}}"}"#),
        (
            #"{"type": "oauth2", "oauth2": {"accessToken": "{{t}}", "addTokenTo": "queryParams"}}"#,
            #"{"apiKey":{"name":"access_token","value":"{{t}}","in":"query"}}"#
        ),
        (
            #"{"type": "oauth2", "oauth2": {"accessToken": "{{t}}", "headerPrefix": "Token"}}"#,
            #"{"apiKey":{"name":"Authorization","value":"Token {{t}}"}}"#
        ),
        (#"{"type": "noauth"}"#, #""none""#), (#"{"type": "hawk", "hawk": []}"#, #""none""#),
    ]

    @Test(arguments: credentials) func `credentials have their kind`(auth: String, expected: String) throws {
        let (request, _) = try PostmanSample.only(Self.url + ", \"auth\": \(auth)")
        #expect(request.authentication?.json(UnknownMembers()).compact == expected)
    }

    @Test func `parameters of requests for a token are kept, and what Ombi cannot send is a loss`() throws {
        let auth = #"""
            {"type": "oauth2", "oauth2": [{"key": "grant_type", "value": "client_credentials"},
            {"key": "accessTokenUrl", "value": "https://i.test/t"}, {"key": "clientId", "value": "c"},
            {"key": "headerPrefix", "value": "Token"}, {"key": "tokenRequestParams", "value": [
            {"key": "audience", "value": "a", "enabled": true, "send_as": "request_body"},
            {"key": "off", "value": "a", "enabled": false}, {"key": "", "value": ""},
            {"key": "h", "value": "b", "send_as": "request_header"}]}]}
            """#
        let (request, notes) = try PostmanSample.only(Self.url + ", \"auth\": \(auth)")
        guard case .oauth2(let oauth2)? = request.authentication else {
            Issue.record("\(String(describing: request.authentication))")
            return
        }
        #expect(oauth2.parameters == [Field("audience", "a")])
        #expect(
            Set(notes.filter { $0.kind == .loss }.map(\.subject)).isSuperset(of: ["headerPrefix", "tokenRequestParams"])
        )
        #expect(Set(notes.filter { $0.subject == "tokenRequestParams" }.map { "\($0)" }).count == 1)
    }

    @Test func `a signature without a region is that of Postman`() throws {
        let auth =
            #"{"type": "awsv4", "awsv4": [{"key": "accessKey", "value": "A"}, "#
            + #"{"key": "addAuthDataToQuery", "value": true}]}"#
        let (request, notes) = try PostmanSample.only(Self.url + ", \"auth\": \(auth)")
        guard case .aws(let aws)? = request.authentication else {
            Issue.record("\(String(describing: request.authentication))")
            return
        }
        #expect(aws.region == "us-east-1" && aws.service == "execute-api")
        #expect(notes.contains { $0.kind == .loss && $0.subject == "addAuthDataToQuery" })
    }

    @Test func `null inherits, from the folder and the collection`() throws {
        let auth = #"{"type": "bearer", "bearer": [{"key": "token", "value": "{{t}}"}]}"#
        let folder =
            "{\"name\": \"f\", \"auth\": \(auth), \"item\": [\(PostmanSample.request(Self.url + ", \"auth\": null"))]}"
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(folder, ", \"auth\": {\"type\": \"noauth\"}"))
        #expect(imported.collection.authentication == .noAuthentication)
        guard case .folder(let found)? = imported.collection.items.first else {
            Issue.record("no folder")
            return
        }
        #expect(found.settings.authentication == .bearer(BearerAuthentication(token: "{{t}}")))
        #expect(imported.collection.requests.first?.authentication == nil)
        #expect(imported.folderCount == 1 && imported.requestCount == 1)
    }

    @Test func `redirects that are not followed are a setting`() throws {
        let (request, notes) = try PostmanSample.only(
            Self.url, #", "protocolProfileBehavior": {"followRedirects": false, "strictSSL": false}"#)
        #expect(request.connection?.maximumRedirects == 0)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "strictSSL" })
    }

    @Test func `a number of redirects and a proxy are settings of the connection`() throws {
        let (request, _) = try PostmanSample.only(
            Self.url + #", "proxy": {"host": "p.test", "port": 3128}"#,
            #", "protocolProfileBehavior": {"maxRedirects": 3}"#)
        #expect(request.connection?.maximumRedirects == 3 && request.connection?.proxy == "http://p.test:3128")
    }
}
