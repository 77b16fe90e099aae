import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer
@testable import OmbiWorkspace

/// The list that completes what is typed.
@Suite struct CompletionStories {
    @Test func `a header name is completed, those of the collection first`() {
        var story = Self.headers()
        story.type("acc")
        #expect(story.names == ["Accept", "Accept-Encoding", "Accept-Language"])
        story.press("Down", "Tab")
        #expect(story.openField == "Accept-Encoding")
        #expect(story.names.isEmpty)
        story.press("Enter")
        story.type("gz")
        story.press("Tab", "Enter")
        #expect(story.request?.headers == [Field("Accept-Encoding", "gzip")])
    }

    @Test func `Enter submits what is typed, unless a row was chosen`() {
        var story = Self.headers()
        story.type("Acc")
        story.press("Enter")
        #expect(story.request?.headers.first?.name == "Acc")
        story.press("Esc", "u", "a")
        story.type("Acc")
        story.press("Down", "Enter")
        #expect(story.openField == "Accept-Encoding")
    }

    @Test func `Esc closes the list only`() {
        var story = Self.headers()
        story.type("cont")
        #expect(!story.names.isEmpty)
        story.press("Esc")
        #expect(story.names.isEmpty)
        #expect(story.openField == "cont")
        story.press("Esc")
        #expect(story.openField == nil)
    }

    @Test func `a name that is typed in full leaves Tab to the next field`() {
        var story = Self.headers()
        story.type("Accept")
        #expect(story.names.first == "Accept")
        story.press("Tab")
        #expect(story.openField == "", "the value is next")
        #expect(story.request?.headers.first?.name == "Accept")
    }

    @Test func `nothing opens before something is typed, and Down asks for everything`() {
        var story = Self.headers()
        #expect(story.names.isEmpty)
        story.press("Down")
        #expect(story.names.count > 20)
    }

    @Test func `a click on a row of the list inserts it`() {
        var story = Self.headers()
        story.type("acc")
        story.click(on: "Accept-Language")
        #expect(story.openField == "Accept-Language")
        story.type("x")
        story.press("Backspace")
        story.click(on: "1 Requests")
        #expect(story.openField == nil, "a click elsewhere submits, as ever")
    }

    @Test func `the line of keys says what they mean for the list`() {
        var story = Self.headers()
        story.type("acc")
        #expect(story.row(33).hasPrefix(" Tab insert  Down choose  Enter submit  Esc close"))
        story.press("Esc")
        #expect(story.row(33).hasPrefix(" Enter submit  Tab next  Esc cancel"))
    }

    @Test func `letters in order are found as well, after those that begin with them`() {
        var story = Self.headers()
        story.type("type")
        #expect(story.names == ["Content-Type"])
        story.press("Ctrl+U")
        story.type("xfp")
        #expect(story.names == ["X-Forwarded-Proto"])
    }

    @Test func `a value is completed by the name of its header`() {
        var story = Self.headers()
        story.type("Content-Type")
        story.press("Tab")
        story.type("app")
        #expect(story.names.first == "application/json")
        story.press("Tab", "Enter")
        #expect(story.request?.headers == [Field("Content-Type", "application/json")])
    }

    @Test func `two braces list the variables with what they become, secrets masked`() {
        let file = Story.file.replacing(
            #""variables": { "token": "t" }"#,
            with: #""variables": { "token": "t{{id}}", "id": "7" }, "secrets": { "key": { "env": "OMBI_KEY" } }"#)
        var story = Story(file: file)
        story.choose("list users")
        story.press("2", "Enter")
        story.type("/{{")
        #expect(story.names.prefix(4) == ["id", "key", "token", "$uuid"])
        #expect(story.screen.contains("key") && story.screen.contains("secret"))
        #expect(story.screen.contains("t7"))
        story.type("to")
        story.press("Tab")
        #expect(story.openField == "/users/{{token}}")
        story.press("Enter")
        #expect(story.request?.path == "/users/{{token}}")
    }

    @Test func `Enter ends a template that is open, and names a file that exists`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("/{{token")
        #expect(story.row(33).hasPrefix(" Tab insert  Down choose  Enter insert  Esc close"))
        story.press("Enter")
        #expect(story.openField == "/users/{{token}}")
        story.press("Enter")
        #expect(story.request?.path == "/users/{{token}}")

        story.editUpload()
        story.type("@")
        story.receive(.folder(FolderListing(folder: "", entries: [.init("ada.png"), .init("ada.png.txt")])))
        story.type("ad")
        story.press("Enter")
        #expect(story.openField == "@ada.png")
        story.press("Enter")
        #expect(story.request?.body == .multipart(MultipartContent([MultipartPart("photo", .file("ada.png"))])))
    }

