import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests as the words of a command line.
@Suite struct RequestWordsTests {
    private static let url = "http://a.test/x"

    private static func request(
        _ words: [String], isForm: Bool = false, raw: String? = nil, prefix: String = ""
    ) throws -> SavedRequest {
        try RequestWords(words).request(isForm: isForm, raw: raw, prefix: prefix)
    }

    private static func message(_ words: [String], isForm: Bool = false, raw: String? = nil) -> String? {
        do throws(FieldError) {
            _ = try RequestWords(words).request(isForm: isForm, raw: raw)
            return nil
        } catch { return error.message }
    }

    // MARK: Method and URL

    @Test(
        arguments: [
            (["http://a.test/x"], "GET", "http://a.test/x"), (["http://a.test/x", "a=b"], "POST", "http://a.test/x"),
            (["http://a.test/x", "a==b"], "GET", "http://a.test/x"),
            (["http://a.test/x", "A:b"], "GET", "http://a.test/x"),
            (["put", "http://a.test/x", "a=b"], "PUT", "http://a.test/x"), (["DELETE", "/x"], "DELETE", "/x"),
            (["GET", ":3000/x", "a=b"], "GET", "http://localhost:3000/x"), ([":3000"], "GET", "http://localhost:3000"),
            (["localhost:3000", "a=b"], "POST", "http://localhost:3000"),
            (["localhost", "a=b"], "POST", "http://localhost"),
            (["PURGE", "shop:80/x"], "PURGE", "http://shop:80/x"), (["{{base}}/x", "a:=1"], "POST", "{{base}}/x"),
            (["https://a.test/a/../b"], "GET", "https://a.test/b"), (["users/7", "a=b"], "POST", "users/7"),
            (["http://a.test/x", "@f.bin"], "POST", "http://a.test/x"),
        ] as [([String], String, String)])
    func `method and scheme may be left out`(words: [String], method: String, path: String) throws {
        let request = try Self.request(words)
        #expect(request.method.rawValue == method)
        #expect(request.path == path)
    }

    @Test func `the query of the URL comes before that of items, and a user becomes credentials`() throws {
        let request = try Self.request(["http://me:pw@a.test/users/7?a=1", "b==x y", "name\\=c==3"])
        #expect(request.name == "users 7" && request.path == "http://a.test/users/7")
        #expect(request.query == [Field("a", "1"), Field("b", "x y"), Field("name=c", "3")])
        #expect(request.authentication == .basic(BasicAuthentication(username: "me", password: "pw")))
    }

    // MARK: Headers

    @Test(
        arguments: [
            (["A:1", "B: 2 "], [Field("A", "1"), Field("B", "2")]), (["A;"], [Field("A", "")]),
            (["A:1", "a:2"], [Field("A", "1"), Field("a", "2")]), (["A:1", "a:"], []),
            (["A:", "A:2"], [Field("A", "2")]),
            (["Host:b.test:80"], [Field("Host", "b.test:80")]), (["A:b=c"], [Field("A", "b=c")]),
            (["A:{{token}}"], [Field("A", "{{token}}")]),
        ] as [([String], [Field])])
    func `headers are set, emptied and left out`(items: [String], headers: [Field]) throws {
        #expect(try Self.request([Self.url] + items).headers == headers)
    }

    @Test func `a header that is left out is not inherited either`() throws {
        let words = try RequestWords([Self.url, "x-team:", "Authorization:"])
        #expect(try words.request().authentication == .noAuthentication)
        let fields = [Field("X-Team", "blue"), Field("X-Other", "1")]
        let environment = Environment(name: "e", host: "http://a.test", additionalHeaders: fields)
        let collection = OmbiWorkspace.Collection(name: "c", headers: fields, environments: [environment])
        let left = words.surroundings(collection)
        #expect(left.headers == [fields[1]] && left.environments[0].additionalHeaders == [fields[1]])
    }

    // MARK: Bodies

