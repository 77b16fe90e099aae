import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Collections and runs that are made of recorded traffic.
@Suite struct TrafficRecorderTests {
    private static let origin = "http://127.0.0.1:8080"

    private static func exchange(
        _ method: String, _ target: String, _ headers: RequestHeaders = [:], body: String = "", status: Int? = 200,
        response: String = "{}", problem: TransportError? = nil
    ) -> ProxiedExchange {
        let data = Data(body.utf8)
        return ProxiedExchange(
            method: method, url: origin + target, headers: headers, body: data, bodySize: data.count,
            response: status.map {
                TransportResponse(
                    headers: ["Content-Type": "application/json"], statusCode: $0, body: Data(response.utf8))
            }, responseSize: response.utf8.count, problem: problem, duration: .milliseconds(12))
    }

    private static func record(_ path: String, _ exchanges: [ProxiedExchange]) throws -> Int {
        var recorder = try TrafficRecorder(path: path, origin: origin)
        for exchange in exchanges { _ = recorder.add(exchange) }
        return try recorder.write(isLast: true)
    }

    private static func collection(_ path: String) throws -> Collection {
        try #require(CollectionFile.load(path).collection)
    }

    // MARK: Requests

    @Test func `samples of one route are one request, and nothing is written without any`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        #expect(try Self.record(path, []) == 0)
        #expect(folder.names == [])
        let added = try Self.record(
            path,
            [
                Self.exchange("GET", "/users/42?page=1"), Self.exchange("GET", "/users/43?page=2"),
                Self.exchange("GET", "/users/me"), Self.exchange("DELETE", "/users/42"),
                Self.exchange("POST", "/users", ["Content-Type": "application/json"], body: "{\"name\":\"Ada\"}"),
            ])
        #expect(added == 4)
        let collection = try Self.collection(path)
        #expect(collection.name == "shop")
        #expect(collection.environments.map(\.host) == [Self.origin])
        #expect(
            collection.items.map(\.name) == [
                "GET /users/:userId", "GET /users/me", "DELETE /users/:userId", "POST /users",
            ])
        let first = try #require(collection.requests.first)
        #expect(first.path == "/users/:userId" && first.pathParameters == [Field("userId", "42")])
        #expect(first.query == [Field("page", "1")])
        #expect(collection.requests.last?.body == .json(JSONContent(["name": "Ada"])))
    }

    @Test func `operations of GraphQL are requests of their own`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/graph.json"
        let fragment = "fragment F on T { x } query C { ...F }"
        let bodies = ["query A { a }", "query B { b }", "query A { a }", fragment].map { "{\"query\":\"\($0)\"}" }
        let added = try Self.record(
            path, bodies.map { Self.exchange("POST", "/graphql", ["Content-Type": "application/json"], body: $0) })
        #expect(added == 3)
        #expect(
            try Self.collection(path).items.map(\.name) == ["POST /graphql A", "POST /graphql B", "POST /graphql C"])
    }

    private static let json: RequestHeaders = ["Content-Type": "application/json"]

    private static func names(_ exchanges: [ProxiedExchange]) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.json"
        let added = try record(path, exchanges)
        let names = try collection(path).items.map(\.name)
        #expect(added == names.count)
        let text = folder.text("c.json")
        #expect(try record(path, exchanges.reversed()) == 0)
        let again = folder.text("c.json")
        #expect(again == text)
        return names
    }

    @Test(
        arguments: [
            // JSON-RPC, single and as a batch.
            (
                [
                    #"{"jsonrpc":"2.0","id":1,"method":"add","params":[1]}"#,
                    #"{"jsonrpc":"2.0","id":2,"method":"add","params":[2]}"#,
                    #"{"jsonrpc":"2.0","id":3,"method":"sub","params":[2]}"#,
                    #"[{"jsonrpc":"2.0","id":4,"method":"add"},{"jsonrpc":"2.0","id":5,"method":"sub"}]"#,
                ], ["POST /x add", "POST /x sub", "POST /x add + sub"]
            ),
            // GraphQL below another path.
            ([#"{"query":"query A { a }"}"#, #"{"query":"mutation B { b }"}"#], ["POST /x A", "POST /x B"]),
            ([#"{"action":"open","id":1}"#, #"{"action":"close","id":1}"#], ["POST /x open", "POST /x close"]),
            // Other values of the same names are other samples, and names that are data are not compared.
            (
                [
                    #"{"name":"Ada","age":36}"#, #"{"age":1,"name":"Bob"}"#, #"{"email":"a@b.test"}"#,
                    #"{"42":1,"43":2}"#, #"{"44":1}"#,
                ], ["POST /x", "POST /x email", "POST /x *"]
            ),
            (["[1, 2]", "true", "{}"], ["POST /x"]),
        ] as [([String], [String])])
    func `bodies of one URL that name other operations or other values are requests of their own`(
        bodies: [String], names: [String]
    ) throws {
        #expect(try Self.names(bodies.map { Self.exchange("POST", "/x", Self.json, body: $0) }) == names)
    }

    @Test func `forms, envelopes and headers name operations`() throws {
        let form: RequestHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        let xml: RequestHeaders = ["Content-Type": "text/xml"]
        func envelope(_ name: String) -> String {
            "<?xml version=\"1.0\"?><s:Envelope><s:Header/><s:Body><m:\(name)><m:id>1</m:id></m:\(name)></s:Body></s:Envelope>"
        }
        let exchanges = [
            Self.exchange("POST", "/form", form, body: "Action=ListUsers&Version=1"),
            Self.exchange("POST", "/form", form, body: "Action=GetUser&Version=1"),
            Self.exchange("POST", "/soap", xml, body: envelope("GetPrice")),
            Self.exchange("POST", "/soap", xml, body: envelope("SetPrice")),
            Self.exchange("POST", "/db", ["X-Amz-Target": "DynamoDB_20120810.GetItem"], body: "{\"TableName\":\"a\"}"),
            Self.exchange("POST", "/db", ["X-Amz-Target": "DynamoDB_20120810.PutItem"], body: "{\"TableName\":\"a\"}"),
        ]
        #expect(
            try Self.names(exchanges) == [
                "POST /form ListUsers", "POST /form GetUser", "POST /soap GetPrice", "POST /soap SetPrice",
                "POST /db GetItem", "POST /db PutItem",
            ])
    }

    @Test func `the requests to one URL are bounded`() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let bodies = letters.flatMap { first in ["x", "y"].map { "{\"\(first)\(first)\($0)\":1}" } }
        #expect(try Self.names(bodies.map { Self.exchange("POST", "/x", Self.json, body: $0) }).count == 16)
    }

    @Test func `a request that somebody has saved without a body stands for those with one`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "c.json",
            """
            { "version": 1, "name": "c", "environments": [ { "name": "dev", "host": "http://127.0.0.1:8080" } ],
              "items": [ { "request": "add", "method": "POST", "path": "/x" } ] }
            """)
        #expect(try Self.record(path, [Self.exchange("POST", "/x", Self.json, body: "{\"a\":1}")]) == 0)
        #expect(try Self.record(path, [Self.exchange("POST", "/x", Self.json, body: "{\"action\":\"a\"}")]) == 1)
    }

    @Test func `a body that is no text is left out with a remark`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        var upload = Self.exchange("PUT", "/picture")
        (upload.body, upload.bodySize) = (Data([0xFF, 0xD8, 0xFF]), 3)
        #expect(try Self.record(path, [upload]) == 1)
        let request = try #require(try Self.collection(path).requests.first)
        #expect(request.body == nil && request.description.contains("The body of 3 bytes was not recorded"))
    }

    @Test func `a long body is left out, and its request is there`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        let text = String(repeating: "x", count: 256 << 10)
        let traffic = [
            Self.exchange("POST", "/a", ["Content-Type": "text/plain"], body: text),
            Self.exchange("POST", "/b", ["Content-Type": "text/plain"], body: text + "y"),
        ]
        #expect(try Self.record(path, traffic) == 2)
        let requests = try Self.collection(path).requests
        #expect(requests.first?.body != nil && requests.last?.body == nil)
        #expect(requests.last?.description.contains("262145 bytes") == true)
    }

    @Test func `a request that fails is written at the end, unless it passes before`() throws {
        let folder = try TemporaryFolder()
        var recorder = try TrafficRecorder(path: folder.path + "/shop.json", origin: Self.origin)
        _ = recorder.add(Self.exchange("GET", "/a", status: 401))
        _ = recorder.add(
            Self.exchange("GET", "/b", status: nil, problem: TransportError(code: .cannotConnectToHost)))
        #expect(!recorder.hasNews)
        #expect(try recorder.write(isLast: false) == 0)
        _ = recorder.add(Self.exchange("GET", "/a", ["X-Team": "blue"]))
        #expect(recorder.hasNews)
        #expect(try recorder.write(isLast: false) == 1)
        #expect(try recorder.write(isLast: true) == 1)
        let requests = try Self.collection(folder.path + "/shop.json").requests
        #expect(requests.map(\.path) == ["/a", "/b"])
        #expect(requests.first?.headers == [Field("X-Team", "blue")])
    }

    // MARK: Files

    @Test func `recording the same again changes no byte`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        let traffic = [
            Self.exchange("GET", "/users/42", ["Authorization": "Bearer abc123DEF456ghi7"]),
            Self.exchange("GET", "/orders/7?token=s3cr3tT0kenValue"),
        ]
        #expect(try Self.record(path, traffic) == 2)
        let (first, local) = (folder.text("shop.json"), folder.text("shop.local.json"))
        #expect(try Self.record(path, traffic.reversed()) == 0)
        let (again, localAgain) = (folder.text("shop.json"), folder.text("shop.local.json"))
        #expect(again == first && localAgain == local)
        // A known credential keeps its name in a new request.
        let more = Self.exchange("GET", "/carts", ["Authorization": "Bearer abc123DEF456ghi7"])
        #expect(try Self.record(path, [more]) == 1)
        let headers = try Self.collection(path).requests.compactMap { $0.headers.first?.value }
        #expect(headers.count == 2 && headers.first == headers.last)
        let localAtEnd = folder.text("shop.local.json")
        #expect(localAtEnd == local)
    }

    @Test func `what is in the file stays as it is written`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "shop.json",
            """
            { "version": 1, "name": "shop",
              "environments": [ { "name": "dev", "host": "http://127.0.0.1:8080/api/" } ],
              "items": [ { "request": "one user", "path": "/users/:id",   "pathParameters": { "id": "1" } } ] }
            """)
        #expect(try Self.record(path, [Self.exchange("GET", "/api/users/42")]) == 0)
        let added = try Self.record(path, [Self.exchange("GET", "/api/orders"), Self.exchange("GET", "/health")])
        #expect(added == 2)
        let text = folder.text("shop.json") ?? ""
        #expect(text.contains("\"path\": \"/users/:id\",   \"pathParameters\""), "\(text)")
        let collection = try Self.collection(path)
        #expect(collection.environments.map(\.name) == ["dev"])
        #expect(collection.requests.map(\.path) == ["/users/:id", "/orders", Self.origin + "/health"])
    }

    @Test func `a file that somebody changes meanwhile keeps the change`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        var recorder = try TrafficRecorder(path: path, origin: Self.origin)
        _ = recorder.add(Self.exchange("GET", "/a"))
        #expect(try recorder.write(isLast: false) == 1)
        let written = folder.text("shop.json") ?? ""
        let edited = written.replacing("\"GET /a\"", with: "\"the first\"")
        _ = try folder.file("shop.json", edited)
        _ = recorder.add(Self.exchange("GET", "/b"))
        #expect(try recorder.write(isLast: false) == 1)
        #expect(try Self.collection(path).items.map(\.name) == ["the first", "GET /b"])
        let again = recorder.add(Self.exchange("GET", "/b"))
        #expect(again.newName == nil && again.order.itemPath == ItemPath(file: path, path: ["GET /b"]))
    }

    @Test func `a file with an error is left alone`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("shop.json", "{ \"version\": 1, ")
        #expect(throws: TrafficRecorder.Failure.self) { try TrafficRecorder(path: path, origin: Self.origin) }
        let text = folder.text("shop.json")
        #expect(text == "{ \"version\": 1, ")
    }
}
