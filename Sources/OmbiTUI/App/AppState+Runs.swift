/// Runs of a request, and of a folder with all its requests.
extension AppState {
    mutating func perform(_ action: RunAction) -> [Outcome] {
        if let node = folder, action == .send { return perform(BatchAction.ask(node)) }
        if folder != nil, action == .preview { return Runs.noRequest }
        switch action {
        case .send, .sendProtected, .preview, .watch, .nextPage, .allPages:
            if let gone = workbench.context?.withoutEnvironment { return gone }
        default: break
        }
        if let outcomes = performOnWatch(action) { return outcomes }
        return showingResponse(runs.perform(action, on: workbench, at: now))
    }

    /// Goes on with what was checked before it is sent to a protected environment.
    mutating func checked(_ run: CheckedRun, isReady: Bool) -> [Outcome] {
        switch run {
        case .request(let item): showingResponse(runs.checked(item, isReady: isReady, workbench, at: now))
        case .batch(let plan): runs.confirm(plan, workbench, at: now)
        case .failedOfBatch: runs.confirmFailed(workbench)
        }
    }

    /// Says why nothing is sent, and in the place of a request's response, too.
    mutating func refused(_ run: CheckedRun, _ message: String) -> [Outcome] {
        let notice = [Outcome].notify(.failure, "Not sent. \(message)")
        guard case .request(let item) = run, let order = workbench.order(runs.lastID + 1, of: item) else {
            return notice
        }
        return runs.refuse(order, message, at: now).map(Outcome.effect) + notice
    }

    /// Sending shows the response: where the collections hide it, and in a tab of the run.
    mutating func showingResponse(_ outcomes: [Outcome]) -> [Outcome] {
        let begins = outcomes.contains { if case .effect(.send) = $0 { true } else { false } }
        if begins { responsePane.showBegun() }
        return outcomes + (begins && layout.response == nil ? [.focus(.response)] : [])
    }

    /// The folder or the collection under the cursor of the tree, where that or its settings have the focus.
    var folder: TreeNode? {
        guard focus == .tree || focus == .request && workbench.showsNode, let row = tree.current, row.method == nil
        else {
            return nil
        }
        return row.node
    }

    mutating func perform(_ action: BatchAction) -> [Outcome] {
        switch action {
        case .show where runs.batch == nil: return .notify(.info, "No folder was run so far; s on a folder runs it")
        case .show: batchPane.open()
        case .close: batchPane.close()
        case .chooseReplay:
            guard let node = folder ?? workbench.selected.map(TreeNode.request) else { return Runs.noRequest }
            return runs.perform(.chooseReplayOf(node), on: workbench, at: now)
        case .goTo: return batchPane.goTo(runs, workbench)
        case .ignore(let item, let paths): return ignore(paths, of: item)
        default: return runs.perform(action, on: workbench, at: now)
        }
        return []
    }
}

/// A request that is sent every few seconds.
extension AppState {
    /// Handles an action on a watch; nil for any other.
    mutating func performOnWatch(_ action: RunAction) -> [Outcome]? {
        switch action {
        case .askToWatch: return askToWatch()
        case .watch(let plan): return watch(plan)
        case .cancel:
            return endsWatch ? cancelWatch() : nil
        default: return nil
        }
    }

    /// True where cancelling ends the watch: nothing else runs.
    var endsWatch: Bool {
        runs.watch.map { watch in runs.activeItems.allSatisfy { $0 == watch.item } } ?? false
    }

    /// Asks for the interval; ends the watch where there is one.
    private mutating func askToWatch() -> [Outcome] {
        if runs.watch != nil { return stopWatching() }
        guard let request = workbench.request, folder == nil else { return Runs.noRequest }
        guard !request.isWebSocket else {
            return .notify(.info, "A WebSocket stays open by itself; watch a request that ends")
        }
        if let gone = workbench.context?.withoutEnvironment { return gone }
        if let order = workbench.order(runs.lastID + 1), let method = Self.refused(order) {
            return .notify(.warning, "A \(method) to a protected environment is not repeated by itself")
        }
        return [.open(.prompt(PromptOverlay(.watch(request.name), text: "5s", isSelected: true)))]
    }

