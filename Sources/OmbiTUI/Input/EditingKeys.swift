import OmbiTerminal

extension Keymap {
    /// The keys where text is edited. Terminals that send no Shift+Left have the mark, as in Emacs and nano.
    static let editing = prompts + fields + completing + body + finding

    private static let prompts =
        [
            Binding("Enter", does: .accept, in: .line, "Submit"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .line, "Close"),
            Binding(
                "Tab", does: .view(.switchOption), in: .line, "Switch the option (regular expression, format)"),
            Binding("Up", does: .view(.historyBack), in: .line, "Go back in the history"),
            Binding("Down", does: .view(.historyForward), in: .line, "Go forward in the history"),
        ] + inLine(.line)

    private static let fields =
        [
            Binding("Enter", does: .accept, in: .field, "Submit", footer: "submit"),
            Binding("Tab", does: .nextField, in: .field, "Submit, and go to the next field", footer: "next"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .field, "Discard the edit", footer: "discard"),
            Binding(
                "F5", "Alt+Enter", does: .editor(.send), in: .field, "Submit, and send the request"),
            Binding("Up", does: .text(.move(.up)), in: .field, "Go to the start"),
            Binding("Down", does: .text(.move(.down)), in: .field, "Go to the end"),
        ] + inLine(.field) + clipboard(.field)

    /// Before those of the field or the body, while the list is open.
    private static let completing = [
        Binding("Tab", does: .nextField, in: .completing, "Insert the marked row", footer: "insert"),
        Binding("Up", does: .move(.up), in: .completing, "Mark the row above"),
        Binding("Down", does: .move(.down), in: .completing, "Mark the row below", footer: "choose"),
        Binding("PageUp", does: .move(.pageUp), in: .completing, "Mark a row a page up"),
        Binding("PageDown", does: .move(.pageDown), in: .completing, "Mark a row a page down"),
        Binding(
            "Enter", does: .accept, in: .completing, "Insert a row that was chosen; submit otherwise", footer: "submit"),
        Binding("Esc", does: .leave, in: .completing, "Close the list", footer: "close"),
    ]

    private static let body =
        [
            Binding("Esc", "Ctrl+C", does: .leave, in: .area, "Keep the edit (u undoes it)", footer: "done"),
            Binding(
                "F5", "Alt+Enter", does: .editor(.send), in: .area, "Keep the edit, and send the request",
                footer: "send"),
            Binding("Ctrl+F", does: .editor(.find), in: .area, "Find", footer: "find"),
            Binding("Ctrl+R", does: .editor(.replace), in: .area, "Find and replace", footer: "replace"),
            Binding("F3", "Alt+n", does: .editor(.findNext), in: .area, "Go to the next match"),
            Binding("Shift+F3", "Alt+p", does: .editor(.findPrevious), in: .area, "Go to the previous match"),
            Binding("Alt+F", does: .editor(.format), in: .area, "Format the JSON", footer: "format"),
            Binding("Alt+M", does: .editor(.minify), in: .area, "Minify the JSON"),
            Binding("Alt+W", does: .editor(.toggleWrap), in: .area, "Toggle line wrapping"),
            Binding("Alt+#", does: .editor(.toggleNumbers), in: .area, "Toggle line numbers"),
            Binding("Enter", does: .text(.newline), in: .area, "Insert a line break"),
            Binding("Tab", does: .text(.indent), in: .area, "Indent the line or the selection"),
            Binding("Shift+Tab", does: .text(.outdent), in: .area, "Outdent the line or the selection"),
            Binding("Alt+D", does: .text(.duplicate), in: .area, "Duplicate the line or the selection"),
            Binding("Alt+Up", does: .text(.moveLinesUp), in: .area, "Move the line up"),
            Binding("Alt+Down", does: .text(.moveLinesDown), in: .area, "Move the line down"),
        ] + common(.area) + clipboard(.area) + rows(.area)

    private static let finding =
        [
            Binding("Enter", does: .accept, in: .finding, "Keep the match; replace it", footer: "keep, replace"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .finding, "Close", footer: "close"),
            Binding("Tab", does: .nextField, in: .finding, "Switch between the two fields"),
            Binding("Down", "F3", does: .editor(.findNext), in: .finding, "Go to the next match", footer: "next"),
            Binding("Up", "Shift+F3", does: .editor(.findPrevious), in: .finding, "Go to the previous match"),
            Binding("Alt+a", does: .editor(.replaceAll), in: .finding, "Replace all matches", footer: "replace all"),
        ] + inLine(.finding)

    // MARK: Keys that several places share

    static func inLine(_ scope: KeyScope) -> [Binding] {
        common(scope) + [Binding("Ctrl+F", does: .text(.move(.right)), in: scope, "Move right")]
    }

