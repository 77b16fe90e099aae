import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Requests that belong to no file, and the file that they are saved in.
@Suite struct ScratchStories {
    private static func paths(_ effects: [Effect]) -> [String] {
        effects.compactMap { if case .save(let path, _, _, _) = $0 { path } else { nil } }
    }

    @Test func `Ctrl+N opens a request at once, which is edited and sent as any other`() throws {
        var story = Story()
        story.press("3", "Ctrl+N")
        #expect(story.openField == "/" && story.treeNames.prefix(2) == ["Scratch", "  scratch"])
        story.type("users")
        story.press("Enter")
        #expect(story.state.workbench.address(nil) == "http://127.0.0.1:8765/users")
        #expect(story.row(0).contains("Scratch › scratch ●") && story.row(0).contains("local ▾  127.0.0.1:8765"))
        story.press("s")
        guard case .send(let order)? = story.takeEffects().first(where: { if case .send = $0 { true } else { false } })
        else {
            Issue.record("nothing was sent")
            return
        }
        #expect(order.environment == "local" && order.file == "demo.json" && order.request.path == "/users")
        story.press("Ctrl+N", "Esc")
        #expect(story.treeNames.prefix(3) == ["Scratch", "  scratch", "  scratch 2"])
    }

    @Test func `without collections it has a URL of its own`() {
        var story = Story(files: [])
        story.press("Ctrl+N")
        #expect(story.openField == "https://" && !story.screen.contains("is not a URL"))
        story.type("a.test/x")
        story.press("Enter", "s")
        #expect(story.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `a URL with a scheme typed after the first scheme takes its place`() {
        var story = Story(files: [])
        story.press("Ctrl+N")
        story.type("http://127.0.0.1:9922/x")
        story.press("Enter")
        #expect(story.request?.path == "http://127.0.0.1:9922/x")
    }

    @Test func `an import that was undone is redone, though nothing of its file shows any more`() {
        var story = Story()
        story.paste("https://a.test/x")
        story.press("u")
        #expect(!story.treeNames.contains("Scratch"))
        #expect(story.state.notice?.text == "Undone: add x; U redoes it")
        story.press("U")
        #expect(story.treeNames.prefix(2) == ["Scratch", "  x"] && story.request?.name == "x")
        story.press("u", "Down", "U")
        #expect(!story.treeNames.contains("Scratch"), "another key came between")
    }

