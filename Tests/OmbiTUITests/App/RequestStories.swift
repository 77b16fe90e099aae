import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Editing a request in its pane: keys in, the request out.
@Suite struct RequestStories {
    // MARK: The URL

    @Test(arguments: [
        ("/a?page=2", "Moved 1 query parameter to Params; page is there more than once now, and each is sent"),
        ("/a?x=2#top", "Moved 1 query parameter to Params; the #fragment is not sent"),
        ("/a#top", "The #fragment is not sent"),
    ])
    func `what a pasted URL leaves behind is told`(url: String, told: String) {
        let file = Story.file.replacing(
            "\"path\": \"/users\" }",
            with: "\"path\": \"/users\", \"query\": [{ \"name\": \"page\", \"value\": \"1\" }] }")
        var story = Story(file: file)
        story.choose("list users")
        story.press("2", "g", "Enter")
        story.replace(with: url)
        story.press("Enter")
        #expect(story.state.notice == Notice(.warning, told))
    }

    @Test(arguments: [
        ("POST /a?x=1", "POST", "/a"), ("delete  {{host}}/a", "DELETE", "{{host}}/a"),
        ("Put https://a.test/b", "PUT", "https://a.test/b"), ("/post /a", "GET", "/post /a"),
        ("POST a", "GET", "/POST a"), ("POST localhost:80/a", "POST", "http://localhost:80/a"),
    ])
    func `a method before the URL is taken as such`(typed: String, method: String, path: String) {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.replace(with: typed)
        story.press("Enter")
        #expect(story.request?.method.rawValue == method && story.request?.path == path)
        story.press("u")
        #expect(story.request?.method.rawValue == "GET" && story.request?.path == "/users")
    }

    @Test func `a method is taken as such behind the slash of a new request, too`() {
        var story = Story.inRequest("list users")
        story.press("1", "a")
        story.type("log in")
        story.press("Enter")
        story.type("POST /auth/login")
        story.press("Enter")
        #expect(story.request?.method == .post && story.request?.path == "/auth/login")
    }

