import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Recordings of browsers and proxies.
@Suite struct HARImportTests {
    /// A recording of requests, each as the members of its object.
    private static func recording(_ requests: String...) -> String {
        let entries = requests.map { "{\"request\": {\($0)}, \"response\": {\"status\": 200}}" }
        return "{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ", "))]}}"
    }

    private static func imported(_ text: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "session.har")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    private func only(_ members: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(Self.recording(members))
        return (try #require(imported.collection.requests.first), notes)
    }

    private func body(_ post: String, type: String? = nil) throws -> (SavedRequest, notes: [ImportNote]) {
        let header = type.map { #", "headers": [{"name": "Content-Type", "value": "\#($0)"}]"# } ?? ""
        return try only(#""method": "POST", "url": "https://a.test/graphql", "postData": \#(post)\#(header)"#)
    }

    // MARK: Entries

    @Test func `each request is there once, in order, and as often as it differs`() throws {
        let get = #""method": "GET", "url": "https://a.test/x""#
        let other = get + #", "headers": [{"name": "Accept", "value": "text/csv"}]"#
        let (imported, notes) = try Self.imported(Self.recording(get, other, get))
        #expect(imported.collection.name == "session")
        #expect(imported.collection.requests.map(\.name) == ["GET /x", "GET /x 2"])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("the same request again") })
    }

    @Test func `an entry that Ombi wrote has the name of its request`() throws {
        let text = """
            {"log": {"version": "1.2", "entries": [
              {"request": {"method": "GET", "url": "https://a.test/x"}, "_name": "list\\u0007 users"}]}}
            """
        #expect(try Self.imported(text).imported.collection.requests.map(\.name) == ["list  users"])
    }

    @Test func `several hosts are folders`() throws {
        let (imported, _) = try Self.imported(
            Self.recording(
                #""method": "GET", "url": "https://a.test/x""#, #""method": "GET", "url": "https://b.test:8080/y""#,
                #""method": "GET", "url": "https://a.test/z""#))
        #expect(imported.collection.items.map(\.name) == ["a.test", "b.test:8080"])
        #expect(imported.collection.requests.map(\.path) == ["/x", "/z", "https://b.test:8080/y"])
    }

    @Test func `an entry without a URL, and one of the browser's own, are losses`() throws {
        let (imported, notes) = try Self.imported(
            Self.recording(#""method": "GET""#, #""method": "GET", "url": "data:text/plain,x""#))
        #expect(imported.requestCount == 0)
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["entry", "data:"])
    }

    /// An entry of a recording.
    private static func entry(
        _ path: String, method: String = "GET", kind: String = "", header: String = "", type: String = ""
    ) -> String {
        let said = kind.isEmpty ? "" : "\"_resourceType\": \"\(kind)\", "
        let pair = header.split(separator: ":").map(String.init)
        let headers = pair.count == 2 ? "{\"name\": \"\(pair[0])\", \"value\": \"\(pair[1])\"}" : ""
        return "{\(said)\"request\": {\"method\": \"\(method)\", \"url\": \"https://a.test\(path)\", "
            + "\"headers\": [\(headers)]}, "
            + "\"response\": {\"status\": 200, \"content\": {\"mimeType\": \"\(type)\"}}}"
    }

    private static func imported(
        entries: [String], takesAll: Bool = false
    ) throws -> (paths: [String], losses: [ImportNote]) {
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ", "))]}}"
        let file = try Importer.read(Array(text.utf8), from: "session.har", takesAll: takesAll)
        return (try Imported.joined([file]).collection.requests.map(\.path), file.losses)
    }

    @Test func `the parts of a page are left out by kind, unless all are wanted`() throws {
        let entries = [
            Self.entry("/", kind: "document", type: "text/html"), Self.entry("/a.css", kind: "stylesheet"),
            Self.entry("/a.png", type: "image/png"), Self.entry("/b.png", kind: "other", type: "image/x-icon"),
            Self.entry("/a.js", header: "Sec-Fetch-Dest:script"), Self.entry("/f", type: "font/woff2; x=1"),
            Self.entry("/v1", method: "OPTIONS", header: "Access-Control-Request-Method:PUT"),
            Self.entry("/v1", method: "PUT", type: "application/json"), Self.entry("/v2", method: "OPTIONS"),
            Self.entry("/photo", kind: "xhr", type: "image/png"),
            Self.entry("/render", method: "POST", type: "image/png"), Self.entry("/b.woff2?v=1.js", type: "x-unknown"),
        ]
        let (paths, losses) = try Self.imported(entries: entries)
        #expect(paths == ["/", "/v1", "/v2", "/photo", "/render"])
        #expect(losses.count == 1 && losses[0].subject == "entries")
        let list = "1 style sheet, 2 image, 1 script, 2 font, 1 preflight"
        #expect(losses.first?.message.contains(list) == true && losses.first?.message.contains("--all") == true)
        let all = try Self.imported(entries: entries, takesAll: true)
        #expect(all.paths.count == entries.count && all.losses.isEmpty)
    }

    @Test func `a request that Ombi recorded is never a part of a page`() throws {
        let own = #"{"_name": "photo", "request": {"method": "GET", "url": "https://a.test/photo.png"}}"#
        #expect(try Self.imported(entries: [own, Self.entry("/x")]).paths == ["/photo.png", "/x"])
    }

    @Test func `a recording of nothing but parts of a page is read with all of them`() throws {
        let (paths, losses) = try Self.imported(entries: [Self.entry("/a.png", type: "image/png")])
        #expect(paths == ["/a.png"] && losses.isEmpty)
    }

    @Test(arguments: [
        ("WebInspector", "Accept", true), ("WebInspector", "Cookie", false), ("Firefox", "Accept", false),
    ])
    func `credentials that Chrome leaves out are a remark`(creator: String, header: String, isNoted: Bool) throws {
        let entry = Self.entry("/x", header: header + ":a=1")
        let text = "{\"log\": {\"creator\": {\"name\": \"\(creator)\"}, \"entries\": [\(entry)]}}"
        let (_, notes) = try Self.imported(text)
        #expect(notes.contains { $0.kind == .remark && $0.subject == "creator" } == isNoted, "\(notes)")
    }

    @Test func `a request that a blocker held back is left out`() throws {
        let blocked = """
            {"request": {"method": "GET", "url": "https://b.test/x"},
             "response": {"status": 0, "_error": "net::ERR_BLOCKED_BY_CLIENT"}}
            """
        let failed = blocked.replacing("b.test", with: "c.test").replacing("BLOCKED_BY_CLIENT", with: "FAILED")
        let (paths, losses) = try Self.imported(entries: [blocked, failed])
        #expect(paths == ["/x"] && losses.first?.message.contains("1 blocked") == true)
    }

    @Test func `a single request is read like an entry`() throws {
        let (imported, _) = try Self.imported(#"{"method": "PROPFIND", "url": "http://a.test/x"}"#)
        #expect(imported.collection.requests.map(\.method.rawValue) == ["PROPFIND"])
    }

    @Test(arguments: [#"{"log": {"pages": []}}"#, #"{"status": 200, "headers": []}"#])
    func `a recording without entries is refused`(text: String) {
        #expect(throws: ImportError.self) { try Importer.read(Array(text.utf8), from: "a.har") }
    }

    // MARK: Addresses and headers

    @Test(
        arguments: [
            ("https://a.test/x?q=a%20b&r=1", "/x", [Field("q", "a b"), Field("r", "1")]),
            ("https://a.test/x?flag&q=a+b", "/x?flag&q=a+b", []),
            ("https://a.test/v1/:id/{{x}}#top", "/v1/%3Aid/%7B%7Bx}}", []),
        ] as [(String, String, [Field])])
    func `the URL is sent as it was`(url: String, path: String, query: [Field]) throws {
        let list = #""queryString": [{"name": "q", "value": "twice"}]"#
        let (request, _) = try only(
            "\"method\": \"GET\", \"url\": \"\(url)\"" + (url.contains("?") ? ", " + list : ""))
        #expect(request.path == path && request.query == query)
    }

    @Test func `a URL without a query takes the list`() throws {
        let (request, _) = try only(
            #""method": "GET", "url": "http://a.test", "queryString": [{"name": "a", "value": "{{b}}"}]"#)
        #expect(request.query == [Field("a", "\\{{b}}")])
    }

    @Test func `headers of the connection are left out, and cookies are one header`() throws {
        let (request, notes) = try only(
            #""method": "GET", "url": "https://a.test/x", "headers": [{"name": ":authority", "value": "a.test"}, "#
                + #"{"name": "Sec-Fetch-Mode", "value": "cors"}, {"name": "User-Agent", "value": "M"}, "#
                + #"{"name": "X-A", "value": "1"}], "#
                + #""cookies": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]"#)
        #expect(request.headers == [Field("X-A", "1"), Field("Cookie", "a={{a}}; b={{b}}")])
        #expect(notes.contains { $0.subject == "headers" && $0.message.contains("3 times") })
        let (both, _) = try only(
            #""method": "GET", "url": "https://a.test/x", "headers": [{"name": "cookie", "value": "a=1"}], "#
                + #""cookies": [{"name": "a", "value": "1"}]"#)
        #expect(both.headers == [Field("cookie", "a={{a}}")])
    }

    @Test func `no credential of a recording is in the collection`() throws {
        let key = "8f3a9c1e5b7d2f4a6c8e0b1d"
        let (imported, notes) = try Self.imported(
            Self.recording(
                #""method": "GET", "url": "https://ada:\#(key)1@a.test/x?api_key=\#(key)2", "#
                    + #""headers": [{"name": "X-Api-Key", "value": "\#(key)3"}]"#,
                #""method": "GET", "url": "https://a.test/x", "#
                    + #""headers": [{"name": "Authorization", "value": "Bearer \#(key)4"}]"#))
        #expect(!imported.written(keeping: .drop).text.contains(key))
        #expect(!notes.contains { $0.description.contains(key) })
        #expect(Set(imported.secrets.map(\.value)) == Set((1...4).map { "\(key)\($0)" }))
    }

    // MARK: Bodies

    @Test(arguments: [
        #""bodySize": 5"#, #""bodySize": 5, "postData": {"mimeType": "text/plain", "text": ""}"#,
        #""bodySize": 5, "postData": {"mimeType": "text/plain", "text": "hell"}"#,
    ])
    func `a body that is not whole is a loss`(members: String) throws {
        let (_, notes) = try only(#""method": "POST", "url": "https://a.test/x", "# + members)
        #expect(notes.contains { $0.kind == .loss && $0.message.contains("5 bytes") })
    }

    @Test(arguments: [
        #""bodySize": 0"#, #""bodySize": -1"#,
        #""bodySize": 5, "postData": {"mimeType": "text/plain", "text": "hello"}"#,
        #""bodySize": 3, "postData": {"mimeType": "text/plain", "text": "aGVs", "encoding": "base64"}"#,
    ])
    func `a body that is whole is no loss`(members: String) throws {
        let (_, notes) = try only(#""method": "POST", "url": "https://a.test/x", "# + members)
        #expect(!notes.contains { $0.kind == .loss })
    }

    @Test func `a body stays beside pseudo headers, and without a header of its type`() throws {
        let (request, notes) = try only(
            #""method": "POST", "url": "https://a.test/x", "headers": [{"name": ":method", "value": "POST"}, "#
                + #"{"name": ":path", "value": "/x"}], "postData": {"mimeType": "text/csv", "text": "a,b"}"#)
        #expect(request.body == .text(TextContent("a,b", contentType: "text/csv")) && request.headers.isEmpty)
        #expect(!notes.contains { $0.kind == .loss })
    }

    @Test func `a broken entry costs what is broken, and what other tools add is a loss`() throws {
        let (imported, notes) = try Self.imported(
            #"""
            {"log": {"entries": [{"response": {"status": 200}},
            {"request": {"method": "GET", "url": "https://a.test/y", "headers": {"X-A": "1"}},
            "checks": [{"type": 1, "value": 200}], "variables": [{"type": 0, "name": "v", "expression": "a.b"}]}]}}
            """#)
        #expect(imported.collection.requests.map(\.path) == ["/y"])
        #expect(["entry", "headers", "checks", "variables"].allSatisfy { notes.lose($0) }, "\(notes)")
    }

    @Test func `messages that a WebSocket sends are there`() throws {
        let (imported, notes) = try Self.imported(
            #"""
            {"log": {"entries": [{"_webSocketMessages": [{"type": "send", "opcode": 1, "data": "{{hi}}"},
            {"type": "receive", "opcode": 1, "data": "no"}, {"type": "send", "opcode": 2, "data": "AA=="}],
            "request": {"method": "GET", "url": "wss://a.test/w",
            "headers": [{"name": "Sec-WebSocket-Protocol", "value": "chat, v2"}]}}]}}
            """#)
        let socket = try #require(imported.collection.requests.first?.webSocket)
        #expect(socket.messages == [SavedMessage(name: "message 1", text: "\\{{hi}}")])
        #expect(socket.subprotocols == ["chat", "v2"])
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["_webSocketMessages"])
    }

    @Test func `a tunnel through a proxy is a loss`() throws {
        let (_, notes) = try only(#""method": "CONNECT", "url": "https://a.test/""#)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "CONNECT" })
    }

    @Test func `cookies of the list are sent where the header is empty`() throws {
        let (request, _) = try only(
            #""method": "GET", "url": "https://a.test/x", "headers": [{"name": "Cookie", "value": ""}], "#
                + #""cookies": [{"name": "lang", "value": "{{l}}"}]"#)
        #expect(request.headers.map(\.name) == ["Cookie"] && request.headers.first?.value.isEmpty == false)
    }

    @Test func `JSON is JSON, whose braces are no templates`() throws {
        let (request, _) = try body(
            #"{"mimeType": "application/json", "text": "{\"a\": \"{{b}}\"}"}"#, type: "application/json")
        #expect(request.body == .json(JSONContent(.object([.init("a", .string("\\{{b}}"))]))))
        #expect(request.headers.isEmpty)
    }

    @Test func `a query for GraphQL is one`() throws {
        let (request, _) = try body(
            #"{"mimeType": "application/json", "text": "{\"query\": \"{ a }\", \"variables\": {\"id\": 1}}"}"#)
        let variables = JSONValue.object([.init("id", .number("1"))])
        #expect(request.body == .graphql(GraphQLContent("{ a }", variables: variables)))
    }

    @Test func `a query with what a body of GraphQL does not hold stays JSON`() throws {
        for member in [#"\"variables\": \"{}\""#, #"\"extensions\": {}"#] {
            let (request, _) = try body(
                #"{"mimeType": "application/json", "text": "{\"query\": \"{ a }\", \#(member)}"}"#)
            #expect(request.body?.kind == .json)
        }
    }

    @Test func `of the text of a form and its parameters, the text counts`() throws {
        let type = "application/x-www-form-urlencoded"
        let (both, _) = try body(
            #"{"mimeType": "\#(type)", "text": "a=1+2", "params": [{"name": "b", "value": "3"}]}"#, type: type)
        #expect(both.body == .form(FormContent([Field("a", "1 2")])) && both.headers.isEmpty)
        let (rows, _) = try body(#"{"mimeType": "\#(type)", "text": "", "params": [{"name": "b", "value": "3"}]}"#)
        #expect(rows.body == .form(FormContent([Field("b", "3")])))
        let (kept, _) = try body(#"{"mimeType": "\#(type)", "text": "a=%7e"}"#)
        #expect(kept.body == .text(TextContent("a=%7e", contentType: type)))
    }

    @Test func `multipart text is divided at its boundary, and files are to be found`() throws {
        let text =
            #"--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\n1\r\n2\r\n"#
            + #"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n"#
            + #"Content-Type: image/png\r\n\r\n\r\n--b--\r\n"#
        let type = "multipart/form-data; boundary=b"
        let (request, notes) = try body(#"{"mimeType": "\#(type)", "text": "\#(text)"}"#, type: type)
        let parts = [
            MultipartPart("t", .text("1\r\n2")), MultipartPart("f", .file("a.png"), contentType: "image/png"),
        ]
        #expect(request.body == .multipart(MultipartContent(parts)) && request.headers.isEmpty)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "a.png" })
        let (listed, _) = try body(
            #"{"mimeType": "multipart/form-data", "params": [{"name": "t", "value": "x", "fileName": "t.txt"}]}"#)
        #expect(listed.body == .multipart(MultipartContent([MultipartPart("t", .text("x"), fileName: "t.txt")])))
    }

    @Test func `base64 of a text is the text, and that of other bytes a loss`() throws {
        let (text, _) = try body(#"{"mimeType": "text/plain", "text": "aGk=", "encoding": "base64"}"#)
        #expect(text.body == .text(TextContent("hi", contentType: "text/plain")))
        let (bytes, notes) = try body(#"{"mimeType": "image/png", "text": "/w==", "encoding": "base64"}"#)
        #expect(bytes.body == nil && notes.contains { $0.kind == .loss && $0.message.contains("1 bytes") })
    }
}
