import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The cookies that a request has of its own.
@Suite struct CookieRowTests {
    private static let secret = "s3ss10n-4711"

    private static func resolved(_ request: SavedRequest) throws -> ResolvedRequest {
        let collection = Collection(name: "c", variables: [Field("text", "x")], headers: [Field("Cookie", "all=1")])
        let secrets = SecretReader(environment: { _ in nil }, file: { _ in [] })
        let environment = Environment(name: "e", host: "https://a.test")
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

    @Test(arguments: [("a=b", true), ("a;b", true), ("1;2", false)])
    func `a text that would end a cookie is refused`(text: String, isName: Bool) {
        #expect(throws: FieldError.self) { try Field.checkCookie(text, isName: isName) }
    }

    @Test func `a value of a cookie may have an equals sign`() throws { try Field.checkCookie("YQ==", isName: false) }
}
