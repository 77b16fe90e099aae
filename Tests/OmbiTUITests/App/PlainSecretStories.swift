import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Secrets in plain text, and the offer to move them into the local file.
@Suite struct PlainSecretStories {
    private static let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    private static let key = "sk_live_0123456789abcdefghij"

    private static let shop = """
        { "version": 1, "name": "shop",
          "environments": [{ "name": "local", "host": "http://127.0.0.1:1", "variables": { "key": "\(key)" } }],
          "items": [{ "request": "list", "path": "/",
            "headers": [{ "name": "Authorization", "value": "Bearer \(token)" }] }] }
        """

    private static func kept(_ effects: [Effect]) -> [String] {
        effects.flatMap { effect -> [String] in
            guard case .keepSecrets(let secrets, "shop.json") = effect else { return [] }
            return secrets.map { "\($0.name) = \($0.value)" }
        }
    }

    @Test func `each secret is listed with its place, and all of them go at once`() {
        var story = Story(files: [("shop.json", Self.shop)])
        story.press("1")
        story.command("Move secrets in plain text to the local file")
        #expect(story.screen.contains("Move secrets to shop.local.json"), "\(story.screen)")
        #expect(story.screen.contains("All 2"))
        #expect(story.screen.contains("a Stripe key in key"))
        #expect(story.screen.contains("a GitHub token in Authorization"))
        #expect(!story.screen.contains("ghp_") && !story.screen.contains("sk_live"))
        _ = story.takeEffects()
        story.press("Enter")
        #expect(Self.kept(story.takeEffects()) == ["key2 = \(Self.key)", "token = \(Self.token)"])
        let collection = story.state.workbench.files[0].collection
        #expect(collection?.requests[0].headers == [Field("Authorization", "Bearer {{token}}")])
        #expect(collection?.environments[0].variables.map(\.value) == ["{{key2}}"])
        story.perform(.files(.chooseSecrets))
        #expect(story.screen.contains("Nothing in shop.json looks like a secret in plain text"), "\(story.screen)")
    }

    @Test func `one is moved, and undo brings its text back`() {
        var story = Story(files: [("shop.json", Self.shop)])
        let request = story.state.workbench.files[0].collection?.requests[0].id
        story.press("1")
        story.perform(.files(.chooseSecrets))
        story.type("GitHub")
        _ = story.takeEffects()
        story.press("Enter")
        #expect(Self.kept(story.takeEffects()) == ["token = \(Self.token)"])
        let collection = story.state.workbench.files[0].collection
        #expect(collection?.requests[0].headers[0].value == "Bearer {{token}}")
        // Runs and folding belong to an identity.
        #expect(collection?.requests[0].id == request)
        #expect(collection?.environments[0].variables[0].value == Self.key)
        story.press("u")
        #expect(story.state.workbench.files[0].collection?.requests[0].headers[0].value == "Bearer \(Self.token)")
        story.press("U")
        #expect(story.state.workbench.files[0].collection?.requests[0].headers[0].value == "Bearer {{token}}")
    }

    /// The file as it is on disk, with that beside it.
    private static func loaded(_ secrets: [Secret]) -> LoadedCollection {
        var loaded = Story.loaded(shop, path: "shop.json")
        loaded.collection?.setOverlay { $0.secrets = secrets }
        return loaded
    }

    @Test func `the local file that Ombi writes is read without a message, one that others write with it`() {
        var story = Story(files: [("shop.json", Self.shop)])
        story.press("1")
        story.perform(.files(.chooseSecrets))
        story.type("GitHub")
        story.press("Enter")
        story.perform(.files(.chooseSecrets))
        story.press("Enter")
        let (first, second) = (Secret("token", .value(Self.token)), Secret("key2", .value(Self.key)))
        story.receive(.notice(Notice(.success, "moved 1 secret")))
        for secrets in [[first], [first, second]] {
            story.receive(.changed(Self.loaded(secrets)))
            #expect(story.state.notice?.text == "moved 1 secret")
            #expect(story.state.workbench.files[0].collection?.overlay.secrets == secrets)
        }
        story.receive(.changed(Self.loaded([first, Secret("key2", .value("other"))])))
        #expect(story.state.notice?.text == "what lies beside shop.json changed on disk")
    }

    @Test func `an edit that is not saved yet is looked through, too`() {
        var story = Story(files: [("shop.json", Self.shop.replacing(Self.key, with: "none"))])
        story.choose("list")
        story.press("2", "]", "a")
        story.type("X-Mine")
        story.press("Tab")
        story.type(Self.key)
        story.press("Enter", "1")
        story.perform(.files(.chooseSecrets))
        #expect(story.screen.contains("a Stripe key in X-Mine"), "\(story.screen)")
    }

    @Test func `a file without an environment has no place for a secret`() {
        let text = Self.shop.replacing("\"environments\"", with: "\"others\"")
        var story = Story(files: [("shop.json", text)])
        story.press("1")
        story.perform(.files(.chooseSecrets))
        #expect(story.screen.contains("has no environment, which a secret needs"), "\(story.screen)")
    }
}
