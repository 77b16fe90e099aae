import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite struct InheritanceTests {
    private static let generators = Generators.fixed

    private static func resolver(_ collection: Collection, overrides: Overrides = Overrides()) -> Resolver {
        let reader = SecretReader(environment: { "secret of \($0)" }, file: { _ in Array("file".utf8) })
        return Resolver(
            collection: collection, environment: collection.environments.first, overrides: overrides, secrets: reader,
            generators: generators)
    }

    // MARK: One level after the other

    private static let text = """
        {
          "version": 1, "name": "shop",
          "variables": { "who": "collection", "stage": "collection" },
          "headers": [{ "name": "X-Level", "value": "collection" }, { "name": "X-Root", "value": "{{who}}" }],
          "authentication": { "bearer": "{{token}}" },
          "policy": { "retries": 1, "timeout": "9s" },
          "environments": [
            { "name": "local", "host": "http://shop.test", "variables": { "stage": "local", "who": "local" },
              "additionalHeaders": { "X-Level": "local", "X-Env": "{{who}}" }, "secrets": { "token": { "env": "T" } },
              "policy": { "retries": 2, "sla": "20s" } }
          ],
          "items": [
            { "folder": "users", "variables": { "who": "users" }, "headers": [{ "name": "X-Level", "value": "users" }],
              "policy": { "retries": 3 },
              "items": [
                { "folder": "admin", "variables": { "who": "admin", "token": "of the folder" }, "authentication": "none",
                  "items": [{ "request": "ban", "path": "/{{who}}/{{stage}}" }] },
                { "request": "list", "path": "/{{who}}" } ] },
            { "request": "root", "path": "/{{who}}", "headers": [{ "name": "x-level", "value": "request" }] },
            { "request": "elsewhere", "path": "https://other.test/x" }
          ]
        }
        """

    private static func prepared(_ name: String, overrides: Overrides = Overrides()) throws -> PreparedRequest {
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "shop.json").collection)
        let request = try #require(collection.requests.first { $0.name == name })
        return PreparedRequest(try resolver(collection, overrides: overrides).resolve(request))
    }

    private static func lines(_ prepared: PreparedRequest) -> [String] {
        prepared.headers.map { "\($0.name): \($0.value) \($0.source)" }.sorted()
    }

    @Test func `the nearest folder is over the environment, and that over the collection`() throws {
        let list = try Self.prepared("list")
        #expect(list.url == "http://shop.test/users")
        #expect(
            Self.lines(list) == [
                "Authorization: Bearer •••••• from the collection", "X-Env: users from environment local",
                "X-Level: users from folder users", "X-Root: users from the collection",
            ])
        #expect(list.attempts.value == 4 && list.attempts.source.description == "from folder users")
        #expect(list.sla.value == .seconds(20) && list.sla.source == .environment("local"))
        let root = try Self.prepared("root")
        #expect(root.url == "http://shop.test/local" && root.attempts.source == .environment("local"))
        #expect(Self.lines(root).contains("x-level: request from the request"))
        #expect(!Self.lines(root).contains { $0.hasPrefix("X-Level: local") })
    }

    @Test func `an inner folder stops authentication, and its variables are over the outer ones`() throws {
        let ban = try Self.prepared("ban")
        #expect(ban.url == "http://shop.test/admin/local")
        #expect(!ban.headers.contains { $0.name == "Authorization" })
        #expect(ban.variables.map(\.source.description).contains("from folder admin"))
        let set = try Self.prepared("ban", overrides: Overrides(variables: [Field("who", "me")]))
        #expect(set.url == "http://shop.test/me/local")
    }

    @Test func `another host gets what the collection gives, and nothing of the environment`() throws {
        #expect(
            Self.lines(try Self.prepared("elsewhere")) == [
                "Authorization: Bearer •••••• from the collection", "X-Level: collection from the collection",
                "X-Root: local from the collection",
            ])
    }

    @Test func `a request that is in no collection gets its credentials at the environment's host only`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "shop.json").collection)
        let resolver = Self.resolver(collection)
        let own = PreparedRequest(try resolver.resolve(SavedRequest(name: "scratch", path: "/x")))
        #expect(own.headers.contains { $0.name == "Authorization" && $0.source == .collection })
        let foreign = PreparedRequest(try resolver.resolve(SavedRequest(name: "scratch", path: "http://other.test/")))
        #expect(foreign.headers.isEmpty)
        #expect(foreign.attempts.value == 3)
    }

    @Test func `a variable of a folder under the name of a secret is masked like it`() throws {
        var collection = Collection(name: "c", environments: [Environment(name: "e", host: "http://h.test")])
        collection.environments[0].secrets = [Secret("key", .environment("KEY"))]
        let request = SavedRequest(name: "r", path: "/", headers: [Field("X-A", "{{key}}")])
        let settings = SharedSettings(variables: [Field("key", "in-the-folder")])
        collection.items = [.folder(Folder(name: "f", settings: settings, items: [.request(request)]))]
        let resolved = try Self.resolver(collection).resolve(request)
        #expect(resolved.headers["X-A"]?.text == "in-the-folder")
        #expect(PreparedRequest(resolved).headers.map(\.value) == ["••••••"])
    }

    @Test func `a header that cannot be sent names its level`() {
        let request = SavedRequest(name: "r", path: "/")
        let settings = SharedSettings(headers: [Field("X-A", "{{missing}}")])
        let collection = Collection(
            name: "c", environments: [Environment(name: "e", host: "http://h.test")],
            items: [.folder(Folder(name: "users", settings: settings, items: [.request(request)]))])
        let error = #expect(throws: ResolveError.self) { try Self.resolver(collection).resolve(request) }
        #expect(error?.field == "header \"X-A\" of the folder users")
    }

    @Test func `commands and code carry what is inherited`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "shop.json").collection)
        let request = try #require(collection.requests.first { $0.name == "list" })
        let order = RunOrder(
            id: 1, request: request, collection: collection, environment: "local", file: "/shop.json")
        #expect(order.shownCurl.contains("-H 'Authorization: Bearer {{token}}'"))
        #expect(order.shownCurl.contains("-H 'X-Level: users'") && order.shownCurl.contains("--retry 3"))
        #expect(order.swiftCode.contains("\"X-Level\": \"users\"") && order.swiftCode.contains(".token(type: .bearer"))
    }

    @Test func `variables of folders count as defined for the requests in them only`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "shop.json").collection)
        var changed = collection
        changed.variables = []
        changed.environments[0].variables = []
        let uses = VariableUses(changed)
        #expect(uses.undefined["local"] == ["stage", "who"])
        changed.items.removeLast(2)
        changed.headers = []
        changed.environments[0].additionalHeaders = []
        #expect(VariableUses(changed).undefined["local"] == ["stage"])
    }

    // MARK: Random trees

    /// A level of the model: plain dictionaries.
    private struct Level {
        var variables: [String: String] = [:]
        var headers: [String: String] = [:]
        var authentication: SavedAuthentication?
        var policy: RequestPolicy?
        var connection: SavedConnection?
        var source: Provenance

        init(_ settings: SharedSettings, _ source: Provenance) {
            for field in settings.variables where field.enabled { variables[field.name] = field.value }
            for field in settings.headers where field.enabled { headers[field.name] = field.value }
            (authentication, policy, self.source) = (settings.authentication, settings.policy, source)
            connection = settings.connection
        }

        /// The settings of the connection as texts, by their names in a list.
        var connectionTexts: [String: String] {
            var texts: [String: String] = [:]
            texts["connect within"] = connection?.connectTimeout.map { "\($0.components.seconds)s" }
            texts["proxy"] = connection?.proxy
            texts["redirects"] = connection?.maximumRedirects.map { "\($0)" }
            texts["cookies"] = connection?.cookies.map { $0 ? "yes" : "no" }
            return texts
        }

        /// The header of that name here, an empty text for one that is stopped.
        func header(_ name: String, decides: Bool) -> String? {
            if let header = headers[name] { return header }
            guard name == "Authorization", decides else { return nil }
            switch authentication {
            case .bearer(let bearer): return "Bearer " + bearer.token
            default: return authentication == nil ? nil : ""
            }
        }
    }

    private static func model(_ collection: Collection, _ request: SavedRequest) -> [Level] {
        var levels = [
            Level(
                SharedSettings(
                    headers: request.headers, authentication: request.authentication, policy: request.policy,
                    connection: request.connection),
                .request)
        ]
        for id in collection.ancestors(of: request.id).reversed() {
            guard case .folder(let folder)? = collection.item(id) else { continue }
            levels.append(Level(folder.settings, .folder(folder.name, folder.id)))
        }
        let environment = collection.environments[0]
        levels.append(
            Level(
                SharedSettings(
                    variables: environment.variables, headers: environment.additionalHeaders,
                    authentication: environment.authentication, policy: environment.policy,
                    connection: environment.connection),
                .environment(environment.name)))
        return levels + [Level(collection.settings, .collection)]
    }

    @Test(arguments: 0..<200) func `inheritance agrees with a slow and simple model`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let collection = Collection.randomWithSettings(&random)
        let resolver = Self.resolver(collection)
        for request in collection.requests {
            let levels = Self.model(collection, request)
            let prepared = PreparedRequest(try resolver.resolve(request))
            let decider = levels.firstIndex { $0.authentication != nil }
            var expected: [String] = []
            for name in ["X-A", "X-B", "X-C", "Authorization"] {
                for (index, level) in levels.enumerated() {
                    guard let text = level.header(name, decides: index == decider) else { continue }
                    let shown = SecretDetector.masked(text, named: name)
                    if !text.isEmpty { expected.append("\(name): \(shown) \(level.source)") }
                    break
                }
            }
            #expect(Self.lines(prepared) == expected.sorted())
            let name = levels.lazy.compactMap { $0.variables["v"] }.first ?? ""
            #expect(prepared.url == "http://h.test/" + name)
            let used = prepared.variables.first { $0.name == "v" }
            #expect(used?.source == levels.first { $0.variables["v"] != nil }?.source)
            #expect(prepared.attempts.value == (levels.lazy.compactMap { $0.policy?.retries }.first ?? 0) + 1)
            #expect(prepared.attempts.source == levels.first { $0.policy?.retries != nil }?.source ?? .ombi)
            var settings: [String] = []
            for name in ["connect within", "proxy", "redirects", "cookies"] {
                guard let level = levels.first(where: { $0.connectionTexts[name] != nil }) else { continue }
                settings.append("\(name): \(level.connectionTexts[name] ?? "") \(level.source)")
            }
            #expect(prepared.connection.map { "\($0.name): \($0.value) \($0.source)" } == settings)
        }
    }

    @Test(arguments: 0..<100) func `what was read is written as it was`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let collection = Collection.randomWithSettings(&random)
        let read = try #require(CollectionFile.read(Array(collection.text.utf8), file: "c.json").collection)
        #expect(read.text == collection.text)
        #expect(read.withIdentities(of: collection) == collection)
        #expect(try SampleTests.schema().failures(try JSONValue.parse(collection.text)) == [])
    }

    @Test(arguments: 0..<100) func `the settings of folders survive every edit around them`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var collection = Collection.randomWithSettings(&random)
        let folders = collection.ids.compactMap { id -> Folder? in
            if case .folder(let folder)? = collection.item(id) { folder } else { nil }
        }
        guard let folder = folders.randomElement(using: &random) else { return }
        let source = Array(collection.text.utf8)
        collection.rename(folder.id, "renamed")
        collection.insert(.request(SavedRequest(name: "new", path: "/")), .into(folder.id))
        let copied = collection.duplicate(folder.id)
        let copy = try #require(copied)
        let item = try #require(collection.item(folder.id))
        collection.put([item], .root)
        for id in [folder.id, copy] {
            guard case .folder(let found)? = collection.item(id) else { continue }
            #expect(found.settings == folder.settings)
        }
        let text = CollectionText.edited(collection, over: Fingerprint(Bytes(source)))
        #expect(CollectionFile.read(text, file: "").collection?.text == collection.text)
    }

    @Test func `settings of one side and settings of the other come together`() {
        var base = Collection(name: "c", items: [.folder(Folder(name: "f")), .folder(Folder(name: "g"))])
        base.headers = [Field("X", "1")]
        var (mine, theirs) = (base, base)
        mine.headers = []
        mine.update(folder: base.ids[0]) { $0.settings.authentication = .noAuthentication }
        theirs.authentication = .bearer(BearerAuthentication(token: "{{t}}"))
        theirs.update(folder: base.ids[1]) { $0.settings.variables = [Field("a", "b")] }
        let merge = mine.merging(theirs, since: base)
        #expect(merge.conflicts.isEmpty)
        #expect(merge.collection.headers.isEmpty && merge.collection.authentication == theirs.authentication)
        #expect(merge.collection.folders(to: base.ids[0])[0].settings.authentication == .noAuthentication)
        #expect(merge.collection.folders(to: base.ids[1])[0].settings.variables == [Field("a", "b")])
        theirs.headers = [Field("X", "2")]
        let conflict = mine.merging(theirs, since: base)
        #expect(conflict.conflicts == [.setting(.headers)])
        var taken = conflict.collection
        taken.take(.setting(.headers), from: theirs)
        #expect(taken.headers == theirs.headers)
    }
}

