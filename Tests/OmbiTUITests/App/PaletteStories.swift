import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// All that Ombi can do is found in the palette by the plain word for it, wherever the cursor is.
@Suite struct PaletteStories {
    private static func found(_ word: String, in story: Story, first count: Int = 3) -> [String] {
        var story = story
        story.press(":")
        story.type(word)
        guard case .picker(let picker)? = story.topOverlay else { return [] }
        return picker.shown.prefix(count).map(\.name)
    }

    private static func first(of story: Story) -> String {
        if case .picker(let picker)? = story.topOverlay { picker.shown.first?.name ?? "" } else { "" }
    }

    @Test(arguments: Focus.allCases) func `the words of the key line find their commands`(focus: Focus) {
        var story = Story()
        story.choose("user by id")
        story.perform(.app(.focus(focus)))
        let scopes: [KeyScope] = [.everywhere, .tree, .request, .viewer, .history, .statistics, .cookies]
        for binding in Keymap.standard.bindings where scopes.contains(binding.scope) {
            guard let word = binding.footer else { continue }
            let found = Self.found(word, in: story, first: 6)
            #expect(found.contains(binding.label), "\(word) in \(focus): \(found)")
        }
        #expect(Self.found("send", in: story, first: 1) == ["Send the request; run the folder or the collection"])
    }

    @Test func `the rows of all tabs are found by their names, and what belongs to a capture too`() {
        var story = Story()
        story.choose("user by id")
        story.state.workbench.editRequest { request in
            request.headers = [Field("X-Team", "core")]
            request.capture("sessionToken", at: "$.token")
        }
        for (name, row) in [
            ("x-team", "X-Team"), ("sessiontoken", "sessionToken"),
            ("maximum age", "  maximum age"), ("sessiontoken secret", "  secret"),
        ] {
            story.press(":")
            story.type(name)
            let first = Self.first(of: story)
            story.press("Enter")
            #expect(story.state.focus == .request)
            #expect(story.state.requestPane.row.map { story.formRows[$0].name } == row, "\(name): \(first)")
        }
    }

    @Test(arguments: [("SLA", "field"), ("X-Team", "header"), ("port", "variable"), ("token", "secret")])
    func `every row of the environments is found by its name`(label: String, kind: String) {
        var story = Story.environments()
        story.press(":")
        story.type("\(label) \(kind)")
        story.press("Enter")
        #expect(story.state.environmentPane?.row?.part?.label == label)
        #expect(story.state.environmentPane?.row?.part?.list?.noun ?? "field" == kind)
    }

