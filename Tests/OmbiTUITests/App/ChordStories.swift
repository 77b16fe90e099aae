import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Keys one after the other, and the keys that a user has chosen.
@Suite struct ChordStories {
    private static func story(_ keys: String, columns: Int = 120) -> Story {
        let settings = ConfigurationFile.read(Array("{\"keys\": \(keys)}".utf8), path: "c", PosixFileSystem())
        return Story(columns: columns, keymap: settings.keymap(over: .standard))
    }

    @Test func `a chord waits for its next key, and shows what it may be`() {
        var story = Self.story("{\"lists\": {\"top\": \"g g\", \"bottom\": \"g e\"}}")
        story.press("g")
        #expect(story.lines.last == " g …  g Go to the top  e Go to the end  Esc cancel")
        story.press("e")
        #expect(story.state.tree.current?.name == story.state.tree.rows.last?.name)
        story.press("g", "g")
        #expect(story.state.tree.current?.name == story.state.tree.rows.first?.name)
        #expect(story.state.begunKeys.isEmpty)
    }

    @Test func `Esc ends a chord, and so does a key that is none of it`() {
        var story = Self.story("{\"lists\": {\"top\": \"g g\"}}")
        story.press("g", "Esc")
        #expect(story.state.begunKeys.isEmpty && story.screen.contains("g cancelled"))
        story.press("g", "d")
        #expect(story.state.begunKeys.isEmpty && story.screen.contains("g d is not bound"))
        #expect(story.effects == [])
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `a click ends a chord`() {
        var story = Self.story("{\"lists\": {\"top\": \"g g\"}}")
        story.press("g")
        story.click(on: "3 Response")
        #expect(story.state.begunKeys.isEmpty)
    }

    @Test func `three keys are a chord, too`() {
        var story = Self.story("{\"everywhere\": {\"zoom\": \"Ctrl+X w z\"}}")
        story.press("Ctrl+X", "w")
        #expect(!story.state.isZoomed && story.lines.last?.hasPrefix(" Ctrl+X w …") ?? false)
        story.press("z")
        #expect(story.state.isZoomed)
    }

    @Test func `chords of a pane and of all panes begin alike`() {
        var story = Self.story("{\"preset\": \"vim\"}")
        story.press("2", "g")
        #expect(story.lines.last?.contains("t tab") ?? false)
        #expect(story.lines.last?.contains("g Go to the top") ?? false)
        story.press("t")
        #expect(story.state.requestPane.tab != RequestTab.allCases.first)
    }

    @Test func `what is typed into a field is no chord`() {
        var story = Self.story("{\"preset\": \"vim\"}")
        story.press("/")
        story.type("gg")
        #expect(story.state.begunKeys.isEmpty)
        #expect(story.state.tree.search != nil)
    }

    @Test func `key line, help and palette name the user's keys`() {
        var story = Self.story("{\"everywhere\": {\"send\": \"Ctrl+X s\"}, \"requests\": {\"addRequest\": null}}")
        #expect(story.lines.last?.hasPrefix(" Ctrl+X s send") ?? false)
        #expect(!(story.lines.last?.contains("add") ?? true))
        story.press(":")
        story.type("Send the")
        #expect(story.screen.contains("Ctrl+X s"))
        story.press("Esc", "?")
        story.press("/")
        story.type("send the request")
        #expect(story.screen.contains("Ctrl+X s"))
    }

    @Test func `a key that was taken away does nothing, and says so`() {
        var story = Self.story("{\"requests\": {\"delete\": null}}")
        story.perform(.app(.unbound(Key(.character("d")))))
        #expect(story.state.notice?.text.contains("in Request: Delete the row") ?? false)
    }
}
