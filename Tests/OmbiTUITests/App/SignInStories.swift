import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Requests that wait until their user has signed in with a browser.
@Suite struct SignInStories {
    private static let page =
        "https://id.example.com/authorize?response_type=code&client_id=ombi&redirect_uri=http%3A%2F%2F127.0.0.1%3A41234"
        + "%2Fcallback&state=5xUjOt4mBiVL8bkBfUmXf2QkVbWv0b0Q&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let signIn = SignIn(
        id: 3, url: page, completion: .redirect(to: "http://127.0.0.1:41234/callback", isListening: true))

    /// A story with a request that is sent and waits for a sign-in.
    private static func waiting(_ signIn: SignIn = signIn, columns: Int = 120, rows: Int = 34) -> Story {
        var story = Story(columns: columns, rows: rows)
        story.choose("list users")
        story.press("s")
        story.receive(.run(story.state.runs.lastID, .signIn(signIn)))
        _ = story.takeEffects()
        return story
    }

    @Test(arguments: [(120, 34), (80, 24)]) func `the response gets the keys, and shows the whole page`(
        columns: Int, rows: Int
    ) {
        var story = Self.waiting(columns: columns, rows: rows)
        #expect(story.state.focus == .response)
        #expect(story.state.scopes.first == .signIn)
        let shown = story.lines.map { line in line.filter { !$0.isWhitespace && !"│┃".contains($0) } }.joined()
        for part in ["code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8", "state=5xUj"] {
            #expect(shown.contains(part) || columns > 80, "\(story.screen)")
        }
        #expect(story.screen.contains("http://127.0.0.1:41234/callback"), "\(story.screen)")
        #expect(story.screen.contains("o open") && story.screen.contains("Enter paste"), "\(story.screen)")
        story.press("y")
        #expect(story.takeEffects() == [.copy(Self.page, named: "the URL")])
        story.press("o")
        #expect(story.takeEffects() == [.browse(Self.page)])
    }

    @Test func `an address is pasted into a prompt`() {
        var story = Self.waiting()
        story.press("Enter")
        #expect(story.screen.contains("It begins with http://127.0.0.1:41234/callback?"), "\(story.screen)")
        story.paste("x")
        story.press("Enter")
        #expect(story.screen.contains("✗ Paste all of it"), "\(story.screen)")
        story.press("Ctrl+U")
        story.paste("http://127.0.0.1:41234/callback?code=c&state=s")
        story.press("Enter")
        #expect(story.takeEffects() == [.submitRedirect("http://127.0.0.1:41234/callback?code=c&state=s", for: 3)])
        #expect(story.topOverlay == nil)
    }

    @Test func `an address that is pasted outside of a prompt is no scratch request`() {
        var story = Self.waiting()
        story.paste(" http://127.0.0.1:41234/callback?code=c&state=s\n")
        #expect(story.takeEffects() == [.submitRedirect("http://127.0.0.1:41234/callback?code=c&state=s", for: 3)])
    }

    @Test func `the table of a folder says which request waits for a sign-in, and x skips it`() throws {
        var story = Story()
        story.run("users")
        let order = try #require(story.takeOrders().first)
        story.receive(.run(order.id, .signIn(Self.signIn)))
        #expect(story.screen.contains("1 waits for a sign-in"), "\(story.screen)")
        let rows = story.lines.filter { $0.contains("list users") && $0.contains("waits for a sign-in") }
        #expect(rows.count == 1, "\(story.screen)")
        #expect(story.screen.contains("Waits until you sign in: Enter goes to the page, x skips the request"))
        let notice = "list users waits until you sign in: Enter on its row goes to the page, x skips it"
        #expect(story.state.notice?.text == notice)
        story.press("x")
        #expect(story.takeEffects().contains(.cancel(order.id)))
        story.end(order.id, .cancelled)
        #expect(story.takeOrders().map(\.request.name) == ["user by id"])
        #expect(!story.screen.contains("waits for a sign-in"), "\(story.screen)")
    }

    @Test func `Enter in the table goes to the page of a sign-in, whatever tab was open`() throws {
        var story = Story()
        story.perform(.response(.showTab(ResponseTab.history.number)))
        story.run("users")
        let order = try #require(story.takeOrders().first)
        story.receive(.run(order.id, .signIn(Self.signIn)))
        story.press("Enter")
        #expect(!story.state.batchPane.isOpen && story.state.focus == .response)
        #expect(story.state.responsePane.tab == .body && story.state.scopes.first == .signIn)
        #expect(story.screen.contains("http://127.0.0.1:41234/callback"), "\(story.screen)")
    }

    @Test func `the prompt closes when the browser came back by itself`() {
        var story = Self.waiting()
        story.press("Enter")
        story.receive(.run(story.state.runs.lastID, .signIn(nil)))
        #expect(story.topOverlay == nil)
        #expect(!story.screen.contains("id.example.com") && story.state.scopes.first != .signIn)
    }

    @Test func `who types is not disturbed`() {
        var story = Story()
        story.choose("list users")
        story.press("s")
        story.press("/")
        story.type("use")
        story.receive(.run(story.state.runs.lastID, .signIn(Self.signIn)))
        #expect(story.state.focus == .tree)
        #expect(story.state.notice?.text == "list users waits until you sign in: its response has the page")
    }

    @Test(arguments: ["3", "1"]) func `a code shows, whatever tab was open and wherever the keys go`(pane: String) {
        var story = Story(columns: 80, rows: 24)
        story.choose("list users")
        story.press("H", pane, "s")
        story.receive(.run(story.state.runs.lastID, .signIn(SignIn(url: "http://id.test/device", code: "ABCD-12"))))
        #expect(story.state.responsePane.tab == .body)
        #expect(story.state.focus == .response, "y copies the URL there")
        #expect(story.state.notice?.text == "Sign in with the code ABCD-12 at http://id.test/device")
    }

    @Test func `a code to enter needs no address`() {
        var story = Self.waiting(SignIn(url: "http://id.test/device", code: "ABCD"))
        story.press("3")
        #expect(story.screen.contains("ABCD"))
        #expect(story.screen.contains("o open") && !story.screen.contains("Enter paste"), "\(story.screen)")
        _ = story.takeEffects()
        story.press("Enter")
        #expect(story.state.notice?.text == "Enter the code on the page; the request goes on by itself")
        story.press("o")
        #expect(story.takeEffects() == [.browse("http://id.test/device")])
    }
}