    private static func common(_ scope: KeyScope) -> [Binding] {
        [
            Binding("Backspace", does: .text(.deleteBackward), in: scope, "Delete to the left"),
            Binding("Delete", "Ctrl+D", does: .text(.deleteForward), in: scope, "Delete to the right"),
            Binding("Ctrl+W", "Alt+Backspace", does: .text(.deleteWordBackward), in: scope, "Delete a word"),
            Binding("Alt+d", "Ctrl+Delete", does: .text(.deleteWordForward), in: scope, "Delete a word to the right"),
            Binding("Ctrl+U", does: .text(.deleteToStart), in: scope, "Delete to the start of the line"),
            Binding("Ctrl+K", does: .text(.deleteToEnd), in: scope, "Delete to the end of the line"),
            Binding("Left", "Ctrl+B", does: .text(.move(.left)), in: scope, "Move left"),
            Binding("Right", does: .text(.move(.right)), in: scope, "Move right"),
            Binding("Ctrl+Left", "Alt+b", does: .text(.move(.wordLeft)), in: scope, "Move a word left"),
            Binding("Ctrl+Right", "Alt+f", does: .text(.move(.wordRight)), in: scope, "Move a word right"),
            Binding("Home", "Ctrl+A", does: .text(.move(.start)), in: scope, "Go to the start of the line"),
            Binding("End", "Ctrl+E", does: .text(.move(.end)), in: scope, "Go to the end of the line"),
            Binding("Ctrl+Z", "Ctrl+_", "Alt+u", does: .text(.undo), in: scope, "Undo"),
            Binding("Ctrl+Y", "Alt+z", does: .text(.redo), in: scope, "Redo"),
        ]
    }

    private static func clipboard(_ scope: KeyScope) -> [Binding] {
        [
            Binding("Ctrl+X", does: .text(.cut), in: scope, "Cut the selection, or the line"),
            Binding("Alt+c", does: .text(.copy), in: scope, "Copy the selection, or the line"),
            Binding("Ctrl+V", does: .text(.paste), in: scope, "Paste the text that was cut or copied last"),
            Binding("Ctrl+Space", "Alt+a", does: .text(.mark), in: scope, "Set or clear the mark: moves select"),
            Binding("Alt+A", does: .text(.selectAll), in: scope, "Select all"),
            Binding("Shift+Left", does: .text(.select(.left)), in: scope, "Select to the left"),
            Binding("Shift+Right", does: .text(.select(.right)), in: scope, "Select to the right"),
            Binding("Ctrl+Shift+Left", does: .text(.select(.wordLeft)), in: scope, "Select a word to the left"),
            Binding("Ctrl+Shift+Right", does: .text(.select(.wordRight)), in: scope, "Select a word to the right"),
            Binding("Shift+Home", does: .text(.select(.start)), in: scope, "Select to the start of the line"),
            Binding("Shift+End", does: .text(.select(.end)), in: scope, "Select to the end of the line"),
        ]
    }

    private static func rows(_ scope: KeyScope) -> [Binding] {
        [
            Binding("Up", does: .text(.move(.up)), in: scope, "Move up"),
            Binding("Down", does: .text(.move(.down)), in: scope, "Move down"),
            Binding("PageUp", does: .text(.move(.pageUp)), in: scope, "Move a page up"),
            Binding("PageDown", does: .text(.move(.pageDown)), in: scope, "Move a page down"),
            Binding("Ctrl+Up", does: .text(.move(.paragraphUp)), in: scope, "Go to the blank line above"),
            Binding("Ctrl+Down", does: .text(.move(.paragraphDown)), in: scope, "Go to the blank line below"),
            Binding("Ctrl+Home", "Alt+<", does: .text(.move(.textStart)), in: scope, "Go to the start of the text"),
            Binding("Ctrl+End", "Alt+>", does: .text(.move(.textEnd)), in: scope, "Go to the end of the text"),
            Binding("Ctrl+]", does: .text(.move(.bracket)), in: scope, "Go to the partner of the bracket"),
            Binding("Shift+Up", does: .text(.select(.up)), in: scope, "Select up"),
            Binding("Shift+Down", does: .text(.select(.down)), in: scope, "Select down"),
            Binding("Shift+PageUp", does: .text(.select(.pageUp)), in: scope, "Select a page up"),
            Binding("Shift+PageDown", does: .text(.select(.pageDown)), in: scope, "Select a page down"),
            Binding("Ctrl+Shift+Home", does: .text(.select(.textStart)), in: scope, "Select to the start of the text"),
            Binding("Ctrl+Shift+End", does: .text(.select(.textEnd)), in: scope, "Select to the end of the text"),
        ]
    }
}
