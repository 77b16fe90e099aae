import Foundation
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Files of other tools in the explorer: shown and sent as they are, saved as collections only.
@Suite struct ForeignStories {
    private static let token = "tk4Zr9QmW1xVb7Np2Ls8"

    private static let shop = """
        { "info": { "name": "Shop" }, "item": [{ "name": "one", "request": { "url": "https://a.test/x",
          "auth": { "type": "bearer", "bearer": { "token": "\(token)" } } }, "response": [{}] }] }
        """

    private static let pets = """
        openapi: 3.0.3
        info: { title: Pets, version: "1" }
        servers: [{ url: "https://a.test" }]
        paths:
          /pets:
            get:
              summary: list pets
              responses: { "200": { description: fine } }

        """

    private static func opened(_ text: String = ForeignStories.shop, path: String = "shop.json") -> LoadedCollection {
        Story.loaded(text, path: path).readInPlace
    }

    private static func story(_ loaded: LoadedCollection = ForeignStories.opened()) -> Story {
        var story = Story(files: [])
        story.receive(.opened([loaded], environment: nil))
        _ = story.takeEffects()
        return story
    }

    private static func file(_ story: Story) -> OpenFile? { story.state.workbench.files.first }

    private static func page(_ story: Story) -> String {
        FilePage(story.state.workbench, columns: 90).rows.map { $0.map(\.text).joined() }.joined(separator: "\n")
    }

    private static func play(_ body: (_ folder: String, _ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "foreign-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/shop.json"
        try shop.write(toFile: path, atomically: true, encoding: .utf8)
        try body(folder, path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == shop, "the file stays as it is")
    }

    // MARK: Opening

    @Test func `a file of Postman shows as a read-only collection, with what is left out of it`() {
        var story = Self.story()
        #expect(story.treeNames == ["Shop", "  one"])
        let notice = story.state.notice?.text ?? ""
        #expect(
            notice.hasPrefix("shop.json is a Postman collection, read-only: w makes a collection of it"), "\(notice)")
        story.choose("Shop")
        let page = Self.page(story)
        #expect(page.contains("This is a Postman collection, read-only"), "\(page)")
        #expect(page.contains("Left out:") && page.contains("line 2, column"), "\(page)")
        #expect(!page.contains(Self.token) && !story.screen.contains(Self.token))
    }

    @Test func `a request of such a file is sent with the credentials of the file`() throws {
        var story = Self.story()
        story.choose("one")
        let id = story.send()
        let order = try #require(story.lastOrder)
        #expect(order.file == "shop.json" && order.request.name == "one")
        #expect(order.collection.overlay.secrets.contains(Secret("token", .value(Self.token))))
        story.finish(id)
        #expect(story.screen.contains("200"), "\(story.screen)")
    }

    @Test(.enabled(if: YAMLSupport.problem == nil, "libyaml is missing"))
    func `an OpenAPI document in YAML shows as a collection`() {
        let story = Self.story(Self.opened(Self.pets, path: "api/openapi.yaml"))
        #expect(story.treeNames.contains("Pets") && story.treeNames.contains { $0.hasSuffix("list pets") })
        #expect(Self.file(story)?.foreignFormat == "an OpenAPI document")
    }

    @Test func `a file that cannot be imported says why, and an invalid collection keeps its problems`() {
        let one = "{\"id\": \"1\", \"name\": \"n\", \"order\": [], \"requests\": []}"
        let old = Self.opened(one)
        #expect(old.collection == nil && old.problems.first?.message.contains("Postman 1") == true)
        for text in ["{ \"version\": 1, \"name\": ", "{ \"version\": 1, \"item\": 2 }", "GET https://a.test/x\n", ""] {
            #expect(Self.opened(text) == Story.loaded(text, path: "shop.json"), "\(text)")
        }
    }

    @Test func `the path of a file opens it where a curl command is asked for`() {
        var story = Story()
        story.press("Ctrl+O")
        story.paste("~/api/openapi.yaml")
        story.press("Enter")
        #expect(story.takeEffects() == [.open(path: "~/api/openapi.yaml")])
    }

    // MARK: Changes on disk

    @Test func `a change of the file is read again`() {
        var story = Self.story()
        story.receive(.changed(Self.opened(Self.shop.replacing("\"one\"", with: "\"two\""))))
        #expect(story.treeNames == ["Shop", "  two"] && Self.file(story)?.isDirty == false)
    }

    @Test func `a collection is not lost in the file of another tool that takes its place`() {
        var story = Story()
        let names = story.treeNames
        story.receive(.changed(Self.opened(path: "demo.json")))
        #expect(story.treeNames == names && Self.file(story)?.foreignFormat == nil)
        #expect(Self.file(story)?.disk == .unreadable("demo.json is a Postman collection now"))
    }

    // MARK: Saving

    /// Types a path into the prompt, and lets the file be made.
    private static func save(_ story: inout Story, from path: String, to target: String) throws -> Notice {
        #expect(story.screen.contains("Path of the new collection"), "\(story.screen)")
        story.press("End", "Ctrl+U")
        story.paste(target)
        _ = story.takeEffects()
        story.press("Enter")
        let fingerprint = try #require(file(story)?.fingerprint)
        #expect(story.takeEffects() == [.convert(path: path, fingerprint, to: target)])
        let (new, notice) = NewCollection.make(of: fingerprint, from: path, at: target)
        story.receive(.converted(path: path, to: new, notice))
        return notice
    }

