import OmbiDocument
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Editing a body in its pane, key by key.
@Suite struct BodyEditorStories {
    /// A story with a JSON body open in its editor.
    private static func story(_ json: String = #"{ "name": "Ada" }"#, columns: Int = 120, rows: Int = 50) -> Story {
        let file = Story.file.replacing(#"{ "name": "Ada" }"#, with: json)
        var story = Story(columns: columns, rows: rows, file: file)
        story.choose("create user")
        story.press("2", "]", "]", "Enter")
        return story
    }

    private static func text(_ text: String, type: String) -> Story {
        let file = Story.file.replacing(
            #"{ "json": { "name": "Ada" } }"#, with: #"{ "text": "\#(text)", "contentType": "\#(type)" }"#)
        var story = Story(file: file)
        story.choose("create user")
        story.press("2", "]", "]", "Enter")
        return story
    }

    // MARK: Opening

    @Test func `Enter on the Body tab goes into the body`() {
        #expect(Self.story().openText == "|{\n  \"name\": \"Ada\"\n}")
    }

    @Test(arguments: RequestTab.allCases) func `a tab opens on its first row, and the URL is above it`(tab: RequestTab)
    {
        var story = Story()
        story.choose("user by id")
        story.press("2")
        for _ in 0..<RequestTab.allCases.count + tab.position { story.press("]") }
        #expect(story.state.requestPane.row == 0)
        story.press("Up", "Enter")
        #expect(story.openField == "/users/:id")
    }

    @Test func `a new JSON body opens between its braces`() {
        var story = Self.story("{}")
        #expect(story.openText == "{|}")
        story.type("\"a\": 1")
        #expect(story.openText == "{\"a\": 1|}")
    }

    @Test func `the kind json of a request without a body opens its braces`() {
        var story = Story()
        story.press("2", "]", "]", "Enter")
        #expect(story.screen.contains("application/json"))
        story.type("json")
        story.press("Enter")
        #expect(story.openText == "{|}")
        story.type("\"a\": 1")
        story.press("Esc")
        #expect(story.request?.body == .json(JSONContent(.object([.init("a", .number("1"))]))))
    }

    @Test func `a key that is typed twice is told with its place, and kept`() {
        var story = Self.story("{}")
        story.type("\"a\": 1, \"a\": 2")
        #expect(story.screen.contains("line 1, column 10: the key \"a\" is given twice in this object"))
        #expect(story.screen.contains("JSON ✓"))
        story.press("Esc")
        #expect(story.request?.bodyText.contains("\"a\": 2") ?? false)
        #expect(story.state.notice?.kind == .warning)
    }

    @Test(arguments: ["{\"a\": 1}", "[1]", "\n  {\"a\":\n1}\n"]) func `pasted JSON replaces the braces of a new body`(
        json: String
    ) {
        var story = Self.story("{}")
        story.paste(json)
        #expect(story.openText == json + "|")
        story.press("Ctrl+Z")
        #expect(story.openText == "{|}")
        story.paste("x")
        story.paste("{}")
        #expect(story.openText == "{x{}|}", "only while it is untouched")
    }

    @Test(arguments: [["Enter"], ["Enter", "Enter"], ["Space"], ["Enter", "Ctrl+Home"]])
    func `pasted JSON replaces braces that were opened, too`(keys: [String]) {
        for json in ["{ \"a\": {{id}} }", "[1]\n"] {
            var story = Self.story("{}")
            for key in keys { story.press(key) }
            let before = story.openText
            story.paste(json)
            #expect(story.openText == json + "|")
            story.press("Ctrl+Z")
            #expect(story.openText?.filter { $0 != "|" } == before?.filter { $0 != "|" }, "as one step")
        }
    }

    @Test(arguments: ["{", "{\"a\": 1", "\"a\": 1", "[1], 2", "1"])
    func `what is no whole object or array goes into braces that were opened`(text: String) {
        var story = Self.story("{}")
        story.press("Enter")
        story.paste(text)
        #expect(story.openText == "{\n  " + text + "|\n}")
    }

    @Test func `a body with its own line ends is not changed by a look at it`() {
        var story = Self.text(#"a\r\nb"#, type: "text/plain")
        story.press("Esc")
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `a line that is added and taken out again leaves a body with CR LF as it was`() {
        var story = Self.text(#"a\r\nb"#, type: "text/plain")
        story.press("End", "Enter")
        #expect(story.openText == "a\r\n|\r\nb")
        story.press("Backspace")
        #expect(story.openText == "a|\r\nb")
        story.press("Esc")
        #expect(!story.state.workbench.files[0].isDirty)
    }

    // MARK: Text

    @Test func `Ctrl+Z undoes in the editor, and u all of it afterwards`() {
        var story = Self.story("[]")
        story.press("Right", "Enter")
        story.type("1, 2")
        #expect(story.openText == "[\n  1, 2|\n]")
        story.press("Ctrl+Z", "Ctrl+Z")
        #expect(story.openText == "[\n  |\n]")
        story.press("Ctrl+Y", "Esc")
        #expect(story.request?.body == .json(JSONContent(.array([.number("1")]))) || story.openText == nil)
        story.press("u")
        #expect(story.request?.body == .json(JSONContent(.array([]))))
    }

    @Test func `what is cut is pasted in another body, and given to the terminal`() {
        var story = Self.text("one two", type: "text/plain")
        story.press("Shift+Right", "Shift+Right", "Shift+Right", "Ctrl+X")
        #expect(story.takeEffects() == [.copy("one", named: "the text")])
        #expect(story.openText == "| two")
        story.press("Esc", "Enter", "Ctrl+End", "Ctrl+V")
        #expect(story.openText == " twoone|")
    }

    @Test func `the mark selects where terminals send no Shift`() {
        var story = Self.text("one two", type: "text/plain")
        story.press("Ctrl+Space", "Ctrl+Right", "Alt+c", "End", "Ctrl+V")
        #expect(story.openText == "one twoone|")
        story.press("Alt+a", "Home")
        #expect(story.screen.contains("mark 1:1"))
        story.press("Esc")
        #expect(story.openText == "|one twoone", "Esc clears the mark first")
        story.press("Esc")
        #expect(story.openText == nil)
    }

    // MARK: JSON

    @Test func `the state of the JSON shows while it is typed`() {
        var story = Self.story()
        #expect(story.screen.contains("JSON ✓ 1:1"))
        story.press("Down", "End", "Backspace")
        #expect(story.screen.contains("line 2, column 11: "))
        #expect(story.screen.contains("JSON ✗ 2:15"))
        story.type("\"")
        #expect(story.screen.contains("JSON ✓ 2:16"))
    }

    @Test func `a body too large to be checked with every key says so`() {
        var story = Self.story("[]")
        story.press("Right")
        story.paste(String(repeating: "1,\n", count: 200_000) + "1")
        #expect(story.openBody?.check == .tooLarge)
        #expect(story.screen.contains("JSON not checked over 500 kB 200001:2"))
        story.press("Alt+F")
        #expect(story.state.notice == nil)
    }

    @Test func `formatting changes no value, and is one step`() {
        var story = Self.story("[]")
        story.press("Right")
        let typed = #"{"b":1.50,"a":[1,2e3,"{{id}} ä"],"b":{}}"#
        story.paste(typed)
        story.press("Alt+F")
        #expect(
            story.openBody?.text
                == "[\n  {\n    \"b\": 1.50,\n    \"a\": [1, 2e3, \"{{id}} ä\"],\n    \"b\": {}\n  }\n]")
        #expect(story.openText?.hasSuffix("}|\n]") ?? false, "the cursor stays behind its character")
        story.press("Alt+M")
        #expect(story.openBody?.text == "[" + typed + "]")
        story.press("Ctrl+Z", "Ctrl+Z")
        #expect(story.openText == "[" + typed + "|]")
    }

    @Test func `formatting text that is no JSON goes to the error and changes nothing`() {
        var story = Self.story()
        story.press("Down", "End")
        story.type(" x")
        story.press("Ctrl+Home", "Alt+F")
        #expect(story.state.notice?.text.hasPrefix("Not formatted: line 2, column 17: ") ?? false)
        #expect(story.openText == "{\n  \"name\": \"Ada\" |x\n}")
        var plain = Self.text("x", type: "text/plain")
        plain.press("Alt+M")
        #expect(plain.state.notice == Notice(.info, "Only a JSON body is minified"))
    }

    @Test func `a body is coloured, before and while it is edited`() throws {
        var story = Self.story()
        for _ in 0..<2 {
            let surface = story.state.draw().surface
            let point = try #require(story.place(of: "\"name\""))
            #expect(surface[point.column, point.row].style.role == .key)
            #expect(surface[point.column + 8, point.row].style.role == .string)
            story.press("Esc")
        }
    }

    // MARK: Sending

    @Test(arguments: ["F5", "Alt+Enter"]) func `a request is sent without leaving the editor`(key: String) throws {
        var story = Self.story()
        story.press("Down", "End", "Left")
        story.type("!")
        _ = story.takeEffects()
        story.press(key)
        #expect(story.openText == "{\n  \"name\": \"Ada!|\"\n}")
        let orders = story.takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }
        #expect(orders.first?.request.body == .json(JSONContent(.object([.init("name", .string("Ada!"))]))))
        story.type("?")
        story.press("Esc")
        #expect(story.request?.body == .json(JSONContent(.object([.init("name", .string("Ada!?"))]))))
    }

    @Test func `a protected environment asks before the editor sends`() {
        var story = Self.story()
        story.press("Esc")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.press("Enter", "F5")
        story.receive(.checked(.request(story.request?.id ?? ItemID()), isReady: true))
        #expect(story.topOverlay?.scope == .field)
        _ = story.takeEffects()
        story.type("live")
        story.press("Enter")
        #expect(story.takeEffects().contains { if case .send = $0 { true } else { false } })
        #expect(story.openText != nil)
    }

    // MARK: Finding

    @Test func `matches are found as they are typed`() {
        var story = Self.text(#"one two\none Two\nthree"#, type: "text/plain")
        story.press("Ctrl+F")
        story.type("two")
        #expect(story.screen.contains("1 of 2"))
        story.press("Down")
        #expect(story.screen.contains("2 of 2"))
        story.press("F3", "Enter")
        #expect(story.openText == "one two|\none Two\nthree")
        story.press("Alt+n")
        #expect(story.openText == "one two\none Two|\nthree")
        story.press("Alt+p", "Ctrl+F")
        #expect(story.openBody?.find?.pattern.text == "two", "the selection")
        story.type("TWO")
        #expect(story.screen.contains("no match"))
        story.press("Esc")
        #expect(story.openText?.hasPrefix("one two|") ?? false, "back to the start")
    }

    @Test func `matches are replaced one by one or all at once`() {
        var story = Self.text("a b a b a", type: "text/plain")
        story.press("Ctrl+R")
        story.type("a")
        story.press("Tab")
        story.type("xy")
        #expect(story.screen.contains("1 of 3"))
        story.press("Enter")
        #expect(story.openBody?.text == "xy b a b a")
        #expect(story.screen.contains("1 of 2"))
        story.press("Alt+a")
        #expect(story.openBody?.text == "xy b xy b xy")
        #expect(story.state.notice == Notice(.success, "Replaced 2 matches"))
        story.press("Esc", "Ctrl+Z")
        #expect(story.openBody?.text == "xy b a b a", "one step")
    }

    @Test func `a click in the text places the cursor, and a drag selects`() throws {
        var story = Self.story()
        story.click(on: "Ada")
        #expect(story.openText == "{\n  \"name\": \"|Ada\"\n}")
        let end = try #require(story.place(of: "Ada"))
        story.perform(.mouse(.drag(Point(column: end.column + 3, row: end.row))))
        story.type("Eve")
        #expect(story.openText == "{\n  \"name\": \"Eve|\"\n}")
        story.click(on: "list users")
        #expect(story.openText == nil)
        #expect(story.state.workbench.files[0].isDirty, "a click elsewhere keeps the edit")
    }

    // MARK: Variables

    @Test func `a variable without a value is red`() throws {
        var story = Self.story(#"{ "a": "{{token}} {{nobody}} \\{{x}} {{$uuid}}" }"#)
        let surface = story.state.draw().surface
        for (text, role) in [
            ("{{token}}", Role.variable), ("{{nobody}}", .unknownVariable), ("{{x}}", .string),
            ("{{$uuid}}", .variable),
        ] {
            let point = try #require(story.place(of: text))
            #expect(surface[point.column, point.row].style.role == role, "\(text)")
        }
        story.press("Esc")
    }
}