    private static let words: [(word: String, name: String)] = [
        // Tabs
        ("params", "Request › Params"), ("query", "Request › Params"), ("auth", "Request › Auth"),
        ("policy", "Request › Policy"), ("retries", "Request › Policy"), ("capture", "Request › Capture"),
        ("connection", "Request › Connection"), ("proxy", "Request › Connection"), ("about", "Request › About"),
        ("description", "Request › About"), ("disable", "Request › About"), ("graphql", "Request › Body"),
        ("request headers", "Request › Headers"),
        ("timeline", "Response › Timeline"), ("attempts", "Response › Timeline"), ("history", "Response › History"),
        ("cookies", "Response › Cookies"), ("tls", "Response › TLS"), ("certificate", "Response › TLS"),
        ("sent", "Response › Sent"), ("response headers", "Response › Headers"), ("results", "Response › Expect"),
        ("response", "Response › Body"), ("redirects", "Response › Timeline"),
        // Statistics
        ("statistics", "Response › Statistics"), ("p50", "Response › Statistics"), ("p95", "Response › Statistics"),
        ("p99", "Response › Statistics"), ("percentiles", "Response › Statistics"),
        ("latency", "Response › Statistics"), ("bench", "Response › Statistics"), ("load", "Response › Statistics"),
        ("first try", "Response › Statistics"), ("error budget", "Response › Statistics"),
        ("success rate", "Response › Statistics"), ("median", "Response › Statistics"),
        // Themes
        ("dark", "Theme dark"), ("light", "Theme light"), ("high-contrast", "Theme high-contrast"),
        ("16-colours", "Theme 16-colours"), ("theme auto", "Theme auto"), ("themes", "Theme auto"),
        // Actions, of this pane and of others
        ("import", "Import a curl command or a URL"), ("copy as curl", "Copy as curl"), ("curl", "Copy as curl"),
        ("swift", "Copy as code"), ("postman", "Copy as code"), ("export", "Copy as code"),
        ("repeat", "Watch: send every few seconds, or stop that"),
        ("jq", "Filter the body with JSONPath (RFC 9535)"), ("download", "Save the body to a file"),
        ("shell", "Run a shell command on the body"), ("dry run", "Preview the request without sending it"),
        ("new folder", "Add a folder"), ("incident", "Write the report of an incident"),
        ("layout", "Toggle full screen for this pane"), ("hex", "View as formatted, text or hex"),
        ("simulate", "Try another policy on the recorded runs"), ("add an environment", "Add an environment"),
        ("secrets", "Edit the environments"), ("variables", "Edit the environments"),
        ("clear the cookies", "Delete all cookies of the environment"), ("extract", "Request › Capture"),
        ("run", "Send the request; run the folder or the collection"), ("documentation", "Open the manual"),
        ("openapi", "Open the manual"), ("junit", "Open the manual"),
        ("mock", "Open the manual"), ("settings", "Open the manual"), ("config", "Open the manual"),
        ("zoom", "Toggle full screen for this pane"), ("collapse", "Fold one more level"), ("expand", "Unfold all"),
        ("shortcuts", "Show this help"), ("log out", "Sign out: forget the environment's OAuth 2 tokens"),
        ("undo", "Undo the last edit of the collection"),
        ("exit", "Quit, after questions about runs and unsaved edits"),
        ("wrap", "Toggle line wrapping"), ("method", "Change the method"), ("live", "Environment live"),
        // Actions without a key
        ("sign out", "Sign out: forget the environment's OAuth 2 tokens"),
        ("move the divider", "Move the divider left"), ("reorder", "Move the item down"),
        ("clone", "Duplicate the item"), ("begin a new", "Begin a new collection"),
        ("passwords", "Move secrets in plain text to the local file"),
        ("replay", "Replay in an environment, and compare with recorded responses"),
        ("stale", "Toggle between the fallback and the response"), ("add all", "Add all further pages"),
        ("send a saved", "Send a saved message on the WebSocket"),
        ("join", "Join the values of a JSONPath to a text"), ("less", "Open in $PAGER"),
        ("line numbers", "Toggle row numbers"), ("copy the whole", "Copy the whole body"),
        ("scroll to the first", "Scroll to the first column"), ("go to the next sib", "Go to the next sibling"),
        ("usages", "Find where the variable is used"), ("rename the environment", "Rename the environment"),
        ("delete the environment", "Delete the environment, after a question"),
    ]

    @Test(arguments: Focus.allCases) func `every plain word finds what it stands for`(focus: Focus) {
        var story = Story()
        story.choose("user by id")
        story.perform(.app(.focus(focus)))
        for (word, name) in Self.words {
            let found = Self.found(word, in: story)
            #expect(found.contains(name), "\(word) in \(focus): \(found)")
        }
    }

    @Test(arguments: Focus.allCases) func `what is meant for all requests comes before what is meant for one`(
        focus: Focus
    ) {
        var story = Story()
        story.choose("user by id")
        story.perform(.app(.focus(focus)))
        for word in ["budget", "budgets", "error bud", "error budget", "error budgets"] {
            let found = Self.found(word, in: story, first: 1)
            #expect(found == ["Show the error budgets of all requests"], "\(word) in \(focus)")
        }
        #expect(Self.found("mark", in: story, first: 1) == ["Mark this moment…"], "\(focus)")
        for word in ["20 times", "times", "send 20", "send several times"] {
            let found = Self.found(word, in: story)
            #expect(found.contains("Watch: send every few seconds, or stop that"), "\(word) in \(focus): \(found)")
        }
    }

    @Test func `letters scattered over many words are found only where nothing better is`() {
        func shown(_ names: [String]) -> [String] {
            let items = names.map { PickerOverlay.Item(name: $0, action: .app(.help)) }
            var picker = PickerOverlay(title: "Commands", items: items)
            _ = picker.handle(.text(.insert("sorted")), in: Rect(Size(columns: 80, rows: 24)))
            return picker.shown.map(\.name)
        }
        let scattered = "Send one request to each digit"
        #expect(shown([scattered, "A list that is sorted"]) == ["A list that is sorted"])
        #expect(shown([scattered, "Sort editors"]) == ["Sort editors"], "letters in two words are better")
        #expect(shown([scattered]) == [scattered])
    }