extension Collection {
    fileprivate static func randomWithSettings(_ random: inout SeededRandom) -> Collection {
        var number = 0
        func items(_ depth: Int) -> [CollectionItem] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                number += 1
                if depth < 4, Int.random(in: 0..<2, using: &random) == 0 {
                    let settings = SharedSettings.random("f\(number)", &random)
                    return .folder(Folder(name: "f\(number)", settings: settings, items: items(depth + 1)))
                }
                let settings = SharedSettings.random("r\(number)", &random)
                return .request(
                    SavedRequest(
                        name: "r\(number)", path: "/{{v}}", headers: settings.headers,
                        authentication: settings.authentication, policy: settings.policy,
                        connection: settings.connection))
            }
        }
        var environment = Environment(name: "e", host: "http://h.test")
        let own = SharedSettings.random("e", &random)
        (environment.variables, environment.additionalHeaders) = (own.variables, own.headers)
        (environment.authentication, environment.policy) = (own.authentication, own.policy)
        environment.connection = own.connection
        var collection = Collection(name: "c", environments: [environment], items: items(0))
        collection.settings = .random("c", &random)
        collection.variables = [Field("v", "c")]
        return collection
    }
}

extension SharedSettings {
    fileprivate static func random(_ name: String, _ random: inout SeededRandom) -> SharedSettings {
        func some<Value>(_ value: Value, _ random: inout SeededRandom) -> Value? {
            Int.random(in: 0..<3, using: &random) == 0 ? value : nil
        }
        var settings = SharedSettings()
        if let variable = some(Field("v", name), &random) { settings.variables = [variable] }
        if let variable = some(Field("v", "off", enabled: false), &random), settings.variables.isEmpty {
            settings.variables = [variable]
        }
        for header in ["X-A", "X-B", "X-C", "Authorization"] {
            if let field = some(Field(header, "\(header) of \(name)"), &random) { settings.headers.append(field) }
        }
        settings.authentication = some(.bearer(BearerAuthentication(token: name)), &random)
        if settings.authentication == nil { settings.authentication = some(.noAuthentication, &random) }
        if let retries = some(Int.random(in: 0...9, using: &random), &random) {
            settings.policy = RequestPolicy(retries: retries)
        }
        var connection = SavedConnection()
        connection.connectTimeout = some(.seconds(Int.random(in: 1...59, using: &random)), &random)
        connection.proxy = some("http://\(name).test:3128", &random)
        connection.maximumRedirects = some(Int.random(in: 0...9, using: &random), &random)
        connection.cookies = some(Bool.random(using: &random), &random)
        if connection != SavedConnection() { settings.connection = connection }
        return settings
    }
}
