import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The editor of a query, which knows the schema, and the requests that are made of it.
@Suite struct GraphQLStories {
    private static let file = """
        { "version": 1, "name": "api", "environments": [{ "name": "local", "host": "http://a.test" }], "items": [
          { "request": "query", "method": "POST", "path": "/graphql", "headers": [{ "name": "X-Key", "value": "k" }],
            "cookies": [{ "name": "sid", "value": "{{id}}" }], "variables": { "id": "1" }, "record": false,
            "body": { "graphql": "{ user { name } }" } },
          { "request": "plain", "path": "/plain" }
        ] }
        """

    private static func schema() throws -> GraphQLSchema {
        let text = """
            type Query { user(id: ID!): User }
            type Mutation { rename(id: ID!, name: String!): User }
            type User { id: ID! name: String role: Role }
            enum Role { ADMIN USER }
            """
        return try GraphQLSchema(reading: Bytes(text.utf8))
    }

    /// A story in the Body tab of the query.
    private static func story() -> Story {
        var story = Story(file: file)
        story.choose("query")
        story.perform(.app(.focus(.request)))
        story.perform(.request(.showTab(RequestTab.tabs(ofSettings: false).firstIndex(of: .body).map { $0 + 1 } ?? 0)))
        return story
    }

    private static func place(_ story: Story) throws -> GraphQLPlace {
        try #require(RequestPane.schemaPlace(story.state.workbench))
    }

    private static func editor(_ story: Story) throws -> BodyEditor { try #require(story.openBody) }

    /// A story with the query under edit.
    private static func editing() throws -> Story {
        var story = Self.story()
        _ = story.takeEffects()
        story.press("Enter")
        let place = try Self.place(story)
        #expect(story.takeEffects() == [.readSchema(place, for: .editor)])
        story.receive(.schema(place, try Self.schema(), for: .editor))
        return story
    }

    @Test func `the editor of a query shows its first problem`() throws {
        let story = try Self.editing()
        #expect(
            try Self.editor(story).check.problem?.text
                == "line 1, column 3: the argument `id` of `user` is missing: it is of the type ID!")
        #expect(try Self.editor(story).check.word == "GraphQL ✗" && story.screen.contains("GraphQL ✗"))
    }

    @Test func `fields, arguments and enums complete what is typed`() throws {
        var story = try Self.editing()
        story.perform(.text(.selectAll))
        story.perform(.text(.insert("{ us")))
        #expect(story.names == ["user"])
        story.press("Tab")
        story.perform(.text(.insert("(")))
        #expect(story.names == ["id"])
        story.press("Tab")
        story.perform(.text(.insert(": 1) { ro")))
        #expect(story.names == ["role"])
        story.press("Tab")
        story.perform(.text(.insert(" } }")))
        let editor = try Self.editor(story)
        #expect(editor.text == "{ user(id: 1) { role } }" && editor.check == .query(nil))
        #expect(editor.check.word == "GraphQL ✓" && editor.check.problem == nil)
    }

    @Test func `Alt+slash shows what completes the text in the middle of a query`() throws {
        var story = try Self.editing()
        story.perform(.text(.selectAll))
        story.perform(.text(.insert("{ user(id: 1) {  } }")))
        for _ in 0..<4 { story.press("Left") }
        #expect(story.names.isEmpty)
        story.press("Alt+/")
        #expect(story.names == ["id", "name", "role", "__typename"])
        #expect(story.screen.contains("Enter line break"))
        story.press("Down", "Tab")
        #expect(try Self.editor(story).text == "{ user(id: 1) { name } }")
        story.perform(.text(.selectAll))
        story.perform(.text(.insert("{ nope { ")))
        story.press("Alt+/")
        #expect(story.names.isEmpty && story.state.notice?.text.hasPrefix("Nothing is known") == true)
    }

    @Test func `the row of the operation asks for a name where the query has several, and completes it`() throws {
        var request = SavedRequest(name: "r", path: "/", body: .graphql(GraphQLContent("query A { a } query B { a }")))
        let fields = try RequestField.fields(of: #require(request.body))
        let field = try #require(fields.first { $0.label == "operation" })
        #expect(field.need(request) == .required && field.completes(request) == .words(["A", "B"]))
        #expect(field.problem(with: "C", in: request)?.hasPrefix("the query has no operation `C`") == true)
        request.body = .graphql(GraphQLContent("{ a }"))
        #expect(field.need(request) == .optional && field.completes(request) == .none)
    }

    @Test func `the external editor gets a query as a file of GraphQL`() throws {
        var story = Self.story()
        _ = story.takeEffects()
        story.press("e")
        let id = try #require(story.request?.id)
        #expect(
            story.takeEffects() == [.edit(.body(id, suffix: ".graphql"), text: "{ user { name } }", line: 1)])
        story.receive(.edited(.body(id, suffix: ".graphql"), text: "{ users { name } }"))
        #expect(story.request?.bodyText == "{ users { name } }")
    }