    @Test func `saving makes a new collection, which takes the place of the file`() throws {
        try Self.play { folder, path in
            var story = Self.story(CollectionFile.load(path).readInPlace)
            story.choose("one")
            let item = story.request?.id
            story.press("w")
            #expect(story.screen.contains("shop.ombi.json"), "proposed beside it: \(story.screen)")
            let notice = try Self.save(&story, from: path, to: folder + "/new.json")
            #expect(notice.kind == .success, "\(notice.text)")
            let file = try #require(Self.file(story))
            #expect(file.path == folder + "/new.json" && file.foreignFormat == nil && !file.isDirty)
            #expect(story.treeNames == ["Shop", "  one"] && story.request?.id == item, "runs stay theirs")
            let (old, new) = (ItemPath(file: path, path: ["one"]), ItemPath(file: file.path, path: ["one"]))
            #expect(story.takeEffects().contains(.history(.move(old, to: new))))
            // The secrets beside the new file let the watch read all files of the folder.
            story.receive(.changed(CollectionFile.load(path).readInPlace))
            #expect(story.treeNames == ["Shop", "  one"])
            #expect(try !String(contentsOfFile: folder + "/new.json", encoding: .utf8).contains(Self.token))
            #expect(try String(contentsOfFile: folder + "/new.local.json", encoding: .utf8).contains(Self.token))
        }
    }

    @Test func `a document that refers to another file is saved, too, unless that has changed`() throws {
        try Self.play { folder, _ in
            let (path, part) = (folder + "/pets.yaml", folder + "/part.yaml")
            let row = "      parameters: [{ $ref: 'part.yaml#/size' }]\n      summary: list pets\n"
            try Self.pets.replacing("      summary: list pets\n", with: row)
                .write(toFile: path, atomically: true, encoding: .utf8)
            try "size: { name: size, in: query, required: true, schema: { type: integer, default: 7 } }\n"
                .write(toFile: part, atomically: true, encoding: .utf8)
            let opened = CollectionFile.load(path).readInPlace
            let (new, notice) = NewCollection.make(of: opened.fingerprint, from: path, at: folder + "/new.json")
            #expect(new?.collection?.requests.first?.query.map(\.name) == ["size"], "\(notice.text)")
            try "size: { name: count, in: query }\n".write(toFile: part, atomically: true, encoding: .utf8)
            let (none, reason) = NewCollection.make(of: opened.fingerprint, from: path, at: folder + "/other.json")
            #expect(none?.path == nil && reason.text.contains("have changed"), "\(reason.text)")
        }
    }

    @Test func `edits go to the new collection, and can still be undone`() throws {
        try Self.play { folder, path in
            var story = Self.story(CollectionFile.load(path).readInPlace)
            story.choose("one")
            story.press("R")
            story.replace(with: "two")
            story.press("Enter", "w")
            _ = try Self.save(&story, from: path, to: folder + "/new.json")
            let file = try #require(Self.file(story))
            let collection = try #require(file.collection)
            #expect(story.treeNames == ["Shop", "  two"] && file.isDirty)
            let save = Effect.save(path: file.path, collection, file.fingerprint, overwriting: false)
            #expect(story.takeEffects().contains(save))
            story.press("u")
            #expect(story.treeNames == ["Shop", "  one"] && Self.file(story)?.isDirty == false)
        }
    }

    @Test func `quitting with edits saves by the same prompt`() throws {
        try Self.play { folder, path in
            var story = Self.story(CollectionFile.load(path).readInPlace)
            story.choose("one")
            story.press("R")
            story.replace(with: "two")
            story.press("Enter", "q")
            #expect(story.screen.contains("Not saved: shop.json"), "\(story.screen)")
            story.press("y")
            _ = try Self.save(&story, from: path, to: folder + "/new.json")
            let file = try #require(Self.file(story))
            let collection = try #require(file.collection)
            #expect(!story.takeEffects().contains(.quit))
            story.receive(.saved(path: file.path, collection, file.fingerprint))
            #expect(story.takeEffects().contains(.quit))
        }
    }

    @Test func `another file is never overwritten, and the edits stay`() throws {
        try Self.play { folder, path in
            var story = Self.story(CollectionFile.load(path).readInPlace)
            try "{}".write(toFile: folder + "/new.json", atomically: true, encoding: .utf8)
            story.press("w")
            let notice = try Self.save(&story, from: path, to: folder + "/new.json")
            #expect(notice.text.hasSuffix("it is there already; w asks for another name"), "\(notice.text)")
            #expect(Self.file(story)?.path == path && Self.file(story)?.foreignFormat != nil)
            #expect(try String(contentsOfFile: folder + "/new.json", encoding: .utf8) == "{}")
            story.press("w")
            story.press("End", "Ctrl+U")
            story.paste(path)
            story.press("Enter")
            #expect(story.takeEffects().isEmpty && story.screen.contains("This is the file that is read"))
        }
    }

    @Test func `nothing moves secrets out of such a file`() {
        var story = Self.story()
        story.press("1")
        story.perform(.files(.chooseSecrets))
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "shop.json is read-only; w makes a collection of it first")
    }

    @Test func `a draft of its edits has none of its credentials`() throws {
        try Self.play { folder, path in
            let loaded = CollectionFile.load(path).readInPlace
            let collection = try #require(loaded.collection)
            let drafts = Drafts(folder: folder + "/drafts")
            try drafts.keep(collection, of: path, since: loaded.fingerprint)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/drafts")
            for name in names {
                let text = try String(contentsOfFile: "\(folder)/drafts/\(name)", encoding: .utf8)
                #expect(!text.contains(Self.token))
            }
            #expect(names.count == 1)
        }
    }
}
