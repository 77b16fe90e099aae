import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// What `y` copies, and what `Y` offers: each named in the effect, for the message.
@Suite struct CopyStories {
    private static let file = """
        {
          "version": 1, "name": "demo",
          "environments": [
            { "name": "local", "host": "http://127.0.0.1:8765", "additionalHeaders": { "Authorization": "Bearer {{t}}" } }
          ],
          "items": [
            { "folder": "users", "items": [
              {
                "request": "create", "method": "POST", "path": "/users", "query": [{ "name": "q", "value": "a b" }],
                "headers": [{ "name": "Accept", "value": "text/plain" }, { "name": "X-Api-Key", "value": "hunter2" }],
                "authentication": { "basic": { "username": "ada", "password": "{{p}}" } },
                "body": { "json": { "name": "Ada" } }
              }
            ] }
          ]
        }
        """

    private static func story() -> Story {
        var story = Story(file: file)
        story.choose("create")
        return story
    }

    /// Copies what the list offers under a name.
    private static func choose(_ name: String, in story: inout Story) -> [Effect] {
        _ = story.takeEffects()
        story.press("Y")
        guard case .picker(let picker) = story.topOverlay,
            let item = picker.shown.first(where: { $0.name == name })
        else {
            Issue.record("there is no \(name):\n\(story.screen)")
            return []
        }
        story.press("Esc")
        story.perform(item.action)
        return story.takeEffects()
    }

    @Test func `y in the requests copies the URL, and the name of a folder`() {
        var story = Self.story()
        story.press("y")
        #expect(story.takeEffects() == [.copy("http://127.0.0.1:8765/users?q=a%20b", named: "URL")])
        story.press("Up", "y")
        #expect(story.takeEffects() == [.copy("users", named: "the name")])
    }

    @Test func `y in the request copies the row under the cursor as it shows`() {
        var story = Self.story()
        story.press("2", "g", "y", "Down", "y")
        #expect(
            story.takeEffects() == [
                .copy("http://127.0.0.1:8765/users?q=a%20b", named: "URL"), .copy("q=a b", named: "parameter q"),
            ])
        story.press("]", "y", "Down", "y")
        #expect(
            story.takeEffects() == [
                .copy("Accept: text/plain", named: "header Accept"),
                .copy("X-Api-Key: ••••••", named: "header X-Api-Key"),
            ])
        story.press("]", "Down", "y")
        #expect(story.takeEffects() == [.copy("  \"name\": \"Ada\"", named: "line 2 of the body")])
        story.press("]", "Down", "y")
        #expect(story.takeEffects() == [.copy("ada", named: "username")])
        story.press("]", "y")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice == Notice(.info, "Nothing to copy in this row"))
    }

    @Test func `Y in the request offers the parts of the row and the request in all forms`() {
        var story = Self.story()
        story.press("2", "]")
        #expect(Self.choose("the value of Accept", in: &story) == [.copy("text/plain", named: "the value of Accept")])
        #expect(
            Self.choose("all request headers", in: &story)
                == [.copy("Accept: text/plain\nX-Api-Key: ••••••", named: "all request headers")])
        #expect(Self.choose("request body", in: &story) == [.copy("{\n  \"name\": \"Ada\"\n}", named: "request body")])
        #expect(Self.choose("code", in: &story).isEmpty)
        guard case .picker(let codes)? = story.topOverlay else {
            Issue.record("there is no list of code:\n\(story.screen)")
            return
        }
        #expect(codes.shown.map(\.name) == Exporter.all.map(\.title))
        story.press("Esc")
        for item in codes.shown where item.name != "curl" {
            story.perform(item.action)
            guard case .copy(let code, item.name)? = story.takeEffects().first else {
                Issue.record("\(item.name) was not copied")
                continue
            }
            #expect(code.contains("/users?q=a%20b") || ["Swift", "OpenAPI"].contains(item.name), "\(code)")
            #expect(!code.contains("hunter2"), "\(code)")
        }
        guard case .copyCurl(let order, true)? = Self.choose("curl, filled in with its secrets", in: &story).first
        else {
            Issue.record("nothing was copied")
            return
        }
        #expect(order.request.name == "create")
    }

    @Test func `headers of a response are copied one by one and together`() {
        var story = Self.story()
        story.finish(story.send())
        story.press("3", "]", "y", "Down", "y")
        #expect(
            story.takeEffects().suffix(2) == [
                .copy("Content-Type: application/json", named: "header Content-Type"),
                .copy("Content-Length: 65", named: "header Content-Length"),
            ])
        #expect(
            Self.choose("the value of Content-Length", in: &story) == [
                .copy("65", named: "the value of Content-Length")
            ])
        #expect(
            Self.choose("all response headers", in: &story)
                == [.copy("Content-Type: application/json\nContent-Length: 65", named: "all response headers")])
    }

    @Test func `values, paths and rows of a body are copied by their names`() {
        var story = Self.story()
        story.finish(story.send())
        story.press("3", "Down", "Down")
        #expect(Self.choose("$.name", in: &story) == [.copy("Ada", named: "$.name")])
        #expect(Self.choose("the path", in: &story) == [.copy("$.name", named: "the path $.name")])
        #expect(Self.choose("curl", in: &story).count == 1)
        story.command("Copy the whole body")
        guard case .copy(let body, "the body")? = story.takeEffects().first else {
            Issue.record("the body was not copied")
            return
        }
        #expect(body.hasPrefix("{\"id\":42"))
    }

    @Test func `what was sent is copied row by row, and the body as it went out`() {
        var story = Self.story()
        let id = story.send()
        var sent = SampleRun.sent
        sent.headers.append(.init(name: "Content-Type", value: "application/json"))
        sent.body = "{\"name\":\"Ada\"}"
        story.receive(.run(id, .prepared(sent)))
        story.press("3", "[", "y", "Down", "Down", "y")
        #expect(
            story.takeEffects().suffix(2) == [
                .copy("http://127.0.0.1:8765/users/42?expand=orders", named: "the URL as sent"),
                .copy("Authorization: Bearer ••••••", named: "header Authorization"),
            ])
        #expect(Self.choose("the body as sent", in: &story) == [.copy("{\"name\":\"Ada\"}", named: "the body as sent")])
        story.click(on: "\"name\": \"Ada\"")
        story.press("y")
        #expect(story.takeEffects() == [.copy("\"name\": \"Ada\"", named: "the line")], "laid out for reading")
    }

    @Test func `the body that was sent has its colours`() throws {
        var story = Self.story()
        let id = story.send()
        var sent = SampleRun.sent
        sent.headers.append(.init(name: "Content-Type", value: "application/json; charset=utf-8"))
        sent.body = "{\"name\":12}"
        story.receive(.run(id, .prepared(sent)))
        story.press("3", "[")
        let place = try #require(story.place(of: "\"name\": 12"))
        let surface = story.state.draw().surface
        #expect(surface[place.column, place.row].style.role == .key)
        #expect(surface[place.column + 8, place.row].style.role == .number)
    }
}
