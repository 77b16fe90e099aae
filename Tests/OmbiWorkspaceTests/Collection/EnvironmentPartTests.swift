import Testing

@testable import OmbiWorkspace

/// Environments as a table of parts.
@Suite struct EnvironmentPartTests {
    private var environment: Environment {
        Environment(
            name: "local", host: "http://h", additionalHeaders: [Field("Accept", "a"), Field("accept", "b")],
            variables: [Variable("id", "1")], secrets: [Secret("key", .environment("KEY"))],
            policy: RequestPolicy(retries: 2))
    }

    private func field(_ label: String) throws -> EnvironmentPart {
        .field(try #require(Environment.fields.firstIndex { $0.label == label }))
    }

    @Test func `each part has a text`() throws {
        #expect(environment.text(of: try field("host")) == "http://h")
        #expect(environment.text(of: try field("protected")) == "no")
        #expect(environment.text(of: try field("verify TLS")) == "yes")
        #expect(environment.text(of: try field("retries")) == "2")
        #expect(environment.text(of: .row(.headers, name: "ACCEPT")) == "a")
        #expect(environment.text(of: .row(.headers, name: "Accept", place: 1)) == "b")
        #expect(environment.text(of: .row(.variables, name: "id")) == "1")
        #expect(environment.text(of: .row(.variables, name: "ID")) == nil)
        #expect(environment.text(of: .row(.secrets, name: "key")) == "env KEY")
    }

    @Test func `setting and removing changes that part only`() throws {
        var changed = environment
        try changed.set(.row(.headers, name: "Accept", place: 1), "c")
        try changed.set(.row(.secrets, name: "key"), "file ~/a key.txt")
        try changed.set(try field("SLA"), "2s")
        changed.remove(try field("retries"))
        changed.remove(.row(.variables, name: "id"))
        changed.remove(try field("host"))
        #expect(changed.additionalHeaders.map(\.value) == ["a", "c"])
        #expect(changed.secrets == [Secret("key", .file("~/a key.txt"))])
        #expect(changed.policy == RequestPolicy(sla: .seconds(2)))
        #expect(changed.variables.isEmpty)
        #expect(changed.host == "http://h", "which it needs")
        changed.remove(try field("SLA"))
        #expect(changed.policy == nil)
    }

    @Test(arguments: ["", "env", "env ", "env A B", "env A=B", "file", "vault x", "A"])
    func `a text that names no source is refused`(text: String) {
        #expect(throws: FieldError.self) { try Secret.Source(text) }
    }

    @Test func `the rows are those that any environment has, in order`() {
        var other = Environment(
            name: "live", host: "h", additionalHeaders: [Field("ACCEPT", "x"), Field("X-B", "y")],
            variables: [Variable("z", ""), Variable("id", "")])
        other.secrets = []
        let collection = Collection(name: "n", environments: [environment, other])
        #expect(
            collection.environmentRows(of: .headers) == [
                .row(.headers, name: "Accept"), .row(.headers, name: "accept", place: 1), .row(.headers, name: "X-B"),
            ])
        #expect(collection.environmentRows(of: .variables).map(\.label) == ["id", "z"])
    }

    @Test func `a row is renamed everywhere, but not to a name that is taken or is none`() throws {
        var collection = Collection(name: "n", environments: [environment, environment])
        collection.environments[1].name = "live"
        try collection.rename(.row(.variables, name: "id"), to: "user.id")
        #expect(collection.environments.map(\.variables) == [[Variable("user.id", "1")], [Variable("user.id", "1")]])
        #expect(throws: FieldError.self) { try collection.rename(.row(.variables, name: "user.id"), to: "a b") }
        #expect(throws: FieldError.self) { try collection.rename(.row(.headers, name: "Accept"), to: "Accept:") }
        try collection.rename(.row(.headers, name: "Accept"), to: "ACCEPT")
        #expect(collection.environments[0].additionalHeaders[0].name == "ACCEPT")
        collection.environments[0].variables.append(Variable("b", ""))
        #expect(throws: FieldError.self) { try collection.rename(.row(.variables, name: "user.id"), to: "b") }
    }

    @Test func `the names of environments are there and unique`() throws {
        let collection = Collection(name: "n", environments: [environment])
        try collection.checkEnvironmentName("local", besides: "local")
        #expect(throws: FieldError.self) { try collection.checkEnvironmentName("local") }
        #expect(throws: FieldError.self) { try collection.checkEnvironmentName("  ") }
        #expect(collection.copyName(ofEnvironment: "local") == "local copy")
    }

    // MARK: Variables

    @Test func `the environment in use keeps its name, follows a new one, and is replaced by no other`() {
        func collection(_ hosts: KeyValuePairs<String, String>) -> Collection {
            Collection(name: "n", environments: hosts.map { Environment(name: $0, host: $1) })
        }
        let earlier = collection(["local": "http://l", "live": "http://p"])
        let names: [(Collection, String)] = [
            (collection(["live": "http://p", "local": "http://other"]), "local"),
            (collection(["mine": "http://l", "live": "http://p"]), "mine"),
            (collection(["mine": "http://m", "live": "http://p"]), "local"),
            (collection(["live": "http://p"]), "local"), (collection([:]), "local"),
        ]
        for (later, name) in names {
            #expect(later.environmentName(following: "local", in: earlier) == name)
        }
        #expect(earlier.environmentName(following: nil, in: collection([:])) == "local")
    }

    @Test func `a variable without a value is found through headers, hosts and other variables`() {
        let collection = Collection(
            name: "n", variables: [Variable("a", "{{b}}")],
            environments: [
                Environment(
                    name: "one", host: "http://{{h}}", additionalHeaders: [Field("X", "{{x}}", enabled: false)],
                    variables: [Variable("b", "{{c}}")]),
                Environment(name: "two", host: "http://h", secrets: [Secret("b", .environment("B"))]),
            ],
            items: [
                .request(
                    SavedRequest(
                        name: "r", path: "/{{a}}/{{$uuid}}", query: [Field("q", "{{off}}", enabled: false)]))
            ])
        let uses = VariableUses(collection)
        #expect(uses.undefined == ["one": ["c", "h"], "two": []])
        #expect(uses.requests["a"] == collection.requests.map(\.id))
        #expect(uses.requests["off"] == nil)
        let set = VariableUses(collection, overrides: Overrides(variables: [Variable("c", ""), Variable("h", "")]))
        #expect(set.undefined["one"] == [])
    }

    @Test func `a secret is looked for and its value dropped`() {
        let reader = SecretReader(environment: { ["A": "s3cret", "B": ""][$0] }) { path throws(FileError) in
            throw FileError(operation: "read", path: path, code: 2)
        }
        #expect(reader.problem(with: .environment("A")) == nil)
        #expect(reader.problem(with: .environment("B")) == "empty")
        #expect(reader.problem(with: .environment("C")) == "not set")
        #expect(reader.problem(with: .file("f")) == "no such file or folder")
    }

    @Test func `a folder is listed by name`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("b.txt", "")
        _ = try folder.file(".hidden", "")
        _ = try folder.file("certs/a.pem", "")
        let listing = FolderListing(of: "", in: folder.path)
        let entries: [FolderListing.Entry] = [.init(".hidden"), .init("b.txt"), .init("certs", isFolder: true)]
        #expect(listing == FolderListing(folder: "", entries: entries))
        #expect(FolderListing(of: "nowhere/", in: folder.path).entries.isEmpty)
    }
}
