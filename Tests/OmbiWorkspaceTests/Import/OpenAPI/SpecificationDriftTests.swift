import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests of collections against a document that has changed.
@Suite struct SpecificationDriftTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'https://api.test/v1'}]
        paths:
          /users:
            get:
              operationId: listUsers
              summary: List users
              parameters:
              - {name: limit, in: query, required: true, schema: {type: integer}}
              - {name: sort, in: query, schema: {enum: [name, age]}}
              - {name: X-Team, in: header, required: true, schema: {type: string}}
              responses: {200: {description: ok}, 4XX: {description: wrong}, default: {description: other}}
            post:
              operationId: createUser
              requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
              responses: {201: {description: made}}
          /users/{id}:
            get:
              operationId: getUser
              summary: Get a user
              responses: {200: {description: ok}, 404: {description: none}}
          /users/me:
            get: {responses: {200: {description: ok}}}
        """

    private static func specification(_ text: String = document) throws -> Specification {
        try Specification(Array(text.utf8), path: "openapi.yaml")
    }

    private static func item(
        _ name: String, _ method: RequestMethod, _ path: String, query: [Field] = [], headers: [Field] = [],
        body: SavedBody? = nil
    ) -> SpecifiedItem {
        let request = SavedRequest(
            name: name, method: method, path: path, query: query, headers: headers, body: body)
        return SpecifiedItem(
            "shop/\(name)", ItemPath(file: "shop.json", path: [name]), request, document: "openapi.yaml")
    }

    private static let team = [Field("x-team", "blue")]
    private static let all = [
        item("List users", .get, "/users", query: [Field("limit", "1")], headers: team),
        item("create", .post, "{{host}}/users", body: .json(JSONContent(.object([])))),
        item("Get a user", .get, "https://api.test/v1/users/:id?x=1"), item("me", .get, "/v1/users/me"),
    ]

    @Test(arguments: [
        ("[{key: []}]", true), ("[]", false), ("[{}]", false), ("[{key: []}, {}]", false), ("[{id: []}]", false),
        ("[{key: [], id: []}]", false),
    ])
    func `an operation that needs credentials is one for requests that have some`(
        security: String, isNeeded: Bool
    ) throws {
        let document = try Self.specification(
            """
            openapi: 3.0.3
            info: {title: Shop, version: '1'}
            components:
              securitySchemes:
                key: {type: apiKey, in: header, name: X-Key}
                id: {type: openIdConnect, openIdConnectUrl: 'https://a.test'}
            security: \(security)
            paths:
              /users: {get: {responses: {}}}
              /open: {get: {security: [], responses: {}}}
            """)
        let place = ItemPath(file: "shop.json", path: ["a"])
        let bearer = SavedAuthentication.bearer(BearerAuthentication(token: "{{token}}"))
        let differences = { (item: SpecifiedItem) in
            SpecificationDrift([item, Self.item("open", .get, "/open")], document).differences.map(\.message)
        }
        let plain = SavedRequest(name: "a", method: .get, path: "/users")
        let missing = isNeeded ? ["credentials are required"] : []
        #expect(differences(SpecifiedItem("a", place, plain, document: "openapi.yaml")) == missing)
        let inherited = SpecifiedItem("a", place, plain, inheriting: bearer, document: "openapi.yaml")
        #expect(differences(inherited) == [])
        var open = plain
        open.authentication = .noAuthentication
        let without = SpecifiedItem("a", place, open, inheriting: bearer, document: "openapi.yaml")
        #expect(differences(without) == missing)
        open.headers = [Field("X-Api-Key", "{{key}}")]
        #expect(differences(SpecifiedItem("a", place, open, document: "openapi.yaml")) == [])
    }

    @Test func `requests that are as the document says differ in nothing`() throws {
        #expect(SpecificationDrift(Self.all, try Self.specification()).differences == [])
    }

    @Test(
        arguments: [
            ("/a/b", 1), ("/v1/a/b", 1), ("/a/c", 1), ("/c/b", 2), ("/:x/b", 2), ("{{host}}/v1/a/b/c", 0), ("/a", nil),
        ] as [(String, Int?)])
    func `a request is about the operation with most of its segments, and of equals the first`(
        path: String, index: Int?
    ) throws {
        let document = try Self.specification(
            """
            openapi: 3.0.3
            info: {title: Shop, version: '1'}
            servers: [{url: 'https://api.test/v1'}]
            paths:
              /a/b/{z}: {get: {}}
              /a/{x}: {get: {}}
              /{y}/b: {get: {}, post: {}}
            """)
        #expect(OperationIndex(document).operation(of: Self.item("a", .get, path).request) == index)
    }

    private static let changes: [(item: SpecifiedItem, messages: [String])] = [
        (
            item("a", .get, "/users", query: [Field("limit", "1", enabled: false)], headers: team),
            ["the query limit is required"]
        ),
        (item("a", .get, "/users?limit=3", headers: team), []),
        (item("a", .get, "/users", query: [Field("limit", "1")]), ["the header X-Team is required"]),
        (
            item("a", .get, "/users", query: [Field("limit", "1"), Field("sort", "id")], headers: team),
            ["the query sort is \"id\"; the document has name, age"]
        ),
        (item("a", .get, "/users", query: [Field("limit", "1"), Field("sort", "{{s}}")], headers: team), []),
        (
            item("a", .get, "/users", query: [Field("limit", "1"), Field("page", "2")], headers: team),
            ["the document has no query page"]
        ),
        (item("a", .post, "/users"), ["a body is required"]),
    ]

    @Test(arguments: changes)
    func `changed parameters are listed`(item: SpecifiedItem, messages: [String]) throws {
        let found = SpecificationDrift([item], try Self.specification()).differences.filter { $0.kind != .new }
        #expect(found.map(\.message) == messages && found.allSatisfy { $0.kind == .changed && $0.item == "shop/a" })
    }

    /// The messages about a request to an operation with one parameter or one body.
    private static func messages(_ operation: String, _ change: (inout SavedRequest) -> Void) throws -> [String] {
        let text = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            paths:
              /x/{id}: {post: {\(operation), responses: {}}}
            """
        var request = SavedRequest(name: "a", method: .post, path: "/x/:id")
        change(&request)
        let item = SpecifiedItem("shop/a", ItemPath(file: "shop.json", path: ["a"]), request, document: "openapi.yaml")
        return SpecificationDrift([item], try specification(text)).differences.map(\.message)
    }

    @Test func `values of paths and cookies are compared`() throws {
        let path = "parameters: [{name: id, in: path, required: true, schema: {enum: [c, d]}}]"
        #expect(
            try Self.messages(path) { $0.pathParameters = [Field("id", "a")] }
                == ["the path id is \"a\"; the document has c, d"])
        #expect(try Self.messages(path) { $0.pathParameters = [Field("id", "{{id}}")] } == [])
        let cookie = "parameters: [{name: s, in: cookie, required: true, example: x}]"
        #expect(try Self.messages(cookie) { $0.cookies = [Field("old", "1")] } == ["the cookie s is required"])
        #expect(try Self.messages(cookie) { $0.headers = [Field("Cookie", "s=1")] } == [])
    }

    @Test(arguments: [
        ("schema: {type: integer}", "a", "expected the type integer"), ("schema: {type: integer}", "7", ""),
        ("schema: {type: string, format: date}", "1.2.", "expected a date such as 2024-01-31"),
        ("schema: {type: string}", "7", ""), ("schema: {type: string, pattern: '^a'}", "b", "expected a match of ^a"),
        ("schema: {allOf: [{enum: [c]}]}", "b", "the document has c"), ("schema: {type: array}", "a,b", ""),
        ("schema: {type: integer}, example: one", "one", ""), ("schema: {anyOf: [{type: array}]}", "a", ""),
        ("content: {application/json: {schema: {type: object}}}", "a", ""),
    ])
    func `the value of a row is compared with its schema`(schema: String, value: String, reason: String) throws {
        let operation = "parameters: [{name: q, in: query, \(schema)}]"
        let found = try Self.messages(operation) { $0.query = [Field("q", value)] }
        #expect(found == (reason.isEmpty ? [] : ["the query q is \"\(value)\"; \(reason)"]))
    }

    @Test func `a body that the document does not have, and one of another content type, is a change`() throws {
        let body = SavedBody.json(JSONContent(["name": "a"]))
        #expect(try Self.messages("summary: x") { $0.body = body } == ["the document has no body"])
        let form = "requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object}}}}"
        let other = "the content type of the body is not application/x-www-form-urlencoded"
        #expect(try Self.messages(form) { $0.body = body } == [other])
        #expect(try Self.messages("requestBody: {content: {'*/*': {}}}") { $0.body = .form(FormContent([])) } == [])
    }

    @Test func `another name for a parameter in the path renames an operation without an ID`() throws {
        let text = #"{"version": 1, "name": "c", "items": [{"operation": "GET /a/{id}", "specification": "o.yaml"}]}"#
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let place = ItemPath(file: "c.json", path: ["x"])
        let item = SpecifiedItem("c/x", place, collection.requests[0], document: "o.yaml")
        let document = "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {'/a/{userId}': {get: {}}}\n"
        let found = SpecificationDrift([item], try Self.specification(document)).differences
        #expect(found.map(\.line) == ["renamed  c/x: GET /a/{id} is GET /a/{userId} now"])
    }

    @Test func `another ID renames an operation whose method and path are known`() throws {
        let text = #"{"version": 1, "name": "c", "items": [{"operation": "allUsers", "specification": "o.yaml"}]}"#
        var collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let place = ItemPath(file: "c.json", path: ["x"])
        let document = try Self.specification()
        let lines = { (collection: Collection) -> [String] in
            let item = SpecifiedItem("c/x", place, collection.requests[0], document: "-")
            return SpecificationDrift([item], document).differences.filter { $0.kind != .new }.map(\.line)
        }
        #expect(lines(collection).first?.hasPrefix("gone     c/x: the document has no allUsers") == true)
        let old = Self.document.replacing("listUsers", with: "allUsers")
            .replacing("summary: List users", with: "summary: Everyone")
        let base = try #require(try Self.specification(old).operation(named: "allUsers")?.base)
        let key = SpecifiedOperations.Key(specification: "o.yaml", name: "allUsers")
        collection.rebase(on: SpecifiedOperations([key: .found(base, nil)], files: []))
        #expect(lines(collection) == ["renamed  c/x: allUsers is listUsers now"])
    }

    /// The paths of all operations for each request take minutes.
    @Test(.timeLimit(.minutes(2))) func `thousands of other paths or methods are no renamed operations`() throws {
        let paths = (0..<2000).map { "'/a\($0)/{id}/x': {get: {}}" }
        let document = "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {\(paths.joined(separator: ", "))}\n"
        let items = (0..<1000).map { Self.item("r\($0)", $0 == 0 ? .post : .get, "/a\($0 * 3000)/{id}/x") }
        let found = SpecificationDrift(items, try Self.specification(document)).differences
        #expect(found.count { $0.kind == .gone } == 1000 && !found.contains { $0.kind == .renamed })
    }

    @Test func `an operation that is gone names those that no request is about`() throws {
        let text = """
            {"version": 1, "name": "c", "items": [{"operation": "createUser", "specification": "openapi.yaml"},
            {"operation": "readUser", "specification": "openapi.yaml"}]}
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let items = collection.requests.map {
            SpecifiedItem($0.name, ItemPath(file: "c.json", path: [$0.name]), $0, document: "openapi.yaml")
        }
        let gone = SpecificationDrift(items, try Self.specification()).differences.filter { $0.kind == .gone }
        #expect(gone.count == 1 && gone[0].message.hasPrefix("the document has no readUser"))
        #expect(gone[0].message.contains("getUser") && !gone[0].message.contains("createUser"))
    }

    @Test func `a body is compared with its schema, but for values that are not known`() throws {
        let schema = """
            schema: {required: [name, age], properties: {name: {enum: [x, y]}, age: {type: integer}, \
            id: {type: integer, readOnly: true}}}
            """
        let json = "requestBody: {content: {application/json: {\(schema)}}}"
        let found = try Self.messages(json) { $0.body = .json(JSONContent(["name": "a", "age": "{{age}}"])) }
        #expect(found == ["the body differs at $.name: expected one of \"x\", \"y\""])
        let missing = try Self.messages(json) { $0.body = .json(JSONContent(["name": "x"])) }
        #expect(missing == ["the body differs at $: expected a member \"age\""])
        let form = "requestBody: {content: {application/x-www-form-urlencoded: {\(schema)}}}"
        let fields = try Self.messages(form) { $0.body = .form(FormContent([Field("name", "a")])) }
        #expect(fields == ["the body differs at $: expected a member \"age\""])
    }

    @Test func `operations are renamed, gone and new`() throws {
        let items = [
            Self.item("Get a user", .get, "/people/:id"), Self.item("old", .delete, "/users/:id"), Self.all[3],
            Self.all[0],
        ]
        let found = SpecificationDrift(items, try Self.specification()).differences
        #expect(
            found.map(\.line) == [
                "renamed  shop/Get a user: GET /people/:id is GET /users/{id} now",
                "gone     shop/old: the document has no DELETE /users/:id", "new      POST /users: createUser",
            ])
        #expect(found.last?.json["request"] == .null && found.last?.json["kind"] == .string("new"))
    }

    @Test(arguments: [
        ("/users/:id", 2), ("/users/me", 3), ("/users/42", 2), ("/users/{{id}}/", 2), ("{{base}}/users/:id", 2),
        ("https://other.test/v1/users/7#x", 2), ("/v2/users/7", nil), ("/users/1/orders", nil), ("", nil),
    ])
    func `a request is about the operation with its method and its path`(path: String, index: Int?) throws {
        #expect(try OperationIndex(Self.specification()).operation(of: SavedRequest(name: "r", path: path)) == index)
    }

    @Test func `an item that is based on another document is left out`() throws {
        let text = #"{"version": 1, "name": "c", "items": [{"operation": "x", "specification": "other.yaml"}]}"#
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let place = ItemPath(file: "c.json", path: ["x"])
        let item = SpecifiedItem("c/x", place, collection.requests[0], document: "openapi.yaml")
        let found = SpecificationDrift([item], try Self.specification()).differences
        #expect(found.count == 4 && found.allSatisfy { $0.kind == .new })
        let own = SpecifiedItem("c/x", place, collection.requests[0], document: "other.yaml")
        #expect(SpecificationDrift([own], try Self.specification()).differences.first?.kind == .gone)
        // A document that comes by a pipe has no path.
        let piped = SpecifiedItem("c/x", place, collection.requests[0], document: "-")
        #expect(SpecificationDrift([piped], try Self.specification()).differences.first?.kind == .gone)
    }

    // MARK: Coverage

    private static func coverage(_ statuses: [String: [Int]]) throws -> SpecificationCoverage {
        let document = try specification()
        var runs: [SpecificationCoverage.Question: Int] = [:]
        for question in SpecificationCoverage.questions(all, document) {
            runs[question] = (statuses[question.place.path[0]] ?? []).count { question.status.matches($0) }
        }
        return SpecificationCoverage(all, document, runs: runs)
    }

    @Test func `operations and responses are covered by recorded runs`() throws {
        let none = try Self.coverage([:])
        #expect(none.runCount == 0 && none.requestCount == 4 && none.share == 0)
        #expect(none.operations[2].line == "– GET /users/{id}  200 –  404 –  no run")
        let some = try Self.coverage(["Get a user": [200, 500], "List users": [503, 422]])
        #expect(some.runCount == 2 && some.share == 0.5)
        #expect(some.operations[2].line == "✓ GET /users/{id}  200 ✓  404 –")
        // 503 is that of `default`, as 422 is one of 4XX.
        #expect(some.operations[0].responses.map(\.isSeen) == [false, true, true])
        #expect(some.json["run"] == .number(2) && some.json["operations"]?.elements?.count == 4)
    }

    @Test func `an operation that no request is about says so`() throws {
        let coverage = SpecificationCoverage([], try Self.specification(), runs: [:])
        #expect(coverage.operations[1].line == "✗ POST /users  201 –  no request" && coverage.requestCount == 0)
    }
}
