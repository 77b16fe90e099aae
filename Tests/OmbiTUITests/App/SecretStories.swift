import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Questions of runs about secrets and trust, and environments that inherit.
@Suite struct SecretStories {
    private static let question = SecretQuestion(
        name: "token", words: "API token", request: "list", environment: "live", file: "shop.json",
        destinations: ["https://api.shop.test"])

    @Test func `a secret is typed behind dots, and Enter answers the run`() {
        var story = Story()
        story.receive(.question(.init(id: 7, subject: .secret(Self.question))))
        #expect(story.screen.contains("API token"))
        #expect(story.screen.contains("shop.json: list needs {{token}} of live."))
        #expect(story.screen.contains("It goes to https://api.shop.test."))
        story.press("Enter")
        #expect(story.screen.contains("✗ Type it, or Esc goes back"))
        story.type("hush-4711")
        #expect(story.screen.contains("•••••••••") && !story.screen.contains("hush"), "\(story.screen)")
        _ = story.takeEffects()
        story.press("Enter")
        #expect(story.takeEffects() == [.answer(7, "hush-4711")])
        #expect(!story.screen.contains("API token"))
    }

    @Test func `the question about a variable that is not set names it`() {
        var (story, question) = (Story(), Self.question)
        (question.words, question.variable) = ("", "SHOP_TOKEN")
        story.receive(.question(.init(id: 7, subject: .secret(question))))
        #expect(story.screen.contains("SHOP_TOKEN, which it reads, is not set."), "\(story.screen)")
    }

    @Test(arguments: [
        ("http://me:hunter22@127.0.0.1:8080/users", "http://me:••••••@127.0.0.1:8080/users"),
        ("/users?api_key=hunter22-9f8a7b6c5d4e3f&page=2", "/users?api_key=••••••&page=2"),
    ])
    func `a credential in a URL shows under edit only`(path: String, shown: String) throws {
        var story = Story()
        story.choose("list users")
        let item = try #require(story.state.workbench.selected)
        story.state.workbench.edit(item) { collection in collection.update(item) { $0.path = path } }
        story.press("2")
        #expect(story.screen.contains(shown) && !story.screen.contains("hunter22"), "\(story.screen)")
    }

