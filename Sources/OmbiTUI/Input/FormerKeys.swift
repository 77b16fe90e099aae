/// The keys that actions had before a letter meant one verb everywhere. One that means nothing now says where its
/// action is, as long as the version is `version`; with the next one this file goes.
enum FormerKeys {
    /// A key that an action had in a scope.
    struct Entry: Sendable {
        let key: Key
        let scope: KeyScope
        let action: Action
        /// The key that does it now, where that is bound to more than this action.
        var way: String?
    }

    /// The major and the minor number of the version that still tells them.
    static let version = "0.1"

    static let all: [Entry] =
        [
            Entry(key: "O", scope: .everywhere, action: .files(.signOut)),
            Entry(key: .alt(.left), scope: .everywhere, action: .app(.moveSplit(.left))),
            Entry(key: .alt(.right), scope: .everywhere, action: .app(.moveSplit(.right))),
            Entry(key: .alt(.up), scope: .everywhere, action: .app(.moveSplit(.up))),
            Entry(key: .alt(.down), scope: .everywhere, action: .app(.moveSplit(.down))),
            Entry(key: "m", scope: .request, action: .request(.chooseMethod), way: "Space on the URL"),
        ] + tree + response + viewer + tables

    private static let tree = [
        Entry(key: "P", scope: .marking, action: .tree(.putHere(.copy))),
        Entry(key: "D", scope: .tree, action: .tree(.duplicate)),
        Entry(key: "J", scope: .tree, action: .tree(.move(1))),
        Entry(key: "K", scope: .tree, action: .tree(.move(-1))),
        Entry(key: "<", scope: .tree, action: .tree(.moveOut)),
        Entry(key: ">", scope: .tree, action: .tree(.moveIn)),
        Entry(key: "c", scope: .tree, action: .tree(.chooseTarget(.copy))),
        Entry(key: "C", scope: .tree, action: .batch(.chooseReplay)),
        Entry(key: "M", scope: .tree, action: .files(.chooseSecrets)),
        Entry(key: "n", scope: .tree, action: .tree(.askForCollection)),
    ]

    private static let response = [
        Entry(key: "P", scope: .statistics, action: .response(.simulate)),
        Entry(key: "I", scope: .statistics, action: .app(.askForIncident)),
        Entry(key: "a", scope: .cookies, action: .response(.editCookie)),
        Entry(key: "b", scope: .response, action: .run(.toggleFallback)),
    ]

    private static let viewer = [
        Entry(key: "I", scope: .viewer, action: .run(.chooseMessage)),
        Entry(key: "A", scope: .viewer, action: .run(.allPages)),
        Entry(key: "J", scope: .viewer, action: .view(.join)),
        Entry(key: .alt("y"), scope: .viewer, action: .view(.copyAll)),
        Entry(key: "#", scope: .viewer, action: .view(.toggleNumbers)),
        Entry(key: "P", scope: .viewer, action: .view(.openInPager)),
        Entry(key: "0", scope: .viewer, action: .view(.firstColumn)),
        Entry(key: "p", scope: .folding, action: .view(.parent)),
        Entry(key: "}", scope: .folding, action: .view(.nextSibling)),
        Entry(key: "{", scope: .folding, action: .view(.previousSibling)),
    ]

    private static let tables = [
        Entry(key: "r", scope: .environments, action: .environments(.renameRow)),
        Entry(key: "f", scope: .environments, action: .environments(.showUses)),
        Entry(key: "D", scope: .environments, action: .environments(.duplicate)),
        Entry(key: "X", scope: .environments, action: .environments(.delete)),
        Entry(key: "X", scope: .batch, action: .batch(.cancelAll)),
    ]

    /// Says where the action of a former key is now; nil for any other key.
    static func notice(of key: Key, in scopes: [KeyScope], _ keymap: Keymap) -> String? {
        for scope in scopes {
            guard let entry = all.first(where: { $0.key == key && $0.scope == scope }),
                let binding = keymap.bindings.first(where: { $0.scope == scope && $0.action == entry.action })
            else { continue }
            if let way = entry.way ?? binding.sequences.first.map(Key.names(of:)) {
                return "\(key.name) is now \(way): \(binding.label)"
            }
            let palette = keymap.bindings.first { scopes.contains($0.scope) && $0.action == .app(.palette) }
            let keys = palette?.sequences.first.map { " (\(Key.names(of: $0)))" } ?? ""
            return "\(key.name) is now in the palette\(keys): \(binding.label)"
        }
        return nil
    }
}
