import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Kinds of bodies and of authentication, and their fields.
@Suite struct KindStories {
    @Test func `the kinds of authentication have their own fields`() {
        var story = Story.inRequest(tab: .auth)
        #expect(story.formRows.map(\.name) == ["kind", "Authorization"])
        story.press("Down", "Enter")
        story.type("basic")
        story.press("Enter")
        #expect(story.screen.contains("empty; a value, or {{NAME}} of a secret"), "\(story.screen)")
        story.press("Enter")
        story.type("ada")
        story.press("Enter")
        story.type("{{password}}")
        story.press("Enter")
        #expect(!story.screen.contains("empty; a value"), "\(story.screen)")
        #expect(story.request?.authentication == .basic(BasicAuthentication(username: "ada", password: "{{password}}")))
        story.press("g", "Down", "Enter")
        story.type("bearer")
        story.press("Enter", "Enter")
        story.type("{{token}}")
        story.press("Enter")
        #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        story.press("g", "Down", "Enter")
        story.type("none")
        story.press("Enter")
        #expect(story.request?.authentication == .noAuthentication)
    }

    @Test(arguments: [
        ("bearer", "token"), ("basic", "username"), ("apiKey", "value"), ("oauth2", "grant"), ("aws", "access key ID"),
        ("none", "kind"),
    ])
    func `a new kind of authentication brings the cursor to its first field to fill in`(kind: String, field: String) {
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type(kind)
        story.press("Enter")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == field)
    }

    @Test func `the empty rows of an authentication show what may be written there`() {
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type("oauth2")
        story.press("Enter")
        let rows = story.formRows
        #expect(
            rows.first { $0.name == "token URL" }?.warning
                == "empty; for example /oauth/token or https://id.example.com/token")
        #expect(rows.first { $0.name == "device URL" }?.note == "for example /oauth/device, for deviceCode")
        #expect(rows.first { $0.name == "scope" }?.note == "for example orders:read orders:write")
    }

    @Test func `Tab to the next credential takes the cursor along`() {
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type("basic")
        story.press("Enter", "Enter")
        story.type("ada")
        story.press("Tab")
        story.type("wrong")
        story.press("Enter")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == "password")
    }

    @Test(arguments: [
        ("form", "Enter adds a field."), ("multipart", "Enter adds a part; @ before a value names a file."),
    ])
    func `a new form brings the cursor to its first row`(kind: String, note: String) {
        var story = Story.inRequest(tab: .body)
        story.press("g", "Down", "Enter")
        story.type(kind)
        story.press("Enter")
        #expect(story.state.requestPane.row.map { story.formRows[$0].note } == note)
    }

    @Test(arguments: ["text", "graphql"])
    func `a new text is there to be typed`(kind: String) {
        var story = Story.inRequest(tab: .body)
        story.press("g", "Down", "Enter")
        story.type(kind)
        story.press("Enter")
        #expect(story.state.requestPane.isWriting)
    }
}
