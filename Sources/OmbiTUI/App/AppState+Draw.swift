extension AppState {
    /// Draws the whole screen, and returns the cursor's position while something is edited.
    func draw() -> (surface: Surface, cursor: Point?) {
        var surface = Surface(size: size)
        let screen = Rect(size)
        guard !Layout.isTooSmall(size) else {
            let text = "\(Layout.smallest.columns)×\(Layout.smallest.rows) needed"
            surface.write(text, at: screen.origin, style: Style(.warning), limit: screen.columns)
            return (surface, nil)
        }
        let layout = layout
        var cursor: Point?
        if let environmentPane {
            cursor = draw(environmentPane, on: &surface)
        } else if batchPane.isOpen, let batch = runs.batch {
            cursor = batchPane.draw(batch, runs, now: now, on: &surface, in: table)
        } else if showsStartPage {
            StartPage(keymap, folder: startFolder, hasClosed: !workbench.replaced.isEmpty)
                .draw(on: &surface, in: screen.dropBottom(1))
        } else {
            cursor = drawPanes(layout, on: &surface)
        }
        if environmentPane == nil, let row = layout.header { header.draw(on: &surface, in: row) }
        statusLine.draw(on: &surface, in: layout.status, above: screen.dropBottom(1))
        for overlay in overlays { cursor = overlay.draw(on: &surface, in: screen.dropBottom(1)) }
        return (surface, cursor)
    }

    /// True while no collection is open, unless another pane is looked at.
    var showsStartPage: Bool {
        workbench.files.isEmpty && !workbench.isReading && focus == .tree && tree.search == nil
    }

    private func drawPanes(_ layout: Layout, on surface: inout Surface) -> Point? {
        let view = responseView
        surface.scrollAreas = Focus.allCases.compactMap(layout.inside)
        drawFrames(layout, view, on: &surface)
        var cursor: Point?
        for pane in Focus.allCases {
            guard let inside = layout.inside(pane) else { continue }
            let asking = draw(pane, layout, view, on: &surface, in: inside)
            if pane == focus { cursor = asking }
        }
        guard let cursor else { return nil }
        let area = Rect(size).dropBottom(1)
        if focus == .request { requestPane.drawCompletion(on: &surface, at: cursor, in: area) }
        if focus == .response { responsePane.drawCompletion(view, on: &surface, at: cursor, in: area) }
        return cursor
    }

    /// Draws the inside of a pane, and returns the cursor's position while something is edited in it.
    private func draw(
        _ pane: Focus, _ layout: Layout, _ view: ResponseView, on surface: inout Surface, in inside: Rect
    ) -> Point? {
        switch pane {
        case .tree:
            tree.draw(on: &surface, in: inside, runs: runs, isReading: workbench.isReading, focused: focus == pane)
            return tree.drawSearch(on: &surface, in: inside)
        case .request:
            if workbench.showsNode { drawPage(in: inside, layout, on: &surface) }
            guard !workbench.showsNode || workbench.shared != nil else { return nil }
            return requestPane.draw(workbench, on: &surface, in: inside, focused: focus == pane)
        case .response: return responsePane.draw(view, on: &surface, in: inside, focused: focus == pane)
        }
    }

    /// Draws the facts about a folder or a file, and a mark in the frame where they are cut.
    private func drawPage(in inside: Rect, _ layout: Layout, on surface: inout Surface) {
        let page = FilePage(workbench, runs, undefined: requestPane.context.undefined, columns: inside.columns)
        let place = workbench.showsPage ? inside : requestPane.rest(of: inside, workbench)
        let first = workbench.showsPage ? requestPane.firstRow : 0
        page.draw(on: &surface, in: place, from: first)
        guard let line = layout.placeLine(of: .request), place.rows > 0 else { return }
        let role: Role = focus == .request ? .plain : .dim
        let mark = ListMark.spans(first: first, page: place.rows, count: page.rows.count, role: role)
        draw(mark, in: line, isAtEnd: true, on: &surface)
    }

    private func draw(_ pane: EnvironmentPane, on surface: inout Surface) -> Point? {
        let file = workbench.file(at: pane.path)
        let isDirty = file?.collection?.environments != file?.saved?.environments
        let cursor = pane.draw(file?.name ?? "", isDirty: isDirty, on: &surface, in: whole)
        if let cursor { pane.drawCompletion(on: &surface, at: cursor, in: whole) }
        return cursor
    }

    // MARK: Frames

    private func drawFrames(_ layout: Layout, _ view: ResponseView, on surface: inout Surface) {
        var frames = Frames(isWarning: isProtected)
        for pane in Focus.allCases {
            layout.rect(of: pane).map { frames.add($0, isHeavy: pane == focus) }
        }
        frames.draw(on: &surface)
        for pane in Focus.allCases {
            guard let rect = layout.rect(of: pane), let line = layout.placeLine(of: pane) else { continue }
            let place = place(in: pane, view)
            let taken = line == rect.top(1) && !place.isEmpty ? Self.columns(of: place) + 2 : 0
            draw(title(of: pane, view), in: rect.top(1).dropRight(taken), isAtEnd: false, on: &surface)
            draw(place, in: line, isAtEnd: true, on: &surface)
        }
    }

    /// The place of the cursor in a list that is longer than its pane; in the tree always.
    private func place(in pane: Focus, _ view: ResponseView) -> [Span] {
        switch pane {
        case .tree: tree.place(focused: focus == .tree)
        case .request where workbench.showsNode: []
        case .request: requestPane.place(in: workbench, focused: focus == .request)
        case .response: responsePane.place(in: view, focused: focus == .response)
        }
    }

    /// Writes a text into a line of a frame, at its start or its end.
    private func draw(_ spans: [Span], in line: Rect, isAtEnd: Bool, on surface: inout Surface) {
        guard !spans.isEmpty else { return }
        var pen = Pen(Self.place(columns: Self.columns(of: spans), in: line, isAtEnd: isAtEnd))
        pen.write(" ", on: &surface)
        pen.write(spans, on: &surface)
        pen.write(" ", on: &surface)
    }

    private static func columns(of spans: [Span]) -> Int {
        // Not `joined`, whose first use looks through the conformances of all types.
        spans.reduce(0) { $0 + TextWidth.of($1.text) }
    }

    /// The place of a text in a line of a frame, with a space at each side.
    static func place(columns: Int, in line: Rect, isAtEnd: Bool) -> Rect {
        let line = line.dropLeft(1).dropRight(2)
        return isAtEnd ? line.right(columns + 2) : line
    }

    private var isProtected: Bool { workbench.environment?.protected ?? false }

    private func title(of pane: Focus, _ view: ResponseView) -> [Span] {
        let role: Role = pane == focus ? .title : .dim
        // In place of the header, where that is missing.
        let isMarked = pane == focus && layout.header == nil && isProtected
        let mark = isMarked ? [Span(text: " protected ", role: .production), Span(text: " ", role: .plain)] : []
        return mark + title(of: pane, role, view)
    }

    private func title(of pane: Focus, _ role: Role, _ view: ResponseView) -> [Span] {
        switch pane {
        case .tree: [Span(text: "1 Requests", role: role)]
        case .request where workbench.showsNode && workbench.shared == nil: [Span(text: "2 Request", role: role)]
        case .request: requestPane.title(workbench, role, named: layout.header == nil)
        case .response:
            [Span(text: "3 Response", role: role)] + owner
                + (view.run.map {
                    ResponseTitle.spans(
                        $0, from: view.otherEnvironment, now: view.now, columns: view.columns - 13)
                } ?? [])
        }
    }

    /// The name of the request that the response belongs to, where nothing else on the screen has it.
    private var owner: [Span] {
        guard workbench.showsNode, let request = workbench.request else { return [] }
        return [Span(text: " ─ \(request.name)", role: .dim)]
    }

    var header: Header {
        var header = Header(hidesTree: layout.tree == nil, runs: runs.activeCount, lag: lag)
        guard let file = workbench.shownFile else { return header }
        header.path = workbench.path
        header.isDirty = workbench.showsNode ? tree.current?.isDirty ?? false : isDirty(in: file)
        header.environment = workbench.environment
        header.missingEnvironment = workbench.missingEnvironment
        header.address = requestPane.target
        header.onlyAddress = runs.onlyAddress
        header.hasEnvironments = !(workbench.shownCollection?.environments.isEmpty ?? true)
        return header
    }

    private func isDirty(in file: OpenFile) -> Bool { workbench.selected.map(file.isDirty) ?? file.isDirty }

    private var topPreview: PreviewOverlay? { if case .preview(let preview)? = overlays.last { preview } else { nil } }

    private var topHistory: HistoryOverlay? { if case .history(let history)? = overlays.last { history } else { nil } }

    /// Without collections the keys that bring some show, and no others of the panes.
    private func isPossible(_ action: Action, _ isBroken: Bool) -> Bool {
        switch action {
        // The text of a file that could not be read can be edited, and one that is not there can be created.
        case .tree(.search) where isBroken: !(workbench.currentFile?.isMissing ?? false)
        case .tree(let action) where isBroken: [.open, .editFile].contains(action)
        case .request(let action) where isBroken: action == .edit
        case .run where isBroken, .files(.save) where isBroken, .files(.chooseEnvironment) where isBroken: false
        case .run where isInPanes && !hasRequests, .response where isInPanes && workbench.selected == nil: false
        case let action where topPreview?.offers(action) == false: false
        case let action where topHistory?.offers(action) == false: false
        case let action where action.stepsIn: !(runs.batch?.isEnded ?? true)
        // A request that runs is not sent a second time.
        case .run(.send) where isInPanes && folder == nil && run?.isRunning ?? false: false
        case .run(.send) where isTable: runs.batch?.isEnded ?? false
        case .batch(.runFailed): runs.batch.map { $0.isEnded && $0.counts.failed + $0.counts.cancelled > 0 } ?? false
        case .request(let action): requestPane.isPossible(action, in: workbench)
        case .response(.openRecorded), .response(.compareRecorded), .response(.markRecorded),
            .response(.askToDeleteRecorded):
            topHistory != nil || !responsePane.showsNoEntry
        case .environments(let action): action == .askForName || environmentPane?.environment != nil
        case .tree(.askForCollection), .tree(.askForPath): workbench.files.isEmpty
        case .batch(.show): runs.batch != nil
        case .view(.findNext): if case .help(let help)? = overlays.last { help.hasPlaces } else { true }
        // A code is entered in the browser.
        case .response(.askForRedirect): run?.pendingSignIn?.isCode == false
        case .leave: if case .question(let question)? = overlays.last { !question.leavesAsNo } else { true }
        case .confirm(true): if case .gate(let gate)? = overlays.last { gate.takesYes } else { true }
        // A prompt has one field.
        case .nextField:
            if case .prompt? = overlays.last {
                false
            } else {
                !isInPanes || scopes.first == .completing || requestPane.hasNextField(workbench)
            }
        case .tree, .files, .run: !workbench.files.isEmpty || !overlays.isEmpty
        default: true
        }
    }

    /// True where nothing lies over the panes.
    private var isInPanes: Bool { overlays.isEmpty && environmentPane == nil && !batchPane.isOpen }

    /// True where there is something to send: a request, or those of a folder.
    private var hasRequests: Bool { workbench.selected != nil || folder != nil && tree.current?.count ?? 0 > 0 }

    var statusLine: StatusLine {
        guard begunKeys.isEmpty else {
            let hints = keymap.continuations(of: begunKeys, in: scopes)
            return StatusLine(runs: runs.active, notice: notice, hints: hints, begun: begunKeys, now: now)
        }
        let hints = possibleKeys
        // The table shows its runs itself, and has keys of its own for them.
        return StatusLine(
            runs: batchPane.isOpen ? [] : runs.active, notice: notice, hints: hints.filter { !$0.action.stepsIn },
            firstKeys: isTable ? hints.filter(\.action.stepsIn) : firstKeys, now: now, watch: runs.watch)
    }

    /// The keys of the footer that do something here now, each with the word for what that is.
    private var possibleKeys: [Binding] {
        let (isBroken, runsFolder) = (isBroken, runsFolder)
        let possible = keymap.footer(in: scopes).filter { isPossible($0.action, isBroken) }.map { hint in
            saying(hint, isBroken, runsFolder)
        }
        return isInPanes && focus == .response ? shownViewer?.hints(possible) ?? possible : possible
    }

    /// The keys of the footer, as many as there are: those that are needed most. A key that two scopes have is with the
    /// nearest one.
    func usualKeys(_ count: Int) -> [Binding] {
        var known: Set<[Key]> = []
        return possibleKeys.prefix(count).map { binding in
            let free = binding.sequences.filter { known.insert($0).inserted }
            return free.count == binding.sequences.count ? binding : binding.bound(to: free)
        }
    }

    /// The table of a folder's run, with nothing above it.
    private var isTable: Bool { batchPane.isOpen && overlays.isEmpty }

    /// The keys of what runs or is watched, and of the way back from an old response.
    private var firstKeys: [Binding] {
        let scopes = scopes
        // A prompt or a question takes them as text, or not at all.
        guard scopes.contains(.everywhere) else { return [] }
        let active = runs.active
        let isStream = active.last?.isOpenEnded ?? false
        var keys: [(Action, String)] = []
        if endsWatch || !active.isEmpty {
            keys.append((.run(.cancel), endsWatch ? "stop watching" : isStream ? "stop" : "cancel"))
        }
        // To repeat a stream makes no sense.
        if !active.isEmpty, !isStream { keys += [(.run(.retryNow), "retry now"), (.run(.addAttempt), "attempt")] }
        if let recorded = run?.recorded, recorded.place.number > 1 {
            keys.append((.response(.newerResponse), "newer"))
        }
        return keymap.hints(keys, in: scopes)
    }

    /// True on a file that is no collection, unless the keys go to the response of a request in another one.
    private var isBroken: Bool {
        guard overlays.isEmpty, !batchPane.isOpen, workbench.isOnBrokenFile else { return false }
        return focus != .response || workbench.selected == nil
    }

    /// On a folder the key that sends runs it; on a file that is no collection Enter opens its text or creates it.
    private func saying(_ hint: Binding, _ isBroken: Bool, _ runsFolder: Bool) -> Binding {
        if hint.scope == .completing, hint.action == .accept {
            if completion?.insertsOnEnter ?? false { return hint.saying("insert") }
            if environmentPane == nil, focus != .response, requestPane.isWriting { return hint.saying("line break") }
        }
        if isBroken, hint.action == .tree(.open) || hint.action == .request(.edit) {
            return hint.saying(workbench.currentFile?.isMissing ?? false ? "create" : "$EDITOR")
        }
        if hint.action == .request(.edit), workbench.sendsOnEnter { return hint.saying("send") }
        if hint.action == .request(.toggleRow), requestPane.row == nil { return hint.saying("method") }
        if hint.action == .response(.showExpected), responsePane.editsExpectation(responseView) {
            return hint.saying("edit")
        }
        return hint.action == .run(.send) && runsFolder ? hint.saying("run") : hint
    }

    private var completion: CompletionList? {
        (environmentPane?.completion ?? (focus == .response ? responsePane.completion : requestPane.completion)).list
    }

    private var runsFolder: Bool { !batchPane.isOpen && folder != nil && workbench.isInCollection }
}
