/// The palette: commands, requests, environments and the fields of the request in one list.
extension AppState {
    /// - Parameter recent: the names chosen last, which come first.
    func palette(recent: [String]) -> PickerOverlay {
        let items =
            coversPanes
            ? commands + environmentRows : commands + tabs + copies + requests + environments + fields + themes
        let first = recent.compactMap { name in items.first { $0.name == name } }
        let others = items.filter { !recent.contains($0.name) }
        var picker = PickerOverlay(title: "Commands, tabs, fields, requests, environments", items: first + others)
        picker.isPalette = true
        return picker
    }

    /// True while a table covers the panes: the commands of those would act out of sight.
    private var coversPanes: Bool { environmentPane != nil || batchPane.isOpen }

    /// Every command of the keymap, with a key or without: those of this place, then those of others, which go there
    /// first. One that can do nothing now comes after them, and its note says why.
    private var commands: [PickerOverlay.Item] {
        let here = scopes.filter { $0 != .lists }
        let others = coversPanes ? [] : KeyScope.allCases.filter { !scopes.contains($0) }
        let keyless: [(name: String, note: String, action: Action)] = [
            ("Write the report of an incident", "what was recorded in a time", .app(.askForIncident)),
            ("Mark this moment…", "a line through the history, such as a deploy", .app(.askForMark)),
            ("Show the history of all requests", "what was sent in the last hour", .app(.showAllHistory)),
            ("Show the error budgets of all requests", "what burns first", .app(.showObjectives)),
            ("Compare before and after the last mark", "what a deploy changed", .app(.compareAroundMark)),
        ]
        let all =
            here.flatMap { commands(of: $0, way: []) }
            + keyless.map { .init(name: $0.name, note: $0.note, aliases: $0.action.aliases, action: $0.action) }
            + others.flatMap { scope in scope.way.map { commands(of: scope, way: $0) } ?? [] }
        var known: Set<String> = []
        let unique = all.filter { known.insert($0.name).inserted }
        return unique.filter(\.isPossible) + unique.filter { !$0.isPossible }
    }

    private func commands(of scope: KeyScope, way: [Action]) -> [PickerOverlay.Item] {
        keymap.bindings.filter { $0.scope == scope && !$0.action.showsTab && (way.isEmpty || $0.action.isCommand) }.map
        {
            binding in
            let reason = obstacle(to: binding.action)
            return .init(
                name: binding.label, note: (reason.map { "\($0) · " } ?? "") + binding.keyNames,
                aliases: binding.action.aliases,
                action: way.isEmpty ? binding.action : .inOrder(way + [binding.action]), footer: binding.footer,
                isPossible: reason == nil)
        }
    }

    private var tabs: [PickerOverlay.Item] {
        let isSettings = workbench.shared != nil
        let request = workbench.subject.map { subject in
            RequestTab.tabs(ofSettings: isSettings).enumerated().map { index, tab in
                item(
                    "Request", tab.name(of: subject, ofSettings: isSettings), tab.words,
                    .request(.showTab(index + 1)))
            }
        }
        return (request ?? [])
            + ResponseTab.allCases.map { item("Response", $0.name, $0.words, .response(.showTab($0.number))) }
    }

    private func item(_ pane: String, _ name: String, _ words: [String], _ action: Action) -> PickerOverlay.Item {
        let keys = keymap.bindings.first { $0.action == action }?.keyNames ?? ""
        return .init(name: "\(pane) › \(name)", note: "tab · \(keys)", aliases: [name] + words, action: action)
    }

    /// The parts and forms of the request that can be copied, wherever the cursor is.
    private var copies: [PickerOverlay.Item] {
        requestPane.copies(workbench, withRow: false).map { item in
            let isForm = if case .request(.copyAs) = item.action { true } else { false }
            return .init(
                name: isForm ? "Copy as \(item.name)" : "Copy \(item.name)", note: item.note,
                aliases: [item.name] + item.aliases, action: item.action)
        }
    }

    private var themes: [PickerOverlay.Item] {
        ThemeChoice.Base.allCases.map { base in
            .init(
                name: "Theme \(base.rawValue)", note: "until Ombi ends",
                aliases: ["themes", "colours", "colors", base.rawValue],
                action: .app(.useTheme(base)))
        }
    }

