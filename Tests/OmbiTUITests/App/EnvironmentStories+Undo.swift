import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The cursor, and edits that are undone and redone.
extension EnvironmentStories {
    @Test func `undo and redo take the cursor to the cell that they change`() {
        var story = Story.environments()
        story.press("Right", "Enter")
        story.replace(with: "https://other.test")
        story.press("Enter")
        story.go(to: "X-Team")
        story.press("Left", "Delete")
        let steps: [(key: String, cell: String?)] = [
            ("u", "X-Team of local"), ("u", "host of live"), ("U", "host of live"), ("U", nil),
            ("u", "X-Team of local"),
        ]
        for (key, cell) in steps {
            story.press("Left", "G")
            story.press(key)
            if let cell { #expect(story.cursor == cell, "after \(key)") }
        }
    }

    @Test func `undo and redo take the cursor to an environment that comes or goes`() {
        var story = Story.environments()
        story.perform(.environments(.duplicate))
        story.press("Left", "u", "U")
        #expect(story.state.environmentPane?.environment?.name == "local copy")
        story.perform(.environments(.delete))
        story.press("y", "Right", "u")
        #expect(story.state.environmentPane?.environment?.name == "local copy")
    }

    @Test func `undo of an edit elsewhere leaves the cursor where it is`() {
        var story = Story(file: Story.shop)
        story.press("Alt+D", "E", "Tab")
        story.go(to: "X-Team")
        story.press("u")
        #expect(story.cursor == "X-Team of local")
    }
}

extension Story {
    /// The cell under the cursor.
    fileprivate var cursor: String? {
        guard let pane = state.environmentPane, let label = pane.row?.part?.label else { return nil }
        return "\(label) of \(pane.environment?.name ?? "")"
    }
}
