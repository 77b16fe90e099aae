import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Requests that come and go as commands of curl.
@Suite struct CurlStories {
    @Test func `a pasted curl command is opened as a scratch request, and undo removes it`() {
        var story = Story()
        story.paste("curl -X PUT https://api.test/v1/things/42 \\\n  --json '{\"a\":1}'\n")
        #expect(story.state.tree.current?.name == "things 42")
        #expect(story.treeNames[...1] == ["Scratch", "  things 42"] && story.state.focus == .request)
        #expect(story.request?.method == .put && story.request?.path == "https://api.test/v1/things/42")
        #expect(story.request?.body?.kind == .json)
        #expect(
            story.state.notice == Notice(.success, "Opened things 42 as a scratch request; w saves to a collection"))
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        story.press("u")
        #expect(story.treeNames.count == 5 && story.state.workbench.dirtyFiles.isEmpty)
    }

    @Test func `a pasted URL is opened as it is`() {
        var story = Story()
        story.press("3")
        story.paste(" http://127.0.0.1:8765/users/7?expand=orders\n")
        #expect(story.request?.path == "http://127.0.0.1:8765/users/7")
        #expect(story.request?.query == [Field("expand", "orders")])
        #expect(story.request?.name == "users 7")
        story.paste("https://other.test/{a}")
        #expect(story.request?.path == "https://other.test/{a}")
    }

    @Test(arguments: ["shop.har", "~/my files/shop.postman_collection.json"])
    func `the path of a file is not taken for a host, and opens`(path: String) {
        var story = Story()
        story.press("Ctrl+O")
        story.type(path)
        story.press("Enter")
        #expect(story.takeEffects() == [.open(path: path)])
        story.paste(path + "\n")
        #expect(story.takeEffects() == [.open(path: path)])
        #expect(story.treeNames.count == 5)
    }

    @Test(arguments: [
        ("hello", "Write a URL, a curl command or the path"), ("https://a.test and", "Write a URL, a curl command"),
        ("curl 'https://a.test", "Curl, line 1, column 6"), ("/tmp/nothing", "Write a URL, a curl command"),
        ("  ", "Type it, or Esc goes back"),
    ])
    func `a text that opens nothing stays in its field, where no letter is a command`(text: String, problem: String) {
        var story = Story()
        story.press("Ctrl+O")
        story.type(text)
        story.press("Enter")
        #expect(story.screen.contains(problem), "\(story.screen)")
        story.type("d")
        #expect(story.topOverlay != nil && story.treeNames.count == 5)
        story.paste("two\nlines")
        #expect(story.topOverlay != nil, "\(story.screen)")
        story.replace(with: "https://a.test/x")
        story.press("Enter")
        #expect(story.topOverlay == nil && story.request?.path == "https://a.test/x")
    }

    @Test func `several commands are one edit`() {
        var story = Story()
        story.paste("curl https://a.test/1; curl https://a.test/2")
        #expect(story.treeNames.prefix(3) == ["Scratch", "  1", "  2"])
        #expect(story.state.notice?.text == "Opened 2 scratch requests; w saves to a collection")
        story.press("u")
        #expect(story.treeNames.count == 5)
    }

    @Test func `what a command loses is said`() {
        var story = Story()
        story.paste("curl -k --proxy1.0 proxy:1 https://a.test/x")
        #expect(
            story.state.notice
                == Notice(
                    .warning,
                    "Opened x as a scratch request; w saves to a collection. -k: certificates are verified; set verifyTLS: false in its environment; "
                        + "L shows 1 more note"))
        story.press("L")
        #expect(story.screen.contains("--proxy1.0: write the proxy as a URL in Connection"), "\(story.screen)")
    }

    @Test func `a copied command with a comment is taken as a command again`() {
        var story = Story()
        story.paste("# the part a=b is left out: in curl a name ends at its first =\n\ncurl https://a.test/x -F c=d\n")
        #expect(story.treeNames.contains("  x") && story.request?.path == "https://a.test/x")
    }

    @Test(arguments: [
        ("curl 'https://a.test", "curl, line 1, column 6: the ' is not closed", Notice.Kind.failure),
        ("anything else", "Only a URL or a curl command can be pasted here", .info),
        ("https://a.test and more", "Only a URL or a curl command can be pasted here", .info),
    ])
    func `other text changes nothing`(text: String, message: String, kind: Notice.Kind) {
        var story = Story()
        story.paste(text)
        #expect(story.state.notice == Notice(kind, message))
        #expect(story.treeNames.count == 5)
    }

    @Test func `beside a file that cannot be read a paste is opened, too`() {
        var story = Story(file: "{ oops")
        story.paste("curl https://a.test/x")
        #expect(story.treeNames == ["Scratch", "  x", "demo.json"] && story.request?.path == "https://a.test/x")
    }

    @Test func `a paste into an open question or help changes nothing`() {
        var story = Story()
        story.press("?")
        story.paste("curl https://a.test/x")
        #expect(story.treeNames.count == 5)
    }

    @Test func `a curl command pasted into the URL replaces the request, but for its name`() {
        var story = Story()
        story.press("Right", "Enter")
        story.paste("curl -X POST https://a.test/v1/things -H 'X-A: 1' -d a=1")
        #expect(story.openField == nil)
        #expect(story.request?.name == "list users" && story.request?.method == .post)
        #expect(story.request?.path == "https://a.test/v1/things")
        #expect(story.request?.headers == [Field("X-A", "1")])
        #expect(story.request?.body == .form(FormContent([Field("a", "1")])))
        story.press("u")
        #expect(story.request?.path == "/users" && story.request?.method == .get)
    }

    @Test func `a pasted command with a mistake leaves the field as it is`() {
        var story = Story()
        story.press("Right", "Enter")
        story.paste("curl 'https://a.test")
        #expect(story.openField == "/users" && story.state.notice?.kind == .failure)
    }

    @Test func `a typed curl command does the same, and one with a mistake stays in the field`() {
        var story = Story()
        story.press("Right", "Enter")
        story.replace(with: "curl 'https://a.test")
        story.press("Enter")
        #expect(story.openField == "curl 'https://a.test")
        #expect(story.state.notice == Notice(.failure, "curl, line 1, column 6: the ' is not closed"))
        story.type("'")
        story.press("Enter")
        #expect(story.openField == nil && story.request?.path == "https://a.test")
    }

    @Test func `a URL with a space is remarked on`() {
        var story = Story()
        story.press("Right", "Enter")
        story.replace(with: "/not a path")
        story.press("Enter")
        #expect(story.state.notice == Notice(.warning, "A space is sent as %20"))
    }

    @Test func `Y copies the URL, or the command of curl`() throws {
        var story = Story()
        story.press("Y", "Enter")
        #expect(story.takeEffects() == [.copy("http://127.0.0.1:8765/users", named: "URL")])
        story.press("Down", "Y", "Enter")
        #expect(story.takeEffects() == [.copy("http://127.0.0.1:8765/users/42?expand=orders", named: "URL")])
        story.press("Up", "Right", "Y", "Down", "Enter")
        guard case .copy(let text, "curl")? = story.takeEffects().first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(text == "curl http://127.0.0.1:8765/users \\\n  -H 'Authorization: Bearer {{token}}' \\\n  -L")
        story.press("Y", "Down", "Down", "Enter")
        guard case .copyCurl(let order, false)? = story.takeEffects().first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(order.request.name == "list users" && order.environment == "local")
    }
}
