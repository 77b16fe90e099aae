extension Keymap {
    /// The keys where text is edited. Terminals that send no Shift+Left have the mark, as in Emacs and nano.
    static let editing = prompts + fields + completing + body + finding

    private static let prompts =
        [
            Binding(.enter, does: .accept, in: .line, "Submit", footer: "submit"),
            Binding(
                .tab, does: .view(.switchOption), in: .line, "Switch the option (regular expression, format)",
                footer: "option"),
            Binding(.escape, .control("c"), does: .leave, in: .line, "Close", footer: "close"),
            Binding(.up, does: .view(.historyBack), in: .line, "Go back in the history"),
            Binding(.down, does: .view(.historyForward), in: .line, "Go forward in the history"),
        ] + inLine(.line)

    private static let fields =
        [
            Binding(.enter, does: .accept, in: .field, "Submit", footer: "submit"),
            Binding(.tab, does: .nextField, in: .field, "Submit, and go to the next field", footer: "next"),
            Binding(.escape, .control("c"), does: .leave, in: .field, "Discard the edit", footer: "cancel"),
            Binding(
                .function(5), .alt(.enter), does: .editor(.send), in: .field, "Submit, and send the request"),
            Binding(.up, does: .text(.move(.up)), in: .field, "Go to the start"),
            Binding(.down, does: .text(.move(.down)), in: .field, "Go to the end"),
        ] + inLine(.field) + clipboard(.field)

    /// Before those of the field or the body, while the list is open.
    private static let completing = [
        Binding(.tab, does: .nextField, in: .completing, "Insert the marked row", footer: "insert"),
        Binding(.up, does: .move(.up), in: .completing, "Mark the row above"),
        Binding(.down, does: .move(.down), in: .completing, "Mark the row below", footer: "choose"),
        Binding(.pageUp, does: .move(.pageUp), in: .completing, "Mark a row a page up"),
        Binding(.pageDown, does: .move(.pageDown), in: .completing, "Mark a row a page down"),
        Binding(
            .enter, does: .accept, in: .completing, "Insert a row that was chosen or is needed; submit otherwise",
            footer: "submit"),
        Binding(.escape, does: .leave, in: .completing, "Close the list", footer: "close"),
    ]

    private static let body =
        [
            Binding(.control("f"), does: .editor(.find), in: .area, "Find", footer: "find"),
            Binding(.control("r"), does: .editor(.replace), in: .area, "Find and replace", footer: "replace"),
            Binding(.function(3), .alt("n"), does: .editor(.findNext), in: .area, "Go to the next match"),
            Binding(
                .shift(.function(3)), .alt("p"), does: .editor(.findPrevious), in: .area, "Go to the previous match"),
            Binding(.alt("F"), does: .editor(.format), in: .area, "Format the JSON", footer: "format"),
            Binding(
                .function(5), .alt(.enter), does: .editor(.send), in: .area, "Keep the edit, and send the request",
                footer: "send"),
            // The last one, which shows on the smallest screen.
            Binding(.escape, .control("c"), does: .leave, in: .area, "Keep the edit (u undoes it)", footer: "done"),
            Binding(.alt("M"), does: .editor(.minify), in: .area, "Minify the JSON"),
            Binding(.alt("W"), does: .editor(.toggleWrap), in: .area, "Toggle line wrapping"),
            Binding(.alt("#"), does: .editor(.toggleNumbers), in: .area, "Toggle line numbers"),
            Binding(.alt("/"), does: .editor(.complete), in: .area, "Show what completes the text"),
            Binding(.enter, does: .text(.newline), in: .area, "Insert a line break"),
            Binding(.tab, does: .text(.indent), in: .area, "Indent the line or the selection"),
            Binding(.shift(.tab), does: .text(.outdent), in: .area, "Outdent the line or the selection"),
            Binding(.alt("D"), does: .text(.duplicate), in: .area, "Duplicate the line or the selection"),
            Binding(.alt(.up), does: .text(.moveLinesUp), in: .area, "Move the line up"),
            Binding(.alt(.down), does: .text(.moveLinesDown), in: .area, "Move the line down"),
        ] + common(.area) + clipboard(.area) + rows(.area)

    private static let finding =
        [
            Binding(.enter, does: .accept, in: .finding, "Keep the match; replace it", footer: "keep, replace"),
            Binding(.escape, .control("c"), does: .leave, in: .finding, "Close", footer: "close"),
            Binding(.tab, does: .nextField, in: .finding, "Switch between the two fields"),
            Binding(
                .down, .function(3), does: .editor(.findNext), in: .finding, "Go to the next match", footer: "next"),
            Binding(.up, .shift(.function(3)), does: .editor(.findPrevious), in: .finding, "Go to the previous match"),
            Binding(.alt("a"), does: .editor(.replaceAll), in: .finding, "Replace all matches", footer: "replace all"),
        ] + inLine(.finding)

    // MARK: Keys that several places share

    /// The way through a list that a text narrows down.
    static func steps(_ scope: KeyScope) -> [Binding] {
        [
            Binding(.up, does: .move(.up), in: scope, "Move up"),
            Binding(.down, does: .move(.down), in: scope, "Move down"),
            Binding(.pageUp, does: .move(.pageUp), in: scope, "Move a page up"),
            Binding(.pageDown, does: .move(.pageDown), in: scope, "Move a page down"),
        ]
    }

    static func inLine(_ scope: KeyScope) -> [Binding] {
        common(scope) + [Binding(.control("f"), does: .text(.move(.right)), in: scope, "Move right")]
    }

    private static func common(_ scope: KeyScope) -> [Binding] {
        [
            Binding(.backspace, does: .text(.deleteBackward), in: scope, "Delete to the left"),
            Binding(.delete, .control("d"), does: .text(.deleteForward), in: scope, "Delete to the right"),
            Binding(.control("w"), .alt(.backspace), does: .text(.deleteWordBackward), in: scope, "Delete a word"),
            Binding(
                .alt("d"), .control(.delete), does: .text(.deleteWordForward), in: scope, "Delete a word to the right"),
            Binding(.control("u"), does: .text(.deleteToStart), in: scope, "Delete to the start of the line"),
            Binding(.control("k"), does: .text(.deleteToEnd), in: scope, "Delete to the end of the line"),
            Binding(.left, .control("b"), does: .text(.move(.left)), in: scope, "Move left"),
            Binding(.right, does: .text(.move(.right)), in: scope, "Move right"),
            Binding(.control(.left), .alt("b"), does: .text(.move(.wordLeft)), in: scope, "Move a word left"),
            Binding(.control(.right), .alt("f"), does: .text(.move(.wordRight)), in: scope, "Move a word right"),
            Binding(.home, .control("a"), does: .text(.move(.start)), in: scope, "Go to the start of the line"),
            Binding(.end, .control("e"), does: .text(.move(.end)), in: scope, "Go to the end of the line"),
            Binding(.control("z"), .control("_"), .alt("u"), does: .text(.undo), in: scope, "Undo"),
            Binding(.control("y"), .alt("z"), does: .text(.redo), in: scope, "Redo"),
        ]
    }

    private static func clipboard(_ scope: KeyScope) -> [Binding] {
        [
            Binding(.control("x"), does: .text(.cut), in: scope, "Cut the selection, or the line"),
            Binding(.alt("c"), does: .text(.copy), in: scope, "Copy the selection, or the line"),
            Binding(.control("v"), does: .text(.paste), in: scope, "Paste the text that was cut or copied last"),
            Binding(.control(.space), .alt("a"), does: .text(.mark), in: scope, "Set or clear the mark: moves select"),
            Binding(.alt("A"), does: .text(.selectAll), in: scope, "Select all"),
            Binding(.shift(.left), does: .text(.select(.left)), in: scope, "Select to the left"),
            Binding(.shift(.right), does: .text(.select(.right)), in: scope, "Select to the right"),
            Binding(.control(.shift(.left)), does: .text(.select(.wordLeft)), in: scope, "Select a word to the left"),
            Binding(
                .control(.shift(.right)), does: .text(.select(.wordRight)), in: scope, "Select a word to the right"),
            Binding(.shift(.home), does: .text(.select(.start)), in: scope, "Select to the start of the line"),
            Binding(.shift(.end), does: .text(.select(.end)), in: scope, "Select to the end of the line"),
        ]
    }

    private static func rows(_ scope: KeyScope) -> [Binding] {
        [
            Binding(.up, does: .text(.move(.up)), in: scope, "Move up"),
            Binding(.down, does: .text(.move(.down)), in: scope, "Move down"),
            Binding(.pageUp, does: .text(.move(.pageUp)), in: scope, "Move a page up"),
            Binding(.pageDown, does: .text(.move(.pageDown)), in: scope, "Move a page down"),
            Binding(.control(.up), does: .text(.move(.paragraphUp)), in: scope, "Go to the blank line above"),
            Binding(.control(.down), does: .text(.move(.paragraphDown)), in: scope, "Go to the blank line below"),
            Binding(
                .control(.home), .alt("<"), does: .text(.move(.textStart)), in: scope, "Go to the start of the text"),
            Binding(.control(.end), .alt(">"), does: .text(.move(.textEnd)), in: scope, "Go to the end of the text"),
            Binding(.control("]"), does: .text(.move(.bracket)), in: scope, "Go to the partner of the bracket"),
            Binding(.shift(.up), does: .text(.select(.up)), in: scope, "Select up"),
            Binding(.shift(.down), does: .text(.select(.down)), in: scope, "Select down"),
            Binding(.shift(.pageUp), does: .text(.select(.pageUp)), in: scope, "Select a page up"),
            Binding(.shift(.pageDown), does: .text(.select(.pageDown)), in: scope, "Select a page down"),
            Binding(
                .control(.shift(.home)), does: .text(.select(.textStart)), in: scope, "Select to the start of the text"),
            Binding(.control(.shift(.end)), does: .text(.select(.textEnd)), in: scope, "Select to the end of the text"),
        ]
    }
}

