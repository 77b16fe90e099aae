/// Capturing what the response shows.
extension AppState {
    /// Passes an action on the response to the part that it is for.
    mutating func perform(_ action: ResponseAction) -> [Outcome] {
        switch action {
        case .showExpected: showExpected()
        case .openAttempt: openAttempt()
        case .toggleAddress: toggleAddress()
        case .showExample(let index): showExample(index)
        case .expect: chooseExpectation()
        case .askForCapture: askForCapture()
        case .editCookie, .setCookie, .deleteCookie, .clearCookies: performOnCookies(action)
        case .openSignIn, .askForRedirect, .submitRedirect: responsePane.performOnSignIn(action, responseView)
        case .nextTab, .previousTab, .showTab: responsePane.perform(action)
        default: performOnHistory(action)
        }
    }

    /// Asks for the variable that captures the value under the cursor of the body; proposes its key.
    func askForCapture() -> [Outcome] {
        guard workbench.request != nil, let path = shownViewer?.page?.path, (try? JSONPath(path)) != nil else {
            return .notify(.info, "A value is captured from JSON; headers, cookies and more in the Capture tab")
        }
        return [
            .open(
                .prompt(PromptOverlay(.capture(path: path), text: Self.variable(named: path), isSelected: true)))
        ]
    }

    /// The last key of a path, as far as a variable may have its characters.
    private static func variable(named path: String) -> String {
        let words = path.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return words.last { Int($0) == nil }.map(String.init) ?? "value"
    }
}

/// Keys that have no meaning in the focused pane.
extension AppState {
    /// The action on the body that a key of the response has in the other panes, too; nil where no body shows for it.
    func actionOnBody(of key: Key) -> Action? {
        guard overlays.isEmpty, environmentPane == nil, !batchPane.isOpen, focus != .response, let run, run.showsBody,
            run.viewer != nil
        else { return nil }
        let actions: [Action] = [.view(.filter), .view(.shell), .view(.save), .view(.compare)]
        let binding = keymap.bindings.first { binding in
            binding.scope == .response && binding.keys.contains(key) && actions.contains(binding.action)
        }
        return binding?.action
    }

    /// Says where a key means something that has no meaning here.
    func meaning(of key: Key) -> String {
        if let notice = FormerKeys.notice(of: key, in: scopes, keymap) { return notice }
        let others = keymap.bindings.filter { $0.keys.contains(key) && $0.scope.isPane }
        if focus == .response, let onBody = others.first(where: { $0.scope == .viewer || $0.scope == .folding }) {
            return
                "\(key.name) does nothing here; \(run == nil ? "with a response" : "in the tab Body"): \(onBody.label)"
        }
        guard let other = others.first else { return "\(key.name) does nothing here; ? shows the keys" }
        return "\(key.name) does nothing here; in \(other.scope.title): \(other.label)"
    }
}

/// The cookies of the environment in use, edited in the tab of the response.
extension AppState {
    /// The jar of the environment that requests are sent to.
    var cookieHome: CookieHome? {
        workbench.context.map { CookieHome(file: $0.path, environment: $0.chosenEnvironment?.name) }
    }

    /// The cookies in it; nil where none are kept.
    var cookies: [KeptCookie]? { cookieHome.flatMap { runs.cookies[$0] } }

    func performOnCookies(_ action: ResponseAction) -> [Outcome] {
        guard let home = cookieHome, let cookies else { return [] }
        if case .setCookie(let cookie, let value) = action {
            return [.effect(.editCookies(.set(cookie, value: value), home))]
        }
        guard let cookie = responsePane.cookie(in: cookies) else { return [] }
        switch action {
        case .editCookie: return [.open(.prompt(PromptOverlay(.cookie(cookie))))]
        case .deleteCookie: return [.effect(.editCookies(.remove(cookie), home))]
        case .clearCookies: return [.effect(.editCookies(.removeAll, home))]
        default: return []
        }
    }
}

/// Expectations that are made of a value of the response.
extension AppState {
    /// Lists what can be expected of the value under the cursor; the chosen one goes into the request.
    func chooseExpectation() -> [Outcome] {
        guard workbench.request != nil, let page = shownViewer?.page, let path = page.shortPath,
            let (document, node) = page.jsonNode
        else { return .notify(.info, "Expectations are made of a value of JSON; go to one in Body") }
        let items = ExpectationChoices.conditions(on: node, in: document).map { condition in
            let rows = Expectation(body: [BodyExpectation(path, [condition])]).bodyRows
            return PickerOverlay.Item(
                name: rows.first?.value ?? "", note: "", action: .request(.expect(condition, path: path)))
        }
        return [.open(.picker(PickerOverlay(title: "Expect \(path)", items: items)))]
    }
}

/// The expectations that a value of a response suggests.
enum ExpectationChoices {
    /// Longer values are not offered to be expected as they are.
    private static let maximumValue = 4096

    static func conditions(on node: JSONNode, in document: JSONDocument) -> [ValueCondition] {
        var conditions: [ValueCondition] = []
        let kind = document.kind(of: node)
        if !document.isUnfinished(node), document.range(of: node).count <= maximumValue {
            conditions.append(.equals(document.value(of: node)))
        }
        conditions.append(.type([type(of: node, kind, document)]))
        if kind.isContainer, let count = document.length(of: node) {
            if count > 0 { conditions.append(.count(NumberComparison(.greater, 0))) }
            conditions.append(.count(NumberComparison(.equal, count)))
        }
        return conditions + [.exists(true)]
    }