    @Test func `a schema of another place changes nothing, and one that is gone takes the check away`() throws {
        var story = try Self.editing()
        var other = try Self.place(story)
        other.url = "/other"
        story.receive(.schema(other, nil, for: .editor))
        #expect(try Self.editor(story).check != .none)
        story.receive(.schema(try Self.place(story), nil, for: .editor))
        #expect(try Self.editor(story).check == .none)
    }

    @Test func `the service is asked for its schema, unless a file has it`() throws {
        var story = Self.story()
        _ = story.takeEffects()
        story.perform(.request(.introspect))
        let order = try #require(story.state.workbench.order(0))
        #expect(story.takeEffects() == [.introspect(order)])
        story.perform(.request(.chooseOperation))
        #expect(story.takeEffects() == [.readSchema(try Self.place(story), for: .operations)])
        story.choose("plain")
        _ = story.takeEffects()
        story.perform(.request(.introspect))
        #expect(story.takeEffects().isEmpty && story.state.notice?.text.contains("GraphQL") == true)
    }

    @Test(arguments: [(true, "log in"), (false, nil)] as [(Bool, String?)])
    func `an introspection needs nothing that may change a protected environment`(
        isProtected: Bool, name: String?
    ) throws {
        let text = """
            { "version": 1, "name": "api",
              "environments": [{ "name": "live", "host": "http://a.test", "protected": \(isProtected) }],
              "items": [
                { "request": "log in", "method": "POST", "path": "/login", "capture": { "token": { "path": "$.t" } } },
                { "request": "query", "method": "POST", "path": "/graphql",
                  "headers": [{ "name": "X-Token", "value": "{{token}}" }], "body": { "graphql": "{ a }" } }
              ] }
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        func first(_ session: Session) -> String? {
            let order = RunOrder(
                id: 1, request: collection.requests[1], collection: collection, environment: "live",
                file: "/c.json")
            return session.firstUnsafe(before: order)?.request.name
        }
        #expect(first(Session()) == name)
        // The request itself only reads.
        let given = Session(overrides: Overrides(variables: [Variable("token", "t")]))
        #expect(first(given) == nil)
    }

    @Test func `a request is made of a mutation`() throws {
        var story = Self.story()
        story.perform(.request(.chooseOperation))
        story.receive(.schema(try Self.place(story), try Self.schema(), for: .operations))
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no list is open")
            return
        }
        #expect(picker.shown.map(\.name) == ["user", "rename"])
        #expect(picker.shown.last?.note == "mutation (id: ID!, name: String!): User")
        story.press("Down", "Enter")
        let request = try #require(story.request)
        #expect(request.name == "rename" && request.path == "/graphql" && request.method == .post)
        #expect(request.headers == [Field("X-Key", "k")] && story.state.requestPane.tab == .body)
        #expect(request.cookies == [Field("sid", "{{id}}")] && request.variables.map(\.name) == ["id"])
        #expect(!request.isRecorded)
        guard case .graphql(let content)? = request.body else {
            Issue.record("the body is no query")
            return
        }
        #expect(
            content.query == """
                mutation rename($id: ID!, $name: String!) {
                  rename(id: $id, name: $name) {
                    id
                    name
                    role
                  }
                }
                """)
        #expect(content.variables == ["id": "", "name": ""])
    }

    @Test func `what a document outside the workspace says of a request is copied to no other`() throws {
        var story = Self.story()
        story.state.workbench.editRequest { request in
            var operation = SavedOperation("op", of: "../api.yaml", OperationBase([]))
            operation.source = .file("/api.yaml")
            request.operation = operation
        }
        let count = story.state.workbench.file?.collection?.requests.count
        story.perform(.request(.chooseOperation))
        story.receive(.schema(try Self.place(story), try Self.schema(), for: .operations))
        story.press("Enter")
        #expect(story.state.notice?.text.contains("../api.yaml") == true)
        #expect(story.state.workbench.file?.collection?.requests.count == count && story.request?.name == "query")
    }

    @Test func `without a schema the list says how to get one`() throws {
        var story = Self.story()
        story.perform(.request(.chooseOperation))
        story.receive(.schema(try Self.place(story), nil, for: .operations))
        #expect(story.topOverlay == nil && story.state.notice?.text.hasPrefix("No schema yet; in the palette") == true)
    }
}

extension Story {
    /// The names in the list that completes the query.
    fileprivate var names: [String] { state.requestPane.completion.list?.items.map(\.name) ?? [] }
}
