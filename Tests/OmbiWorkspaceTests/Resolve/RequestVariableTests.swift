import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Variables of one request, the nearest level of all.
@Suite struct RequestVariableTests {
    private static let text = #"""
        {
          "version": 1,
          "name": "c",
          "variables": { "who": "collection" },
          "headers": [{ "name": "X-Who", "value": "{{who}}" }],
          "environments": [
            { "name": "local", "host": "http://a.test", "variables": { "who": "local", "base": "v1" },
              "secrets": { "key": { "env": "K" } } }
          ],
          "items": [
            { "folder": "f", "variables": { "who": "folder" }, "items": [
              { "request": "own", "path": "/{{path}}/{{key}}",
                "variables": { "who": "own", "path": "{{base}}/{{who}}", "key": "plain",
                  "off": { "value": "1", "enabled": false } } },
              { "request": "other", "path": "/{{who}}" }
            ] }
          ]
        }
        """#

    private static func collection(_ text: String = text) throws -> Collection {
        try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
    }

    private static func prepared(_ name: String, _ overrides: Overrides = Overrides()) throws -> PreparedRequest {
        let collection = try collection()
        let request = try #require(collection.requests.first { $0.name == name })
        let reader = SecretReader(environment: { "secret of \($0)" }, file: { _ in [] })
        let resolver = Resolver(
            collection: collection, environment: collection.environments.first, overrides: overrides, secrets: reader,
            generators: .fixed)
        return PreparedRequest(try resolver.resolve(request))
    }

    @Test func `they hold over all levels, in this request alone`() throws {
        let own = try Self.prepared("own")
        #expect(own.variables.first { $0.name == "who" }?.value == "own")
        #expect(own.variables.first { $0.name == "who" }?.source == .request)
        #expect(own.url.hasPrefix("http://a.test/v1/own/"))
        #expect(own.headers.contains { $0.name == "X-Who" && $0.value == "own" })
        #expect(try Self.prepared("other").url == "http://a.test/folder")
    }

    @Test func `the command line holds over them`() throws {
        let own = try Self.prepared("own", Overrides(variables: [Field("who", "set")]))
        #expect(own.url.hasPrefix("http://a.test/v1/set/"))
    }

    @Test func `they are read and written, and a list of another kind is an error`() throws {
        let collection = try Self.collection()
        let request = try #require(collection.requests.first)
        #expect(request.variables.map(\.name) == ["who", "path", "key", "off"])
        #expect(try Self.collection(collection.text).json == collection.json)
        let wrong = Self.text.replacing(#"{ "who": "own","#, with: #"{ "who": 3,"#)
        let problems = CollectionFile.read(Array(wrong.utf8), file: "f").problems.map(\.description)
        #expect(problems.count == 1 && problems[0].contains("\"who\": expected a string, found a number"))
    }

    @Test func `a check knows them, and names what is not known in their values`() throws {
        let known = CollectionCheck.problems(in: Array(Self.text.utf8), file: "f").map(\.description)
        #expect(!known.contains { $0.contains("unknown variable") || $0.contains("no environment has it") }, "\(known)")
        let wrong = Self.text.replacing("{{base}}/{{who}}", with: "{{bsae}}/{{who}}")
        let problems = CollectionCheck.problems(in: Array(wrong.utf8), file: "f").map(\.description)
        #expect(problems.contains { $0.contains("bsae") })
    }

    @Test func `one is renamed where it is set and used`() throws {
        let renamed = try #require(try Self.collection().renaming(variable: "path", to: "place"))
        let request = try #require(renamed.requests.first)
        #expect(
            request.path == "/{{place}}/{{key}}" && request.variables.map(\.name) == ["who", "place", "key", "off"])
    }

    @Test func `one that another request lacks is undefined there alone`() throws {
        let text = Self.text.replacing(#""path": "/{{who}}""#, with: #""path": "/{{path}}""#)
        #expect(VariableUses(try Self.collection()).undefined["local"] == [])
        #expect(VariableUses(try Self.collection(text)).undefined["local"] == ["path"])
    }

    @Test(arguments: [
        #""path": "/{{mine}}""#, #""path": "/", "connection": { "proxy": "http://{{mine}}:1" }"#,
        #""path": "ws://h/", "webSocket": { "messages": [{ "name": "m", "text": "{{mine}}" }] }"#,
    ]) func `a request uses what its path, its connection and its messages name`(members: String) throws {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", \#(members) }] }"#
        let collection = try Self.collection(text)
        #expect(VariableUses(collection).requests["mine"] == [collection.requests[0].id])
    }

    @Test func `names and values complete in the request that has them`() throws {
        let collection = try Self.collection()
        let (environment, own) = (collection.environments.first, collection.requests[0].variables)
        #expect(Resolver.names(in: collection, own: own, environment: environment).contains("path"))
        #expect(!Resolver.names(in: collection, environment: environment).contains("path"))
        let shown = Resolver.candidates(in: collection, own: own, environment: environment)
        #expect(shown.first { $0.name == "path" }?.note == "v1/own")
        let secret = Resolver.candidates(
            in: collection, own: own + [Variable("password", "hunter2abc")], environment: environment)
        #expect(secret.first { $0.name == "password" }?.note == "••••••")
    }

    @Test func `a tool without them gets them for all, and a note where they differ`() throws {
        let collection = try Self.collection()
        let orders = collection.requests.enumerated().map { index, request in
            RunOrder(id: index + 1, request: request, collection: collection, environment: "local", file: "f")
        }
        let exported = Session.exported(orders, as: try #require(Exporter.named("postman")))
        #expect(exported.losses.contains("own has a value of its own for the variable who"))
        let value = try JSONValue.parse(exported.text)
        #expect(value["variable"]?.elements?.contains { $0["key"] == "path" } ?? false)
    }

    @Test func `Hurl has them as options`() throws {
        let text = "GET https://a.test/{{id}}\n[Options]\nvariable: id=7\nHTTP 200\n"
        #expect(try Importer.read(Array(text.utf8), from: "a.hurl").collection.variables == [Field("id", "7")])
        let changed = text + "GET https://a.test/{{id}}\n[Options]\nvariable: id=8\n"
        let requests = try Importer.read(Array(changed.utf8), from: "a.hurl").collection.requests
        #expect(requests.map(\.variables) == [[Field("id", "7")], [Field("id", "8")]])
    }
}