    @Test func `the query of a pasted URL becomes rows, decoded`() {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.press("Ctrl+U")
        story.paste("{{host}}/search?q=a%20b%2Bc&empty=&typed=a b/Zoë#part")
        story.press("Enter")
        #expect(story.request?.path == "{{host}}/search")
        #expect(
            story.request?.query == [
                Field("q", "a b+c"), Field("empty", ""), Field("typed", "a b/Zoë"),
            ])
        #expect(story.formRows.map(\.name) == ["q", "empty", "typed"])
    }

    @Test func `a template in the query of a pasted URL stays as it is`() {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.replace(with: "/search?from={{$date('+7d')}}%20x&q={{a}}/")
        story.press("Enter")
        #expect(story.request?.query == [Field("from", "{{$date('+7d')}} x"), Field("q", "{{a}}/")])
    }

    @Test(arguments: ["%", "%zz", "100%"]) func `what is no escape stays as it is`(text: String) {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.paste("?a=" + text)
        story.press("Enter")
        #expect(story.request?.query == [Field("a", text)])
    }

    @Test(arguments: [
        "/users?=z", "/users?a=1&=2", "http://a.test/?=", "/users?", "/users?acl", "/users?a=1&", "/users?a+b=1",
        "/users?a=b+c", "/users?sig=%2f%2B", "/users?x=1=2", "/users?path=a%2Fb", "/users?a={{a}}+c",
    ])
    func `a query that rows would send in other bytes stays in the URL`(url: String) {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.replace(with: url)
        story.press("Enter")
        #expect(story.request?.path == url && story.request?.query == [])
    }

    @Test func `rows for path parameters follow the path`() {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.replace(with: "/a/:first.json/:b_2/:first/x:no/:?z=/:q")
        story.press("Enter")
        #expect(story.formRows.map(\.name) == [":first", ":b_2", "z"])
        story.press("Down", "Enter")
        story.type("1 2")
        story.press("Enter")
        #expect(story.request?.pathParameters == [Field("first", "1 2")])
    }

    @Test func `a value whose name left the path stays to be seen, and can be deleted`() {
        var story = Story.inRequest()
        story.press("Enter")
        story.replace(with: "/users/:uid")
        story.press("Enter")
        #expect(story.formRows[...1].map(\.name) == [":uid", ":id"])
        #expect(story.formRows[1].note == "not in the path")
        story.press("Down", "Down", "d")
        #expect(story.request?.pathParameters == [])
        story.press("u")
        #expect(story.request?.pathParameters == [Field("id", "42")])
    }

    // MARK: The URL

    @Test(arguments: [
        ("users", "/users"), ("/users", "/users"), ("https://127.0.0.1/x", "https://127.0.0.1/x"),
        ("go?to=https://127.0.0.1", "/go"),
    ])
    func `the URL of a new request has one slash, typed or not`(typed: String, path: String) {
        var story = Story()
        story.press("a")
        story.type("new")
        story.press("Enter")
        story.type(typed)
        story.press("Enter")
        #expect(story.request?.path == path)
    }

    // MARK: Rows

    @Test func `a new row asks for its name and then for its value`() {
        var story = Story.inRequest(tab: .headers)
        story.press("a")
        #expect(story.openField == "")
        story.type("X-Debug")
        story.press("Enter")
        #expect(story.openField == "", "the value")
        story.type("1")
        story.press("Enter")
        #expect(story.openField == nil)
        #expect(story.request?.headers == [Field("X-Debug", "1")])
    }

    @Test(arguments: ["Enter", "Tab"]) func `a new row is one step to undo, with its name and its value`(key: String) {
        var story = Story.inRequest("list users")
        story.press("a")
        story.type("page")
        story.press(key)
        story.type("1")
        story.press("Enter")
        #expect(story.state.workbench.undoCount == 1)
        story.press("u")
        #expect(story.request?.query == [] && !story.state.workbench.files[0].isDirty)
        story.press("U")
        #expect(story.request?.query == [Field("page", "1")])
        story.press("g", "Down", "Enter")
        story.replace(with: "2")
        story.press("Enter")
        #expect(story.state.workbench.undoCount == 2, "another value is another step")
    }

    @Test func `Tab goes from the name to the value`() {
        var story = Story.inRequest("list users")
        story.press("a")
        story.type("page")
        story.press("Tab")
        story.type("2")
        story.press("Enter")
        #expect(story.openField == nil)
        #expect(story.request?.query == [Field("page", "2")])
    }

    @Test(arguments: [["Esc"], ["Enter"], ["Tab"], ["x", "Esc", "Esc"]])
    func `a row that got no name goes away and leaves nothing to undo`(keys: [String]) {
        var story = Story.inRequest(tab: .headers)
        story.press("a")
        for key in keys { story.press(key) }
        #expect(story.request?.headers == [])
        #expect(!story.state.workbench.files[0].isDirty)
        #expect(story.state.workbench.undoCount == 0)
    }

    @Test func `a value is edited, switched off and deleted`() {
        var story = Story.inRequest()
        story.press("Down", "Down", "Enter")
        #expect(story.openField == "orders")
        story.replace(with: "none")
        story.press("Enter", "Space")
        #expect(story.request?.query == [Field("expand", "none", enabled: false)])
        story.press("Space", "d")
        #expect(story.request?.query == [])
        #expect(story.state.notice?.text == "Deleted; u brings it back")
        story.press("u")
        #expect(story.request?.query == [Field("expand", "none")])
    }

    @Test(arguments: [RequestTab.body, .auth, .policy, .about]) func `rows are added where there are rows`(
        tab: RequestTab
    ) {
        var story = Story.inRequest(tab: tab)
        story.press("a")
        #expect(story.state.notice?.kind == .info)
        #expect(story.openField == nil)
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `what comes from the environment is edited there`() {
        var story = Story.inRequest(tab: .headers)
        story.press("Down", "Enter")
        #expect(story.openField == nil)
        #expect(story.state.environmentPane != nil)
        story.perform(.environments(.close))
        for (key, action) in [("d", "delete"), ("Space", "toggle")] {
            story.press(key)
            #expect(story.state.notice?.text == "There is nothing to \(action) in this row")
        }
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `Esc cancels what was typed`() {
        var story = Story.inRequest()
        story.press("Down", "Enter")
        story.type("7")
        story.press("Esc")
        #expect(story.request?.pathParameters == [Field("id", "42")])
        story.press("Esc")
        #expect(story.state.focus == .request)
    }

    @Test func `a name cannot be deleted`() {
        var story = Story.inRequest(tab: .about)
        story.press("Down", "d")
        #expect(story.request?.name == "user by id")
        #expect(story.state.notice?.text == "There is nothing to delete in this row")
        story.press("Up", "d")
        #expect(story.state.notice?.text == "There is nothing to delete in this row", "nor the URL")
        story.press("Down", "Enter")
        story.replace(with: "  ")
        story.press("Enter")
        #expect(story.state.notice == Notice(.failure, "a request needs a name"))
        story.replace(with: " by id ")
        story.press("Enter")
        #expect(story.request?.name == "by id")
    }

    // MARK: Refusals

    struct Refusal: Sendable {
        var tab: RequestTab
        var row: Int
        var text: String
        var notice: String
    }

    private static let refusals = [
        Refusal(tab: .policy, row: 1, text: "many", notice: "expected a whole number from 0 to 1000, for example 3"),
        Refusal(tab: .policy, row: 1, text: "1001", notice: "expected a whole number from 0 to 1000, for example 3"),
        Refusal(tab: .policy, row: 2, text: "2 weeks", notice: "\"2 weeks\" is not a duration; " + DurationText.form),
        Refusal(tab: .policy, row: 3, text: "0s", notice: "\"0s\" is not a duration; " + DurationText.form),
        Refusal(tab: .policy, row: 5, text: "2", notice: "set \"backoff first\" before, for example to 250ms"),
        Refusal(
            tab: .policy, row: 7, text: "5xx, 9",
            notice: "\"9\": expected connection, timeout, or a status such as 5xx or 429"),
        Refusal(tab: .expect, row: 1, text: "ok", notice: "\"ok\": expected a status such as 200 or 2xx"),
        Refusal(tab: .expect, row: 2, text: "fast", notice: "\"fast\" is not a duration; " + DurationText.form),
    ]

    @Test(arguments: refusals) func `a refused text keeps its field open and says why`(refusal: Refusal) {
        var story = Story.inRequest("list users", tab: refusal.tab)
        story.press("Down", times: refusal.row)
        story.press("Enter")
        story.type(refusal.text)
        story.press("Enter")
        #expect(story.openField == refusal.text)
        #expect(story.state.notice == Notice(.failure, refusal.notice))
        #expect(!story.state.workbench.files[0].isDirty)
        story.press("Esc")
        #expect(story.openField == nil)
    }

    @Test func `a click beside a refused text keeps the field open`() {
        var story = Story.inRequest("list users", tab: .policy)
        story.press("Down", "Enter")
        story.type("many")
        story.click(on: "create user")
        #expect(story.openField == "many")
        #expect(story.state.focus == .request)
        #expect(story.state.notice?.kind == .failure)
    }

    @Test func `a click elsewhere keeps what was typed`() {
        var story = Story.inRequest(tab: .headers)
        story.press("a")
        story.type("X-A")
        story.click(on: "create user")
        #expect(story.openField == nil)
        #expect(story.request?.name == "create user")
        story.press("Up")
        #expect(story.request?.headers == [Field("X-A", "")])
    }

    @Test(arguments: ["a b", "a:b", "ä", "a\u{7F}", "a{", "{{a}} b"])
    func `a header name is a token`(name: String) {
        var story = Story.inRequest(tab: .headers)
        story.press("a")
        story.paste(name)
        story.press("Enter")
        #expect(story.openField == name)
        #expect(story.state.notice?.text == HeaderCheck.nameForm)
    }

    @Test func `a header name may hold templates`() {
        var story = Story.inRequest(tab: .headers)
        story.press("a")
        story.type("X-{{region}}")
        story.press("Enter", "Esc")
        #expect(story.request?.headers.map(\.name) == ["X-{{region}}"])
    }

    // MARK: Policy and expectation

    @Test func `policy fields are set, and empty ones take the default again`() {
        var story = Story.inRequest("list users", tab: .policy)
        for text in ["2", "3s", "800ms", "250ms", "1.5", "0.2", "connection, 5xx"] {
            story.press("Down", "Enter")
            story.replace(with: text)
            story.press("Enter")
        }
        let request = story.request
        #expect(request?.policy?.retries == 2)
        #expect(request?.policy?.sla == .seconds(3))
        #expect(request?.policy?.timeout == .milliseconds(800))
        #expect(request?.policy?.backoff == Backoff(first: .milliseconds(250), factor: 1.5, jitter: 0.2))
        #expect(request?.policy?.retryOn == [.connection, .status(.hundreds(5))])
        for _ in 0..<7 {
            story.press("d", "Up")
        }
        #expect(story.request?.policy == nil)
        #expect(!story.state.workbench.files[0].isDirty, "the file says the same again")
    }

    @Test func `a setting shows as it is written in the file`() {
        var story = Story.inRequest("list users", tab: .policy)
        let texts = ["2", "90s", "1m", "250ms", "1.25", "0.125"]
        for text in texts {
            story.press("Down", "Enter")
            story.replace(with: text)
            story.press("Enter")
        }
        #expect(story.formRows.prefix(texts.count).map(\.value) == texts)
    }

    @Test func `a default shows where the request says nothing`() {
        let rows = Story.inRequest("list users", tab: .policy).formRows
        #expect(rows[0].note == "0 (default)")
        #expect(rows[1].note == "1m (default)")
        #expect(rows[2].note == "30s (default)")
        #expect(rows[3].note == "none (default)")
    }

    // MARK: Body

    @Test func `the text of a body is parsed when it is left`() {
        var story = Story.inRequest("create user", tab: .body)
        story.press("Down", "Down", "Down", "Enter")
        story.press("End", "Left")
        story.type("!")
        story.press("Esc")
        #expect(story.request?.body == .json(JSONContent(.object([.init("name", .string("Ada!"))]))))
        story.press("u")
        #expect(story.request?.body == .json(JSONContent(.object([.init("name", .string("Ada"))]))))
    }

    @Test func `a body that is no JSON is kept as text and says where it is wrong`() {
        var story = Story.inRequest("create user", tab: .body)
        story.press("Down", "Down", "Enter", "End", "Enter")
        story.type("oops")
        story.press("Esc")
        let text = TextContent("{\n  oops\n  \"name\": \"Ada\"\n}", contentType: "application/json")
        #expect(story.request?.body == .text(text))
        #expect(story.state.notice?.kind == .warning)
        #expect(story.state.notice?.text.hasPrefix("Kept as text, not JSON yet: line 2, column ") ?? false)
        story.press("Enter", "Ctrl+K", "Backspace", "Esc")
        #expect(story.request?.body?.kind == .json, "once it is right, it is JSON again")
    }

    @Test func `a body that was only looked at stays as it is`() {
        var story = Story.inRequest("create user", tab: .body)
        story.press("Down", "Down", "Enter", "Esc")
        #expect(!story.state.workbench.files[0].isDirty)
        #expect(story.state.workbench.undoCount == 0)
    }

    @Test(arguments: ["none", "text", "form"]) func `the kind of a body is picked`(kind: String) {
        var story = Story.inRequest("create user", tab: .body)
        story.press("Down", "Enter")
        story.type(kind)
        story.press("Enter")
        #expect(story.request?.body?.kind.rawValue ?? "none" == kind)
        story.press("g", "Down", "Enter")
        story.type("json")
        story.press("Enter")
        #expect(story.request?.body?.kind == .json)
    }

    @Test func `JSON keeps its text when it becomes text, and back`() {
        var story = Story.inRequest("create user", tab: .body)
        let before = story.request?.body
        for kind in ["text", "json"] {
            story.press("g", "Down", "Enter")
            story.type(kind)
            story.press("Enter")
        }
        #expect(story.request?.body == before)
    }

    @Test func `a form has rows`() {
        var story = Story.inRequest("list users", tab: .body)
        story.press("Down", "Enter")
        story.type("form")
        story.press("Enter", "a")
        story.type("user")
        story.press("Enter")
        story.type("ada")
        story.press("Enter")
        #expect(story.request?.body == .form(FormContent([Field("user", "ada")])))
        _ = story.takeEffects()
        story.press("e")
        #expect(story.takeEffects().isEmpty, "the rows are not offered to the editor as an empty text")
    }

    // MARK: The method

    @Test func `the method is a key of the row of the URL`() {
        var story = Story.inRequest()
        story.press("g")
        #expect(story.screen.contains("Space method") && !story.screen.contains("Space toggle"), "\(story.screen)")
        story.press("Down")
        #expect(!story.screen.contains("Space method"), "\(story.screen)")
    }

    @Test func `the method is picked`() {
        var story = Story.inRequest()
        story.press("Space")
        story.type("del")
        story.press("Enter")
        #expect(story.request?.method == .delete)
        #expect(story.state.tree.current?.method == .delete)
    }

    // MARK: The external editor

    @Test func `the editor gets the body, and an unchanged text changes nothing`() {
        var story = Story.inRequest("create user", tab: .body)
        let id = story.request?.id ?? ItemID()
        let text = story.request?.bodyText ?? ""
        story.press("e")
        #expect(story.takeEffects() == [.edit(.body(id), text: text, line: 1)])
        story.receive(.edited(.body(id), text: text))
        #expect(!story.state.workbench.files[0].isDirty)
        story.receive(.edited(.body(id), text: "[1]"))
        #expect(story.request?.body == .json(JSONContent(.array([.number("1")]))))
        story.receive(.edited(.body(id), text: "["))
        #expect(story.state.notice?.kind == .warning)
    }

    @Test func `a request without a body keeps none when the editor leaves nothing`() {
        var story = Story.inRequest("list users", tab: .body)
        story.press("e")
        story.receive(.edited(.body(story.request?.id ?? ItemID()), text: ""))
        #expect(story.request?.body == nil)
    }

    @Test func `headers go to the editor as lines and come back`() {
        var story = Story.inRequest(tab: .headers)
        let id = story.request?.id ?? ItemID()
        story.receive(.edited(.headers(id), text: "Accept: a/b\n# X-Off:  1: 2 \n\n"))
        #expect(story.request?.headers == [Field("Accept", "a/b"), Field("X-Off", "1: 2 ", enabled: false)])
        story.press("e")
        #expect(story.takeEffects() == [.edit(.headers(id), text: "Accept: a/b\n# X-Off: 1: 2 \n", line: 1)])
        story.receive(.edited(.headers(id), text: "Accept a/b"))
        #expect(story.state.notice?.text == "line 1 is not of the form \"Name: value\"; the headers stay as they were")
        #expect(story.request?.headers.count == 2)
    }

    @Test func `a failing editor says why`() {
        var story = Story()
        story.receive(.editorFailed("vi ended with status 1"))
        #expect(story.state.notice == Notice(.failure, "vi ended with status 1"))
    }
}