    private var requests: [PickerOverlay.Item] {
        var items: [PickerOverlay.Item] = []
        for file in workbench.files {
            file.collection?.forEachRequest { request, folders in
                let tags = file.collection?.tags(of: request, in: folders) ?? []
                items.append(
                    .init(
                        name: (folders.map(\.name) + [request.name]).joined(separator: " › "),
                        note: "\(request.method.rawValue) \(file.name)\(Tag.text(tags))", aliases: [request.name],
                        action: .tree(.select(.request(request.id)))))
            }
        }
        return items
    }

    private var environments: [PickerOverlay.Item] {
        guard let file = workbench.shownContext, !file.isScratch else { return [] }
        let editor = PickerOverlay.Item(
            name: "Edit the environments", note: "E Tab", aliases: ["variables", "secrets"],
            action: .environments(.open))
        return [editor]
            + (file.collection?.choosableEnvironments ?? []).map { environment in
                .init(
                    name: "Environment \(environment.name)", note: Credentials.masked(url: environment.host),
                    aliases: [environment.name],
                    action: .files(.switchEnvironment(environment.name, path: file.path)))
            }
    }

    /// The rows of the table of environments, which has more of them than a screen.
    private var environmentRows: [PickerOverlay.Item] {
        guard let pane = environmentPane else { return [] }
        return pane.table.rows.compactMap(\.part).map { part in
            .init(
                name: "Environment › \(part.label)", note: part.list?.noun ?? "field", aliases: [part.label],
                action: .environments(.show(pane.column, part)))
        }
    }

    /// The fields of the request or of the settings that the request pane shows, whose tabs are not all in view.
    private var fields: [PickerOverlay.Item] {
        guard let subject = workbench.subject else { return [] }
        let isSettings = workbench.shared != nil
        return RequestForm.fields(of: subject, ofSettings: isSettings, workbench.inheritance).map { tab, name, field in
            // The label of a row's value is none of its names.
            .init(
                name: "\(tab.name(of: subject, ofSettings: isSettings)) › \(name)", note: "field",
                aliases: [name] + (name.hasSuffix(field.label) ? [field.label] : []),
                action: .request(.goTo(field: field.id)))
        }
    }

    /// The reason why an action can do nothing now; nil when it can.
    private func obstacle(to action: Action) -> String? {
        switch action {
        case .run(.cancel), .run(.retryNow), .run(.addAttempt): runs.active.isEmpty ? "nothing runs" : nil
        case .run(.preview): workbench.request == nil ? "no request selected" : nil
        case .run(.askForMessage), .run(.chooseMessage):
            run?.isConversation ?? false ? nil : "no WebSocket is open"
        case .run(.nextPage), .run(.allPages): run?.pages?.hasMore ?? false ? nil : "no next page"
        case .batch(.show): runs.batch == nil ? "no folder was run" : nil
        case .run(.send): workbench.request == nil && folder == nil ? "no request selected" : nil
        case .files(.save):
            workbench.dirtyFiles.isEmpty && workbench.shownFile?.isScratch != true
                && workbench.shownFile?.foreignFormat == nil ? "nothing to save" : nil
        case .files(.undo): workbench.undoCount == 0 ? "nothing to undo" : nil
        case .files(.redo): workbench.redoCount == 0 ? "nothing to redo" : nil
        default: nil
        }
    }
}

extension KeyScope {
    /// The actions that go where the keys of the scope work; nil where a situation leads there, not a key.
    fileprivate var way: [Action]? {
        switch self {
        case .tree: [.app(.focus(.tree))]
        case .request: [.app(.focus(.request))]
        case .response: [.app(.focus(.response))]
        case .viewer, .folding: [.response(.showTab(ResponseTab.body.number))]
        case .expectations: [.response(.showTab(ResponseTab.expect.number))]
        case .attempts: [.response(.showTab(ResponseTab.timeline.number))]
        case .history: [.response(.showTab(ResponseTab.history.number))]
        case .statistics, .addresses: [.response(.showTab(ResponseTab.statistics.number))]
        case .cookies: [.response(.showTab(ResponseTab.cookies.number))]
        case .environments: [.environments(.open)]
        case .batch: [.batch(.show)]
        default: nil
        }
    }
}

extension Action {
    /// True for a tab, which the palette has by its name.
    var showsTab: Bool {
        switch self {
        case .request(.showTab), .response(.showTab): true
        default: false
        }
    }

    /// False for what means something only to the part that has the keys, such as a movement.
    fileprivate var isCommand: Bool {
        switch self {
        case .move, .text, .accept, .nextField, .leave, .confirm, .mouse: false
        default: true
        }
    }

