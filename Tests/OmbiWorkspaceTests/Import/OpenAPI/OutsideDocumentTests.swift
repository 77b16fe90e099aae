import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests whose document is outside the workspace of their collection.
@Suite struct OutsideDocumentTests {
    private static let words = "of-the-document"

    private static let document = """
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        paths:
          /users:
            get:
              operationId: listUsers
              summary: List users
              parameters:
              - {name: X-Doc, in: header, required: true, schema: {type: string}, example: \(words)}
              responses: {'200': {description: ok}}
            post:
              operationId: addUser
              summary: Add a user
              requestBody:
                required: true
                content: {application/json: {example: {note: \(words)}}}
              responses: {'200': {description: ok}}
        """

    /// The collection of somebody else, with a request that is based on an operation of a document above its folder.
    private static func loaded(
        _ stranger: Stranger, _ operation: String = "listUsers", _ specification: String = "../openapi.yaml"
    ) throws -> LoadedCollection {
        try document.write(toFile: stranger.folder + "/openapi.yaml", atomically: true, encoding: .utf8)
        try stranger.write(
            """
            {"version":1,"name":"c","environments":[{"name":"e","host":"GOOD"}],
             "items":[{"operation":"\(operation)","specification":"\(specification)",
                       "headers":[{"name":"X-Own","value":"own"}]}]}
            """)
        return CollectionFile.load(stranger.file).specified(gate: stranger.gate)
    }

    private static func send(_ loaded: LoadedCollection, _ session: Session) async throws -> SessionResult {
        let collection = try #require(loaded.collection, "\(loaded.problems)")
        let request = try #require(collection.requests.first)
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: loaded.path)
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    /// Grants all that is known of the request.
    private static func trust(_ loaded: LoadedCollection, _ stranger: Stranger) throws {
        let flows = stranger.session().flows(of: try #require(loaded.collection), file: loaded.path)
        let question = try #require(stranger.gate.question(about: flows, of: loaded.path))
        try stranger.gate.grant(question, .allowed)
    }

    @Test(arguments: ["../openapi.yaml", "ABOVE/openapi.yaml", "./link.yaml", "./.hidden.yaml"])
    func `a document outside the workspace is not read before it has a grant`(specification: String) throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Self.document, to: ".hidden.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: stranger.folder + "/shop/link.yaml", withDestinationPath: stranger.folder + "/openapi.yaml")
        let loaded = try Self.loaded(stranger, "listUsers", specification)
        let request = try #require(loaded.collection?.requests.first, "\(loaded.problems)")
        #expect(request.name == "listUsers" && request.path.isEmpty && request.operation?.isWithheld == true)
        #expect(loaded.problems.map(\.severity) == [.warning] && loaded.documents.isEmpty)
        let advice = "is outside the workspace or hidden, and was not read; `ombi trust \(stranger.file)` allows it"
        #expect(loaded.problems.first?.message.contains(advice) == true, "\(loaded.problems)")
        #expect(request.operation?.failure?.contains(advice) == true)
        #expect(loaded.itemsWithProblems == [request.id])
        try Self.trust(loaded, stranger)
        let read = CollectionFile.load(stranger.file).specified(gate: stranger.gate)
        #expect(read.problems.isEmpty && read.documents.count == 1, "\(read.problems)")
        let found = try #require(read.collection?.requests.first)
        #expect(found.name == "List users" && found.path == "/users" && found.operation?.failure == nil)
        #expect(found.headers.map(\.name) == ["X-Doc", "X-Own"])
    }

