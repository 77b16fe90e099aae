import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Headers that other tools do not send as they are.
@Suite struct HeaderExportTests {
    private static func order(_ request: SavedRequest) -> RunOrder {
        let environment = Environment(name: "e", host: "https://a.test")
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
    }

    @Test(arguments: ["python", "httpie", "locust", "k6"])
    func `a header that asks for chunks is left out where the body is sent whole`(name: String) throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/a", headers: [Field("transfer-encoding", "chunked")],
            body: .text(TextContent("x")))
        let exported = Session.exported([Self.order(request)], as: try #require(Exporter.named(name)))
        #expect(exported.losses == ["r: the body is sent whole: Transfer-Encoding is left out"])
        #expect(!exported.text.contains("chunked"), "\(exported.text)")
    }

    @Test func `braces of a header that would read a variable of the process in a .http file are a loss`() throws {
        let request = SavedRequest(name: "r", path: "/a", headers: [Field("X", #"\{{$processEnv TOKEN}}"#)])
        let exported = Session.exported([Self.order(request)], as: try #require(Exporter.named("http")))
        #expect(exported.losses == ["r: braces of a header begin a variable here"])
    }

    @Test(arguments: [
        ("httpie", SavedAuthentication.digest(DigestAuthentication(username: "u:x", password: "p")), #"u\:x:p"#),
        ("http", .basic(BasicAuthentication(username: "u", password: "")), "Authorization: Basic dTo=\n"),
    ])
    func `credentials keep their two parts`(_ name: String, _ authentication: SavedAuthentication, part: String) throws
    {
        let request = SavedRequest(name: "r", path: "https://a.test/", authentication: authentication)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        let exporter = try #require(Exporter.named(name))
        let text = try Session().filledExport(of: [order], as: exporter, revealsSecrets: true).text + "\n"
        #expect(text.contains(part), "\(text)")
    }
}
