import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The editor of environments.
@Suite struct EnvironmentStories {
    @Test func `Tab in the list of environments opens their editor, which shows them side by side`() {
        var story = Story.environments()
        #expect(story.row(0).contains("Environments of shop"))
        #expect(story.row(1).contains("local in use"))
        #expect(story.row(1).contains("live"))
        #expect(story.cells("host") == ["http://127.0.0.1:{{port}}", "https://api.example.com"])
        #expect(story.cells("protected") == ["no", "yes"])
        #expect(story.cells("Authorization") == ["Bearer {{token}}", "Bearer ••••••"])
        #expect(story.cells("retries") == ["3", "↑ 1"])
        story.press("Esc")
        #expect(story.screen.contains("1 Requests"))
    }

    @Test func `a variable that the command line sets shows that value, and a secret none`() {
        let overrides = Overrides(variables: [Field("port", "38439"), Field("token", "hush")])
        var story = Story(files: [("shop.json", Story.shop)], overrides: overrides)
        story.press("E", "Tab")
        #expect(story.cells("port") == ["38439 --set", "38439 --set"])
        #expect(!story.screen.contains("hush"), "\(story.screen)")
    }

    @Test func `a secret shows its source and whether it is present, and never its value`() {
        var story = Story.environments()
        #expect(story.cells("token") == ["", "… env SHOP_TOKEN"])
        let asked = story.takeEffects()
        #expect(asked == [.checkSecrets([.environment("SHOP_TOKEN")], in: ".")])
        story.receive(.secretsChecked([SecretCheck(.environment("SHOP_TOKEN"), problem: "not set")]))
        #expect(story.cells("token") == ["", "✗ env SHOP_TOKEN not set"])
        story.receive(.secretsChecked([SecretCheck(.environment("SHOP_TOKEN"), problem: nil)]))
        #expect(story.cells("token") == ["", "✓ env SHOP_TOKEN"])
    }

    @Test func `a cell is edited, saved and undone like everything else`() {
        var story = Story.environments()
        story.press("Enter")
        #expect(story.cell == "http://127.0.0.1:{{port}}")
        story.replace(with: "http://localhost")
        story.press("Enter")
        #expect(story.collection?.environments.first?.host == "http://localhost")
        #expect(story.row(0).contains("●"))
        _ = story.takeEffects()
        story.press("w")
        #expect(story.takeEffects().contains { if case .save = $0 { true } else { false } })
        story.press("u")
        #expect(story.cells("host").first == "http://127.0.0.1:{{port}}")
        #expect(story.state.notice?.text == "Undone: edit host of local; U redoes it")
        story.press("U")
        #expect(story.cells("host").first == "http://localhost")
    }

    @Test func `environments that go away while others were scrolled to leave a table that shows`() {
        var story = Story.environments()
        for name in ["three", "four", "five", "six", "seven"] {
            story.press("A")
            story.type(name)
            story.press("Enter")
            story.replace(with: "https://\(name).test")
            story.press("Enter")
        }
        story.receive(.resized(Size(columns: 60, rows: 18)))
        for _ in 0..<7 { story.press("Right") }
        #expect(story.row(1).contains("live") && !story.row(1).contains("local"))
        for _ in 0..<10 { story.press("u") }
        #expect(story.collection?.environments.map(\.name) == ["local", "live"])
        #expect(story.row(1).contains("live"), "\(story.screen)")
        story.receive(.resized(Size(columns: 200, rows: 40)))
        #expect(story.row(1).contains("local in use") && story.row(1).contains("live"))
    }

    @Test func `Esc in a cell discards the edit, and a second one closes the editor`() {
        var story = Story.environments()
        story.press("Enter")
        story.type("x")
        story.press("Esc")
        #expect(story.cells("host").first == "http://127.0.0.1:{{port}}")
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        story.press("Esc")
        #expect(story.state.environmentPane == nil)
    }

    @Test func `a host that is missing is refused, with the reason while it is typed`() {
        var story = Story.environments()
        story.press("Enter", "Ctrl+U")
        #expect(story.screen.contains("✗ an environment needs a host"))
        story.press("Enter")
        #expect(story.cell == "")
        #expect(story.state.notice?.kind == .failure)
    }