    private mutating func watch(_ plan: WatchPlan) -> [Outcome] {
        guard let order = workbench.order(runs.lastID + 1) else { return Runs.noRequest }
        runs.lastWatch += 1
        runs.watch = Watch(order, plan: plan, number: runs.lastWatch, at: now)
        return continueWatch()
    }

    /// The method of a run that may change something in a protected environment; nil for a run that is repeated.
    private static func refused(_ order: RunOrder) -> String? {
        let isProtected = order.environment.flatMap(order.collection.environment(named:))?.protected ?? false
        return isProtected ? order.firstUnsafe?.method.rawValue : nil
    }

    /// The reason why a watch is not gone on with: it began in another environment, or that is protected by now.
    private func obstacle(to order: RunOrder, of watch: Watch) -> String? {
        guard order.file == watch.file, order.environment == watch.environment else {
            let name = watch.environment ?? "no environment"
            guard let gone = workbench.file(at: watch.file)?.missingEnvironment, gone == name else {
                return "no longer watched, as it began in \(name) and \(order.environment ?? "none") is in use now"
            }
            return "no longer watched, as the environment \(name) is gone"
        }
        return Self.refused(order).map { "no longer watched, as it would be a \($0) to a protected environment" }
    }

    mutating func stopWatching(
        _ reason: String = "no longer watched", _ kind: Notice.Kind = .info
    ) -> [Outcome] {
        guard let watch = runs.watch else { return [] }
        runs.watch = nil
        return .notify(kind, "\(watch.name): \(reason), \(watch.count)")
    }

    mutating func cancelWatch() -> [Outcome] {
        let run = runs[runs.watch?.item]
        return stopWatching() + (run?.isRunning ?? false ? [.effect(.cancel(run?.id ?? 0))] : [])
    }

    mutating func watchTicked(_ number: Int) -> [Outcome] {
        runs.watch?.number == number ? continueWatch() : []
    }

    /// Notes the request in whose body a text is typed.
    mutating func followPrompt(_ view: ResponseView) -> [Effect] {
        let isTyping = focus == .response && responsePane.showsBody(view) && view.run?.viewer?.hasPrompt ?? false
        return runs.follow(prompted: isTyping ? workbench.selected : nil, at: now)
    }

    /// Notes that a prompt is gone with its body: the next attempt has begun, or the request is in no file any more.
    mutating func noteLostPrompt(_ prompted: ItemID?) {
        guard prompted != nil, runs.prompted != prompted else { return }
        lostPromptAt = now
        notice = Notice(.warning, "The body is gone, and the prompt with it; keys are commands again in a second")
    }

    /// True for a key that was typed for a prompt that is gone: until none came for a second.
    mutating func isForLostPrompt(_ action: Action) -> Bool {
        guard let last = lostPromptAt else { return false }
        if case .mouse = action { return false }
        lostPromptAt = now - last < .seconds(1) ? now : nil
        return lostPromptAt != nil
    }

    /// Sends the request if its time has come, and looks at the clock again.
    private mutating func continueWatch() -> [Outcome] {
        guard var watch = runs.watch else { return [] }
        var outcomes: [Outcome] = []
        let order = workbench.order(runs.lastID + 1, of: watch.item)
        if let order, let reason = obstacle(to: order, of: watch) { return stopWatching(reason, .warning) }
        let isBusy = runs[watch.item]?.isRunning ?? false || runs.prompted == watch.item
        if watch.rounds.isDue(at: now), !isBusy {
            guard let order else { return stopWatching("no longer watched, as it is not in the collection any more") }
            watch.begin(at: now)
            outcomes = runs.begin(order, at: now).map(Outcome.effect)
        }
        runs.watch = watch
        return outcomes + [.effect(.watchTick(watch.number, after: watch.untilTick(at: now)))]
    }

    /// Takes in the result of a watched request: a line for a change, and the end that was waited for. The bell rings for what the
    /// watch is there for.
    mutating func watchEnded(_ result: SessionResult, of item: ItemID) -> [Outcome] {
        guard runs.watch?.item == item else { return [] }
        if result.ending == .cancelled { return stopWatching("cancelled") }
        let change = runs.watch?.end(result, ignoring: workbench.request(item)?.ignoredPaths ?? [])
        guard let rounds = runs.watch?.rounds, rounds.isOver || change != nil else { return [] }
        let reason = !rounds.isReached ? "done" : result.passed ? "passes" : "fails"
        let end = rounds.isOver ? stopWatching(reason) : []
        let command = change.map { [Outcome.effect(.tellChange($0.text))] } ?? []
        let isOpenEnded = rounds.plan.end == nil && rounds.plan.times == nil
        let bell: [Outcome] = rounds.isOver || isOpenEnded ? [.effect(.ringBell)] : []
        return (change.map { [.notice($0)] } ?? []) + end + command + bell
    }
}