extension Keymap {
    /// The keys of the table of a folder's run, and of its filter.
    static let batch =
        [
            Binding(.enter, does: .accept, in: .batch, "Go to the request and its response", footer: "open"),
            Binding("o", does: .batch(.goTo), in: .batch, "Open the request; Enter shows what differs in a replay"),
            Binding("x", does: .run(.cancel), in: .batch, "Cancel the request", footer: "cancel"),
            Binding(.control("x"), does: .batch(.cancelAll), in: .batch, "Cancel all requests", footer: "all"),
            Binding(
                "r", does: .run(.retryNow), in: .batch, "Retry now: end the wait or the attempt", footer: "retry now"),
            Binding("+", does: .run(.addAttempt), in: .batch, "Allow one more attempt", footer: "attempt"),
            Binding(
                "f", does: .batch(.runFailed), in: .batch, "Run again what failed or was cancelled",
                footer: "run failed"),
            Binding("s", .function(5), does: .run(.send), in: .batch, "Send all of it again", footer: "run again"),
            Binding(":", .control("p"), does: .app(.palette), in: .batch, "Find a command"),
            Binding(.control("l"), does: .app(.redraw), in: .batch, "Redraw the screen"),
            Binding(.control("z"), does: .app(.suspend), in: .batch, "Suspend Ombi (fg resumes it)"),
            Binding("L", does: .app(.log), in: .batch, "Show the message log"),
            Binding(.function(1), does: .app(.manual), in: .batch, "Open the manual"),
            Binding(
                "/", does: .view(.find), in: .batch, "Filter by name, folder, method, path or result",
                footer: "filter"),
            Binding("?", does: .app(.help), in: .batch, "Show this help", footer: "help"),
            Binding(
                .escape, "q", "T", does: .leave, in: .batch, "End the filter, or close the table: its requests go on",
                footer: "close"),
            Binding(
                .control("c"), does: .app(.interrupt), in: .batch, "Cancel all requests; close the table if none runs"),
            Binding(.enter, does: .accept, in: .filtering, "Keep the filter", footer: "keep"),
            Binding(.escape, .control("c"), does: .leave, in: .filtering, "Show all rows", footer: "all rows"),
        ] + steps(.filtering) + inLine(.filtering)
}

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