    /// The words by which other programs call the command, for the palette.
    fileprivate var aliases: [String] {
        switch self {
        case .view(.compare), .response(.compareRecorded), .batch(.chooseReplay): ["diff"]
        case .chooseCopy: ["clipboard", "yank"]
        case .copy: ["yank"]
        case .view(.copyAll): ["copy the response"]
        case .view(.filter): ["jq", "query"]
        case .view(.find): ["find"]
        case .view(.save): ["save as", "download", "export the response"]
        case .view(.switchMode): ["hex", "raw", "pretty"]
        case .view(.goTo): ["jump"]
        case .view(.foldMore): ["collapse"]
        case .view(.unfoldAll): ["expand"]
        case .tree(.delete), .request(.deleteRow): ["remove"]
        case .tree(.askForRequest), .tree(.askForCollection), .request(.addRow): ["new", "create"]
        case .tree(.askForFolder): ["new folder"]
        case .tree(.duplicate), .environments(.duplicate): ["clone"]
        case .tree(.move), .tree(.moveIn), .tree(.moveOut): ["reorder"]
        case .tree(.search): ["find a request"]
        case .files(.save): ["write"]
        case .files(.signOut): ["log out"]
        case .files(.chooseEnvironment): ["env"]
        case .files(.askToImport): ["paste"]
        case .files(.chooseSecrets): ["passwords", "credentials"]
        case .environments(.edit): ["variables"]
        case .environments(.showUses): ["usages"]
        case .run(.toggleFallback): ["stale"]
        case .view(.openInPager): ["less"]
        case .view(.toggleNumbers): ["line numbers"]
        case .run(.send): ["run", "execute"]
        case .run(.cancel): ["stop", "abort"]
        case .run(.preview): ["dry run"]
        case .run(.askToWatch): ["poll", "repeat", "20 times", "several times"]
        case .response(.simulate): ["simulate", "what if"]
        case .response(.toggleAddress): ["pin"]
        case .response(.askForRange): ["last 20", "since", "recent statistics"]
        case .response(.askForCapture): ["extract"]
        case .response(.expect): ["assert"]
        case .response(.clearCookies): ["cookies", "clear the cookies"]
        case .app(.askForIncident): ["incident", "report"]
        case .app(.askForMark): ["mark", "deploy", "annotate"]
        case .app(.showAllHistory): ["recent", "last runs"]
        case .app(.showObjectives): ["error budgets", "budgets", "objectives", "burn rate", "slo"]
        case .app(.compareAroundMark): ["deploy", "backend", "address", "host"]
        case .app(.zoom): ["full screen", "maximize", "layout", "zoom"]
        case .app(.moveSplit): ["layout", "resize", "split"]
        case .app(.log): ["messages"]
        // The manual has what no key does.
        case .app(.manual): ["documentation", "openapi", "junit", "mock", "settings", "configuration"]
        case .app(.help): ["keys", "shortcuts"]
        case .app(.redraw): ["refresh"]
        case .app(.quit): ["exit"]
        default: []
        }
    }
}

extension AppState {
    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] {
        if let overlay = overlays.last { return [overlay.scope] }
        if let environmentPane { return environmentPane.scopes }
        if batchPane.isOpen { return batchPane.scopes }
        if showsStartPage { return [.start] }
        switch focus {
        case .tree where tree.search != nil: return [.search]
        case .tree: return (tree.marked.isEmpty ? [] : [.marking]) + [.tree, .lists, .everywhere]
        case .request: return requestPane.scopes
        case .response: return responseScopes
        }
    }

    private var responseScopes: [KeyScope] {
        let usual: [KeyScope] = [.response, .lists, .everywhere]
        if let viewer = shownViewer {
            guard viewer.hasPrompt else { return openedScope + viewer.keyScopes + usual }
            return (responsePane.isCompleting ? [.completing] : []) + viewer.keyScopes
        }
        if responsePane.isFiltering { return [.filtering] }
        return ownScopes + openedScope + usual
    }

    private var openedScope: [KeyScope] { run?.hasOpened ?? false ? [.attempt] : [] }

    /// The scope of the tab.
    private var ownScopes: [KeyScope] {
        if run?.pendingSignIn != nil { return [.signIn] }
        if responsePane.cookie(in: cookies ?? []) != nil { return [.cookies] }
        if responsePane.showsEntries { return [.history] }
        if responsePane.tab == .statistics {
            return (responsePane.address(responseView) == nil ? [] : [.addresses]) + [.statistics]
        }
        if responsePane.showsAttempts(run) { return [.attempts] }
        return responsePane.showsExpectations(responseView) ? [.expectations] : []
    }
}