    @Test func `the password of a host shows in no list of environments`() throws {
        var story = Story(
            files: [
                (
                    "shop.json",
                    #"""
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "local", "host": "http://me:hunter22@127.0.0.1:8080" }],
                      "items": [{ "request": "list", "path": "/list" }] }
                    """#
                )
            ])
        story.choose("list")
        #expect(!story.screen.contains("hunter22"), "\(story.screen)")
        story.press("E")
        #expect(story.screen.contains("me:••••••@127.0.0.1") && !story.screen.contains("hunter22"), "\(story.screen)")
        story.press("Tab")
        #expect(!story.screen.contains("hunter22"), "\(story.screen)")
    }

    @Test func `what a secret is for is to be read to its end on a small screen`() {
        var story = Story(columns: 60, rows: 18)
        let words = "The password of the read-only user of the reports, from the team's vault"
        let question = SecretQuestion(
            name: "password", words: words, request: "monthly report of all regions", environment: "production",
            file: "shop.json", destinations: ["https://reports.shop.test"])
        story.receive(.question(.init(id: 7, subject: .secret(question))))
        #expect(story.screen.contains("Secret password") && story.screen.contains("team's vault"), "\(story.screen)")
        #expect(story.screen.contains("production."), "\(story.screen)")
        story.type("x")
        let line = story.lines.firstIndex { $0.contains("•") }
        #expect(story.state.draw().cursor?.row == line, "\(story.screen)")
    }

    @Test func `Esc answers the run, too, which fails then`() {
        var story = Story()
        story.receive(.question(.init(id: 7, subject: .secret(Self.question))))
        _ = story.takeEffects()
        story.press("Esc")
        #expect(story.takeEffects() == [.answer(7, nil)])
    }

    private static func gate(_ more: [Flow] = [], before: [String] = []) -> SessionQuestion {
        let api = Destination(text: "https://api.shop.test, through the proxy http://proxy.test:3128")
        let flows = [Flow(.command(["pass", "show", "api/prod"]), to: api), Flow(.environment("KEY"), to: api)]
        let question = GateQuestion(file: "shops/shop.json", flows: flows + more, before: before)
        return SessionQuestion(id: 3, subject: .gate(question))
    }

    private static func asked(_ question: SessionQuestion = gate(), rows: Int = 24) -> Story {
        var story = Story(columns: 80, rows: rows)
        story.receive(.question(question))
        _ = story.takeEffects()
        return story
    }

    @Test(arguments: [("y", "yes"), ("n", nil), ("Esc", nil)])
    func `a grant is asked for with what runs, where it goes and what goes there`(_ key: String, _ answer: String?) {
        var story = Self.asked()
        for text in [
            "─ Grant ─", "shop.json wants to use secrets or files of this machine:", "runs pass show api/prod",
            "sends to https://api.shop.test, through the proxy http://proxy.test:3128:", "    $KEY",
        ] {
            #expect(story.screen.contains(text), "\(story.screen)")
        }
        story.time += .seconds(2)
        story.receive(.tick)
        #expect(story.screen.contains("y allow it   n Esc do not allow it"), "\(story.screen)")
        story.press(key)
        #expect(story.takeEffects() == [.answer(3, answer)])
    }

    @Test func `a key that was on its way when the question came is no answer`() {
        var story = Self.asked()
        story.time += .milliseconds(900)
        story.press("y")
        #expect(story.takeEffects().isEmpty && story.screen.contains("shop.json wants"))
        story.time += .milliseconds(1100)
        story.press("y")
        #expect(story.takeEffects() == [.answer(3, "yes")])
    }

    @Test func `a yes is offered once it counts, and not before`() {
        var story = Self.asked()
        let offers = { (story: Story) in story.state.statusLine.hints.contains { $0.action == .confirm(true) } }
        for _ in 0..<2 {
            #expect(!offers(story) && story.screen.contains("y in 1 s   n Esc do not allow it"), "\(story.screen)")
            story.press("y")
        }
        story.time += .seconds(2)
        story.receive(.tick)
        #expect(offers(story) && story.screen.contains("y allow it   n Esc do not allow it"), "\(story.screen)")
    }

    @Test func `a key that is held down when the question comes is no answer, however long`() {
        var story = Self.asked()
        for _ in 0..<100 {
            story.press("y")
            story.time += .milliseconds(50)
        }
        #expect(story.takeEffects().isEmpty && story.screen.contains("shop.json wants"))
        story.time += .seconds(1)
        story.press("y")
        #expect(story.takeEffects() == [.answer(3, "yes")])
    }

    @Test func `a long question is allowed only at its end`() {
        let many = (0..<60).map { Flow(.environment("VARIABLE_\($0)"), to: Destination(text: "https://api.shop.test")) }
        var story = Self.asked(Self.gate(many, before: ["https://old.test"]))
        story.time += .seconds(2)
        story.receive(.tick)
        #expect(story.screen.contains("runs pass show") && story.screen.contains("more to read"), "\(story.screen)")
        story.press("y")
        #expect(story.takeEffects().isEmpty)
        for _ in 0..<5 { story.press("PageDown") }
        #expect(story.screen.contains("until now allowed: https://old.test"), "\(story.screen)")
        story.press("y")
        #expect(story.takeEffects() == [.answer(3, "yes")])
    }

    @Test func `a question waits until nothing else has the keys`() {
        var story = Story()
        story.press("1", "/")
        story.type("re")
        story.receive(.question(Self.gate()))
        #expect(!story.screen.contains("shop.json wants"))
        story.press("Esc")
        #expect(story.screen.contains("shop.json wants"), "\(story.screen)")
        story.press("y")
        #expect(story.screen.contains("shop.json wants"), "it has only just come")
    }

    // MARK: Environments that inherit

    private static let family = """
        { "version": 1, "name": "shop",
          "environments": [
            { "name": "base", "abstract": true, "host": "http://base", "protected": true,
              "additionalHeaders": { "X-Team": "core" }, "variables": { "page": "1" },
              "secrets": { "token": { "command": ["pass", "show", "x"] } }, "policy": { "retries": 3 } },
            { "name": "local", "inherits": "base", "variables": { "page": "2" } } ],
          "items": [{ "request": "list", "path": "/{{page}}" }] }
        """

    private static func editor() -> Story {
        var story = Story(file: family)
        story.press("E", "Tab")
        return story
    }

    @Test func `an inherited part shows its value and its source`() {
        var story = Self.editor()
        #expect(story.row(1).contains("base abstract") && story.row(1).contains("local in use"), "\(story.screen)")
        #expect(story.cells("host") == ["http://base", "↑ http://base base"])
        #expect(story.cells("protected") == ["yes", "↑ yes base"])
        #expect(story.cells("X-Team") == ["core", "↑ core base"])
        #expect(story.cells("page") == ["1", "2"])
        #expect(story.cells("token") == ["command pass show x", "↑ command pass show x base"])
        #expect(story.cells("retries") == ["3", "↑ 3 base"])
        #expect(story.cells("inherits") == ["", "base"] && story.cells("abstract") == ["yes", "no"])
        story.go(to: "X-Team")
        #expect(story.screen.contains("inherited from base"), "\(story.screen)")
    }

    @Test func `an abstract environment is in no list, and is refused where it is chosen`() {
        var story = Self.editor()
        #expect(story.state.workbench.file?.environment == "local")
        story.press("Left", "Space")
        #expect(story.state.notice?.text == "base is abstract: others inherit from it, and no request goes to it")
        story.press("Esc", "E")
        #expect(!story.screen.contains("base  "), "\(story.screen)")
    }

    @Test func `a parent that cannot be is refused, and the field stays open`() {
        var story = Self.editor()
        story.press("Left")
        story.go(to: "inherits")
        story.press("Enter")
        story.type("local")
        story.press("Enter")
        #expect(story.state.notice?.text == "The environment inherits from itself: base → local → base")
        story.replace(with: "nobody")
        story.press("Enter")
        #expect(story.state.notice?.text == "There is no environment \"nobody\"; known: local")
        story.press("Esc")
        story.perform(.environments(.delete))
        #expect(story.state.notice?.text == "Not deleted: local inherits from base")
    }

    @Test func `what lies beside a file shows, is no edit, and changes alone`() throws {
        var story = Self.editor()
        var loaded = Story.loaded(Self.family)
        loaded.collection?.setOverlay {
            $0.environments = [Environment(name: "local", host: "http://mine")]
            $0.secrets = [Secret("size", .value("hush-4711"))]
        }
        story.receive(.changed(loaded))
        #expect(story.cells("host") == ["http://base", "http://mine local file"], "\(story.screen)")
        #expect(story.cells("size") == ["↑ value in the local file", "↑ value in the local file"])
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        #expect(story.state.notice?.text == "what lies beside demo.json changed on disk")
        #expect(!story.screen.contains("hush"))
        story.go(to: "retries")
        story.press("Right", "Enter")
        story.type("5")
        story.press("Enter", "u")
        #expect(story.cells("host") == ["http://base", "http://mine local file"])
        loaded.collection?.setOverlay { $0 = CollectionOverlay() }
        story.receive(.changed(loaded))
        #expect(story.cells("host") == ["http://base", "↑ http://base base"])
    }

    @Test func `renaming an environment keeps its heirs`() {
        var story = Self.editor()
        story.press("Left")
        story.perform(.environments(.askForNewName))
        story.replace(with: "common")
        story.press("Enter")
        #expect(story.collection?.environments.map(\.inherits) == [nil, "common"])
        #expect(story.cells("host") == ["http://base", "↑ http://base common"])
        #expect(story.state.notice == nil)
    }

    @Test(arguments: [("local", nil), ("mine", "local")] as [(String, String?)])
    func `renaming an environment names the local file that still has the old name`(name: String, base: String?) {
        var story = Self.editor()
        var loaded = Story.loaded(Self.family)
        loaded.collection?.setOverlay {
            $0.environments = [Environment(name: name, host: base == nil ? "" : "http://mine", inherits: base)]
        }
        story.receive(.changed(loaded))
        story.perform(.environments(.rename("local", to: "here")))
        #expect(story.collection?.environments.map(\.name) == ["base", "here"])
        #expect(
            story.state.notice?.text
                == "demo.local.json still names local: rename it there, too, before the file is read again")
    }
}

extension OmbiWorkspace.Collection {
    mutating func setOverlay(_ change: (inout CollectionOverlay) -> Void) { change(&overlay) }
}