    @Test(arguments: [
        ("http://h?x=1", "\"http://h?x=1\" has a query"), ("http://h:99999", "the port \"99999\""),
        ("htp://h", "\"htp://h\" cannot be"), ("h:99999", "the port \"99999\""),
    ])
    func `a host that no request can be sent to is refused, with the reason while it is typed`(
        host: String, reason: String
    ) {
        var story = Story.environments()
        story.press("Enter")
        story.replace(with: host)
        #expect(story.screen.contains(reason), "\(story.screen)")
        story.press("Enter")
        #expect(story.cell == host && story.state.notice?.kind == .failure)
        story.replace(with: "http://{{name}}?x")
        story.press("Enter")
        #expect(story.collection?.environments.first?.host == "http://{{name}}?x", "a template may become anything")
    }

    @Test func `a value that one environment lacks can be filled in, and Tab goes on to the next`() {
        var story = Story.environments()
        story.go(to: "X-Team")
        #expect(story.cells("X-Team") == ["core", ""])
        story.press("Enter", "Tab")
        #expect(story.cell == "")
        story.type("ops")
        story.press("Enter")
        #expect(story.cells("X-Team") == ["core", "ops"])
        #expect(story.collection?.environments.last?.additionalHeaders.last == Field("X-Team", "ops"))
    }

    @Test func `Tab goes round the environments, and no letter becomes a command`() {
        var story = Story.environments()
        story.go(to: "X-Team")
        story.press("Enter")
        for name in ["a", "b", "c", "d"] {
            story.replace(with: name)
            story.press("Tab")
        }
        #expect(story.cells("X-Team") == ["c", "d"] && story.cell == "c")
        story.press("Esc")
        #expect(story.collection?.environments.count == 2)
    }

    @Test func `what a collection sets for all shows where an environment sets nothing`() {
        var story = Story.environments()
        #expect(story.cells("port") == ["8765", "↑ 443"])
        story.go(to: "port")
        story.press("d")
        #expect(story.cells("port") == ["↑ 443", "↑ 443"])
        story.press("u")
        #expect(story.cells("port") == ["8765", "↑ 443"])
    }

