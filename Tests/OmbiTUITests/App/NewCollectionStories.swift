import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// From an empty folder to a first request, and further collections.
@Suite struct NewCollectionStories {
    private static func begun(_ effect: Effect?, at path: String) -> Event? {
        guard case .begin(let collection, _)? = effect else { return nil }
        return .begun(Story.loaded(collection.text, path: path))
    }

    @Test(arguments: [(80, 24), (120, 34), (200, 60), (60, 15), (40, 12)])
    func `an empty folder shows the program and its first keys in one block`(columns: Int, rows: Int) throws {
        let story = Story(columns: columns, rows: rows, files: [])
        let lines = story.lines
        #expect(!story.screen.contains("3 Response") && !story.screen.contains("Timeline"))
        let title = try #require(lines.firstIndex { $0.contains("Ombi \(Program.version)") })
        #expect(lines[title + 3].contains("Type or paste a URL"))
        let first = title + 5
        for (offset, key) in ["n ", "o ", "Ctrl+O ", "F1 ", "? "].enumerated() {
            #expect(lines[first + offset].drop { $0 == " " }.hasPrefix(key), "\(story.screen)")
        }
        let surface = story.state.draw().surface
        let column = try #require(lines[first].firstIndex { $0 != " " })
        #expect(
            surface[lines[first].distance(from: lines[first].startIndex, to: column), first].style.role == .footerKey)
        let last = lines.dropLast().lastIndex { !$0.isEmpty } ?? 0
        #expect(abs(title - (rows - 2 - last)) <= 1, "in the middle: \(story.screen)")
    }

    @Test func `a collection and its first request take a few keys`() throws {
        var story = Story(files: [])
        story.press("n")
        #expect(story.screen.contains("Name of the new collection"))
        story.type("shop")
        story.press("Enter")
        #expect(story.screen.contains("Base URL of shop (may be empty)"))
        story.type("/v1")
        story.press("Enter")
        #expect(story.screen.contains("It needs a host: https://example.com"), "\(story.screen)")
        story.replace(with: "htp://localhost:8080")
        story.press("Enter")
        #expect(story.screen.contains("\"htp://localhost:8080\" cannot be"), "\(story.screen)")
        story.replace(with: "localhost:8080?x")
        story.press("Enter")
        #expect(story.screen.contains("\"http://localhost:8080?x\" has a query"), "\(story.screen)")
        story.replace(with: "localhost:8080")
        story.press("Enter")
        let effects = story.takeEffects()
        let environment = Environment(name: "default", host: "http://localhost:8080")
        let collection = Collection(schema: nil, name: "shop", environments: [environment])
        #expect(effects == [.begin(collection, path: nil)])
        story.receive(try #require(Self.begun(effects.first, at: "shop.json")))
        #expect(story.state.notice == Notice(.success, "Created shop.json"))
        #expect(story.screen.contains("Name of the first request"))
        story.type("list")
        story.press("Enter")
        story.type("orders")
        story.press("Enter")
        #expect(story.treeNames == ["shop", "  list"])
        #expect(
            story.request?.path == "/orders" && story.state.workbench.address(nil) == "http://localhost:8080/orders")
        story.press("w")
        #expect(story.takeEffects().count == 1)
    }

    @Test(arguments: [
        ("api.example.com", "http://api.example.com"), ("127.0.0.1:80/v2", "http://127.0.0.1:80/v2"),
        (" http://a.test ", "http://a.test"), ("{{host}}", "{{host}}"), ("", nil),
    ])
    func `the base URL may lack its scheme, or be left out`(typed: String, host: String?) {
        let outcomes = Workbench.begin("a", host: typed, path: nil)
        let environments = host.map { [Environment(name: "default", host: $0)] } ?? []
        #expect(
            outcomes == [.effect(.begin(Collection(schema: nil, name: "a", environments: environments), path: nil))])
    }

    @Test func `a pasted command is opened without a collection`() {
        var story = Story(files: [])
        story.paste("curl https://api.example.com/users -d '{}'")
        #expect(story.takeEffects().isEmpty)
        #expect(story.request?.method == .post && story.topOverlay == nil)
        #expect(story.treeNames == ["Scratch", "  users"])
    }

    @Test func `a file of the command line that does not exist is created when told`() {
        var story = Story(files: [])
        var missing = LoadedCollection(path: "dir/my.json", collection: nil, fingerprint: .absent)
        missing.isMissing = true
        story.receive(.opened([missing], environment: nil))
        #expect(story.screen.contains("There is no dir/my.json."))
        story.press("n")
        #expect(story.takeEffects().isEmpty && story.screen.contains("Enter creates it as a new collection."))
        for pane in ["2", "1"] {
            story.press(pane)
            let keys = story.lines.last ?? ""
            #expect(keys.contains("Enter create"), "\(keys)")
            #expect(!keys.contains("send") && !keys.contains("save") && !keys.contains("rename"), "\(keys)")
        }
        story.press("3")
        for tab in ResponseTab.allCases {
            story.perform(.response(.showTab(tab.number)))
            let keys = story.lines.last ?? ""
            #expect(!keys.contains(" tab") && !keys.contains("send") && !keys.contains("policy"), "\(keys)")
        }
        story.press("1")
        #expect(story.lines.last?.contains("search") == false, "there is nothing to find")
        story.press("a", "R", "s", "w", "E")
        #expect(story.takeEffects().isEmpty && story.topOverlay == nil)
        story.press("R")
        #expect(story.state.notice?.text == "There is no my.json; Enter creates it")
        story.press("Enter")
        story.press("Enter")
        #expect(story.takeEffects() == [.begin(Collection(schema: nil, name: "my"), path: "dir/my.json")])
        story.receive(.begun(Story.loaded(Collection(schema: nil, name: "my").text, path: "dir/my.json")))
        story.press("Esc")
        #expect(story.treeNames == ["my"])
        story = Story(files: [])
        story.receive(.opened([missing], environment: nil))
        story.press("y")
        #expect(story.screen.contains("Base URL of my (may be empty)"))
    }

    @Test func `another collection comes beside those that are open`() {
        var story = Story()
        story.command("Begin a new collection")
        story.press("Enter")
        #expect(story.screen.contains("✗ Type a name, or Esc goes back"), "\(story.screen)")
        story.type("b")
        story.press("Enter", "Esc")
        #expect(story.takeEffects().isEmpty, "Esc ends it")
        story.press("o")
        story.type("~/api")
        story.press("Enter")
        #expect(story.takeEffects() == [.open(path: "~/api")])
        story.receive(.added([Story.loaded(Story.file(requests: 1), path: "/h/api/x.json")], path: "~/api"))
        #expect(story.treeNames.suffix(2) == ["many", "  r0"] && story.state.tree.current?.name == "many")
        story.receive(.added([Story.loaded(Story.file(requests: 1), path: "/h/api/x.json")], path: "~/api"))
        #expect(story.state.notice?.text == "~/api is open")
        story.receive(.added([], path: "/empty"))
        #expect(story.state.notice?.text == "No collections in /empty")
        var missing = LoadedCollection(path: "/none", collection: nil, fingerprint: .absent)
        missing.isMissing = true
        story.receive(.added([missing], path: "/none"))
        #expect(story.state.notice?.text == "/none does not exist")
        story.receive(.added([Story.loaded("import os", path: "/h/x.py")], path: "/h/x.py"))
        #expect(story.state.notice?.text.hasPrefix("Could not read x.py:1:") ?? false, "\(story.screen)")
    }

    @Test func `a collection without requests has no keys to send or to look at one`() {
        var story = Story(file: #"{ "version": 1, "name": "n", "items": [] }"#)
        #expect(story.lines.last?.contains("a add") == true)
        for pane in ["1", "3"] {
            story.press(pane)
            let keys = story.lines.last ?? ""
            #expect([" run", "send", " tab", "policy"].allSatisfy { !keys.contains($0) }, "\(keys)")
        }
    }

    @Test func `the key line of an empty folder shows what can be done there`() {
        #expect(Story(files: []).lines.last?.hasPrefix(" n new collection  o open  : commands") == true)
        #expect(Story().lines.last?.contains("new collection") == false)
    }

    @Test(arguments: [
        ("My shop!", "my-shop"), ("../../etc/passwd", "etc-passwd"), ("", "collection"), ("名前 1", "名前-1"),
        (String(repeating: "x", count: 500), String(repeating: "x", count: 60)),
    ])
    func `the name of the file follows that of the collection`(name: String, file: String) {
        #expect(NewCollection.fileName(for: name) == file)
    }
}
