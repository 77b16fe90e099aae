import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Schemas in files, and those that were introspected.
@Suite struct GraphQLPlaceTests {
    private static func place(
        _ folder: String, url: String = "/graphql", environment: String? = "local", named: String? = nil
    ) throws -> GraphQLPlace {
        let request = SavedRequest(name: "r", path: url, body: .graphql(GraphQLContent("{ a }", schema: named)))
        return try #require(GraphQLPlace(request, file: folder + "/c.json", environment: environment))
    }

    @Test func `a schema is kept for a collection, an environment and a URL, for its owner only`() throws {
        let folder = try TemporaryFolder()
        let store = GraphQLStore(folder: folder.path + "/state/graphql")
        let place = try Self.place(folder.path)
        #expect(try place.read(store) == nil)
        try store.keep(GraphQLSample.schema(), for: place)
        #expect(try place.read(store)?.definitions == GraphQLSample.definitions)
        for other in [
            try Self.place(folder.path, url: "/other"), try Self.place(folder.path, environment: nil),
            try Self.place(folder.path + "/b"),
        ] {
            #expect(try other.read(store) == nil)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/graphql")
        #expect(files.count == 1)
        for file in files {
            let path = folder.path + "/state/graphql/" + file
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        try store.keep(GraphQLSample.schema("type Query { b: Int }"), for: place)
        #expect(try place.read(store)?.operations.map(\.name) == ["b"])
    }

    @Test func `a file that the body names comes before what was introspected`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("schema.graphql", "type Query { named: Int }")
        let place = try Self.place(folder.path, named: "./schema.graphql")
        let store = GraphQLStore(folder: folder.path + "/state")
        try store.keep(GraphQLSample.schema(), for: place)
        #expect(try place.read(store)?.operations.map(\.name) == ["named"])
    }

    @Test func `a file outside the workspace, a missing and a broken one are errors with their name`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("bad.graphql", "type Query {\n  a }")
        let own = folder.path + "/own"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        func error(_ named: String, in folder: String) throws -> String {
            let place = try Self.place(folder, named: named)
            do throws(GraphQLSchemaError) {
                _ = try place.read(nil)
                return ""
            } catch { return error.description }
        }
        #expect(try error("../bad.graphql", in: own).hasPrefix("../bad.graphql: outside the workspace"))
        #expect(try error("gone.graphql", in: own) == "gone.graphql: no such file or folder")
        let found = try error("bad.graphql", in: folder.path)
        #expect(found == "bad.graphql: line 2, column 5: expected `:`, found `}`")
    }

    @Test func `a request without a body of GraphQL has no schema`() {
        #expect(GraphQLPlace(SavedRequest(name: "r", path: "/"), file: "c.json", environment: nil) == nil)
    }

