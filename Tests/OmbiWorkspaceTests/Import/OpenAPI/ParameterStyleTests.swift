import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Values as the tables of OpenAPI 3.2 ("Style Examples") write them.
@Suite struct ParameterStyleTests {
    private static let list: JSONValue = ["blue", "black", "brown"]
    private static let object: JSONValue = ["R": 100, "G": 200, "B": 150]

    @Test(arguments: [
        ("simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"),
        ("simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"),
        ("label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
        ("label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
        ("matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        ("matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ])
    func `a part of a path has the form of its style`(
        name: String, explode: Bool, text: String, list: String, object: String
    ) {
        let style = ParameterStyle(name, explode: explode)
        #expect(style.segment("color", "blue") == text)
        #expect(style.segment("color", Self.list) == list)
        #expect(style.segment("color", Self.object) == object)
        #expect(style.segment("color", ["a/b", "c,d"]).hasSuffix("c%2Cd"))
    }

    @Test(arguments: [
        ("form", false, ["color=blue,black,brown"], ["color=R,100,G,200,B,150"]),
        ("form", true, ["color=blue", "color=black", "color=brown"], ["R=100", "G=200", "B=150"]),
        ("spaceDelimited", false, ["color=blue black brown"], ["color=R 100 G 200 B 150"]),
        ("pipeDelimited", false, ["color=blue|black|brown"], ["color=R|100|G|200|B|150"]),
        ("cookie", true, ["color=blue", "color=black", "color=brown"], ["R=100", "G=200", "B=150"]),
        (
            "deepObject", true, ["color=blue", "color=black", "color=brown"],
            ["color[R]=100", "color[G]=200", "color[B]=150"]
        ),
    ])
    func `a row of a query has the form of its style`(
        name: String, explode: Bool, list: [String], object: [String]
    ) {
        let style = ParameterStyle(name, explode: explode)
        #expect(style.rows("color", Self.list).map { "\($0.name)=\($0.value)" } == list)
        #expect(style.rows("color", Self.object).map { "\($0.name)=\($0.value)" } == object)
    }

    @Test func `members of members have names in brackets`() {
        let value: JSONValue = ["a": ["b": 1], "c": ["x", "y"]]
        let rows = ParameterStyle("deepObject", explode: true).rows("f", value)
        #expect(rows.map { "\($0.name)=\($0.value)" } == ["f[a][b]=1", "f[c][]=x", "f[c][]=y"])
    }

    private static func request(_ parameter: String, path: String = "/x") throws -> SavedRequest {
        let text = OpenAPISample.document(
            "\"\(path)\": {\"get\": {\"parameters\": [{\(parameter), \"required\": true}], \"responses\": {}}}",
            ", \"servers\": [{\"url\": \"https://a.test\"}]", version: "3.2.0")
        return try #require(try OpenAPISample.imported(text).imported.collection.requests.first)
    }

    @Test func `a path parameter with a style is a variable of its request`() throws {
        let color = "\"name\": \"color\", \"in\": \"path\", \"schema\": {}, "
        let matrix = try Self.request(color + "\"style\": \"matrix\", \"example\": \"a b\"", path: "/x/{color}")
        #expect(matrix.path == "/x/{{color}}" && matrix.variables == [Field("color", ";color=a%20b")])
        let list = try Self.request(color + "\"example\": [1, 2]", path: "/x/{color}")
        #expect(list.path == "/x/{{color}}" && list.variables == [Field("color", "1,2")])
        let one = try Self.request(color + "\"example\": [1]", path: "/x/{color}")
        #expect(one.path == "/x/:color" && one.pathParameters == [Field("color", "1")] && one.variables.isEmpty)
    }

    @Test func `a list in cookies is several of them`() throws {
        let cookies = try Self.request("\"name\": \"c\", \"in\": \"cookie\", \"schema\": {}, \"example\": [1, 2]")
            .cookies
        #expect(cookies == [Field("c", "1"), Field("c", "2")])
    }

    @Test(arguments: [("x-1_~!", "x-1_~!"), ("x y;z", "x%20y%3Bz"), ("é", "%C3%A9"), ("a,b", "a,b")])
    func `a cookie has no character that would end it`(value: String, sent: String) throws {
        let cookie = "\"name\": \"c\", \"in\": \"cookie\", \"schema\": {}, \"example\": \"\(value)\""
        #expect(try Self.request(cookie).cookies == [Field("c", sent)])
        #expect(try Self.request(cookie + ", \"style\": \"cookie\"").cookies == [Field("c", value)])
    }

    @Test func `a parameter that is the whole query gives its rows`() throws {
        let form =
            "\"content\": {\"application/x-www-form-urlencoded\": {\"example\": {\"a\": \"1 2\", \"b\": [3, 4]}}}"
        let rows = try Self.request("\"name\": \"q\", \"in\": \"querystring\", \(form)").query
        #expect(rows == [Field("a", "1 2"), Field("b", "3"), Field("b", "4")])
        let text = "\"content\": {\"text/plain\": {\"example\": \"$.a&b\"}}"
        #expect(try Self.request("\"name\": \"q\", \"in\": \"querystring\", \(text)").query == [.raw("$.a%26b", "")])
    }

    @Test func `a parameter in no part of a request is a loss`() throws {
        let (request, notes) = try OpenAPISample.only(
            "\"parameters\": [{\"name\": \"q\", \"in\": \"Query\", \"example\": 1}], \"responses\": {}", method: "get")
        #expect(request.query.isEmpty && notes.lose("q", "a request has no Query"))
    }

    @Test func `variables of a server are those of the request that it is for`() throws {
        let server = { (port: String) in
            "\"servers\": [{\"url\": \"https://a.test:{port}\", \"variables\": {\"port\": {\"default\": \"\(port)\"}}}]"
        }
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/a\": {\"get\": {\(server("1")), \"responses\": {}}, \"put\": {\(server("2")), \"responses\": {}}}"))
        #expect(imported.collection.requests.map(\.variables) == [[Field("port", "1")], [Field("port", "2")]])
    }
}
