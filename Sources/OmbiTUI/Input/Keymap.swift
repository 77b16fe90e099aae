/// The scope of a binding: a pane, or an overlay that takes its keys. The raw value is its name in settings, which stays
/// the same whatever the screen calls it.
enum KeyScope: String, CaseIterable, Sendable {
    case start, everywhere, lists
    case tree = "requests"
    case marking = "marks"
    case request, response, expectations, attempts, attempt, cookies, history, allHistory, statistics, addresses
    case simulating = "policyTrial"
    case signIn
    case viewer = "body"
    case folding = "folds"
    case selecting = "selection"
    case environments
    case batch = "folderRun"
    case filtering = "folderRunFilter"
    case search
    case line = "prompt"
    case field
    case completing = "completion"
    case area = "editor"
    case finding = "editorSearch"
    case picker = "choices"
    case question = "questions"
    case quitting = "quitQuestion"
    case gate = "grants"
    case decision = "startQuestions"
    case helpSearch, conflicts, help
    case log = "messageLog"
    case preview
}

/// One line of the keymap: the keys, their action, and its texts on the screen. Without keys it is in the palette, and
/// settings may give it some. An object, as every frame makes lists of them.
final class Binding: Sendable {
    let keys: [Key]
    /// Keys one after the other; none but those of settings.
    let chords: [[Key]]
    let action: Action
    let scope: KeyScope
    let label: String
    /// The word in the footer; nil when the binding does not show there.
    let footer: String?
    /// The key or chord that the footer names: the first one.
    let footerKeys: [Key]

    init(_ keys: Key..., does action: Action, in scope: KeyScope, _ label: String, footer: String? = nil) {
        self.keys = keys
        chords = []
        self.action = action
        self.scope = scope
        self.label = label
        self.footer = footer
        // The same array where it has one key, as most have.
        footerKeys = footer == nil ? [] : keys.count == 1 ? keys : Array(keys.prefix(1))
    }

    private init(_ other: Binding, sequences: [[Key]]? = nil, footer: String?, footerKeys: [Key]) {
        keys = sequences?.compactMap { $0.count == 1 ? $0[0] : nil } ?? other.keys
        chords = sequences?.filter { $0.count > 1 } ?? other.chords
        (action, scope, label) = (other.action, other.scope, other.label)
        (self.footer, self.footerKeys) = (footer, footerKeys)
    }

    var footerKey: String { Key.names(of: footerKeys) }

    /// All keys and chords, each as its keys.
    var sequences: [[Key]] { keys.map { [$0] } + chords }

    /// "Up k", or "g g, Home" where there are chords.
    var keyNames: String { sequences.map(Key.names(of:)).joined(separator: chords.isEmpty ? " " : ", ") }

    /// Returns a copy with other keys; without any it has no hint in the footer.
    func bound(to sequences: [[Key]]) -> Binding {
        Binding(
            self, sequences: sequences, footer: sequences.isEmpty ? nil : footer, footerKeys: sequences.first ?? [])
    }

    /// Returns a copy for the footer while the keys are waited for that complete a chord.
    func continued(by keys: ArraySlice<Key>) -> Binding {
        Binding(self, footer: footer ?? label, footerKeys: Array(keys))
    }

    /// Returns a copy with another word in the footer.
    func saying(_ word: String) -> Binding {
        Binding(self, footer: word, footerKeys: footerKeys.isEmpty ? sequences.first ?? [] : footerKeys)
    }
}

extension Binding: Equatable {
    static func == (one: Binding, other: Binding) -> Bool {
        one === other
            || one.keys == other.keys && one.chords == other.chords && one.action == other.action
                && one.scope == other.scope && one.label == other.label && one.footer == other.footer
                && one.footerKeys == other.footerKeys
    }
}

/// Looks keys up. The footer, the help and docs/keys.md are written from the same bindings.
struct Keymap: Equatable, Sendable {
    let bindings: [Binding]
    /// The bindings that the footer may show, stored because every frame reads them.
    private let shown: [Shown]
    private let chorded: [Int]
    private let places: [Place]

    /// A key in its scope. A lookup reads all of them, which lie side by side, instead of the bindings.
    private struct Place: Equatable, Sendable {
        let scope: KeyScope
        let mark: UInt8
        let index: UInt16
    }

    /// A binding in the footer, with what it is compared by: to compare its keys and its action costs more.
    private struct Shown: Equatable, Sendable {
        let index: Int
        let scope: KeyScope
        let sends: Bool
        let keysHash: Int
        /// The scopes in which the key means something else.
        let taken: [KeyScope]

        init(_ index: Int, _ binding: Binding, taken: [KeyScope]) {
            self.index = index
            self.taken = taken
            (scope, sends) = (binding.scope, binding.action == .run(.send))
            keysHash = binding.footerKeys.hashValue
        }
    }

