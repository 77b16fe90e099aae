import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Who presses a key of before is told where its action is, for one version.
@Suite struct FormerKeysTests {
    private static func scopes(from scope: KeyScope) -> [KeyScope] {
        switch scope {
        case .marking: [.marking, .tree, .lists, .everywhere]
        case .folding: [.folding, .viewer, .response, .lists, .everywhere]
        case .viewer, .cookies, .statistics: [scope, .response, .lists, .everywhere]
        case .environments, .batch: [scope, .lists]
        default: [scope, .lists, .everywhere]
        }
    }

    @Test func `the former keys are forgotten with the next version`() {
        #expect(
            Program.version.hasPrefix(FormerKeys.version + "."),
            "delete Input/FormerKeys.swift, its use in AppState and this file")
    }

    @Test func `each former key means nothing now, and is said to be another one or in the palette`() throws {
        for entry in FormerKeys.all {
            let scopes = Self.scopes(from: entry.scope)
            #expect(Keymap.standard.action(for: entry.key, in: scopes) == nil, "\(entry.key.name) in \(entry.scope)")
            let notice = try #require(FormerKeys.notice(of: entry.key, in: scopes, .standard))
            let binding = try #require(
                Keymap.standard.bindings.first { $0.scope == entry.scope && $0.action == entry.action })
            let isOnKey = entry.way != nil || !binding.sequences.isEmpty
            #expect(notice.hasSuffix(": " + binding.label), "\(notice)")
            #expect(notice.hasPrefix("\(entry.key.name) is now ") && notice.contains("palette (:)") != isOnKey)
        }
        #expect(FormerKeys.notice(of: "Q", in: [.tree, .lists, .everywhere], .standard) == nil)
    }

    private static let told: [(Focus, Key, String)] = [
        (.tree, "J", "J is now in the palette (:): Move the item down"),
        (.tree, .alt(.left), "Alt+Left is now in the palette (:): Move the divider left"),
        (.request, "m", "m is now Space on the URL: Change the method"),
        (.response, "b", "b is now in the palette (:): Toggle between the fallback and the response"),
        (.response, "#", "# is now in the palette (:): Toggle row numbers"),
        (.tree, "Q", "Q does nothing here; ? shows the keys"),
    ]

    @Test(arguments: told)
    func `a former key says what it is now`(focus: Focus, key: Key, text: String) {
        var story = Story()
        story.choose("list users")
        story.finish(story.send())
        story.perform(.app(.focus(focus)))
        _ = story.takeEffects()
        #expect(story.state.keymap.action(for: key, in: story.state.scopes) == nil)
        story.perform(.app(.unbound(key)))
        #expect(story.state.notice?.text == text)
        #expect(story.takeEffects().isEmpty)
    }

    @Test func `a former key in a table is told there`() {
        var story = Story()
        story.press("E", "Tab")
        story.perform(.app(.unbound("r")))
        #expect(story.state.notice?.text == "r is now R: Rename the row, in every environment")
        story.perform(.app(.unbound("X")))
        #expect(story.state.notice?.text == "X is now in the palette (:): Delete the environment, after a question")
    }

    @Test func `a key that settings give to its action, or to another, is not called a former one`() {
        let given = Keymap.standard.changed(by: [
            KeyChange(scope: .tree, action: .tree(.move(1)), sequences: [["J"]]),
            KeyChange(scope: .tree, action: .tree(.duplicate), sequences: [[Key(.function(6))]]),
        ])
        var story = Story(keymap: given)
        story.press("J")
        #expect(story.treeNames[2...].first == "    user by id")
        story.perform(.app(.unbound("D")))
        #expect(story.state.notice?.text == "D is now F6: Duplicate the item")
    }
}
