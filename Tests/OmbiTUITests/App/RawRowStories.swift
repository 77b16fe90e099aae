import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// A row of the query that is sent as it is written, on the screen.
@Suite struct RawRowStories {
    @Test func `a row is sent as it is written, says so, and is encoded again`() {
        var story = Story.inRequest()
        story.press("Down", "Down")
        story.command("Toggle sending the row as it is written")
        #expect(story.request?.query == [Field.raw("expand", "orders")])
        #expect(story.screen.contains("orders  raw"), "\(story.screen)")
        story.press("u")
        #expect(story.request?.query == [Field("expand", "orders")])
        story.command("Toggle sending the row as it is written")
        story.command("Toggle sending the row as it is written")
        #expect(story.request?.query == [Field("expand", "orders")])
        #expect(!story.screen.contains("orders  raw"), "\(story.screen)")
    }

    @Test func `other rows cannot be sent so`() {
        var story = Story.inRequest(tab: .headers)
        story.command("Toggle sending the row as it is written")
        #expect(story.state.notice?.text == "Only a row of the query can be sent as it is written; select one first")
    }
}