    @Test func `Enter behind a bare at sign inserts the marked file`() {
        var story = Story()
        story.editUpload()
        story.type("@")
        let entries: [FolderListing.Entry] = [.init("ada.png"), .init("certs", isFolder: true)]
        story.receive(.folder(FolderListing(folder: "", entries: entries)))
        #expect(story.names == ["ada.png", "certs/"])
        #expect(story.row(33).hasPrefix(" Tab insert  Down choose  Enter insert  Esc close"))
        story.press("Enter")
        #expect(story.openField == "@ada.png")
        story.press("Enter")
        #expect(story.request?.body == .multipart(MultipartContent([MultipartPart("photo", .file("ada.png"))])))
    }

    @Test func `braces that are closed already are not closed twice`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("{{}}")
        story.press("Left", "Left")
        story.type("tok")
        story.press("Tab")
        #expect(story.openField == "/users{{token}}")
    }

    @Test func `a colon at the start of a segment lists the path parameters of the collection`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("/:")
        #expect(story.names == ["id"])
        story.press("Right", "Enter")
        #expect(story.request?.path == "/users/:id")
    }

    @Test func `a body completes variables, and Tab and Enter are its own without a list`() {
        var story = Story()
        story.choose("create user")
        story.press("2", "]", "]", "Enter")
        story.type("{{to")
        #expect(story.names == ["token"])
        story.press("Tab")
        #expect(story.openText?.contains("{{token}}") == true)
        story.type(" {{zzz")
        #expect(story.names.isEmpty)
        story.press("Enter")
        #expect(story.openText?.contains("\n") == true)
    }

    @Test func `nothing completes what follows a closed template, and Enter is a line break there`() {
        for typed in ["{{token}},", "{{token}}, to", "{{$now('%H')}}, to"] {
            var story = Story()
            story.choose("create user")
            story.press("2", "]", "]", "Enter")
            story.type(typed)
            #expect(story.names.isEmpty, "\(typed): \(story.names)")
            story.press("Enter")
            #expect(story.openText?.hasPrefix(typed + "\n") == true, "\(story.openText ?? "")")
        }
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("/{{token}},to")
        #expect(story.names.isEmpty)
        story.press("Enter")
        #expect(story.request?.path == "/users/{{token}},to")
    }

    @Test func `the file of a secret is completed from the folder of the collection`() {
        var story = Story.environments()
        story.go(to: "token", in: .secrets)
        story.press("Enter")
        story.type("fi")
        #expect(story.names == ["file "])
        _ = story.takeEffects()
        story.press("Tab")
        #expect(story.takeEffects() == [.listFolder("", in: ".")])
        let entries: [FolderListing.Entry] = [.init(".netrc"), .init("certs", isFolder: true), .init("token.txt")]
        story.receive(.folder(FolderListing(folder: "", entries: entries)))
        #expect(story.names == ["certs/", "token.txt"])
        story.press("Tab")
        #expect(story.cell == "file certs/")
        #expect(story.takeEffects() == [.listFolder("certs/", in: ".")])
        story.press("Backspace", "Ctrl+W")
        story.type(".")
        #expect(story.names == [".netrc"], "hidden names want a dot")
    }

    @Test func `a file of a form is completed behind its at sign`() {
        var story = Story()
        story.editUpload()
        _ = story.takeEffects()
        story.type("a")
        #expect(story.takeEffects().isEmpty && story.names.isEmpty, "a text is not a path")
        story.press("Ctrl+U")
        story.type("@")
        #expect(story.takeEffects() == [.listFolder("", in: ".")])
        story.receive(.folder(FolderListing(folder: "", entries: [.init("ada.png"), .init("bob.png")])))
        story.type("b")
        #expect(story.names == ["bob.png"])
        story.press("Tab", "Enter")
        #expect(story.request?.body == .multipart(MultipartContent([MultipartPart("photo", .file("bob.png"))])))
    }

    @Test func `the file of a body is completed`() {
        var story = Story()
        story.choose("create user")
        story.press("2", "]", "]")
        story.state.workbench.editRequest { $0.body = .file(FileContent("")) }
        story.press("g", "Down", "Down", "Enter")
        _ = story.takeEffects()
        story.type("./")
        #expect(story.takeEffects() == [.listFolder("", in: "."), .listFolder("./", in: ".")])
        story.receive(.folder(FolderListing(folder: "./", entries: [.init("ada.png"), .init("bob.png")])))
        #expect(story.names == ["ada.png", "bob.png"])
        story.press("Down", "Down", "Tab", "Enter")
        #expect(story.request?.body == .file(FileContent("./bob.png")))
    }

    @Test func `the path that a body is saved to is completed`() {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.press("3", "S")
        _ = story.takeEffects()
        story.type("o")
        #expect(story.takeEffects() == [.listFolder("", in: ".")])
        story.receive(.folder(FolderListing(folder: "", entries: [.init("out", isFolder: true), .init("old.json")])))
        #expect(story.names == ["out/", "old.json"])
        #expect(story.row(33).hasPrefix(" Tab insert  Down choose  Enter save  Esc close"), "\(story.row(33))")
        story.press("Tab")
        #expect(story.takeEffects() == [.listFolder("out/", in: ".")])
        #expect(story.screen.contains("to: out/"), "\(story.screen)")
        story.receive(.folder(FolderListing(folder: "out/", entries: [.init("a.json"), .init("b.json")])))
        story.press("Esc")
        #expect(story.names.isEmpty)
        story.press("Tab")
        #expect(story.screen.contains("save formatted to: out/"), "Tab is the option again: \(story.screen)")
        story.type("b")
        story.click(on: "b.json")
        #expect(story.screen.contains("to: out/b.json"), "\(story.screen)")
        story.press("Enter")
        guard case .output(_, .save(path: "out/b.json", _, _, overwriting: _))? = story.takeEffects().last else {
            Issue.record("not saved")
            return
        }
    }

    @Test func `the header names of an environment are completed as well`() {
        var story = Story.environments()
        story.go(to: "X-Team")
        story.press("a")
        story.type("x-t")
        #expect(story.names.first == "X-Team")
    }

    @Test(arguments: [(120, 34), (80, 24), (60, 18)])
    func `the list covers neither the field nor what is typed`(columns: Int, rows: Int) throws {
        var story = Story(columns: columns, rows: rows)
        story.choose("list users")
        story.press("2", "]", "a")
        story.type("acc")
        let cursor = try #require(story.state.draw().cursor)
        #expect(story.row(cursor.row).contains("acc"))
        #expect(story.screen.contains("▌Accept "))
    }

    /// A new header of a request.
    private static func headers() -> Story {
        var story = Story()
        story.choose("list users")
        story.press("2", "]", "a")
        return story
    }
}

extension Story {
    /// Edits the value of the only part of a form.
    fileprivate mutating func editUpload() {
        choose("create user")
        press("2", "]", "]")
        state.workbench.editRequest {
            $0.body = .multipart(MultipartContent([MultipartPart("photo", .text(""))]))
        }
        press("G", "Enter")
    }

    /// The names in the open list.
    fileprivate var names: [String] {
        let list =
            state.environmentPane?.completion.list ?? state.requestPane.completion.list
            ?? state.responsePane.completion.list
        return list?.items.map(\.name) ?? []
    }
}
