import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The cookies of a request, in the tab of its headers.
@Suite struct CookieRowStories {
    @Test func `a cookie is added, and its value is masked`() {
        var story = Story.inRequest()
        story.command("Add a cookie to the request")
        #expect(story.state.requestPane.tab == .headers)
        story.type("sid")
        story.press("Enter")
        story.type("abc123")
        story.press("Enter")
        #expect(story.request?.cookies == [Field("sid", "abc123")])
        #expect(story.screen.contains("sid") && story.screen.contains("cookie"), "\(story.screen)")
        #expect(!story.screen.contains("abc123"), "\(story.screen)")
        story.press("Space")
        #expect(story.request?.cookies == [Field("sid", "abc123", enabled: false)])
        story.press("d")
        #expect(story.request?.cookies == [])
    }

    @Test func `a name that would end itself is refused`() {
        var story = Story.inRequest()
        story.command("Add a cookie to the request")
        story.type("a=b")
        story.press("Enter")
        #expect(story.state.notice?.text.contains("a = would end the name of the cookie") == true)
        #expect(story.request?.cookies.contains { $0.name == "a=b" } != true)
    }
}