    @Test func `every action that has a key in a pane is in the palette of every pane`() {
        for focus in Focus.allCases {
            var story = Story()
            story.choose("user by id")
            story.perform(.app(.focus(focus)))
            story.press(":")
            guard case .picker(let picker)? = story.topOverlay else { return }
            let names = Set(picker.shown.map(\.name))
            let scopes: [KeyScope] = [.everywhere, .tree, .viewer, .history, .statistics, .cookies]
            let missing = Keymap.standard.bindings.filter { binding in
                guard scopes.contains(binding.scope), !names.contains(binding.label) else { return false }
                if case .move = binding.action { return false }
                if binding.action.showsTab { return false }
                return ![.leave, .accept].contains(binding.action)
            }
            #expect(missing.isEmpty, "\(focus): \(missing.map(\.label))")
        }
    }

    @Test func `everything in the palette is found by its name, also over the table of environments`() {
        var request = Story()
        request.choose("user by id")
        for var story in [request, Story.environments()] {
            story.press(":")
            guard case .picker(let palette)? = story.topOverlay else { return }
            for name in palette.shown.map(\.name) {
                var picker = palette
                _ = picker.handle(.text(.insert(name)), in: Rect(Size(columns: 80, rows: 24)))
                let found = picker.shown.prefix(3).map(\.name)
                #expect(found.contains(name), "\(name): \(found)")
            }
        }
    }

    @Test func `a command of another pane goes there first`() {
        var story = Story()
        story.press(":")
        story.type("try another policy")
        story.press("Enter")
        #expect(story.state.focus == .response && story.state.responsePane.tab == .statistics)
        story.press(":")
        story.type("add a folder")
        story.press("Enter")
        #expect(story.state.focus == .tree && story.topOverlay?.scope == .field)
        story.press("Esc", ":")
        story.type("add an environment")
        story.press("Enter")
        #expect(story.state.environmentPane != nil && story.topOverlay?.scope == .field)
    }

    @Test func `Alt and a number goes to a tab of the focused pane, and so does ; and a number`() {
        var story = Story()
        story.choose("user by id")
        for tab in RequestTab.allCases {
            story.press("2", "Alt+\(tab.number)")
            #expect(story.state.requestPane.tab == tab)
            story.press("Alt+1", ";", "\(tab.number)")
            #expect(story.state.requestPane.tab == tab)
        }
        for tab in ResponseTab.allCases {
            story.press("3", "Alt+\(tab.number)")
            #expect(story.state.responsePane.tab == tab)
            story.press("Alt+1", ";", "\(tab.number)")
            #expect(story.state.responsePane.tab == tab)
        }
        #expect(story.state.focus == .response)
    }

    @Test func `the settings of a folder have fewer tabs, with numbers of their own`() {
        var story = Story()
        story.choose("users")
        story.press("2", "Alt+3")
        #expect(story.state.requestPane.tab == RequestTab.tabs(ofSettings: true)[2])
        story.press("Alt+9")
        #expect(story.state.notice?.text == "There is no tab 9 here")
    }

    @Test func `a theme is chosen for this session`() {
        var story = Story()
        story.press(":")
        story.type("theme light")
        story.press("Enter")
        #expect(story.takeEffects() == [.useTheme(.light)])
        #expect(story.state.notice?.text.contains("until Ombi ends") ?? false)
    }

    @Test func `a curl command is pasted into the prompt of the import, in several lines or in one`() {
        for command in ["curl 'https://example.com/a' \\\n  -H 'A: b'", "curl https://example.com/a -H 'A: b'"] {
            var story = Story()
            story.press(":")
            story.type("import")
            story.press("Enter")
            story.paste(command)
            if story.topOverlay != nil { story.press("Enter") }
            #expect(story.request?.path == "https://example.com/a", "\(command)")
            #expect(story.request?.headers.map(\.name) == ["A"], "\(command)")
        }
    }
}