    /// - Parameter isChanged: true for keys of settings, which may be taken in a nearer scope.
    init(_ bindings: [Binding], isChanged: Bool = false) {
        self.bindings = bindings
        // Looked at in place: most bindings show in no footer and have no chords, and a copy of each costs more than the look.
        (shown, chorded, places) = bindings.withUnsafeBufferPointer { all in
            var (shown, chorded, places): ([Shown], [Int], [Place]) = ([], [], [])
            places.reserveCapacity(2 * all.count)
            for index in all.indices {
                for key in all[index].keys {
                    places.append(Place(scope: all[index].scope, mark: key.mark, index: UInt16(index)))
                }
                if all[index].footer != nil {
                    let taken = isChanged ? Self.scopes(taking: all[index], in: bindings) : []
                    shown.append(Shown(index, all[index], taken: taken))
                }
                if !all[index].chords.isEmpty { chorded.append(index) }
            }
            return (shown, chorded, places)
        }
    }

    private static func scopes(taking binding: Binding, in bindings: [Binding]) -> [KeyScope] {
        bindings.filter { $0.scope != binding.scope && $0.sequences.contains(binding.footerKeys) }.map(\.scope)
    }

    /// The action of a key in the first of the scopes that binds it, or in which a chord begins with it.
    func action(for key: Key, in scopes: [KeyScope]) -> Action? {
        // Some hundred comparisons for a key are nothing; dictionaries would cost a tenth of the start-up.
        let mark = key.mark
        for scope in scopes {
            let place = places.first {
                $0.mark == mark && $0.scope == scope && bindings[Int($0.index)].keys.contains(key)
            }
            if let place { return bindings[Int(place.index)].action }
            if !chorded.isEmpty, hasChord(beginning: [key], in: scope) { return .app(.chord([key])) }
        }
        guard let scope = scopes.first, scope.takesText else { return nil }
        guard case .character(let character) = key.code, key.modifiers.subtracting(.shift).isEmpty else { return nil }
        return .text(.insert(String(character)))
    }

    func action(for key: Key, after begun: [Key], in scopes: [KeyScope]) -> Action? {
        guard !begun.isEmpty else { return action(for: key, in: scopes) }
        let typed = begun + [key]
        for scope in scopes {
            let index = chorded.first { bindings[$0].scope == scope && bindings[$0].chords.contains(typed) }
            if let index { return bindings[index].action }
            if hasChord(beginning: typed, in: scope) { return .app(.chord(typed)) }
        }
        return .app(.endChord(typed))
    }

    private func hasChord(beginning keys: [Key], in scope: KeyScope) -> Bool {
        chorded.contains { bindings[$0].scope == scope && bindings[$0].chords.contains { $0.starts(with: keys) } }
    }

    /// The bindings that the next keys may complete, for the footer.
    func continuations(of begun: [Key], in scopes: [KeyScope]) -> [Binding] {
        scopes.flatMap { scope in chorded.filter { bindings[$0].scope == scope } }.flatMap { index in
            bindings[index].chords.filter { $0.starts(with: begun) }.map {
                bindings[index].continued(by: $0.dropFirst(begun.count))
            }
        }
    }

    /// The keys of actions for the footer, each with its word; none for an action without a key in the scopes.
    func hints(_ actions: [(Action, String)], in scopes: [KeyScope]) -> [Binding] {
        actions.compactMap { action, word in
            let binding = bindings.first { scopes.contains($0.scope) && $0.action == action }
            return binding.flatMap { $0.sequences.isEmpty ? nil : $0.saying(word) }
        }
    }

    /// The bindings for the footer: sending first, so that it is found in the same place everywhere, and then in the order
    /// of the keymap.
    func footer(in scopes: [KeyScope]) -> [Binding] {
        var hints: [Shown] = []
        for (distance, scope) in scopes.enumerated() {
            for hint in shown where hint.scope == scope {
                if !hint.taken.isEmpty, scopes[..<distance].contains(where: hint.taken.contains) { continue }
                // A key means what the nearest scope says.
                let isTaken = hints.contains {
                    $0.keysHash == hint.keysHash && bindings[$0.index].footerKeys == bindings[hint.index].footerKeys
                }
                if !isTaken { hints.append(hint) }
            }
        }
        if let sending = hints.firstIndex(where: \.sends) { hints.insert(hints.remove(at: sending), at: 0) }
        return hints.map { bindings[$0.index] }
    }
}