    @Test func `a run asks for the document, and sends what it says after a yes`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let loaded = try Self.loaded(stranger)
        let asked = Lock<[GateQuestion]>([])
        var steps = stranger.steps()
        steps.askForGrants = { _, question in
            asked.withLock { $0.append(question) }
            return .allowed
        }
        let result = try await Self.send(loaded, stranger.session(steps))
        #expect(result.passed, "\(result.failures)")
        let path = try #require(Workspace.real(stranger.folder + "/openapi.yaml"))
        let flows = asked.withLock { $0.flatMap(\.flows) }
        #expect(flows.map(\.source) == [.file(path)] && flows.map(\.destination.text) == [stranger.good.host])
        #expect(stranger.good.requests.map(\.target) == ["/users"])
        #expect(stranger.good.requests.map { $0.headers["x-doc"] } == [Self.words])
        let again = CollectionFile.load(stranger.file).specified(gate: stranger.gate)
        #expect(again.collection?.requests.first?.path == "/users")
    }

    @Test func `without a yes nothing is read and nothing sent, and a preview says so`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let loaded = try Self.loaded(stranger)
        let result = try await Self.send(loaded, stranger.session())
        #expect(!result.passed && result.prepared == nil && stranger.good.requests.isEmpty)
        #expect(
            result.failures.first?.contains("`ombi trust \(stranger.file)` allows it") == true, "\(result.failures)")
        let collection = try #require(loaded.collection)
        let order = RunOrder(
            id: 1, request: collection.requests[0], collection: collection, environment: "e", file: loaded.path)
        let error = #expect(throws: ResolveError.self) { try stranger.session().preview(order) }
        #expect(error?.field == "operation")
    }

    @Test func `a grant of the command line lets it be read for one run`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let pattern = try GrantPattern("*=" + stranger.good.host)
        let loaded = try Self.loaded(stranger)
        stranger.gate = OmbiWorkspace.Gate(store: nil, patterns: [pattern])
        #expect(try await Self.send(loaded, stranger.session()).passed)
        #expect(stranger.good.requests.map(\.target) == ["/users"])
    }

    @Test func `what was read stays a source when the document is gone`() throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try Self.trust(try Self.loaded(stranger), stranger)
        let loaded = try Self.loaded(stranger)
        let path = try #require(Workspace.real(stranger.folder + "/openapi.yaml"))
        try FileManager.default.removeItem(atPath: path)
        let flows = stranger.session().flows(of: try #require(loaded.collection), file: loaded.path)
        #expect(flows.map(\.source) == [.file(path)])
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func `a header of such a document crosses no redirect`(_ status: Int)
        async throws
    {
        let evil = Lock("")
        let stranger = try Stranger { request in
            request.target == "/users" ? .redirect(status, to: evil.withLock { $0 }) : .ok("{}")
        }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        try Self.trust(try Self.loaded(stranger), stranger)
        let result = try await Self.send(try Self.loaded(stranger), stranger.session())
        #expect(result.passed, "\(result.failures)")
        #expect(stranger.good.requests.map { $0.headers["x-doc"] } == [Self.words])
        #expect(stranger.evil.requests.map { $0.headers["x-own"] } == ["own"])
        #expect(stranger.evil.requests.map { $0.headers["x-doc"] } == [nil])
        #expect(result.prepared?.redirects.first?.withheld.contains("X-Doc") == true)
    }

    @Test func `an introspection takes what such a document says to no host without a grant`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try Self.trust(try Self.loaded(stranger), stranger)
        let loaded = try Self.loaded(stranger)
        var collection = try #require(loaded.collection)
        var request = try #require(collection.requests.first)
        request.body = .graphql(GraphQLContent("{ a }"))
        for (host, isGranted) in [(stranger.good.host, true), (stranger.evil.host, false)] {
            collection.environments = [Environment(name: "e", host: host)]
            let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: loaded.path)
            let error = await #expect(throws: IntrospectionError.self) {
                try await stranger.session().introspect(order)
            }
            #expect(error?.description.contains("openapi.yaml") == !isGranted, "\(error as Any)")
        }
        #expect(stranger.good.requests.map { $0.headers["x-doc"] } == [Self.words])
        #expect(stranger.evil.requests.isEmpty)
    }

    @Test(arguments: [307, 308]) func `a body of such a document crosses no redirect`(_ status: Int) async throws {
        let evil = Lock("")
        let stranger = try Stranger { _ in .redirect(status, to: evil.withLock { $0 }) }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        try Self.trust(try Self.loaded(stranger, "addUser"), stranger)
        let result = try await Self.send(try Self.loaded(stranger, "addUser"), stranger.session())
        #expect(!result.passed && stranger.evil.requests.isEmpty)
        #expect(stranger.good.requests.map { $0.text.contains(Self.words) } == [true])
    }
}