/// The runs of all requests, and the way from one of them to its request.
extension AppState {
    func showAllHistory() -> [Outcome] {
        [.open(.history(HistoryOverlay(files: workbench.files.map(\.path))))]
    }

    /// Asks for the error budgets of all requests with an objective.
    func showObjectives() -> [Outcome] {
        let endpoints = workbench.files.flatMap { file -> [ObjectiveEndpoint] in
            guard let collection = file.collection else { return [] }
            var endpoints: [ObjectiveEndpoint] = []
            collection.forEachRequest { request, folders in
                endpoints += ObjectiveEndpoint.all(of: request, folders, collection, file: file.path)
            }
            return endpoints
        }
        guard !endpoints.isEmpty else {
            return .notify(.info, "No request has an objective; the tab Policy sets one: \(Objective.example)")
        }
        return [.effect(.history(.objectives(endpoints)))]
    }

    /// Asks for the runs that the list needs next.
    mutating func followSearch() -> [Effect] {
        guard case .history(var history)? = overlays.last else { return [] }
        if history.takeUnmarking() { runs.mark = nil }
        (history.marked, history.notice, history.ended) = (runs.markedEntry, notice, runs.ended)
        let queries = history.ask()
        overlays[overlays.count - 1] = .history(history)
        return queries.map { .history($0) }
    }

    mutating func receiveOfAll(_ answer: HistoryAnswer) -> [Outcome] {
        switch answer {
        case .found(let page, let search): changeHistory { $0.take(page, of: search) }
        case .notFound(let reason, let search): changeHistory { $0.fail(reason, of: search) }
        case .peeked(let run, let age):
            var preview = PreviewOverlay(HistoryTab.name(run.entry), RecordedRows.rows(run, age: age))
            // It is none of the selected request, which a key of the preview would send.
            preview.compared = ItemID()
            return [.open(.preview(preview))]
        default: break
        }
        return []
    }

    private mutating func changeHistory(_ change: (inout HistoryOverlay) -> Void) {
        for index in overlays.indices {
            guard case .history(var history) = overlays[index] else { continue }
            change(&history)
            overlays[index] = .history(history)
        }
    }

    /// Goes to the request of a run; the response of one whose request is gone shows by itself.
    func perform(_ use: RecordedUse, on entry: HistoryEntry) -> [Outcome] {
        guard let item = workbench.item(recordedAs: entry.request) else {
            if use == .open { return [.effect(.history(.peek(entry.id)))] }
            let name = entry.request.shortName
            return .notify(.info, "\(name) is not in the workspace; Enter on the run shows what was recorded")
        }
        let going: [Outcome] = [.focus(.response), .perform(.tree(.select(.request(item))))]
        if use != .replay, runs[item]?.isRunning ?? false {
            return going + .notify(.info, "The request is running; x cancels it")
        }
        switch use {
        case .replay: return going + [.perform(.batch(.chooseReplayOf(.request(item))))]
        case .open: return going + [.effect(.history(.open(entry.id, of: entry.request, for: item)))]
        case .compare(let other):
            return going + [.effect(.history(.compare(entry.id, with: other, of: entry.request, for: item)))]
        }
    }
}

extension Workbench {
    /// The request whose runs are recorded under a path; nil where it is gone.
    func item(recordedAs path: ItemPath) -> ItemID? {
        guard let file = file(at: path.file), let collection = file.collection else { return nil }
        func find(in collection: Collection) -> ItemID? {
            var found: ItemID?
            collection.forEachRequest { request, folders in
                if found == nil, folders.map(\.name) + [request.name] == path.path { found = request.id }
            }
            return found
        }
        // Runs stay under the names with which the request was saved.
        if let saved = file.saved.flatMap(find), collection.contains(saved) { return saved }
        guard let item = find(in: collection), recordedPath(of: item) == path else { return nil }
        return item
    }
}
