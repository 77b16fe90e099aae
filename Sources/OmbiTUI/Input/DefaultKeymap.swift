extension Keymap {
    /// The keys of Ombi, without those that terminals use themselves: Ctrl+H (backspace), Ctrl+I (tab), Ctrl+J and
    /// Ctrl+M (enter), Ctrl+S and Ctrl+Q (flow control).
    static let standard = Keymap(
        everywhere + lists + tree + request + response + viewer + selecting + editing + answering)

    /// The keys of `ombi view`.
    static let pager = Keymap(
        [Binding("x", does: .run(.cancel), in: .everywhere, "stop reading a pipe", footer: "stop")] + viewer + selecting
            + lists
            + everywhere.filter { [.app(.redraw), .app(.suspend), .app(.help), .app(.quit)].contains($0.action) }
            + answering
            + editing.filter { $0.scope == .line })

    private static let everywhere = [
        Binding("s", does: .run(.send), in: .everywhere, "send the request", footer: "send"),
        Binding("x", does: .run(.cancel), in: .everywhere, "cancel the run"),
        Binding("r", does: .run(.retryNow), in: .everywhere, "retry now: end the wait or the attempt"),
        Binding("+", does: .run(.addAttempt), in: .everywhere, "allow one more attempt"),
        Binding(
            "E", does: .files(.chooseEnvironment), in: .everywhere, "choose the environment", footer: "environment"),
        Binding("w", does: .files(.save), in: .everywhere, "save the collection", footer: "save"),
        Binding("u", does: .files(.undo), in: .everywhere, "undo the last edit"),
        Binding("Tab", does: .app(.focusNext), in: .everywhere, "next pane", footer: "pane"),
        Binding("Shift+Tab", does: .app(.focusPrevious), in: .everywhere, "previous pane"),
        Binding("1", does: .app(.focus(.tree)), in: .everywhere, "go to the collections"),
        Binding("2", does: .app(.focus(.request)), in: .everywhere, "go to the request"),
        Binding("3", does: .app(.focus(.response)), in: .everywhere, "go to the response"),
        Binding("z", does: .app(.zoom), in: .everywhere, "fill the screen with this pane, and back"),
        Binding("y", does: .copy, in: .everywhere, "copy: the response, or the URL of the request"),
        Binding(":", "Ctrl+P", does: .app(.palette), in: .everywhere, "find a command"),
        Binding("Ctrl+L", does: .app(.redraw), in: .everywhere, "draw the screen anew"),
        Binding("Ctrl+Z", does: .app(.suspend), in: .everywhere, "suspend ombi (fg brings it back)"),
        Binding("Esc", does: .leave, in: .everywhere, "back to the collections"),
        Binding("?", "F1", does: .app(.help), in: .everywhere, "this help", footer: "help"),
        Binding(
            "q", "Ctrl+C", does: .app(.quit), in: .everywhere, "quit; asks when something is not saved", footer: "quit"),
    ]

    private static let lists = [
        Binding("Up", "k", does: .move(.up), in: .lists, "up"),
        Binding("Down", "j", does: .move(.down), in: .lists, "down"),
        Binding("PageUp", does: .move(.pageUp), in: .lists, "a page up"),
        Binding("PageDown", "Space", does: .move(.pageDown), in: .lists, "a page down"),
        Binding("Ctrl+U", does: .move(.halfPageUp), in: .lists, "half a page up"),
        Binding("Ctrl+D", does: .move(.halfPageDown), in: .lists, "half a page down"),
        Binding("g", "Home", does: .move(.top), in: .lists, "to the top"),
        Binding("G", "End", does: .move(.bottom), in: .lists, "to the end"),
    ]

    private static let tree = [
        Binding("Enter", does: .tree(.open), in: .tree, "open or close; on a request: edit it", footer: "open"),
        Binding("Left", "h", does: .move(.left), in: .tree, "close, or go to the folder above"),
        Binding("Right", "l", does: .move(.right), in: .tree, "open, or go to the request"),
        Binding("a", does: .tree(.askForRequest), in: .tree, "add a request", footer: "add"),
        Binding("A", does: .tree(.askForFolder), in: .tree, "add a folder"),
        Binding("d", does: .tree(.delete), in: .tree, "delete (u brings it back)"),
        Binding("D", does: .tree(.duplicate), in: .tree, "duplicate"),
        Binding("R", does: .tree(.askForName), in: .tree, "rename", footer: "rename"),
        Binding("J", does: .tree(.move(1)), in: .tree, "move down"),
        Binding("K", does: .tree(.move(-1)), in: .tree, "move up"),
        Binding("e", does: .tree(.editFile), in: .tree, "open the collection file in $EDITOR"),
    ]

    private static let request = [
        Binding("Enter", does: .request(.edit), in: .request, "edit what is under the cursor", footer: "edit"),
        Binding("]", "Right", "l", does: .request(.nextTab), in: .request, "next tab", footer: "tab"),
        Binding("[", "Left", "h", does: .request(.previousTab), in: .request, "previous tab"),
        Binding("Space", does: .request(.toggleRow), in: .request, "switch a row on or off"),
        Binding("a", does: .request(.addRow), in: .request, "add a row", footer: "add"),
        Binding("d", does: .request(.deleteRow), in: .request, "delete the row (u brings it back)"),
        Binding("m", does: .request(.chooseMethod), in: .request, "choose the method"),
        Binding("R", does: .request(.askForName), in: .request, "rename the request"),
        Binding(
            "e", does: .request(.editExternally), in: .request, "edit body or headers in $EDITOR", footer: "$EDITOR"),
    ]

    private static let response = [
        Binding("]", "Enter", does: .response(.nextTab), in: .response, "next tab", footer: "tab"),
        Binding("[", does: .response(.previousTab), in: .response, "previous tab"),
        Binding("Left", "h", does: .move(.left), in: .response, "scroll left"),
        Binding("Right", "l", does: .move(.right), in: .response, "scroll right"),
    ]

    private static let viewer = [
        Binding("/", does: .view(.find), in: .viewer, "find", footer: "find"),
        Binding("n", does: .view(.findNext), in: .viewer, "next match"),
        Binding("N", does: .view(.findPrevious), in: .viewer, "previous match"),
        Binding("|", does: .view(.filter), in: .viewer, "filter with JSONPath (RFC 9535)", footer: "filter"),
        Binding("!", does: .view(.shell), in: .viewer, "run a shell command on the body or the rows"),
        Binding("M", does: .view(.mark), in: .viewer, "mark the body to compare others with"),
        Binding("D", does: .view(.compare), in: .viewer, "compare with the mark, or the answer before"),
        Binding("Ctrl+G", does: .view(.goTo), in: .viewer, "go to a path, a line or an offset"),
        Binding("y", does: .view(.copyValue), in: .viewer, "copy the value or line under the cursor", footer: "copy"),
        Binding("Y", does: .view(.copyAll), in: .viewer, "copy all of it"),
        Binding("C", does: .view(.copyPath), in: .viewer, "copy the path of the value under the cursor"),
        Binding("S", does: .view(.save), in: .viewer, "save the body to a file", footer: "save as"),
        Binding("t", does: .view(.switchMode), in: .viewer, "formatted, text, hexadecimal", footer: "text"),
        Binding("v", does: .view(.select), in: .viewer, "select rows from here on", footer: "select"),
        Binding("W", does: .view(.toggleWrap), in: .viewer, "wrap long lines of text, or not"),
        Binding("#", does: .view(.toggleNumbers), in: .viewer, "numbers beside the rows, or not"),
        Binding("e", does: .view(.openInEditor), in: .viewer, "look at it in $EDITOR"),
        Binding("P", does: .view(.openInPager), in: .viewer, "look at it in $PAGER"),
        Binding("<", does: .move(.left), in: .viewer, "scroll left"),
        Binding(">", does: .move(.right), in: .viewer, "scroll right"),
        Binding("0", does: .view(.firstColumn), in: .viewer, "scroll back to the first column"),
        Binding("Left", "h", does: .view(.closeFold), in: .viewer, "scroll left"),
        Binding("Right", "l", does: .view(.openFold), in: .viewer, "scroll right"),
        Binding("Esc", does: .leave, in: .viewer, "stop; leave selection, marks, result, body"),
        Binding("Enter", "Space", does: .view(.toggleFold), in: .folding, "fold or unfold", footer: "fold"),
        Binding("Left", "h", does: .view(.closeFold), in: .folding, "fold, or go to what it is in"),
        Binding("Right", "l", does: .view(.openFold), in: .folding, "unfold, or go down"),
        Binding("-", does: .view(.foldMore), in: .folding, "fold one level more"),
        Binding("=", does: .view(.foldLess), in: .folding, "unfold one level more"),
        Binding("*", does: .view(.unfoldAll), in: .folding, "unfold all"),
        Binding("p", does: .view(.parent), in: .folding, "to what it is in"),
        Binding("}", does: .view(.nextSibling), in: .folding, "to the next one beside it"),
        Binding("{", does: .view(.previousSibling), in: .folding, "to the one before beside it"),
    ]

    private static let selecting = [
        Binding("y", does: .view(.copyValue), in: .selecting, "copy the rows", footer: "copy rows"),
        Binding("Esc", "v", does: .leave, in: .selecting, "select nothing", footer: "leave"),
    ]

    private static let editing =
        [
            Binding("Enter", does: .accept, in: .line, "do it, keep it"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .line, "leave"),
            Binding("Tab", does: .view(.switchOption), in: .line, "text or regular expression; form"),
            Binding("Up", does: .view(.historyBack), in: .line, "what was typed before"),
            Binding("Down", does: .view(.historyForward), in: .line, "what was typed after it"),
            Binding("Enter", does: .accept, in: .field, "keep", footer: "keep"),
            Binding("Tab", does: .nextField, in: .field, "keep, and go on to the next field", footer: "next"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .field, "discard", footer: "discard"),
            Binding("Esc", "Ctrl+C", does: .leave, in: .area, "keep and leave (u undoes)", footer: "done"),
            Binding("Enter", does: .text(.newline), in: .area, "new line"),
            Binding("Tab", does: .text(.insert("  ")), in: .area, "indent"),
        ] + movements(in: .field) + movements(in: .area) + movements(in: .line).filter { $0.isOneLine }

    private static func movements(in scope: KeyScope) -> [Binding] {
        [
            Binding("Backspace", does: .text(.deleteBackward), in: scope, "delete to the left"),
            Binding("Delete", "Ctrl+D", does: .text(.deleteForward), in: scope, "delete to the right"),
            Binding("Ctrl+W", "Alt+Backspace", does: .text(.deleteWordBackward), in: scope, "delete a word"),
            Binding("Ctrl+U", does: .text(.deleteToStart), in: scope, "delete to the start"),
            Binding("Ctrl+K", does: .text(.deleteToEnd), in: scope, "delete to the end"),
            Binding("Left", "Ctrl+B", does: .text(.left), in: scope, "left"),
            Binding("Right", "Ctrl+F", does: .text(.right), in: scope, "right"),
            Binding("Ctrl+Left", "Alt+b", does: .text(.wordLeft), in: scope, "a word left"),
            Binding("Ctrl+Right", "Alt+f", does: .text(.wordRight), in: scope, "a word right"),
            Binding("Home", "Ctrl+A", does: .text(.start), in: scope, "to the start"),
            Binding("End", "Ctrl+E", does: .text(.end), in: scope, "to the end"),
            Binding("Up", does: .text(.up), in: scope, "up"),
            Binding("Down", does: .text(.down), in: scope, "down"),
            Binding("PageUp", does: .text(.pageUp), in: scope, "a page up"),
            Binding("PageDown", does: .text(.pageDown), in: scope, "a page down"),
        ]
    }

    private static let answering = [
        Binding("Up", does: .move(.up), in: .picker, "up"),
        Binding("Down", does: .move(.down), in: .picker, "down"),
        Binding("PageUp", does: .move(.pageUp), in: .picker, "a page up"),
        Binding("PageDown", does: .move(.pageDown), in: .picker, "a page down"),
        Binding("Backspace", does: .text(.deleteBackward), in: .picker, "delete to the left"),
        Binding("Enter", does: .accept, in: .picker, "choose", footer: "choose"),
        Binding("Esc", "Ctrl+C", does: .leave, in: .picker, "leave", footer: "leave"),
        Binding("y", "Y", does: .confirm(true), in: .question, "yes", footer: "yes"),
        Binding("n", "N", does: .confirm(false), in: .question, "no", footer: "no"),
        Binding("Esc", "Ctrl+C", does: .leave, in: .question, "back", footer: "back"),
        Binding("y", "Y", does: .confirm(true), in: .decision, "yes", footer: "yes"),
        Binding("n", "N", does: .confirm(false), in: .decision, "no", footer: "no"),
        Binding("q", "Ctrl+C", does: .app(.quit), in: .decision, "quit and decide at the next start", footer: "quit"),
        Binding("Up", "k", does: .move(.up), in: .help, "up"),
        Binding("Down", "j", does: .move(.down), in: .help, "down"),
        Binding("PageUp", does: .move(.pageUp), in: .help, "a page up"),
        Binding("PageDown", "Space", does: .move(.pageDown), in: .help, "a page down", footer: "more"),
        Binding("Esc", "q", "?", "F1", "Ctrl+C", does: .leave, in: .help, "leave the help", footer: "close"),
    ]
}

extension Binding {
    /// False for bindings that need a text of several lines.
    fileprivate var isOneLine: Bool {
        ![.text(.up), .text(.down), .text(.pageUp), .text(.pageDown)].contains(action)
    }
}