    @Test func `a header, a variable and a secret are added by name and value`() {
        var story = Story.environments()
        story.go(to: "X-Team")
        story.press("a")
        story.type("Accept-Language")
        story.press("Enter")
        story.type("de")
        story.press("Enter")
        story.go(to: "port")
        story.press("a")
        story.type("tenant")
        story.press("Enter")
        story.type("acme")
        story.press("Enter")
        story.go(to: "token", in: .secrets)
        story.press("a")
        story.type("password")
        story.press("Enter")
        story.type("vault x")
        story.press("Enter")
        #expect(
            story.state.notice?.text
                == "A secret has a source: env NAME, file PATH, command WORDS, prompt TEXT or keyring SERVICE ACCOUNT")
        story.replace(with: "env SHOP_PASSWORD")
        story.press("Enter")
        let local = story.collection?.environments.first
        #expect(local?.additionalHeaders.last == Field("Accept-Language", "de"))
        #expect(local?.variables.last == Field("tenant", "acme"))
        #expect(local?.secrets == [Secret("password", .environment("SHOP_PASSWORD"))])
        #expect(story.takeEffects().contains(.checkSecrets([.environment("SHOP_PASSWORD")], in: ".")))
    }

    @Test func `the name of the first row of a list shows while it is typed`() {
        var story = Story(
            columns: 120, rows: 34,
            file: """
                { "version": 1, "name": "trial", "environments": [{ "name": "local", "host": "http://a" }], "items": [] }
                """)
        story.press("E", "Tab", "a")
        story.type("secret")
        story.press("Enter")
        story.type("firstOfAll")
        #expect(story.screen.contains("firstOfAll"), "\(story.screen)")
        story.press("Enter")
        story.type("env FIRST_OF_ALL")
        #expect(story.screen.contains("env FIRST_OF_ALL"), "\(story.screen)")
        story.press("Enter")
        #expect(story.collection?.environments.first?.secrets == [Secret("firstOfAll", .environment("FIRST_OF_ALL"))])
    }

    @Test func `a name that cannot be one is refused, and Esc adds nothing`() {
        var story = Story.environments()
        story.go(to: "port")
        story.press("a")
        story.type("a b")
        story.press("Enter")
        #expect(story.state.notice?.kind == .failure)
        story.press("Esc")
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        #expect(story.state.environmentPane?.editing == nil)
    }

    @Test func `Enter switches protection, and Space uses the environment`() {
        var story = Story.environments()
        story.go(to: "protected")
        story.press("Enter")
        #expect(story.cells("protected") == ["yes", "yes"])
        story.press("Right", "Space")
        #expect(story.state.workbench.file?.environment == "live")
        #expect(story.row(1).contains("live in use"))
    }

    /// The file with another environment in front, as another program may write it.
    private static let withAnother = Story.shop.replacing(
        "\"environments\": [", with: "\"environments\": [{ \"name\": \"first\", \"host\": \"http://first.test\" },")

    @Test func `a text that is typed stays in its environment while another program adds one`() {
        var story = Story.environments()
        story.press("Right", "Enter")
        story.replace(with: "https://typed.test")
        story.receive(.changed(Story.loaded(Self.withAnother)))
        #expect(story.state.notice?.text == "demo.json changed on disk; it is read when the edit ends")
        story.press("Enter")
        let hosts = Set((story.collection?.environments ?? []).map { "\($0.name) \($0.host)" })
        #expect(hosts == ["first http://first.test", "local http://127.0.0.1:{{port}}", "live https://typed.test"])
    }

    @Test func `the cursor stays in its cell while another program adds environments and rows`() {
        var story = Story.environments()
        story.press("Right")
        story.go(to: "token", in: .secrets)
        let theirs = Self.withAnother.replacing("\"port\": \"8765\",", with: "\"port\": \"8765\", \"page\": \"1\",")
        story.receive(.changed(Story.loaded(theirs)))
        let pane = story.state.environmentPane
        #expect(pane?.environment?.name == "live")
        #expect(pane?.row?.part?.label == "token" && pane?.row?.part?.list == .secrets)
    }

    @Test func `an environment is added, duplicated, renamed and deleted`() {
        var story = Story.environments()
        story.press("A")
        story.type("live")
        story.press("Enter")
        #expect(story.state.notice?.text == "There is an environment live already")
        story.replace(with: "staging")
        story.press("Enter")
        story.replace(with: "https://staging.example.com")
        story.press("Enter")
        story.command("Duplicate the environment")
        story.command("Rename the environment")
        story.replace(with: "canary")
        story.press("Enter")
        #expect(story.collection?.environments.map(\.name) == ["local", "staging", "canary", "live"])
        #expect(story.collection?.environments[2].host == "https://staging.example.com")
        story.command("Delete the environment, after a question")
        story.press("n")
        story.command("Delete the environment, after a question")
        story.press("y")
        #expect(story.collection?.environments.map(\.name) == ["local", "staging", "live"])
        story.press("u", "u", "u", "u", "u")
        #expect(story.collection?.environments.map(\.name) == ["local", "live"])
    }

    @Test func `a host that is typed takes the place of the one that a new environment begins with`() {
        var story = Story.environments()
        story.press("A")
        story.type("staging")
        story.press("Enter")
        #expect(story.cell == "http://127.0.0.1:{{port}}")
        story.type("http://127.0.0.1:9302")
        #expect(story.cell == "http://127.0.0.1:9302")
        story.press("Enter", "A")
        story.type("canary")
        story.press("Enter", "End")
        story.type("/v2")
        story.press("Enter")
        #expect(
            story.collection?.environments.map(\.host)
                == [
                    "http://127.0.0.1:{{port}}", "http://127.0.0.1:9302", "http://127.0.0.1:9302/v2",
                    "https://api.example.com",
                ])
    }

    @Test func `the environment in use keeps its place when it is renamed, and undone`() {
        var story = Story.environments()
        story.perform(.environments(.askForNewName))
        story.replace(with: "mine")
        story.press("Enter")
        #expect(story.state.workbench.environment?.name == "mine")
        story.press("u")
        #expect(story.state.workbench.environment?.name == "local")
        story.perform(.environments(.delete))
        story.press("y")
        #expect(story.state.workbench.environment == nil && story.state.workbench.missingEnvironment == "local")
        #expect(
            story.state.notice?.text
                == "Deleted environment local; u brings it back, E chooses another to send to")
        story.press("u")
        #expect(story.state.workbench.environment?.name == "local", "the undo brings back which one was in use")
        story.press("U")
        #expect(story.state.workbench.missingEnvironment == "local")
        story.press("u")
        #expect(story.state.workbench.environment?.name == "local")
    }

    @Test func `an environment that goes from the file leaves none in use until one is chosen, or it is back`() {
        let gone = "The environment local is no longer in demo.json; E chooses another: live"
        var story = Story()
        story.choose("list users")
        let without = Story.file.replacing("\"name\": \"local\"", with: "\"name\": \"base\", \"abstract\": true")
        story.receive(.changed(Story.loaded(without)))
        #expect(story.state.notice == Notice(.warning, gone))
        #expect(story.row(0).contains("local is gone ▾"), "\(story.row(0))")
        _ = story.takeEffects()
        for key in ["s", "V"] {
            story.press(key)
            #expect(story.state.notice?.text == gone && story.topOverlay == nil, "\(key)")
            #expect(story.takeEffects().isEmpty, "\(key)")
        }
        story.choose("users")
        story.press("s")
        #expect(story.state.notice?.text == gone && story.topOverlay == nil, "nor is a folder run")
        story.receive(.changed(Story.loaded(Story.file)))
        #expect(story.state.workbench.environment?.name == "local")
        story.receive(.changed(Story.loaded(without)))
        story.choose("list users")
        story.press("E", "Enter", "s")
        #expect(story.state.workbench.environment?.name == "live" && story.state.workbench.missingEnvironment == nil)
        #expect(story.state.run != nil)
    }

    @Test func `an environment that goes while there are edits leaves none in use`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("x")
        story.press("Enter")
        let other = Story.file.replacing("\"local\"", with: "\"staging\"").replacing(
            "http://127.0.0.1:8765", with: "http://s")
        story.receive(.changed(Story.loaded(other)))
        #expect(story.state.workbench.environment == nil && story.state.workbench.missingEnvironment == "local")
        story.press("u", "u")
        #expect(story.state.workbench.environment?.name == "local")
        story.press("U")
        #expect(story.state.workbench.missingEnvironment == "local", "the one in its place is another")
    }

    @Test func `a variable that nothing defines shows where it is missing, and who uses it`() {
        var story = Story.environments()
        #expect(story.cells("page") == ["✗ undefined", "✗ undefined"])
        story.go(to: "page")
        #expect(story.screen.contains("undefined in local, live · used by 1 request"))
        story.command("Find where the variable is used")
        story.press("Enter")
        #expect(story.state.environmentPane == nil)
        #expect(story.request?.name == "list")
        #expect(story.state.focus == .request)
    }

    @Test func `the uses of a variable include hosts and headers`() {
        var story = Story.environments()
        story.go(to: "port")
        story.perform(.environments(.showUses))
        #expect(story.screen.contains("host of local"))
        story.press("Enter")
        #expect(story.state.environmentPane?.row == .part(.field(0)))
    }

    @Test func `a variable that the command line sets says so`() {
        let overrides = Overrides(variables: [Variable("page", "2")])
        var story = Story(files: [("shop.json", Story.shop)], overrides: overrides)
        story.press("E", "Tab")
        story.go(to: "port")
        #expect(!story.screen.contains("set on the command line"))
        #expect(story.cells("page") == [], "it is not undefined")
        story.press("Esc")
        story = Story(files: [("shop.json", Story.shop)], overrides: Overrides(variables: [Variable("port", "2")]))
        story.press("E", "Tab")
        story.go(to: "port")
        #expect(story.screen.contains("set on the command line · used by 1 place here"))
    }

    @Test func `a question about the file is answered over the editor`() {
        var story = Story.environments()
        story.go(to: "protected")
        story.press("Enter")
        story.receive(.changed(Story.loaded("{ oops")))
        story.press("w")
        _ = story.takeEffects()
        story.press("y")
        let overwrites = story.takeEffects().contains { effect in
            if case .save(_, _, _, overwriting: true) = effect { true } else { false }
        }
        #expect(overwrites)
    }

    /// Saves and quits, and types in a cell before the file is written.
    private static func quitting(typing text: String, in row: String) -> Story {
        var story = Story.environments()
        story.go(to: "protected")
        story.press("Enter", "Esc", "q", "y", "E", "Tab")
        story.go(to: row)
        story.press("Enter")
        story.replace(with: text)
        _ = story.takeEffects()
        let written = story.state.workbench.saves.writing["demo.json"] ?? Collection(name: "missing")
        story.receive(.saved(path: "demo.json", written, Fingerprint(bytes: [1])))
        return story
    }

    @Test func `a question that comes over an open cell counts what is typed there`() {
        for (key, effects) in [("n", [Effect.quit]), ("Esc", [])] {
            var story = Self.quitting(typing: "http://typed", in: "host")
            #expect(story.screen.contains("Not saved: demo.json"))
            #expect(story.state.workbench.files[0].collection?.environments.first?.host == "http://typed")
            story.press(key)
            #expect(story.takeEffects() == effects, "after \(key)")
        }
    }

    @Test func `text that a cell refuses stays in it, and nothing quits`() {
        var story = Self.quitting(typing: "many", in: "retries")
        #expect(story.cell == "many" && story.topOverlay == nil && story.takeEffects().isEmpty)
    }

    @Test func `quitting without saving is an answer also over an open cell`() {
        var story = Story.environments()
        story.press("Enter")
        story.perform(.app(.quitWithoutSaving))
        #expect(story.takeEffects().last == .quit)
    }

    @Test func `a change on disk under an open cell asks nothing, and loses nothing`() {
        var story = Story.environments()
        story.go(to: "host")
        story.press("Enter")
        story.replace(with: "http://mine")
        story.receive(.changed(Story.loaded(Story.shop.replacing("\"/items\"", with: "\"/things\""))))
        #expect(story.topOverlay == nil && story.cell == "http://mine")
        story.press("Enter")
        let collection = story.state.workbench.files[0].collection
        #expect(collection?.environments.first?.host == "http://mine")
        #expect(collection?.requests.first?.path == "/things")
    }

    @Test func `columns scroll where they do not fit`() {
        let names = (1...6).map { "{ \"name\": \"env\($0)\", \"host\": \"http://h\($0)\" }" }.joined(separator: ", ")
        let file = "{ \"version\": 1, \"name\": \"n\", \"environments\": [\(names)], \"items\": [] }"
        var story = Story(columns: 60, rows: 18, file: file)
        story.press("E", "Tab")
        #expect(story.row(1).contains("1–2 of 6"))
        #expect(story.row(1).contains("env1") && !story.row(1).contains("env3"))
        story.press("Right", "Right", "Right")
        #expect(story.row(1).contains("3–4 of 6"))
        story.press("Space")
        #expect(story.state.workbench.environment?.name == "env4")
    }

    @Test func `a click chooses a cell, and a second one edits it`() {
        var story = Story.environments()
        story.click(on: "https://api.example.com")
        #expect(story.cell == nil)
        story.click(on: "https://api.example.com")
        #expect(story.cell == "https://api.example.com")
    }

    @Test func `text that is being typed is kept when the program must end`() {
        var story = Story.environments()
        story.press("Enter")
        story.replace(with: "http://kept")
        story.receive(.terminating)
        let kept = story.takeEffects().contains { effect in
            guard case .keepDraft(let draft) = effect else { return false }
            return draft.collection.environments.first?.host == "http://kept"
        }
        #expect(kept)
    }
}
