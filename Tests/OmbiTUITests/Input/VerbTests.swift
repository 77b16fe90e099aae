import OmbiTerminal
import Testing

@testable import OmbiTUI

/// A letter means one verb in every pane, and few enough actions have a key to be learned; the palette has the rest.
@Suite struct VerbTests {
    /// The verbs of letters, as the texts of their bindings begin.
    private static let verbs: [Character: String] = [
        "a": "Add", "A": "Add", "c": "Capture", "C": "Copy the path", "d": "Delete", "D": "Compare", "e": "Open",
        "E": "Switch the environment", "f": "Run again", "F": "Follow", "H": "Show the history", "i": "Send a message",
        "L": "Show the message log", "m": "Move", "M": "Mark", "n": "Go to the next", "N": "Go to the previous",
        "o": "Open", "p": "Preview", "q": "Quit", "r": "Retry", "R": "Rename", "s": "Send", "S": "Save the body",
        "t": "View as", "T": "Show the run", "u": "Undo", "U": "Redo", "v": "Select", "V": "Watch", "w": "Save",
        "W": "Toggle line wrapping", "x": "Cancel", "X": "Expect", "y": "Copy", "Y": "Choose what to copy",
        "z": "Toggle full screen",
    ]
    /// The letters that are other names of keys that move.
    private static let movements: [Character: Key] = [
        "h": Key(.left), "j": Key(.down), "k": Key(.up), "l": Key(.right), "g": Key(.home), "G": Key(.end),
    ]

    /// The bindings of commands: not those of answers and of texts, as which the start screen counts: a letter that is no
    /// key there begins a URL.
    private static let commands = Keymap.standard.bindings.filter { binding in
        binding.scope.isConfigurable && !binding.scope.takesText
    }

    private static func letter(_ key: Key) -> Character? {
        guard key.modifiers.isEmpty, case .character(let character) = key.code, character.isLetter else { return nil }
        return character
    }

    @Test func `a letter means one verb everywhere`() {
        var used: Set<Character> = []
        // The key that opens a place closes it.
        for binding in Self.commands where binding.action != .leave {
            for letter in binding.keys.compactMap(Self.letter) {
                if let key = Self.movements[letter] {
                    #expect(binding.keys.contains(key), "\(letter) in \(binding.scope): \(binding.label)")
                    continue
                }
                used.insert(letter)
                let isVerb = Self.verbs[letter].map { binding.label.hasPrefix($0) } ?? false
                #expect(isVerb, "\(letter) in \(binding.scope): \(binding.label)")
            }
        }
        #expect(used == Set(Self.verbs.keys))
    }

    @Test func `a letter that closes a place opened it`() {
        let opening: [KeyScope: [Character]] = [
            .environments: ["q", "E"], .batch: ["q", "T"], .preview: ["q", "p"], .log: ["q", "L"], .help: ["q"],
            .simulating: ["q"], .selecting: ["v"], .allHistory: ["q", "H"],
        ]
        for binding in Self.commands where binding.action == .leave {
            let letters = binding.keys.compactMap(Self.letter)
            #expect(letters == opening[binding.scope] ?? [], "\(binding.scope)")
        }
    }

    /// An action is counted by its name in settings, once however many panes have it; the tabs of a pane are one.
    @Test func `at most 120 actions have a key`() {
        let names = (Self.commands + Keymap.standard.bindings.filter { $0.scope == .start }).filter {
            !$0.sequences.isEmpty
        }.compactMap { binding -> String? in
            switch binding.action {
            case .request(.showTab), .response(.showTab): return "tab"
            default: return binding.action.name
            }
        }
        let count = Set(names).count
        #expect(count > 80 && count <= 120, "\(count) actions")
    }

    @Test(arguments: Focus.allCases) func `every action without a key is in the palette of every pane`(focus: Focus) {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.perform(.app(.focus(focus)))
        story.press(":")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        let names = Set(picker.shown.map(\.name))
        // What is selected together is in the list, and acts only there.
        let without = Keymap.standard.bindings.filter { $0.sequences.isEmpty && $0.scope != .marking }
        let missing = without.filter { !names.contains($0.label) }.map(\.label)
        #expect(without.count > 30 && missing.isEmpty, "\(missing)")
    }

    @Test func `selected items have their commands in the palette`() {
        var story = Story()
        story.choose("user by id")
        story.press("v", ":")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        let names = Set(picker.shown.map(\.name))
        #expect(names.isSuperset(of: ["Move the selected items here", "Copy the selected items here"]))
    }

    @Test func `the palette of a table has its commands and none of the panes that it covers`() {
        var story = Story()
        story.press("E", "Tab", ":")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        let names = Set(picker.shown.map(\.name))
        #expect(names.contains("Duplicate the environment") && names.contains("Find where the variable is used"))
        #expect(!names.contains("Add a folder") && !names.contains("Request › Params"))
        story.type("delete the env")
        story.press("Enter", "y")
        #expect(story.state.workbench.files[0].collection?.environments.map(\.name) == ["live"])
    }
}
