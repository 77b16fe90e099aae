import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Kinds of bodies and of authentication, and their fields.
@Suite struct KindStories {
    @Test func `the kinds of authentication have their own fields`() {
        var story = Story.inRequest(tab: .auth)
        #expect(story.formRows.map(\.name) == ["kind", "Authorization"])
        story.press("Down", "Enter")
        story.type("basic")
        story.press("Enter")
        #expect(story.screen.contains("empty; for example ada"), "\(story.screen)")
        story.press("Enter")
        story.type("ada")
        story.press("Enter")
        story.type("{{password}}")
        story.press("Enter")
        #expect(!story.screen.contains("empty; for"), "\(story.screen)")
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
        ("ntlm", "username"),
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
        #expect(rows.first { $0.name == "scope" }?.note == "for example orders:read orders:write")
    }

    @Test(arguments: [("s3cret", "••••••"), ("{{token}}", "{{token}}"), ("", "")])
    func `a secret that is written out is masked in its row, and a template is shown`(token: String, shown: String) {
        var story = Story.inRequest(tab: .auth)
        story.state.workbench.editRequest { $0.authentication = .bearer(BearerAuthentication(token: token)) }
        #expect(story.formRows.first { $0.name == "token" }?.value == shown)
    }

    @Test(arguments: [
        ("clientCredentials", ["scope", "parameters"]), ("password", ["scope", "parameters", "username", "password"]),
        ("deviceCode", ["device URL", "scope", "parameters"]),
        ("authorizationCode", ["authorization URL", "redirect URI", "scope", "parameters"]),
    ])
    func `OAuth 2 has the rows that its grant uses`(grant: String, rows: [String]) {
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type("oauth2")
        story.press("Enter", "Enter")
        story.type(grant)
        story.press("Enter")
        let common: Set = ["kind", "grant", "token URL", "client ID", "client secret", "secret in", "Authorization"]
        #expect(story.formRows.map(\.name).filter { !common.contains($0) } == rows)
    }

    @Test func `a row that another grant uses shows while it has a text`() {
        var story = Story.inRequest(tab: .auth)
        story.state.workbench.editRequest {
            $0.authentication = .oauth2(OAuth2Authentication(tokenURL: "/t", clientID: "c", username: "ada"))
        }
        #expect(story.formRows.first { $0.name == "username" }?.note == "not used as it is")
        #expect(!story.formRows.contains { $0.name == "password" })
    }

    @Test func `Enter goes on to what has to be filled in, Tab to what may be`() {
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type("oauth2")
        story.press("Enter", "Down", "Enter")
        story.type("/oauth/token")
        story.press("Enter")
        story.type("shop-app")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == "client ID")
        story.press("Tab")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == "client secret")
        story.type("{{clientSecret}}")
        story.press("Enter")
        #expect(!story.state.requestPane.isWriting)
        story.press("Enter")
        story.press("Tab")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == "scope", "a choice is no text")
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

    @Test func `a credential begins with the variable of its example, where there is one`() {
        for keys in [["Enter"], ["End", "Enter"]] {
            var story = Story.inRequest(tab: .auth)
            story.press("g", "Down", "Enter")
            story.type("bearer")
            story.press("Enter", "Enter")
            #expect(story.openField == "{{token}}")
            for key in keys { story.press(key) }
            #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        }
        var story = Story.inRequest(tab: .auth)
        story.press("g", "Down", "Enter")
        story.type("bearer")
        story.press("Enter", "Enter", "Esc")
        #expect(story.request?.authentication == .bearer(BearerAuthentication(token: "")), "Esc leaves it empty")
        story.press("g", "Down", "Enter")
        story.type("apiKey")
        story.press("Enter", "Enter")
        #expect(story.openField == "", "nothing has that name")
        #expect(story.screen.contains("for example {{apiKey}}"), "\(story.screen)")
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

    @Test func `a body comes back with its kind, and undo takes one step after the other back`() {
        var story = Story.inRequest("create user", tab: .body)
        let body = story.request?.body
        for kind in ["file", "json"] {
            story.press("g", "Down", "Enter")
            story.type(kind)
            story.press("Enter")
            guard kind == "file" else { continue }
            #expect(story.openField == "", "a file has to be named")
            story.press("Esc")
        }
        #expect(body != nil && story.request?.body == body)
        story.press("u")
        #expect(story.request?.body?.kind == .file)
        story.press("u")
        #expect(story.request?.body == body)
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
