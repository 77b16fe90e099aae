import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite struct EnvironmentInheritanceTests {
    private static func read(_ environments: String) -> (collection: Collection?, problems: [Problem]) {
        let text = "{ \"version\": 1, \"name\": \"shop\", \"environments\": [\n\(environments)\n], \"items\": [] }"
        return CollectionFile.read(Array(text.utf8), file: "shop.json")
    }

    private static let shop = """
        { "name": "base", "abstract": true, "protected": true, "additionalHeaders": { "X-Level": "base", "X-Base": "{{who}}" },
          "variables": { "who": "base", "size": "1" }, "secrets": { "token": { "env": "BASE" }, "key": { "env": "KEY" } },
          "authentication": { "bearer": "{{token}}" }, "policy": { "retries": 3, "timeout": "9s" } },
        { "name": "local", "inherits": "base", "host": "http://shop.test", "additionalHeaders": { "x-level": "local" },
          "variables": { "who": "local", "key": "plain" }, "secrets": { "token": { "env": "LOCAL" } },
          "policy": { "retries": 0 } },
        { "name": "quick", "inherits": "local", "policy": { "timeout": "1s" } }
        """

    @Test func `what an environment does not say comes from the one it inherits from`() throws {
        let collection = try #require(Self.read(Self.shop).collection)
        let quick = try #require(collection.environment(named: "quick"))
        #expect(quick.host == "http://shop.test" && quick.protected)
        #expect(quick.policy == RequestPolicy(retries: 0, timeout: .seconds(1)))
        #expect(quick.variables == [Field("size", "1"), Field("who", "local"), Field("key", "plain")])
        #expect(quick.secrets == [Secret("token", .environment("LOCAL"))])
        #expect(quick.authentication == collection.environments[0].authentication)
        #expect(collection.choosableEnvironments.map(\.name) == ["local", "quick"])
        #expect(collection.defaultEnvironment?.name == "local")
        #expect(!collection.canChoose(environment: "base") && collection.canChoose(environment: "quick"))
    }

    @Test func `what is sent names the environment that it comes from`() throws {
        var collection = try #require(Self.read(Self.shop).collection)
        let request = SavedRequest(name: "list", path: "/{{who}}/{{size}}/{{key}}")
        collection.items = [.request(request)]
        let resolver = Resolver(
            collection: collection, environment: collection.environment(named: "quick"),
            secrets: SecretReader(environment: { "s3cret \($0)" }, file: { _ in [] }), generators: .fixed)
        let prepared = PreparedRequest(try resolver.resolve(request))
        #expect(
            prepared.headers.map { "\($0.name) \($0.value) \($0.source)" }.sorted() == [
                "Authorization Bearer •••••• from environment base", "X-Base local from environment base",
                "x-level local from environment local",
            ])
        // A variable in the place of a secret is masked like it.
        #expect(prepared.url == "http://shop.test/local/1/••••••")
        #expect(prepared.attempts.source == .environment("local"))
        #expect(
            prepared.variables.map { "\($0.name) \($0.source)" }.sorted() == [
                "key from environment local", "size from environment base", "token from environment local",
                "who from environment local",
            ])
    }

    @Test(arguments: [
        (
            #"{ "name": "a", "inherits": "b" }, { "name": "b", "inherits": "a" }"#,
            [
                "2:28 \"inherits\": the environment inherits from itself: a → b → a",
                "2:62 \"inherits\": the environment inherits from itself: b → a → b",
            ]
        ),
        (#"{ "name": "a", "inherits": "a" }"#, ["2:28 \"inherits\": the environment inherits from itself: a → a"]),
        (
            #"{ "name": "local", "host": "h" }, { "name": "b", "inherits": "locale" }"#,
            ["2:62 \"inherits\": there is no environment \"locale\"; did you mean \"local\"?"]
        ),
        (
            #"{ "name": "a", "abstract": true }, { "name": "b", "inherits": "a" }"#,
            ["2:36 \"host\": it is missing, and no environment that this one inherits from has one"]
        ),
        (#"{ "name": "a" }"#, ["2:1 missing key \"host\""]),
        (
            #"{ "name": "a", "abstract": "yes", "host": "h" }"#,
            ["2:28 \"abstract\": expected true or false, found a string"]
        ),
    ])
    func `errors have a place and the way round`(_ text: String, _ expected: [String]) {
        let (collection, problems) = Self.read(text)
        #expect(collection == nil)
        #expect(problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.message)" } == expected)
    }

    @Test func `a file keeps its text, and an environment that inherits needs no host in it`() throws {
        let collection = try #require(Self.read(Self.shop).collection)
        let again = try #require(CollectionFile.read(Array(collection.text.utf8), file: "").collection)
        #expect(again.text == collection.text)
        #expect(!again.text.contains("\"host\": \"\""))
    }

    // MARK: A simple model

    /// Looks every name up by going from environment to environment.
    private struct Model {
        let environments: [Environment]

        func chain(_ name: String) -> [Environment] {
            guard let own = environments.first(where: { $0.name == name }) else { return [] }
            return [own] + (own.inherits.map(chain) ?? [])
        }

        func value(_ name: String, in environment: String) -> String? {
            for layer in chain(environment) {
                if let secret = layer.secrets.last(where: { $0.name == name }) { return "secret " + secret.source.text }
                if let variable = layer.variables.last(where: { $0.name == name && $0.enabled }) {
                    return variable.value
                }
            }
            return nil
        }
    }

    @Test(arguments: 0..<200) func `random environments agree with the model`(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let names = ["a", "b", "c", "d"]
        let environments = (0..<Int.random(in: 1...6, using: &random)).map { index in
            var environment = Environment(
                name: "e\(index)", host: Bool.random(using: &random) ? "http://e\(index)" : "")
            if index > 0, Int.random(in: 0..<4, using: &random) > 0 {
                environment.inherits = "e\(Int.random(in: 0..<index, using: &random))"
            }
            environment.protected = Int.random(in: 0..<5, using: &random) == 0
            if Bool.random(using: &random) { environment.policy = RequestPolicy(retries: index) }
            for name in names where Bool.random(using: &random) {
                if Bool.random(using: &random) {
                    let isEnabled = Int.random(in: 0..<4, using: &random) > 0
                    environment.variables.append(Field(name, "\(name)\(index)", enabled: isEnabled))
                } else {
                    environment.secrets.append(Secret(name, .environment("\(name)\(index)")))
                }
            }
            return environment
        }
        let collection = Collection(name: "c", environments: environments)
        let model = Model(environments: environments)
        for environment in environments {
            let chain = model.chain(environment.name)
            let found = try #require(collection.environment(named: environment.name))
            #expect(found.host == chain.first { !$0.host.isEmpty }?.host ?? "")
            #expect(found.protected == chain.contains(where: \.protected))
            #expect(found.policy?.retries == chain.compactMap { $0.policy?.retries }.first)
            let resolver = Resolver(
                collection: collection, environment: found,
                secrets: SecretReader(environment: { "secret env \($0)" }, file: { _ in [] }))
            var scope = resolver.scope(resolver.inheritance(of: SavedRequest(name: "", path: "")))
            for name in names {
                #expect((try? scope.fill("{{\(name)}}")) == model.value(name, in: environment.name))
            }
        }
    }
}