extension KeyScope {
    /// The name on the screen and in documents.
    var title: String {
        switch self {
        case .start: "Start screen"
        case .lists: "Lists and bodies"
        case .marking: "Selected requests"
        case .attempt: "Response of an attempt"
        case .allHistory: "History of all requests"
        case .addresses: "Addresses in Statistics"
        case .simulating: "Trying a policy"
        case .signIn: "Signing in"
        case .folding: "Body with folds"
        case .selecting: "Selected rows"
        case .batch: "Run of a folder"
        case .filtering: "Filtering runs"
        case .search: "Searching in a list"
        case .line: "Prompts in a body"
        case .field: "Editing a field"
        case .completing: "Completing what is typed"
        case .area: "Editing a body"
        case .finding: "Finding in a body under edit"
        case .picker: "Lists of choices"
        case .quitting: "Question before quitting"
        case .gate: "Questions about secrets"
        case .decision: "Questions at the start"
        case .helpSearch: "Searching in the help"
        case .conflicts: "Conflicts with the file on disk"
        case .log: "Message log"
        default: rawValue.asSentence
        }
    }

    /// False for questions, which name the keys of their answers.
    var isConfigurable: Bool { ![.question, .quitting, .gate, .decision, .conflicts].contains(self) }

    /// True when keys without a binding are typed as text.
    var takesText: Bool {
        [.start, .field, .completing, .area, .finding, .picker, .line, .search, .filtering, .helpSearch].contains(self)
    }

    var isPane: Bool { [.tree, .request, .response, .viewer, .folding].contains(self) }
}

extension Key {
    /// The same for the same key, and different for most others.
    fileprivate var mark: UInt8 {
        switch code {
        case .character(let character): character.asciiValue ?? 0x7F
        case .function(let number): 0x80 | UInt8(truncatingIfNeeded: number)
        case .enter: 1
        case .tab: 2
        case .escape: 3
        case .backspace: 4
        case .delete: 5
        case .insert: 6
        case .up: 7
        case .down: 8
        case .left: 9
        case .right: 10
        case .home: 11
        case .end: 12
        case .pageUp: 13
        case .pageDown: 14
        }
    }

    static func names(of keys: [Key]) -> String {
        keys.count == 1 ? keys[0].name : keys.map(\.name).joined(separator: " ")
    }
}

/// The bindings of a scope, for the pages that list all keys.
struct KeymapSection {
    let scope: KeyScope
    let bindings: [Binding]

    var title: String { scope.title }
    /// The name of the scope in settings; nil where they change no keys.
    var settingName: String? { scope.isConfigurable ? scope.rawValue : nil }
}

extension Keymap {
    var sections: [KeymapSection] {
        KeyScope.allCases.compactMap { scope in
            let own = bindings.filter { $0.scope == scope }
            return own.isEmpty ? nil : KeymapSection(scope: scope, bindings: own)
        }
    }
}

extension Binding {
    /// The name of the action in settings; nil where they change no keys, and for an action without a name.
    var settingName: String? { scope.isConfigurable ? action.name : nil }
}

/// A row in the lists of keys: a binding, or those of the tabs of a pane, which differ in their number alone.
struct KeymapRow: Equatable, Sendable {
    /// The keys and chords, as they are named; none for an action that the palette alone has.
    let keys: [String]
    let label: String
    /// The name of the action in settings, or the first and the last one of tabs; none where settings change no keys.
    let settingNames: [String]
    private let hasChords: Bool

    /// "Up k", or "g g, Home" where there are chords.
    var keyNames: String { keys.joined(separator: hasChords ? ", " : " ") }

    init(_ binding: Binding) {
        keys = binding.sequences.map(Key.names(of:))
        label = binding.label
        settingNames = binding.settingName.map { [$0] } ?? []
        hasChords = !binding.chords.isEmpty
    }

    /// - Parameters:
    ///   - first: the binding of the first tab.
    ///   - last: the binding of the last one.
    ///   - number: the number of the last tab.
    private init(tabsFrom first: Binding, to last: Binding, _ number: Int) {
        keys = first.sequences.map { "\(Key.names(of: $0)) … \(number)" }
        label = "Go to a tab"
        settingNames = [first, last].compactMap(\.settingName)
        hasChords = true
    }

    /// Returns the rows of bindings, in their order. Tabs share a row while they have their usual keys.
    static func rows(of bindings: [Binding]) -> [KeymapRow] {
        var rows: [KeymapRow] = []
        var rest = bindings[...]
        while let first = rest.popFirst() {
            var last = first
            var number = Self.tab(of: first)
            while let current = number, let next = rest.first, next.scope == first.scope,
                Self.tab(of: next) == current + 1
            {
                (last, number) = (next, current + 1)
                rest.removeFirst()
            }
            if let number, last != first {
                rows.append(KeymapRow(tabsFrom: first, to: last, number))
            } else {
                rows.append(KeymapRow(first))
            }
        }
        return rows
    }

    /// The number of the tab that a binding with the usual keys of one goes to.
    private static func tab(of binding: Binding) -> Int? {
        let number: Int
        switch binding.action {
        case .request(.showTab(let tab)), .response(.showTab(let tab)): number = tab
        default: return nil
        }
        let keys = Keymap.tabKeys(number)
        return !keys.isEmpty && binding.sequences == keys ? number : nil
    }
}
