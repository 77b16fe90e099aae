/// A paste on a terminal that does not bracket it: its letters come as keys, which would run as commands. Letters that
/// come in one go are taken for one, as nobody types that fast.
struct TypedPaste {
    /// The meaning of the keys of one read.
    enum Meaning: Equatable {
        case keys
        /// A curl command or a URL.
        case paste(String)
        /// So many letters of any other text, or of the rest of a paste.
        case dropped(Int)
    }

    private static let beginnings = ["curl ", "http://", "https://"]
    /// A paste may come in several reads, with no longer pauses between them.
    private static let patience = Duration.milliseconds(300)
    /// More letters than these come in one go from a paste only.
    private static let maximumTyped = 8

    /// The time of the last piece of a paste.
    private var last: Duration?

    /// - Parameter now: the time of the read.
    mutating func meaning(of burst: [InputEvent], at now: Duration) -> Meaning {
        let isRest = last.map { now - $0 < Self.patience } ?? false
        last = nil
        guard let text = Self.letters(of: burst) else { return .keys }
        // A key or two are pressed after a paste.
        if isRest, burst.count > 2 {
            last = now
            return .dropped(burst.count)
        }
        guard burst.count > Self.maximumTyped else { return .keys }
        if let pasted = Self.pasted(text) {
            last = now
            return .paste(pasted)
        }
        if Self.mayBeTyped(text) { return .keys }
        last = now
        return .dropped(burst.count)
    }

    /// A curl command or a URL, without the prompt of a shell that was copied with it; nil for any other text.
    private static func pasted(_ text: String) -> String? {
        let start = ["$ ", "% "].first(where: text.hasPrefix)
        let command = String(text.dropFirst(start?.count ?? 0))
        return beginnings.contains(where: command.hasPrefix) ? command : nil
    }

    /// True for keys that repeat, for a search or a prompt with its text, and for fields with tabs between them: a line
    /// that stalls, or a program, may send them together.
    private static func mayBeTyped(_ text: String) -> Bool {
        // A field that is opened, and what is typed into it.
        if text.prefix(maximumTyped).contains("\n") { return true }
        if Set(text).count < 5 || text.contains("\t") && !text.contains("\n") { return true }
        // A pane is often named first.
        return text.drop(while: \.isNumber).first.map { "/:!|?S".contains($0) } ?? true
    }

    /// The text of keys that are all letters, tabs and line ends.
    static func letters(of burst: [InputEvent]) -> String? {
        var text = ""
        for input in burst {
            guard case .key(let key) = input, let letter = letter(of: key) else { return nil }
            text.append(letter)
        }
        return text
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