    @Test(
        arguments: [
            (["a=b"], #"{"a":"b"}"#), (["n:=1.50", "l:=[1, {\"x\": null}]"], #"{"n":1.50,"l":[1,{"x":null}]}"#),
            (["a=1", "a=2"], #"{"a":"2"}"#), (["a="], #"{"a":""}"#), (["a\\:b=c"], #"{"a:b":"c"}"#),
            (["a=b=c:d@e;f"], #"{"a":"b=c:d@e;f"}"#), (["a\\=b=c"], #"{"a=b":"c"}"#),
            (["a=c:\\dir"], #"{"a":"c:\\dir"}"#),
            (["a=x\\=y"], #"{"a":"x=y"}"#), (["a={{id}}"], #"{"a":"{{id}}"}"#), (["é=ü"], #"{"é":"ü"}"#),
            (["a:=\"t\""], #"{"a":"t"}"#), (["a:=true"], #"{"a":true}"#),
        ] as [([String], String)])
    func `data becomes JSON`(items: [String], json: String) throws {
        guard case .json(let content)? = try Self.request([Self.url] + items).body else {
            Issue.record("no JSON")
            return
        }
        #expect(content.value.compact == json)
    }

    @Test(
        arguments: [
            (["a=b", "a=c d"], [Field("a", "b"), Field("a", "c d")]), (["n:=1.50"], [Field("n", "1.50")]),
            (["b:=true"], [Field("b", "true")]), (["s:=\"t\""], [Field("s", "t")]), (["a[]=1"], [Field("a[]", "1")]),
        ] as [([String], [Field])])
    func `data becomes a form`(items: [String], fields: [Field]) throws {
        #expect(try Self.request([Self.url] + items, isForm: true).body == .form(FormContent(fields)))
    }

    @Test func `a file is a part of a form, or the whole body`() throws {
        let parts = [
            MultipartPart("a", .text("b")), MultipartPart("f", .file("./x.png")),
            MultipartPart("g", .file("y"), contentType: "image/gif"),
        ]
        let items = ["a=b", "f@./x.png", "g@y;type=image/gif"]
        #expect(try Self.request([Self.url] + items).body == .multipart(MultipartContent(parts)))
        #expect(try Self.request([Self.url, "@x.json"]).body == .file(FileContent("x.json")))
        #expect(try Self.request([Self.url, "@x"], prefix: "../").body == .file(FileContent("../x")))
        #expect(try Self.request([Self.url, "@/x"], prefix: "../").body == .file(FileContent("/x")))
    }

    @Test(
        arguments: [
            ("{\"a\": 1.0}", false, "application/json"), ("a=b", true, "application/x-www-form-urlencoded"),
            ("plain", false, nil),
        ] as [(String, Bool, String?)])
    func `a raw text is the body as it is`(raw: String, isForm: Bool, type: String?) throws {
        let request = try Self.request([Self.url], isForm: isForm, raw: raw)
        #expect(request.method == .post && request.body == .text(TextContent(raw, contentType: type)))
    }

    @Test(arguments: [
        ("A:@f", SendItem.Kind.header, "x"), ("a==@f", .query, "x"), ("a=@f", .text, "x\n"), ("a:=@f", .json, "x\n"),
    ])
    func `a value is taken from a file`(word: String, kind: SendItem.Kind, value: String) throws {
        var item = try SendItem(word)
        #expect(item.path == "f")
        try item.take(Array("x\n".utf8))
        #expect(item.kind == kind && item.value == value && item.path == nil)
        var binary = try SendItem(word)
        #expect(throws: FieldError.self) { try binary.take([0xFF]) }
    }

    // MARK: Errors

    @Test(
        arguments: [
            ([], "the URL is missing"), (["POST"], "the URL is missing"),
            (["htp://a.test"], "write http:// or https://"),
            (["users", "a=b"], "for the path users write /users"), ([url, "word"], "write name=value, name:=json"),
            ([url, "=x"], "the name is missing; write name=value"), ([url, "==x"], "write name==value"),
            ([url, "a:=x"], "write a=value for a string"), ([url, "a:={"], "is no JSON"),
            ([url, "a=@"], "write name=@file"),
            ([url, "a@"], "write name@file"), ([url, "A;b"], "and A; for an empty one"),
            ([url, "A B:1"], "a header name is made of"), ([url, "http://b.test"], "send one request at a time"),
            ([url, "Content-Length:3"], "leave it out"), ([url, "User-Agent:"], "Ombi always sends this header"),
            ([url, "Content-Type:", "a=b"], "a body always has one"), ([url, "a[b]=c"], "write a:='{"),
            ([url, "@f", "a=b"], "write name@file for a part"), (["HEAD", url, "a=b"], "HEAD has no body"),
        ] as [([String], String)])
    func `an error says what to write`(words: [String], told: String) {
        let message = Self.message(words)
        #expect(message?.contains(told) ?? false, "\(message ?? "no error")")
    }

    @Test func `a form and a raw body say what they cannot have`() {
        let object = Self.message([Self.url, "a:={}"], isForm: true)
        #expect(object?.contains("write a=value, or leave out --form") ?? false)
        #expect(Self.message([Self.url, "a=b"], raw: "x")?.contains("not both") ?? false)
    }
}
