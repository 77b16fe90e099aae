import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The cookies that a request has of its own.
@Suite struct CookieRowTests {
    private static let secret = "s3ss10n-4711"

    private static func resolved(
        _ request: SavedRequest, environment headers: [Field] = []
    ) throws -> ResolvedRequest {
        let collection = Collection(name: "c", variables: [Field("text", "x")], headers: [Field("Cookie", "all=1")])
        let secrets = SecretReader(environment: { _ in nil }, file: { _ in [] })
        var environment = Environment(name: "e", host: "https://a.test")
        environment.additionalHeaders = headers
        return try Resolver(collection: collection, environment: environment, secrets: secrets).resolve(request)
    }

    private static func cookies(_ request: SavedRequest) throws -> [String] {
        try resolved(request).headers.values(for: .cookie).map(\.text)
    }

    private static func request(_ cookies: [Field], headers: [Field] = []) -> SavedRequest {
        var request = SavedRequest(name: "r", path: "/", headers: headers)
        request.cookies = cookies
        return request
    }

    @Test func `they are one header, behind those that are written, and in place of an inherited one`() throws {
        let rows = [Field("a", "1"), Field("off", "2", enabled: false), Field("b", "{{text}}")]
        #expect(try Self.cookies(Self.request(rows)) == ["a=1; b=x"])
        #expect(try Self.cookies(Self.request(rows, headers: [Field("cookie", "z=0")])) == ["z=0; a=1; b=x"])
        #expect(try Self.cookies(Self.request([Field("off", "2", enabled: false)])) == ["all=1"])
    }

    private static func withKey(
        _ value: String = "k", _ cookies: [Field] = [], headers: [Field] = []
    ) -> SavedRequest {
        var request = request(cookies, headers: headers)
        request.authentication = .apiKey(APIKeyAuthentication(name: "sid", value: value, location: .cookie))
        return request
    }

    @Test func `an API key is one more cookie in the same header, in place of one of its name`() throws {
        #expect(try Self.cookies(Self.withKey()) == ["all=1; sid=k"])
        let rows = [Field("sid", "old"), Field("a", "1")]
        #expect(try Self.cookies(Self.withKey("k", rows, headers: [Field("cookie", "z=0")])) == ["z=0; a=1; sid=k"])
        let resolved = try Self.resolved(Self.withKey(), environment: [Field("Cookie", "env=1")])
        #expect(resolved.additionalHeaders.values(for: .cookie).map(\.text) == ["env=1; sid=k"])
        #expect(resolved.headers.values(for: .cookie).isEmpty)
    }

    @Test func `an API key in a cookie is masked, and one that no cookie can hold is an error`() throws {
        let resolved = try Self.resolved(Self.withKey(Self.secret))
        #expect(!resolved.redactor.redact("x \(Self.secret)").contains(Self.secret))
        #expect(!PreparedRequest(resolved).headers.contains { $0.value.contains(Self.secret) })
        let error = #expect(throws: ResolveError.self) { try Self.resolved(Self.withKey("a b")) }
        #expect(error?.field == "authentication apiKey")
    }

    @Test func `rows, key and jar are one header`() async throws {
        let server = try LoopbackServer {
            .ok($0.headers["cookie"] ?? "none", headers: [("Set-Cookie", "session=abc; Path=/")])
        }
        defer { server.stop() }
        var request = Self.withKey("k", [Field("a", "1")])
        request.connection = SavedConnection { $0.cookies = true }
        let collection = Collection(
            name: "c", environments: [Environment(name: "e", host: server.host)], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "/c.json")
        let session = Session()
        for _ in 1...2 { _ = await session.events(of: order) }
        let sent = server.requests.map { ($0.headers["cookie"] ?? "").split(separator: "; ").sorted() }
        #expect(sent == [["a=1", "sid=k"], ["a=1", "session=abc", "sid=k"]])
    }

    @Test func `the file has the place of a key`() throws {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/",
              "authentication": { "apiKey": { "name": "sid", "value": "{{key}}", "in": "cookie" } } }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        #expect(collection.requests.first?.authentication == Self.withKey("{{key}}").authentication)
        let again = CollectionFile.read(Array(collection.text.utf8), file: "c.json").collection
        #expect(again?.requests.first?.authentication == collection.requests.first?.authentication)
        #expect(collection.text.contains(#""in": "cookie""#))
    }

    @Test func `each value is masked`() throws {
        let resolved = try Self.resolved(Self.request([Field("theme", Self.secret)]))
        #expect(!resolved.redactor.redact("theme=\(Self.secret)").contains(Self.secret))
        let prepared = PreparedRequest(resolved)
        #expect(!prepared.headers.contains { $0.value.contains(Self.secret) })
    }

    @Test func `the file has them as rows, and one in clear is found`() throws {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "cookies": [
              { "name": "sid", "value": "\(Self.secret)" }, { "name": "b", "value": "{{text}}", "enabled": false }
            ] }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        let rows = [Field("sid", Self.secret), Field("b", "{{text}}", enabled: false)]
        #expect(collection.requests.first?.cookies == rows)
        let again = CollectionFile.read(Array(collection.text.utf8), file: "c.json").collection
        #expect(again?.requests.first?.cookies == rows)
        let found = try #require(PlainSecrets(of: collection, file: "c.json")).found
        #expect(found.map(\.name) == ["sid"] && found.map(\.kind) == ["a cookie"])
    }

    @Test func `a document that has one is a source of the header`() {
        let base = OperationBase(Self.request([Field("a", "1")]), [])
        #expect(SavedOperation("a", of: "./api.yaml", base).documents(header: "Cookie"))
        let none = OperationBase(Self.request([]), [])
        #expect(!SavedOperation("a", of: "./api.yaml", none).documents(header: "Cookie"))
    }

    @Test func `an export has them in one header`() {
        let request = SavedRequest(name: "r", path: "https://a.test/")
        var own = request
        own.cookies = [Field("a", "{{text}}"), Field("b", "1")]
        #expect(CurlExport.shown(own, in: nil).contains("Cookie: a={{text}}; b=1"))
        #expect(!CurlExport.shown(request, in: nil).contains("Cookie"))
    }

    @Test func `a written header, rows and a key are one header of each export`() throws {
        var request = Self.withKey("{{k}}", [Field("a", "{{b}}")], headers: [Field("Cookie", "z={{z}}")])
        request.path = "https://a.test/"
        let collection = Collection(name: "c", items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "/c.json")
        let rows = ExportedRequest(order).allHeaders.filter { $0.isNamed("cookie") }
        #expect(rows.map(\.value.templates) == ["z={{z}}; a={{b}}; sid={{k}}"])
        #expect(CurlExport.shown(request, in: nil).contains("Cookie: z={{z}}; a={{b}}; sid={{k}}"))
        let alone = CurlExport.shown(Self.withKey("{{k}}"), in: nil)
        #expect(alone.contains("Cookie: sid={{k}}"))
    }

    @Test(arguments: [("a=b", true), ("a;b", true), ("1;2", false), ("1;\u{301}2", false)])
    func `a text that would end a cookie is refused`(text: String, isName: Bool) {
        #expect(throws: FieldError.self) { try Field.checkCookie(text, isName: isName) }
    }

    @Test func `a value of a cookie may have an equals sign`() throws { try Field.checkCookie("YQ==", isName: false) }
}