    @Test func `a scratch request that is not edited is never asked about`() {
        var story = Story()
        story.paste("https://a.test/x")
        story.press("q")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `of one that is edited quitting asks, and keeps it for the next start`() throws {
        var story = Story()
        story.paste("https://a.test/x")
        story.press("Enter")
        story.type("y")
        story.press("Enter", "q")
        #expect(story.screen.contains("Not in a collection: 1 scratch request"))
        #expect(story.screen.contains("y keep for the next start   n quit without   Esc back"))
        let scratch = try #require(story.state.workbench.scratch?.collection)
        story.press("y")
        let draft = UnsavedFile(path: ".", collection: scratch, fingerprint: .absent)
        #expect(story.takeEffects() == [.keepDraft(draft), .quit])
        var next = Story()
        next.receive(.scratch(try #require(Story.loaded(scratch.text).collection)))
        #expect(next.treeNames.prefix(2) == ["Scratch", "  x"])
        #expect(next.state.notice?.text == "1 scratch request from the last time")
        #expect(next.request?.name == "list users", "the cursor stays where it was")
        next.press("q")
        #expect(next.screen.contains("Not in a collection: 1 scratch request"))
        next.press("n")
        #expect(next.takeEffects() == [.quit])
    }

    @Test func `it is kept beside files that are saved`() {
        var story = Story()
        story.press("Alt+D")
        story.press("Ctrl+N")
        story.type("x")
        story.press("Enter", "q")
        #expect(story.screen.contains("Not saved: demo.json"))
        #expect(story.screen.contains("Not in a collection: 1 scratch request, kept for the next start"))
        story.press("y")
        let effects = story.takeEffects()
        #expect(Self.paths(effects) == ["demo.json"])
        for case .save(let path, let collection, _, _) in effects {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        let last = story.takeEffects()
        #expect(last.count == 2 && last.last == .quit)
    }

    @Test func `it is a draft from its first moment, and none once it is deleted`() {
        var story = Story()
        #expect(!story.state.isEdited)
        story.paste("https://a.test/x")
        #expect(story.state.isEdited && story.state.unsaved.map(\.path) == ["."])
        story.press("1", "d")
        #expect(!story.state.isEdited && story.state.unsaved.isEmpty)
        #expect(story.treeNames.first == "demo", "a group without requests does not show")
        story.press("q")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `the last one that was deleted comes back, as the message says`() {
        var story = Story()
        story.paste("https://a.test/x")
        story.press("1", "d")
        #expect(story.treeNames.first == "demo")
        story.press("u")
        #expect(story.treeNames.first == "Scratch" && story.state.isEdited)
        #expect(story.state.tree.current?.name == "x" && story.request?.name == "x", "the cursor is on it")
    }

    // MARK: Saving

    @Test func `w saves it in a folder, below the host as a path, and undo takes it out again`() throws {
        var story = Story()
        story.paste("http://127.0.0.1:8765/users/7?expand=orders")
        #expect(story.request?.path == "http://127.0.0.1:8765/users/7")
        story.press("w")
        #expect(story.screen.contains("Save users 7 in") && story.screen.contains("New collection"))
        story.type("users")
        story.press("Enter")
        #expect(Self.paths(story.takeEffects()) == ["demo.json"])
        #expect(story.treeNames.last == "    users 7" && story.treeNames.first == "demo")
        #expect(story.request?.path == "/users/7" && story.request?.query == [Field("expand", "orders")])
        story.press("u")
        #expect(story.treeNames.prefix(2) == ["Scratch", "  users 7"])
        #expect(story.request?.path == "http://127.0.0.1:8765/users/7")
    }

    @Test func `w saves it in a new folder of the name that is typed`() {
        var story = Story()
        story.paste("http://127.0.0.1:8765/users/7")
        story.press("w")
        story.type("checkout")
        #expect(story.screen.contains("New folder \"checkout\" in demo"))
        story.press("Enter")
        #expect(Self.paths(story.takeEffects()) == ["demo.json"])
        #expect(story.treeNames.suffix(2) == ["  checkout", "    users 7"])
    }

    @Test func `its runs stand apart from those of collections, and go along when it is saved`() {
        var story = Story()
        story.paste("http://127.0.0.1:8765/users/7")
        _ = story.takeEffects()
        story.press("s")
        let orders = story.takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }
        let scratch = ItemPath(file: ".", path: ["users 7"])
        #expect(orders.map(\.itemPath) == [scratch] && orders.map(\.file) == ["demo.json"])
        story.press("w")
        story.type("users")
        story.press("Enter")
        for case .save(let path, let collection, _, _) in story.takeEffects() {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        let saved = ItemPath(file: "demo.json", path: ["users", "users 7"])
        #expect(story.takeEffects().contains(.history(.move(scratch, to: saved))))
    }

    @Test func `one that an Ombi that ended has left takes the runs of before along, also under another name`() throws {
        var story = Story()
        let left = Story.loaded(#"{"version": 1, "name": "Scratch", "items": [{"request": "users 7", "path": "/7"}]}"#)
        story.receive(.scratch(try #require(left.collection)))
        story.choose("users 7")
        story.press("R")
        story.replace(with: "user seven")
        story.press("Enter")
        _ = story.takeEffects()
        story.press("s")
        let orders = story.takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }
        let scratch = ItemPath(file: ".", path: ["users 7"])
        #expect(orders.map(\.itemPath) == [scratch])
        story.press("w")
        story.type("users")
        story.press("Enter")
        for case .save(let path, let collection, _, _) in story.takeEffects() {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        let saved = ItemPath(file: "demo.json", path: ["users", "user seven"])
        #expect(story.takeEffects().contains(.history(.move(scratch, to: saved))))
    }

    @Test func `it begins a collection with the host that it is sent to`() throws {
        var story = Story(files: [])
        story.paste("curl https://api.example.com/users -d '{}'")
        story.press("w", "Enter")
        story.type("api")
        story.press("Enter")
        let environment = Environment(name: "default", host: "https://api.example.com")
        let collection = Collection(schema: nil, name: "api", environments: [environment])
        #expect(story.takeEffects() == [.begin(collection, path: nil)])
        story.receive(.begun(Story.loaded(collection.text, path: "api.json")))
        #expect(story.treeNames == ["api", "  users"] && story.request?.path == "/users")
        #expect(Self.paths(story.takeEffects()) == ["api.json"])
    }

    private static let curl = "curl 'https://a.test/x?token=T1' -H 'Authorization: Bearer s3cret' -b 'a=1; b=2'"

    @Test(arguments: [(80, 24), (60, 18)])
    func `the question about secrets is to be read to its end on a small screen`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.paste(Self.curl)
        story.press("w", "Enter")
        let words = story.screen.split { $0.isWhitespace || "│┃".contains($0) }.joined(separator: " ")
        #expect(words.contains("demo.json would contain:"), "\(story.screen)")
        #expect(words.contains("{{token4}}: a secret in bearer"), "\(story.screen)")
        #expect(words.contains("{{token3}}: a secret in token"), "\(story.screen)")
        #expect(words.contains("{{a}}: a cookie in") && words.contains("{{b}}: a cookie in"), "\(story.screen)")
        story.click(on: "y move to demo.local.json")
        #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "{{token4}}")))
    }

    @Test func `secrets are saved in clear only when told, else in the file beside it, and work at once`() throws {
        var story = Story()
        story.paste(Self.curl)
        story.press("w", "Enter")
        #expect(!story.takeEffects().contains { if case .save = $0 { true } else { false } }, "it asks before")
        story.press("y")
        var collection = try #require(story.state.workbench.files.first { $0.path == "demo.json" }?.collection)
        #expect(!collection.text.contains("s3cret") && !collection.text.contains("T1"))
        #expect(collection.overlay.secrets.map(\.name).sorted() == ["a", "b", "token3", "token4"])
        var effects = story.takeEffects()
        #expect(Self.paths(effects) == [], "the values are written before what names them")
        #expect(effects.contains { if case .keepSecrets(_, "demo.json") = $0 { true } else { false } })
        story.receive(.secretsKept(path: "demo.json", Notice(.success, "moved"), isKept: true))
        effects = story.takeEffects()
        #expect(Self.paths(effects) == ["demo.json"])
        for case .save(let path, let collection, _, _) in effects {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        #expect(story.takeEffects().contains { if case .grantMoved(_, "demo.json") = $0 { true } else { false } })
        #expect(story.state.notice?.text == "Saved demo.json, and 4 secrets in demo.local.json")
        story.press("u")
        #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "s3cret")))
        story.press("w", "n")
        collection = try #require(story.state.workbench.files.first { $0.path == "demo.json" }?.collection)
        #expect(collection.text.contains("s3cret") && Self.paths(story.takeEffects()) == ["demo.json"])
    }

    @Test func `where the values cannot be kept, nothing is saved and the text comes back`() {
        var story = Story()
        story.paste(Self.curl)
        story.press("w", "Enter", "y")
        _ = story.takeEffects()
        story.receive(.secretsKept(path: "demo.json", Notice(.failure, "Not moved: disk full"), isKept: false))
        #expect(story.state.notice?.text == "Not moved: disk full" && Self.paths(story.takeEffects()) == [])
        story.press("u")
        #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "s3cret")))
    }

    @Test func `one that is typed into a saved request is asked about, too, and once`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "]", "a")
        story.type("X-Own-Token")
        story.press("Tab")
        story.type("KEY123456")
        story.press("Enter", "w")
        #expect(story.screen.contains("{{XOwnToken}}: a secret in X-Own-Token"), "\(story.screen)")
        story.press("n")
        for case .save(let path, let collection, _, _) in story.takeEffects() {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        story.press("1", "Alt+D", "w")
        #expect(!story.screen.contains("Secrets in plain text"), "the file has it already")
    }

    @Test(arguments: [
        "curl https://a.test/ -u me:pw9", "curl https://a.test/ --digest -u me:pw9",
        "curl https://a.test/ --aws-sigv4 aws:amz:eu-central-1:s3 -u id:pw9",
        "curl https://a.test/ -H 'Authorization: Token pw9'", "curl https://a.test/ -H 'X-Api-Key: pw9'",
        "curl https://a.test/ -E me.pem --pass pw9", "curl https://a.test/ -x p.test -U me:pw9",
        "curl https://a.test/ -b sid=pw9", "curl 'https://a.test/?access_token=pw9'",
        "curl https://a.test/ -d password=pw9",
    ])
    func `every kind of credential is noticed`(command: String) {
        var story = Story()
        story.paste(command)
        let collection = Collection(schema: nil, name: "c", items: story.request.map { [.request($0)] } ?? [])
        #expect(PlainSecrets.new(in: collection, since: nil, file: "c.json").count == 1, "\(collection.text)")
    }

    @Test func `it moves like any request, and nothing moves to the scratch requests`() {
        var story = Story()
        story.paste("https://a.test/x")
        story.press("1", "m")
        story.type("demo users")
        story.press("Enter")
        #expect(story.state.notice == Notice(.success, "Moved x to demo › users"))
        #expect(story.takeEffects().isEmpty, "moving saves nothing")
        story.press("Ctrl+N", "Esc")
        story.choose("list users")
        story.press("v")
        story.choose("scratch")
        story.perform(.tree(.putHere(.move)))
        #expect(story.state.notice == Notice(.info, "Only collections that could be read take items"))
        story.press("a")
        #expect(story.state.notice?.text == "Scratch requests have no folders; Ctrl+N opens another")
    }

    @Test func `its environment is that of the collection worked on last`() {
        let shop =
            "{ \"version\": 1, \"name\": \"shop\", \"environments\": [{ \"name\": \"only\", \"host\": \"https://shop.test\" }], \"items\": [{ \"request\": \"status\", \"path\": \"/\" }] }"
        var story = Story(files: [("demo.json", Story.file), ("shop.json", shop)])
        story.choose("status")
        story.press("Ctrl+N", "Enter")
        #expect(story.state.workbench.address(nil) == "https://shop.test/")
        story.choose("list users")
        story.choose("scratch")
        #expect(story.state.workbench.address(nil) == "http://127.0.0.1:8765/")
        story.press("E", "Down", "Enter")
        #expect(story.state.workbench.address(nil) == "https://api.example.com/")
    }

    // MARK: The header

    @Test(arguments: [
        ("https://other.test/x", "▾  other.test"), ("https://other.test/{{nobody}}", "▾  other.test"),
        ("/x", "▾  127.0.0.1:8765"), ("{{nobody}}/x", "▾  {{nobody}}"),
    ])
    func `the header names the host that is addressed`(url: String, host: String) {
        var story = Story()
        story.press("2", "Enter")
        story.replace(with: url)
        story.press("Enter")
        #expect(story.row(0).hasSuffix(host), "\(story.row(0))|")
    }
}
