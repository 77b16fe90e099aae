import OmbiTerminal

/// A paste on a terminal that does not bracket it: its letters come as keys, which would run as commands. A curl command or a
/// URL is taken for one when it comes in one go, as nobody types that fast.
enum TypedPaste {
    private static let beginnings = ["curl ", "http://", "https://"]

    /// The text of keys that came together; nil where they may have been typed.
    static func text(of burst: [InputEvent]) -> String? {
        guard burst.count > 8 else { return nil }
        var text = ""
        for input in burst {
            guard case .key(let key) = input, let letter = letter(of: key) else { return nil }
            text.append(letter)
        }
        return beginnings.contains(where: text.hasPrefix) ? text : nil
    }

    private static func letter(of key: Key) -> Character? {
        switch key.code {
        case .character(let letter) where key.modifiers.isEmpty || key.modifiers == .shift: letter
        case .character("j") where key.modifiers == .control: "\n"
        case .enter where key.modifiers.isEmpty: "\n"
        case .tab where key.modifiers.isEmpty: "\t"
        default: nil
        }
    }
}