/// The browser of the machine.
@Suite struct BrowserTests {
    @Test(arguments: [
        (["DISPLAY": ":0"], "xdg-open"), (["WAYLAND_DISPLAY": "w"], "xdg-open"), ([:], nil),
        (["DISPLAY": ":10", "SSH_CONNECTION": "a"], nil),
        (["BROWSER": "/opt/code/browser.sh", "SSH_TTY": "t"], "/opt/code/browser.sh"),
        (["BROWSER": "w3m %s", "DISPLAY": ":0"], "xdg-open"), (["WSL_DISTRO_NAME": "Debian"], "wslview"),
    ]) func `the program is that of the desktop, and none over SSH`(environment: [String: String], program: String?) {
        #if os(Linux)
        #expect(Browser.program(environment, isInstalled: { _ in true }) == program)
        #expect(Browser.program(["DISPLAY": ":0"], isInstalled: { _ in false }) == nil)
        #endif
    }

    @Test(arguments: [
        ("true", Notice(.success, "Opened in the browser")),
        ("false", Notice(.failure, "false failed with status 1; y copies the URL")),
        (nil, Notice(.info, "There is no browser here; y copies the URL for another one")),
    ]) func `it is said what came of it`(program: String?, notice: Notice) {
        var said: [Notice] = []
        Browser.show("http://id.test", with: program) { said.append($0) }
        #expect(said == [notice])
    }
}