    @Test func `queries are checked with the file, as errors, and with what was introspected, as warnings`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("s.graphql", GraphQLSample.definitions)
        let text = """
            { "version": 1, "name": "c", "environments": [{ "name": "local", "host": "http://a.test" }], "items": [
              { "request": "named", "path": "/a", "body": { "graphql": "{ users { nme } }", "schema": "./s.graphql" } },
              { "request": "kept", "path": "/b", "body": { "graphql": "{ user { name } }" } },
              { "request": "none", "path": "/c", "body": { "graphql": "{ nope }" } },
              { "request": "gone", "path": "/d", "body": { "graphql": "{ nope }", "schema": "gone.graphql" } }
            ] }
            """
        let path = try folder.file("c.json", text)
        let loaded = try #require(CollectionFinder.load([path]).first)
        let store = GraphQLStore(folder: folder.path + "/state")
        try store.keep(GraphQLSample.schema(), for: Self.place(folder.path, url: "/b"))
        let problems = loaded.problemsOfQueries(store).map { "\($0.position?.line ?? 0) \($0.severity): \($0.message)" }
        #expect(
            problems == [
                "2 error: \"graphql\": line 1, column 11: unknown field `nme` of User; did you mean \"name\"?",
                "3 warning: \"graphql\": line 1, column 3: the argument `id` of `user` is missing: it is of the type ID!",
                "5 error: \"schema\": gone.graphql: no such file or folder",
            ])
    }

    @Test func `a service is asked with the headers and the URL of the request`() async throws {
        let response = GraphQLSample.introspection(types: 1, fields: 2)
        let server = try LoopbackServer { _ in .ok(response) }
        defer { server.stop() }
        let body = GraphQLContent("{ a }", variables: ["id": 7])
        var request = SavedRequest(name: "r", method: .post, path: "/graphql", body: .graphql(body))
        request.headers = [Field("X-Key", "{{key}}")]
        let collection = Collection(name: "c", variables: [Variable("key", "k")], items: [.request(request)])
        var order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "/c.json")
        order.request.path = server.host + "/graphql"
        let schema = try await Session().introspect(order)
        #expect(schema.definitions.hasSuffix("type Type0 {\n  field0of0: ID\n  field1of0: ID\n}\n"))
        let sent = try #require(server.requests.first)
        let json = try JSONValue.parse(sent.text)
        #expect(sent.headers["x-key"] == "k" && json["operationName"] == "IntrospectionQuery")
        #expect(json["query"] == .string(GraphQLIntrospection.query) && json["variables"] == nil)
    }

    @Test(arguments: [true, false]) func `what was sent for a schema is in the history, below the request`(
        _ isRecorded: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .ok(GraphQLSample.introspection(types: 1, fields: 2)) }
        defer { server.stop() }
        var request = SavedRequest(name: "r", path: server.host, body: .graphql(GraphQLContent("{ a }")))
        request.headers = [Field("X-Key", "{{key}}")]
        request.isRecorded = isRecorded
        let environment = Environment(name: "e", host: server.host, secrets: [Secret("key", .environment("KEY"))])
        let collection = Collection(name: "c", environments: [environment], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "/c.json")
        let recorded = Lock<[(order: RunOrder, result: SessionResult)]>([])
        let steps = SessionSteps(record: { order, result in recorded.withLock { $0.append((order, result)) } })
        let session = Session(
            secrets: { _ in SecretReader(environment: { _ in "s3cr3t-key" }, file: { _ in [] }) }, steps: steps)
        _ = try await session.introspect(order.introspection)
        let run = try #require(recorded.withLock { $0 }.first)
        #expect(run.order.itemPath.path == ["r", "", "introspection"] && run.order.isRecorded == isRecorded)
        #expect(run.result.prepared?.sources.map(\.source) == ["$KEY"])
        #expect(run.result.prepared?.sources.map(\.destination) == [server.host])
    }

    @Test func `a service that tells no schema says why`() async throws {
        let server = try LoopbackServer { _ in .ok("{\"errors\": [{\"message\": \"not allowed\"}]}") }
        defer { server.stop() }
        let request = SavedRequest(name: "r", path: server.host, body: .graphql(GraphQLContent("{ a }")))
        let collection = Collection(name: "c", items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "/c.json")
        let message = "the response has no schema: the service responds with an error: not allowed"
        await #expect(throws: IntrospectionError(description: message)) { try await Session().introspect(order) }
    }

    @Test func `a sign-in that would not show is an error, and is not waited for`() async throws {
        let transport = StubTransport { request in
            guard request.url.path == "/device" else {
                return .response(statusCode: 400, data: Data(#"{"error": "authorization_pending"}"#.utf8))
            }
            let text = """
                {"device_code": "d", "user_code": "ABCD", "verification_uri": "http://a.test/verify",
                 "expires_in": 300, "interval": 1}
                """
            return .response(statusCode: 200, data: Data(text.utf8))
        }
        let client = OAuth2Authentication(
            grant: .deviceCode, tokenURL: "http://a.test/token", deviceURL: "http://a.test/device", clientID: "app")
        let request = SavedRequest(
            name: "r", method: .post, path: "http://a.test/graphql", authentication: .oauth2(client),
            body: .graphql(GraphQLContent("{ a }")))
        let collection = Collection(name: "c", items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "/c.json")
        let session = Session(transport: transport, secrets: { _ in .none })
        await #expect(throws: IntrospectionError(description: "it needs a sign-in; s sends the request and shows how"))
        {
            try await session.introspect(order, waitsForSignIn: false)
        }
    }

    /// Asks a service that echoes the secret of the request.
    private static func introspect(_ response: String) async throws -> GraphQLSchema {
        let server = try LoopbackServer { request in
            .ok(response.replacing("ECHO", with: request.headers["x-key"] ?? "nothing"))
        }
        defer { server.stop() }
        var request = SavedRequest(name: "r", path: "/graphql", body: .graphql(GraphQLContent("{ a }")))
        request.headers = [Field("X-Key", "{{key}}")]
        let environment = Environment(name: "e", host: server.host, secrets: [Secret("key", .environment("KEY"))])
        let collection = Collection(name: "c", environments: [environment], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "/c.json")
        let session = Session(secrets: { _ in SecretReader(environment: { _ in "hunter2hunter2" }, file: { _ in [] }) })
        return try await session.introspect(order)
    }

    @Test func `a secret that the service echoes is in no schema and in no message`() async throws {
        let text = #"{"kind":"SCALAR","name":"String","ofType":null}"#
        let field =
            #"{"name":"a","args":[{"name":"b","type":\#(text),"defaultValue":"\"ECHO\""}],"#
            + #""type":\#(text),"isDeprecated":false}"#
        let type = #"{"kind":"OBJECT","name":"Query","fields":[\#(field)],"interfaces":[]}"#
        let schema = try await Self.introspect(
            #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[\#(type)]}}}"#)
        #expect(schema.definitions == "type Query {\n  a(b: String = \"••••••\"): String\n}\n")
        let message = "the response has no schema: the service responds with an error: not the key ••••••"
        await #expect(throws: IntrospectionError(description: message)) {
            try await Self.introspect(#"{"errors": [{"message": "not the key ECHO"}]}"#)
        }
        // As a name it could not be masked: there is no schema then.
        await #expect(throws: IntrospectionError.self) {
            try await Self.introspect(#"{"data":{"__schema":{"queryType":{"name":"ECHO"},"types":[]}}}"#)
        }
    }

    @Test func `the query of the introspection is without problems`() throws {
        #expect(try GraphQLSample.schema().problems(in: GraphQLIntrospection.query) == [])
    }
}
