import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The saved messages of a WebSocket in the request pane.
@Suite struct MessageStories {
    private static let file = """
        { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://h" }],
          "items": [
            { "request": "talk", "path": "/socket", "webSocket": { "messages": [
              { "name": "hello", "text": "hello {{who}}", "x-why": "first" }, { "name": "bye", "text": "bye" } ] } },
            { "request": "plain", "path": "ws://h/socket" } ] }
        """

    private static func story(_ name: String) -> Story {
        var story = Story(file: file)
        story.choose(name)
        story.press("2", "]", "]", "g")
        return story
    }

    @Test func `x says that a WebSocket is closing, until it is closed`() {
        var story = Self.story("talk")
        let id = story.send()
        let start = RequestEvent.attemptStarted(number: 1, attempts: 1, at: .zero)
        story.receive([start, .headReceived(attempt: 1, SampleRun.head(101), at: .zero)], of: id)
        _ = story.takeEffects()
        for _ in 0..<2 {
            story.press("x")
            #expect(story.takeEffects().contains(.cancel(id)))
            #expect(story.screen.contains("Closing the WebSocket; x again does not wait"), "\(story.screen)")
        }
        story.end(id, .response(TransportResponse(statusCode: 101)))
        #expect(!story.screen.contains("Closing the WebSocket"), "\(story.screen)")
    }

    @Test func `a message that is typed while the WebSocket closes is there when it is open again`() {
        var story = Self.story("talk")
        func open() -> RunID {
            let id = story.send()
            let start = RequestEvent.attemptStarted(number: 1, attempts: 1, at: .zero)
            story.receive([start, .headReceived(attempt: 1, SampleRun.head(101), at: .zero)], of: id)
            story.perform(.run(.askForMessage))
            return id
        }
        let id = open()
        story.type("long")
        story.end(id, .response(TransportResponse(statusCode: 101)))
        story.press("Enter")
        #expect(story.topOverlay == nil)
        #expect(story.state.notice?.text.hasPrefix("Not sent: the WebSocket is closed") ?? false)
        _ = open()
        guard case .prompt(let prompt)? = story.topOverlay else {
            Issue.record("no prompt")
            return
        }
        #expect(prompt.field.text == "long")
    }

    @Test func `the messages of a WebSocket stand in the place of its body, and are edited there`() {
        var story = Self.story("talk")
        #expect(story.screen.contains("Messages 2") && story.screen.contains("hello {{who}}"), "\(story.screen)")
        // Behind the URL and the subprotocols.
        story.press("Down", "Down", "Enter")
        story.replace(with: "hi")
        story.press("Enter")
        #expect(story.request?.webSocket?.messages.map(\.text) == ["hi", "bye"])
        #expect(story.request?.webSocket?.messages.first?.unknown.entries.map(\.member.key) == ["x-why"])
        story.press("d")
        #expect(story.request?.webSocket?.messages.map(\.name) == ["bye"])
        story.press("u")
        #expect(story.request?.webSocket?.messages.map(\.text) == ["hi", "bye"])
    }

    @Test func `a message is added, also to a WebSocket that had none`() {
        for (name, count) in [("talk", 2), ("plain", 0)] {
            var story = Self.story(name)
            story.press("a")
            story.type("more")
            story.press("Enter")
            story.type("[1]")
            story.press("Enter")
            let messages = story.request?.webSocket?.messages ?? []
            #expect(messages.count == count + 1 && messages.last == SavedMessage(name: "more", text: "[1]"), "\(name)")
        }
    }

    @Test func `subprotocols are a list of names`() {
        var story = Self.story("plain")
        story.press("Down", "Enter")
        story.type("chat.v2, chat.v1")
        story.press("Enter")
        #expect(story.request?.webSocket?.subprotocols == ["chat.v2", "chat.v1"])
    }

    @Test func `a message of several lines is edited in the editor`() {
        var story = Self.story("talk")
        let id = story.request?.id ?? ItemID()
        story.press("e")
        #expect(story.takeEffects() == [])
        story.press("Down", "Down", "Down", "e")
        #expect(story.takeEffects() == [.edit(.message(id, index: 1), text: "bye", line: 1)])
        story.receive(.edited(.message(id, index: 1), text: "good\nbye\n"))
        #expect(story.request?.webSocket?.messages.map(\.text) == ["hello {{who}}", "good\nbye"])
    }
}
