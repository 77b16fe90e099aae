extension Keymap {
    /// The keys of Ombi, without those that terminals use themselves: Ctrl+H (backspace), Ctrl+I (tab), Ctrl+J and
    /// Ctrl+M (enter), Ctrl+S and Ctrl+Q (flow control).
    static let standard: Keymap = {
        let parts = [
            start, everywhere, lists, tree, treeTabs, marking, searching, request, requestTabs, response, responseTabs,
            expectations, attempts, cookies, history, allHistory, statistics, simulating, signIn, viewer,
            selecting, environments, batch, editing, previewing, answering,
        ]
        // Each binding that moves to a larger array is copied once more.
        var all: [Binding] = []
        all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { all += part }
        return Keymap(all)
    }()

    /// The keys of `ombi view`.
    static let pager = Keymap(
        [Binding("x", does: .run(.cancel), in: .everywhere, "Stop reading a pipe", footer: "stop")] + viewerKeys
            + selecting
            + lists
            + everywhere.filter {
                [.app(.redraw), .app(.suspend), .app(.manual), .app(.help)].contains($0.action)
            }
            + [Binding("q", .control("c"), does: .app(.quit), in: .everywhere, "Quit", footer: "quit")]
            + answering
            + editing.filter { $0.scope == .line })

    /// All other letters begin a URL.
    private static let start = [
        Binding("n", does: .tree(.askForCollection), in: .start, "Begin a new collection", footer: "new collection"),
        Binding("o", does: .tree(.askForPath), in: .start, "Open a collection or a folder", footer: "open"),
        Binding(.control("o"), does: .files(.askToImport), in: .start, "Import a curl command or a URL"),
        Binding(.control("n"), does: .files(.addScratch), in: .start, "Open a scratch request, which is in no file"),
        Binding(":", .control("p"), does: .app(.palette), in: .start, "Find a command", footer: "commands"),
        Binding(.function(1), does: .app(.manual), in: .start, "Open the manual"),
        Binding("?", does: .app(.help), in: .start, "Show this help", footer: "help"),
        Binding("q", .control("c"), does: .app(.quit), in: .start, "Quit", footer: "quit"),
        Binding(.control("l"), does: .app(.redraw), in: .start, "Redraw the screen"),
        Binding(.control("z"), does: .app(.suspend), in: .start, "Suspend Ombi (fg resumes it)"),
    ]

    private static let everywhere = [
        Binding(
            "s", .function(5), does: .run(.send), in: .everywhere, "Send the request; run the folder or the collection",
            footer: "send"),
        Binding("x", does: .run(.cancel), in: .everywhere, "Cancel the run"),
        Binding("r", does: .run(.retryNow), in: .everywhere, "Retry now: end the wait or the attempt"),
        Binding("+", does: .run(.addAttempt), in: .everywhere, "Allow one more attempt"),
        Binding("V", does: .run(.askToWatch), in: .everywhere, "Watch: send every few seconds, or stop that"),
        Binding(
            "E", does: .files(.chooseEnvironment), in: .everywhere, "Switch the environment", footer: "environment"),
        Binding(does: .files(.signOut), in: .everywhere, "Sign out: forget the environment's OAuth 2 tokens"),
        Binding("w", does: .files(.save), in: .everywhere, "Save the collection", footer: "save"),
        Binding("T", does: .batch(.show), in: .everywhere, "Show the run of the last folder", footer: "table"),
        Binding("u", does: .files(.undo), in: .everywhere, "Undo the last edit of the collection"),
        Binding("U", .control("r"), does: .files(.redo), in: .everywhere, "Redo the edit undone last"),
        Binding(
            .control("n"), does: .files(.addScratch), in: .everywhere, "Open a scratch request, which is in no file"),
        Binding(.control("o"), does: .files(.askToImport), in: .everywhere, "Import a curl command or a URL"),
        Binding(.tab, does: .app(.focusNext), in: .everywhere, "Go to the next pane", footer: "pane"),
        Binding(.shift(.tab), does: .app(.focusPrevious), in: .everywhere, "Go to the previous pane"),
        Binding("1", does: .app(.focus(.tree)), in: .everywhere, "Go to the requests"),
        Binding("2", does: .app(.focus(.request)), in: .everywhere, "Go to the request"),
        Binding("3", does: .app(.focus(.response)), in: .everywhere, "Go to the response"),
        Binding("z", does: .app(.zoom), in: .everywhere, "Toggle full screen for this pane"),
        Binding(does: .app(.moveSplit(.left)), in: .everywhere, "Move the divider left"),
        Binding(does: .app(.moveSplit(.right)), in: .everywhere, "Move the divider right"),
        Binding(does: .app(.moveSplit(.up)), in: .everywhere, "Move the divider up"),
        Binding(does: .app(.moveSplit(.down)), in: .everywhere, "Move the divider down"),
        Binding(
            "H", does: .response(.showHistory), in: .everywhere, "Show the history of the request"),
        Binding("y", does: .copy, in: .everywhere, "Copy what is under the cursor"),
        Binding(.control("l"), does: .app(.redraw), in: .everywhere, "Redraw the screen"),
        Binding(.control("z"), does: .app(.suspend), in: .everywhere, "Suspend Ombi (fg resumes it)"),
        Binding(.escape, does: .leave, in: .everywhere, "Leave full screen; end the watch"),
        Binding(
            ":", .control("p"), does: .app(.palette), in: .everywhere, "Find a command, field, request or environment",
            footer: "commands"),
        Binding("L", does: .app(.log), in: .everywhere, "Show the message log"),
        Binding(.function(1), does: .app(.manual), in: .everywhere, "Open the manual"),
        Binding("?", does: .app(.help), in: .everywhere, "Show this help", footer: "help"),
        Binding(
            "q", does: .app(.quit), in: .everywhere, "Quit, after questions about runs and unsaved edits",
            footer: "quit"),
        Binding(
            .control("c"), does: .app(.interrupt), in: .everywhere, "Cancel the run of the request; quit if it has none"
        ),
    ]

    private static let lists = [
        Binding(.up, "k", does: .move(.up), in: .lists, "Move up"),
        Binding(.down, "j", does: .move(.down), in: .lists, "Move down"),
        Binding(.pageUp, does: .move(.pageUp), in: .lists, "Move a page up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .lists, "Move a page down"),
        Binding(.control("u"), does: .move(.halfPageUp), in: .lists, "Move half a page up"),
        Binding(.control("d"), does: .move(.halfPageDown), in: .lists, "Move half a page down"),
        Binding("g", .home, does: .move(.top), in: .lists, "Go to the top"),
        Binding("G", .end, does: .move(.bottom), in: .lists, "Go to the end"),
    ]

    private static let tree = [
        Binding(.enter, does: .tree(.open), in: .tree, "Open or close a folder; edit a request", footer: "open"),
        Binding(.left, "h", does: .move(.left), in: .tree, "Close the folder, or go to its parent"),
        Binding(.right, "l", does: .move(.right), in: .tree, "Open the folder, or go to the request"),
        Binding("/", does: .tree(.search), in: .tree, "Search the requests", footer: "search"),
        Binding("a", does: .tree(.askForRequest), in: .tree, "Add a request", footer: "add"),
        Binding("A", does: .tree(.askForFolder), in: .tree, "Add a folder"),
        Binding("d", does: .tree(.delete), in: .tree, "Delete the item (u restores it)"),
        Binding(.alt("D"), does: .tree(.duplicate), in: .tree, "Duplicate the item"),
        Binding("R", does: .tree(.askForName), in: .tree, "Rename the item", footer: "rename"),
        Binding("v", does: .tree(.mark), in: .tree, "Select the item, to act on several at once"),
        Binding(does: .tree(.move(1)), in: .tree, "Move the item down"),
        Binding(does: .tree(.move(-1)), in: .tree, "Move the item up"),
        Binding(does: .tree(.moveOut), in: .tree, "Move the item out of its folder"),
        Binding(does: .tree(.moveIn), in: .tree, "Move the item into the folder next to it"),
        Binding("m", does: .tree(.chooseTarget(.move)), in: .tree, "Move the item to a folder"),
        Binding(does: .tree(.chooseTarget(.copy)), in: .tree, "Copy the item to a folder"),
        Binding("p", does: .run(.preview), in: .tree, "Preview the request without sending it"),
        Binding("Y", does: .chooseCopy, in: .tree, "Choose what to copy"),
        Binding(
            does: .batch(.chooseReplay), in: .tree, "Replay in an environment, and compare with recorded responses"),
        Binding("e", does: .tree(.editFile), in: .tree, "Open the collection file in $EDITOR"),
        Binding(does: .files(.chooseSecrets), in: .tree, "Move secrets in plain text to the local file"),
        Binding(does: .tree(.askForCollection), in: .tree, "Begin a new collection"),
        Binding("o", does: .tree(.askForPath), in: .tree, "Open a collection or a folder", footer: "open"),
        Binding(does: .tree(.askToClose), in: .tree, "Close the collection, whose file stays on disk"),
    ]

    private static let marking = [
        Binding(
            "m", does: .tree(.chooseTarget(.move)), in: .marking, "Move the selected items to a folder",
            footer: "move"),
        Binding(does: .tree(.putHere(.move)), in: .marking, "Move the selected items here"),
        Binding(does: .tree(.putHere(.copy)), in: .marking, "Copy the selected items here"),
        Binding(.escape, does: .leave, in: .marking, "Clear the selection", footer: "clear"),
    ]

    private static let searching =
        [
            Binding(.enter, does: .accept, in: .search, "Go to the request", footer: "go"),
            Binding(.escape, .control("c"), does: .leave, in: .search, "Close the search", footer: "close"),
        ] + steps(.search) + inLine(.search)

    /// From the list, too: the tab is what one looks for.
    private static let treeTabs = RequestTab.allCases.map { tab in
        key(of: tab.number, tab.usualName, in: .tree, does: .request(.showTab(tab.number)))
    }

    private static let requestTabs = RequestTab.allCases.map { tab in
        key(of: tab.number, tab.usualName, in: .request, does: .request(.showTab(tab.number)))
    }

    static func key(of number: Int, _ name: String, in scope: KeyScope, does action: Action) -> Binding {
        Binding(does: action, in: scope, "Go to the tab \(name)").bound(to: tabKeys(number))
    }

    /// The usual keys of a tab, by its number from 1. Some terminals and desktops take Alt and a number: there `;` and
    /// the number do the same. There is no digit beyond 9: further tabs are in the palette.
    static func tabKeys(_ number: Int) -> [[Key]] {
        guard number < 10 else { return [] }
        let digit = Key(.character(Character(String(number))))
        return [[.alt(digit)], [";", digit]]
    }

    private static let request = [
        Binding(.enter, does: .request(.edit), in: .request, "Edit the field under the cursor", footer: "edit"),
        Binding("]", .right, "l", does: .request(.nextTab), in: .request, "Go to the next tab", footer: "tab"),
        Binding("[", .left, "h", does: .request(.previousTab), in: .request, "Go to the previous tab"),
        Binding(
            .space, does: .request(.toggleRow), in: .request, "Toggle the row; on the URL, change the method",
            footer: "toggle"),
        Binding("a", does: .request(.addRow), in: .request, "Add a row", footer: "add"),
        Binding("d", does: .request(.deleteRow), in: .request, "Delete the row (u restores it)", footer: "delete"),
        Binding(does: .request(.describeRow), in: .request, "Describe the row"),
        Binding(does: .request(.toggleRaw), in: .request, "Toggle sending the row as it is written"),
        Binding(does: .request(.addCookie), in: .request, "Add a cookie to the request"),
        Binding(does: .request(.showExamples), in: .request, "Show the saved examples"),
        Binding(does: .request(.showDocumented), in: .request, "Show the documented responses"),
        Binding(does: .request(.introspect), in: .request, "Ask the service for its GraphQL schema"),
        Binding(does: .request(.chooseOperation), in: .request, "Add a request from the GraphQL schema"),
        Binding(does: .request(.chooseMethod), in: .request, "Change the method"),
        Binding("R", does: .request(.askForName), in: .request, "Rename the request"),
        Binding("p", does: .run(.preview), in: .request, "Preview the request without sending it", footer: "preview"),
        Binding("Y", does: .chooseCopy, in: .request, "Choose what to copy"),
        Binding(
            "e", does: .request(.editExternally), in: .request, "Open the body or the headers in $EDITOR",
            footer: "$EDITOR"),
    ]

    private static let response = [
        Binding("]", .enter, does: .response(.nextTab), in: .response, "Go to the next tab", footer: "tab"),
        Binding("[", does: .response(.previousTab), in: .response, "Go to the previous tab"),
        Binding(.left, "h", does: .move(.left), in: .response, "Scroll left"),
        Binding(.right, "l", does: .move(.right), in: .response, "Scroll right"),
        Binding(",", does: .response(.olderResponse), in: .response, "Show the response before this one"),
        Binding(".", does: .response(.newerResponse), in: .response, "Show the response after this one"),
        Binding(does: .run(.toggleFallback), in: .response, "Toggle between the fallback and the response"),
        Binding("X", does: .response(.expect), in: .response, "Expect the value under the cursor"),
        Binding("Y", does: .chooseCopy, in: .response, "Choose what to copy"),
        Binding("|", does: .view(.filter), in: .response, "Filter the body with JSONPath (RFC 9535)"),
        Binding("!", does: .view(.shell), in: .response, "Run a shell command on the body"),
        Binding("D", does: .view(.compare), in: .response, "Compare with the mark, or the previous response"),
        Binding("S", does: .view(.save), in: .response, "Save the body to a file"),
    ]

    private static let expectations = [
        Binding(
            .enter, does: .response(.showExpected), in: .expectations, "Go to the value of the expectation",
            footer: "show")
    ]

    private static let attempts = [
        Binding(
            .enter, does: .response(.openAttempt), in: .attempts, "Show the response of the attempt", footer: "open"),
        Binding(.escape, does: .leave, in: .attempt, "Go back from the attempt or the example", footer: "back"),
    ]

    private static let history = [
        Binding(.enter, does: .response(.openRecorded), in: .history, "Show the response of the run", footer: "show"),
        Binding(
            "/", does: .response(.filterHistory), in: .history, "Filter by time, environment, status or failure",
            footer: "filter"),
        Binding(
            "D", does: .response(.compareRecorded), in: .history,
            "Compare the response with the mark, or the one on the screen", footer: "diff"),
        Binding(
            "M", does: .response(.markRecorded), in: .history, "Mark the response for comparison", footer: "mark"),
        Binding("d", does: .response(.askToDeleteRecorded), in: .history, "Delete the run", footer: "delete"),
        Binding(
            "H", does: .app(.showAllHistory), in: .history, "Show the history of all requests", footer: "all requests"),
        Binding(.escape, does: .leave, in: .history, "End the filter, full screen or the watch"),
    ]

    private static let allHistory = [
        Binding(.enter, does: .accept, in: .allHistory, "Show the response of the run", footer: "show"),
        Binding(
            "/", does: .response(.filterHistory), in: .allHistory,
            "Filter by URL, name, failure, status, environment, time or attempts", footer: "filter"),
        Binding(
            "s", does: .batch(.chooseReplay), in: .allHistory,
            "Send it again in an environment, and compare with recorded responses", footer: "send again"),
        Binding(
            "D", does: .response(.compareRecorded), in: .allHistory,
            "Compare the response with the mark, or the run of the request before", footer: "diff"),
        Binding(
            "M", does: .response(.markRecorded), in: .allHistory, "Mark the response for comparison", footer: "mark"),
        Binding(.up, "k", does: .move(.up), in: .allHistory, "Move up"),
        Binding(.down, "j", does: .move(.down), in: .allHistory, "Move down"),
        Binding(.pageUp, does: .move(.pageUp), in: .allHistory, "Move a page up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .allHistory, "Move a page down"),
        Binding(.control("u"), does: .move(.halfPageUp), in: .allHistory, "Move half a page up"),
        Binding(.control("d"), does: .move(.halfPageDown), in: .allHistory, "Move half a page down"),
        Binding("g", .home, does: .move(.top), in: .allHistory, "Go to the newest run"),
        Binding("G", .end, does: .move(.bottom), in: .allHistory, "Go to the oldest run that was read"),
        Binding(
            .escape, "q", "H", .control("c"), does: .leave, in: .allHistory, "End the filter, or close the list",
            footer: "close"),
    ]

    private static let statistics = [
        Binding(
            "/", does: .response(.askForRange), in: .statistics, "Count the last runs only, or those since a time",
            footer: "limit"),
        Binding(does: .response(.simulate), in: .statistics, "Try another policy on the recorded runs"),
        Binding(does: .app(.askForIncident), in: .statistics, "Write the report of an incident"),
        Binding(
            .enter, does: .response(.toggleAddress), in: .addresses, "Toggle this address as the only one",
            footer: "only here"),
    ]

    private static let simulating = [
        Binding(.up, "k", does: .move(.up), in: .simulating, "Go to the setting above"),
        Binding(.down, "j", does: .move(.down), in: .simulating, "Go to the setting below"),
        Binding(.left, "h", does: .move(.left), in: .simulating, "Less, or as recorded", footer: "less"),
        Binding(.right, "l", does: .move(.right), in: .simulating, "More", footer: "more"),
        Binding(.enter, does: .accept, in: .simulating, "Write the policy into the request", footer: "write"),
        Binding(.escape, "q", .control("c"), does: .leave, in: .simulating, "Close", footer: "close"),
    ]

    private static let cookies = [
        Binding(.enter, does: .response(.editCookie), in: .cookies, "Set the value of the cookie", footer: "set value"),
        Binding("d", does: .response(.deleteCookie), in: .cookies, "Delete the cookie", footer: "delete"),
        Binding(does: .response(.clearCookies), in: .cookies, "Delete all cookies of the environment"),
    ]

    private static let signIn = [
        Binding(
            .enter, does: .response(.askForRedirect), in: .signIn,
            "Paste the address at which the browser has ended", footer: "paste"),
        Binding("o", does: .response(.openSignIn), in: .signIn, "Open the page in a browser", footer: "open"),
    ]

    /// Without panes there is one thing to copy as a whole, and without a palette each action has its key.
    private static let viewerKeys = viewer.filter {
        ![
            .chooseCopy, .response(.askForCapture), .response(.showValue), .response(.expect), .run(.askForMessage),
            .run(.chooseMessage), .run(.nextPage), .run(.allPages),
        ].contains($0.action)
    }.map { binding in
        pagerKeys(of: binding.action).map { binding.bound(to: $0) } ?? binding
    }

    private static func pagerKeys(of action: Action) -> [[Key]]? {
        switch action {
        case .view(.copyAll): [["Y"], [.alt("y")]]
        case .view(.join): [["J"]]
        case .view(.openInPager): [["P"]]
        case .view(.toggleNumbers): [["#"]]
        case .view(.firstColumn): [["0"]]
        case .view(.parent): [["p"]]
        case .view(.nextSibling): [["}"]]
        case .view(.previousSibling): [["{"]]
        default: nil
        }
    }

    private static let viewer = [
        Binding("i", does: .run(.askForMessage), in: .viewer, "Send a message on the WebSocket", footer: "message"),
        Binding(does: .run(.chooseMessage), in: .viewer, "Send a saved message on the WebSocket"),
        Binding("a", does: .run(.nextPage), in: .viewer, "Add the next page", footer: "next page"),
        Binding(does: .run(.allPages), in: .viewer, "Add all further pages"),
        Binding("/", does: .view(.find), in: .viewer, "Search", footer: "find"),
        Binding("n", does: .view(.findNext), in: .viewer, "Go to the next match or difference", footer: "next"),
        Binding("N", does: .view(.findPrevious), in: .viewer, "Go to the previous match or difference"),
        Binding("|", does: .view(.filter), in: .viewer, "Filter with JSONPath (RFC 9535)", footer: "filter"),
        Binding(
            "F", does: .view(.toggleFollowing), in: .viewer, "Follow the end of a body that arrives, or pause",
            footer: "follow"),
        Binding(does: .view(.join), in: .viewer, "Join the values of a JSONPath to a text"),
        Binding("!", does: .view(.shell), in: .viewer, "Run a shell command on the body or the rows"),
        Binding("H", does: .response(.showValue), in: .viewer, "Show the history of the value under the cursor"),
        Binding(.control("g"), does: .view(.goTo), in: .viewer, "Go to a path, a line or an offset"),
        Binding("y", does: .view(.copyValue), in: .viewer, "Copy the value or line under the cursor", footer: "copy"),
        Binding(
            "D", does: .view(.compare), in: .viewer, "Compare with the mark, or the previous response",
            footer: "diff"),
        Binding("Y", does: .chooseCopy, in: .viewer, "Choose what to copy"),
        Binding(does: .view(.copyAll), in: .viewer, "Copy the whole body"),
        Binding(
            "c", does: .response(.askForCapture), in: .viewer, "Capture the value under the cursor in a variable",
            footer: "capture"),
        Binding(
            "X", does: .response(.expect), in: .viewer, "Expect the value under the cursor", footer: "expect"),
        Binding(
            "C", does: .view(.copyPath), in: .viewer, "Copy the path of the value under the cursor", footer: "path"),
        Binding("S", does: .view(.save), in: .viewer, "Save the body to a file", footer: "save as"),
        Binding("t", does: .view(.switchMode), in: .viewer, "View as formatted, text or hex", footer: "text"),
        Binding("v", does: .view(.select), in: .viewer, "Select rows", footer: "select"),
        Binding("M", does: .view(.mark), in: .viewer, "Mark the body for comparison", footer: "mark"),
        Binding("W", does: .view(.toggleWrap), in: .viewer, "Toggle line wrapping"),
        Binding(does: .view(.toggleNumbers), in: .viewer, "Toggle row numbers"),
        Binding("e", does: .view(.openInEditor), in: .viewer, "Open in $EDITOR"),
        Binding(does: .view(.openInPager), in: .viewer, "Open in $PAGER"),
        Binding("<", does: .move(.left), in: .viewer, "Scroll left"),
        Binding(">", does: .move(.right), in: .viewer, "Scroll right"),
        Binding(does: .view(.firstColumn), in: .viewer, "Scroll to the first column"),
        Binding(.left, "h", does: .view(.closeFold), in: .viewer, "Scroll left"),
        Binding(.right, "l", does: .view(.openFold), in: .viewer, "Scroll right"),
        Binding(.escape, does: .leave, in: .viewer, "Stop; leave the selection, matches, result, body"),
        Binding(.enter, .space, does: .view(.toggleFold), in: .folding, "Fold or unfold", footer: "fold"),
        Binding(.left, "h", does: .view(.closeFold), in: .folding, "Fold, or go to the parent"),
        Binding(.right, "l", does: .view(.openFold), in: .folding, "Unfold, or go to the first child"),
        Binding("-", does: .view(.foldMore), in: .folding, "Fold one more level"),
        Binding("=", does: .view(.foldLess), in: .folding, "Unfold one more level"),
        Binding("*", does: .view(.unfoldAll), in: .folding, "Unfold all"),
        Binding(does: .view(.parent), in: .folding, "Go to the parent"),
        Binding(does: .view(.nextSibling), in: .folding, "Go to the next sibling"),
        Binding(does: .view(.previousSibling), in: .folding, "Go to the previous sibling"),
    ]

    private static let selecting = [
        Binding("y", does: .view(.copyValue), in: .selecting, "Copy the selected rows", footer: "copy rows"),
        Binding(.escape, "v", does: .leave, in: .selecting, "Clear the selection", footer: "clear"),
    ]

    private static let environments = [
        Binding(.enter, does: .environments(.edit), in: .environments, "Edit the value", footer: "edit"),
        Binding(.space, does: .environments(.use), in: .environments, "Use the environment", footer: "use"),
        Binding(.left, "h", .shift(.tab), does: .move(.left), in: .environments, "Go to the environment at the left"),
        Binding(.right, "l", .tab, does: .move(.right), in: .environments, "Go to the environment at the right"),
        Binding("a", does: .environments(.chooseList), in: .environments, "Add a row", footer: "add"),
        Binding("R", does: .environments(.renameRow), in: .environments, "Rename the row, in every environment"),
        Binding(
            "d", does: .environments(.deleteValue), in: .environments, "Delete the value in this environment",
            footer: "delete"),
        Binding(.delete, does: .environments(.deleteRow), in: .environments, "Delete the row in every environment"),
        Binding(does: .environments(.showUses), in: .environments, "Find where the variable is used"),
        Binding("A", does: .environments(.askForName), in: .environments, "Add an environment", footer: "new"),
        Binding(does: .environments(.duplicate), in: .environments, "Duplicate the environment"),
        Binding(does: .environments(.askForNewName), in: .environments, "Rename the environment"),
        Binding(does: .environments(.delete), in: .environments, "Delete the environment, after a question"),
        Binding("w", does: .files(.save), in: .environments, "Save the collection", footer: "save"),
        Binding("u", does: .files(.undo), in: .environments, "Undo the last edit of the collection"),
        Binding("U", .control("r"), does: .files(.redo), in: .environments, "Redo the edit undone last"),
        Binding(":", .control("p"), does: .app(.palette), in: .environments, "Find a command", footer: "commands"),
        Binding(.control("l"), does: .app(.redraw), in: .environments, "Redraw the screen"),
        Binding(.control("z"), does: .app(.suspend), in: .environments, "Suspend Ombi (fg resumes it)"),
        Binding(.function(1), does: .app(.manual), in: .environments, "Open the manual"),
        Binding("?", does: .app(.help), in: .environments, "Show this help", footer: "help"),
        Binding(.escape, "q", "E", .control("c"), does: .leave, in: .environments, "Close", footer: "close"),
    ]

    private static let previewing = [
        Binding(.up, "k", does: .move(.up), in: .preview, "Scroll up"),
        Binding(.down, "j", does: .move(.down), in: .preview, "Scroll down"),
        Binding(.left, "h", does: .move(.left), in: .preview, "Scroll left"),
        Binding(.right, "l", does: .move(.right), in: .preview, "Scroll right"),
        Binding(.pageUp, does: .move(.pageUp), in: .preview, "Scroll a page up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .preview, "Scroll a page down"),
        Binding("g", .home, does: .move(.top), in: .preview, "Go to the top"),
        Binding("G", .end, does: .move(.bottom), in: .preview, "Go to the end"),
        Binding("s", .function(5), does: .run(.send), in: .preview, "Send the request", footer: "send"),
        Binding(
            "a", does: .batch(.ignoreProposed), in: .preview, "Add the proposed paths to those that may differ",
            footer: "let differ"),
        Binding(.escape, "q", "p", .control("c"), does: .leave, in: .preview, "Close the preview", footer: "close"),
    ]

    private static let answering: [Binding] =
        steps(.picker) + questions + inLine(.picker) + steps(.helpSearch) + help + inLine(.helpSearch)

    private static let questions = [
        Binding(.enter, does: .accept, in: .picker, "Choose", footer: "choose"),
        Binding(.tab, does: .nextField, in: .picker, "Edit the environments, where they are listed"),
        Binding(.escape, .control("c"), does: .leave, in: .picker, "Close", footer: "close"),
        Binding("y", "Y", does: .confirm(true), in: .question, "Yes", footer: "yes"),
        Binding("n", "N", does: .confirm(false), in: .question, "No", footer: "no"),
        Binding(.escape, .control("c"), does: .leave, in: .question, "Go back", footer: "back"),
        Binding("y", "Y", .control("c"), does: .confirm(true), in: .quitting, "Quit", footer: "quit"),
        Binding("n", "N", .escape, does: .confirm(false), in: .quitting, "Stay", footer: "stay"),
        Binding("y", "Y", does: .confirm(true), in: .gate, "Allow it, once all of it was shown", footer: "allow"),
        Binding(
            "n", "N", .escape, .control("c"), does: .confirm(false), in: .gate, "Do not allow it", footer: "do not"),
        Binding(.up, "k", does: .move(.up), in: .gate, "Scroll up"),
        Binding(.down, "j", does: .move(.down), in: .gate, "Scroll down"),
        Binding(.pageUp, does: .move(.pageUp), in: .gate, "Scroll a page up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .gate, "Scroll a page down"),
        Binding("y", "Y", does: .confirm(true), in: .decision, "Yes", footer: "yes"),
        Binding("n", "N", does: .confirm(false), in: .decision, "No", footer: "no"),
        Binding(
            "q", .control("c"), does: .app(.quit), in: .decision, "Quit, and decide at the next start", footer: "quit"),
        Binding("m", does: .confirm(true), in: .conflicts, "Keep mine", footer: "mine"),
        Binding("t", does: .confirm(false), in: .conflicts, "Take theirs, from the file", footer: "theirs"),
        Binding(.enter, does: .accept, in: .conflicts, "Apply the choices", footer: "apply"),
        Binding(
            .escape, .control("c"), does: .leave, in: .conflicts, "Decide later; saving asks again", footer: "later"),
        Binding(.up, "k", does: .move(.up), in: .conflicts, "Go to the previous conflict"),
        Binding(.down, "j", does: .move(.down), in: .conflicts, "Go to the next conflict"),
        Binding(.pageUp, does: .move(.pageUp), in: .conflicts, "Scroll the difference up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .conflicts, "Scroll the difference down"),
    ]

    private static let help = [
        Binding(.enter, does: .accept, in: .helpSearch, "Show what was found", footer: "show"),
        Binding(.escape, .control("c"), does: .leave, in: .helpSearch, "Close the search", footer: "close"),
        Binding("/", does: .view(.find), in: .help, "Search the help", footer: "search"),
        Binding("n", does: .view(.findNext), in: .help, "Go to the next place in the manual", footer: "next"),
        Binding("N", does: .view(.findPrevious), in: .help, "Go to the previous place in the manual"),
        Binding(.up, "k", does: .move(.up), in: .help, "Move up"),
        Binding(.down, "j", does: .move(.down), in: .help, "Move down"),
        Binding(.pageUp, does: .move(.pageUp), in: .help, "Move a page up"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .help, "Move a page down", footer: "more"),
        Binding("g", .home, does: .move(.top), in: .help, "Go to the top"),
        Binding("G", .end, does: .move(.bottom), in: .help, "Go to the end"),
        Binding(
            .escape, "q", "?", .function(1), .control("c"), does: .leave, in: .help, "Close the help", footer: "close"),
        Binding(.up, "k", does: .move(.up), in: .log, "Go to older messages", footer: "older"),
        Binding(.down, "j", does: .move(.down), in: .log, "Go to newer messages", footer: "newer"),
        Binding(.pageUp, does: .move(.pageUp), in: .log, "Go a page back"),
        Binding(.pageDown, .space, does: .move(.pageDown), in: .log, "Go a page ahead"),
        Binding("g", .home, does: .move(.top), in: .log, "Go to the first message"),
        Binding("G", .end, does: .move(.bottom), in: .log, "Go to the last message"),
        Binding(.escape, "q", "L", .control("c"), does: .leave, in: .log, "Close the message log", footer: "close"),
    ]
}