    private static func type(of node: JSONNode, _ kind: JSONKind, _ document: JSONDocument) -> ValueType {
        switch kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: document.isInteger(node) ? .integer : .number
        case .true, .false: .boolean
        case .null: .null
        }
    }
}

/// Runs that wait until their user has signed in.
extension AppState {
    /// Says where to sign in. The response with the page gets the keys if nothing else needs them.
    mutating func show(_ signIn: SignIn?, of id: RunID) -> [Outcome] {
        guard let signIn else {
            overlays.removeAll { if case .prompt(let prompt) = $0 { prompt.isOfSignIn } else { false } }
            return []
        }
        let isSelected = runs[id: id]?.item == workbench.selected
        let isShown = isSelected && mayAsk && environmentPane == nil && !batchPane.isOpen
        if isSelected, isShown || !responsePane.tab.showsSignIn { responsePane.show(.body) }
        let waits = "\(runs[id: id]?.name ?? "a request") waits until you sign in"
        let isInTable = batchPane.isOpen && runs.batch?.row(of: id) != nil
        let text =
            switch signIn.completion {
            case .code(let code): "Sign in with the code \(code) at \(signIn.url)"
            case .redirect where isShown: "Sign in with a browser: the response has the page"
            case .redirect where isInTable: "\(waits): Enter on its row goes to the page, x skips it"
            case .redirect: "\(waits): its response has the page"
            }
        let focus: [Outcome] = isShown ? [.focus(.response)] : []
        return focus + .notify(.warning, text, during: .signIn(id))
    }

    /// The action for the address of a sign-in that is pasted outside of all fields.
    func redirect(_ text: String) -> Action? {
        let address = PastedRequests.trimmed(text)
        guard let signIn = run?.pendingSignIn, let start = signIn.redirectURI, address.hasPrefix(start) else {
            return nil
        }
        return .response(.submitRedirect(address, for: signIn.id))
    }
}

/// The responses of the attempts of a run.
extension AppState {
    /// Shows the response of the attempt, or of the redirect, under the cursor of the timeline.
    mutating func openAttempt() -> [Outcome] {
        if let place = responsePane.redirect(responseView), let run, let redirect = run.sent?.redirects[safe: place] {
            guard !run.isRunning, run.finished.contains(where: { $0.number == redirect.attempt }) else { return [] }
            responsePane.show(.body)
            guard place != run.openedRedirect else { return [] }
            return runs.open(attempt: redirect.attempt, redirect: place, of: run.item).map(Outcome.effect)
        }
        guard let run, !run.isRunning, let number = responsePane.attempt(responseView)?.number,
            let index = run.finished.lastIndex(where: { $0.number == number })
        else { return [] }
        responsePane.show(.body)
        let isOther = run.finished.isFollowed(index) || run.showsFallback
        let opened = isOther ? number : nil
        guard opened != run.openedNumber || run.openedRedirect != nil || run.example != nil else { return [] }
        return runs.open(attempt: opened, of: run.item).map(Outcome.effect)
    }

    /// Goes to the part of the final response that the expectation under the cursor is about.
    mutating func showExpected() -> [Outcome] {
        let closing = closeAttempt() ?? []
        return closing + responsePane.showExpected(responseView, in: &runs)
    }

    /// Goes one step back: from an attempt, from an example, from full screen, from a watch.
    mutating func leave() -> [Outcome] {
        let (number, redirect) = (run?.openedNumber, run?.openedRedirect)
        if let outcomes = closeAttempt() {
            if let number { responsePane.returnToTimeline(from: number, redirect, responseView) }
            return outcomes
        }
        return isZoomed ? perform(.zoom) : stopWatching()
    }

    /// Shows the final response again; nil while it shows.
    private mutating func closeAttempt() -> [Outcome]? {
        guard focus == .response, let run, run.hasOpened else { return nil }
        return runs.open(attempt: nil, of: run.item).map(Outcome.effect)
    }
}

/// The examples that are saved with a request, in the place of its response.
extension AppState {
    /// Shows one with all that a body has. A body in a file is read first.
    mutating func showExample(_ index: Int) -> [Outcome] {
        guard let request = workbench.request, let example = request.shownExamples[safe: index] else { return [] }
        guard example.file != nil else { return show(OpenedExample(example), of: request.id, named: request.name) }
        guard let order = workbench.order(0) else { return [] }
        let file = ExampleFile(example: example, item: request.id, name: request.name, collection: order.file)
        return [.effect(.readExample(file))]
    }

    /// Takes in the content of a file of data or of an example, or the reason why there is none.
    mutating func readFile(_ event: Event) -> [Outcome] {
        switch event {
        case .dataRead(let plan): perform(BatchAction.begin(plan))
        case .dataUnread(let plan, let reason): runs.askAgain(plan, reason, workbench)
        case .exampleRead(let file, let body): showExample(file, body)
        default: []
        }
    }

    /// Shows one whose body was read, unless another request is open by now.
    private mutating func showExample(_ file: ExampleFile, _ body: Data) -> [Outcome] {
        guard workbench.request?.id == file.item else { return [] }
        return show(OpenedExample(file.example, body: body), of: file.item, named: file.name)
    }

    private mutating func show(_ example: OpenedExample, of item: ItemID, named name: String) -> [Outcome] {
        if let run, run.isRunning {
            return .notify(.info, "The request is running; x cancels it", during: .run(run.id))
        }
        responsePane.show(.body)
        return [.focus(.response)] + runs.open(example, of: item, named: name, at: now).map(Outcome.effect)
    }
}
