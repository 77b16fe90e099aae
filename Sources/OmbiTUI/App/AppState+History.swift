/// The history of the selected request, in tabs of the response.
extension AppState {
    /// The selected request by names; nil without one.
    private var requestPath: ItemPath? { workbench.selected.flatMap(workbench.recordedPath) }

    /// Completes an effect with the path of its request in the history, which only the workbench knows.
    func recorded(_ effect: Effect) -> Effect {
        switch effect {
        case .send(var order):
            order.recordedPath = workbench.recordedPath(of: order.request.id) ?? order.recordedPath
            return .send(kept(order))
        case .check(let orders, let checked): return .check(orders.map(kept), for: checked)
        case .preview(let order): return .preview(kept(order))
        case .history(.judge(var question)):
            guard let rows = runs.batch?.rows, rows.indices.contains(question.row) else { return effect }
            question.request = workbench.recordedPath(of: rows[question.row].item) ?? question.request
            return .history(.judge(question))
        default: return effect
        }
    }

    /// Returns the order for the only address that its server is sent to.
    private func kept(_ order: RunOrder) -> RunOrder {
        guard let only = runs.onlyAddress else { return order }
        var order = order
        order.send(toOnly: only.text)
        return order
    }

    /// Asks for the runs of the request where a tab shows them that does not have them, or lacks the newest. Runs that end
    /// while an answer is awaited wait for it: a folder's run has thousands.
    mutating func followHistory() -> [Effect] {
        guard responsePane.tab.showsHistory, let path = requestPath else { return [] }
        let isAnother = runs.askedHistory != path || runs.historyItem != workbench.selected
        let objective = objective ?? Objective()
        let environment = objective.success == nil ? nil : workbench.environment?.name
        // It is known once the file is read, and while no folder takes the place of the request.
        let isChanged =
            workbench.shared == nil
            && (objective != (runs.askedObjective ?? Objective()) || environment != runs.askedEnvironment)
        guard isAnother || isChanged || runs.isHistoryStale && runs.awaitedHistory == nil else { return [] }
        (runs.askedHistory, runs.historyItem) = (path, workbench.selected)
        (runs.awaitedHistory, runs.isHistoryStale) = (path, false)
        (runs.askedObjective, runs.askedEnvironment) = (objective, environment)
        return [
            .history(.show(path, runs.statisticsRange, within: objective.within, environment: environment))
        ]
    }

    /// The objective of the selected request; nil for a folder.
    private var objective: Objective? {
        guard workbench.shared == nil, let request = workbench.selected.flatMap(workbench.request) else { return nil }
        return workbench.inheritance?.objective(of: request)
    }

    /// Asks for the last run of a request that was not sent in this session, one request at a time.
    mutating func followLast() -> [Effect] {
        guard let item = workbench.selected, item != runs.askedLast, !runs.awaitsLast, !runs.hasRun(of: item),
            let path = requestPath
        else { return [] }
        let forgetting = runs.forgetLast()
        (runs.askedLast, runs.awaitsLast) = (item, true)
        return forgetting + [.history(.last(path, for: item))]
    }

    /// Opens the last run of a request that is still selected, and was not sent meanwhile. An example that was opened
    /// meanwhile stays; the run is asked for again once that closes.
    private mutating func openLast(
        _ run: RecordedRun?, at place: HistoryPlace, age: Duration, of item: ItemID
    ) -> [Outcome] {
        runs.awaitsLast = false
        guard item == workbench.selected, runs[item]?.isExampleOnly != true else {
            runs.askedLast = nil
            return []
        }
        guard let run, !runs.hasRun(of: item) else { return [] }
        return runs.open(run, at: place, of: item, age: age, at: now).map(Outcome.effect)
    }

    /// Shows the runs in several environments as they are now.
    mutating func followEnvironments() {
        guard let shown = runs.environments else { return }
        for index in overlays.indices {
            guard case .preview(var preview) = overlays[index], preview.follows == shown.id else { continue }
            preview.show(
                EnvironmentRunRows.rows(shown, runs, now: now, columns: PreviewOverlay.columns(on: whole)))
            overlays[index] = .preview(preview)
        }
    }

    /// The time that Statistics is limited to, or in which most runs were slow or failed, as the report of an incident
    /// takes it; nil where Statistics does not show it.
    var troubledRange: String? {
        guard responsePane.tab == .statistics, let history = runs.history(of: workbench.selected) else { return nil }
        if case .between(let time) = history.range { return time }
        guard let trouble = StatisticsTab.trouble(of: history) else { return nil }
        func minute(_ date: Date) -> String {
            let time = HistoryTab.time(date)
            return "\(time.prefix(10))T\(time.dropFirst(11).prefix(5))"
        }
        // A time is given to the minute, and the last run ended within its one.
        return minute(trouble.start) + ".." + (trouble.goesOn ? "" : minute(trouble.end.addingTimeInterval(60)))
    }

    mutating func followSimulation() -> [Effect] { changeSimulator { $0.ask() }.map { [.history($0)] } ?? [] }

    @discardableResult
    private mutating func changeSimulator<Value>(_ body: (inout SimulatorOverlay) -> Value?) -> Value? {
        guard case .simulator(var simulator)? = overlays.last else { return nil }
        defer { overlays[overlays.count - 1] = .simulator(simulator) }
        return body(&simulator)
    }

    /// The answer while the request runs; nil otherwise.
    private var running: [Outcome]? {
        guard let run, run.isRunning else { return nil }
        return .notify(.info, "The request is running; x cancels it", during: .run(run.id))
    }

    mutating func performOnHistory(_ action: ResponseAction) -> [Outcome] {
        guard let path = requestPath, let item = workbench.selected else {
            return action == .showHistory ? showAllHistory() : Runs.noRequest
        }
        switch action {
        case .showHistory:
            if focus == .response, responsePane.tab == .history { return showAllHistory() }
            responsePane.show(.history)
            return [.focus(.response)]
        case .askForRange:
            // A bad time that shows is what its figures are wanted of.
            let range = runs.statisticsRange == .all ? troubledRange : nil
            let text = range ?? runs.statisticsRange.text
            return [.open(.prompt(PromptOverlay(.statistics, text: text, isSelected: true)))]
        case .limitStatistics(let range):
            (runs.statisticsRange, runs.isHistoryStale) = (range, true)
            if responsePane.tab != .statistics { responsePane.show(.statistics) }
            return [.focus(.response)]
        case .showValue:
            // The whole body over time is the list of responses; a line of text is no value.
            guard let value = shownViewer?.page?.path, value.hasPrefix("$"), value != "$" else {
                return performOnHistory(.showHistory)
            }
            return [.effect(.history(.values(value, of: path)))]
        case .openRecorded:
            return entry.map { [.effect(.history(.open($0.id, of: path, for: item)))] } ?? []
        case .compareRecorded: return compare(path, item)
        case .markRecorded:
            guard let entry else { return [] }
            guard entry.id != runs.markedEntry else {
                runs.mark = nil
                return .notify(.info, "No longer marked")
            }
            return [.effect(.history(.mark(entry.id)))]
        case .copyRecorded(let id): return [.effect(.history(.curl(id)))]
        case .simulate: return [.effect(.history(.simulate(path, for: item)))]
        case .olderResponse, .newerResponse: return step(isOlder: action == .olderResponse, path, item)
        case .askToDeleteRecorded:
            guard let entry else { return [] }
            let question = QuestionOverlay(
                title: "Delete",
                lines: [
                    "Delete the run of \(HistoryTab.time(entry.startedAt)) from the history?", "It cannot be undone.",
                ],
                yes: .init("delete it", .response(.deleteRecorded(entry.id))), no: .init("keep it", nil))
            return [.open(.question(question))]
        case .deleteRecorded(let id): return [.effect(.history(deletion(of: id, path)))]
        default: return []
        }
    }

    private func deletion(of id: HistoryEntry.ID, _ path: ItemPath) -> HistoryQuery {
        .delete(
            [id], of: path, runs.statisticsRange, within: runs.askedObjective?.within,
            environment: runs.askedEnvironment)
    }

    /// Keeps requests to the address under the cursor of Statistics, or ends that.
    mutating func toggleAddress() -> [Outcome] {
        guard let address = responsePane.address(responseView) else {
            return .notify(.info, "Here is no address; those of “by address” in Statistics can be sent to alone")
        }
        let entries = runs.history?.entries ?? []
        let environment = workbench.environment?.name
        let url = (entries.first { $0.environment == environment } ?? entries.first)?.url
        guard let only = url.flatMap({ OnlyAddress(address, of: $0) }) else {
            return .notify(.info, "\(address) is no address that the name of the server stands for")
        }
        guard only != runs.onlyAddress else {
            runs.onlyAddress = nil
            return .notify(.info, "Requests to \(only.host) go to any of its addresses again")
        }
        runs.onlyAddress = only
        return .notify(.success, "Requests to \(only.host) go to \(only.address) only; Enter on it again ends that")
    }

    private mutating func step(isOlder: Bool, _ path: ItemPath, _ item: ItemID) -> [Outcome] {
        if let running { return running }
        // The run on the screen is the newest of the history, unless it was opened from there.
        let skipped = run?.recorded == nil && run?.isRecorded ?? false ? 1 : 0
        if !isOlder, run?.recorded == nil { return receive(.end(isOlder: false)) }
        let query = HistoryQuery.step(
            from: run?.recorded?.entry.id, isOlder: isOlder, skipping: skipped, of: path, for: item)
        return [.effect(.history(query))]
    }

    /// Compares the run under the cursor with the mark, or with the response on the screen; without both with the run before.
    private func compare(_ path: ItemPath, _ item: ItemID) -> [Outcome] {
        guard let entry else { return [] }
        if let running { return running }
        guard entry.id != runs.markedEntry else {
            return .notify(.info, "This is the marked response; D on another compares both, M unmarks it")
        }
        if runs.mark != nil { return [.effect(.history(.compare(entry.id, with: nil, of: path, for: item)))] }
        if run?.body != nil, run?.viewer != nil {
            guard run?.recorded?.entry.id != entry.id else {
                return .notify(.info, "This is the response on the screen; D on another compares both")
            }
            return [.effect(.history(.compare(entry.id, with: nil, of: path, for: item)))]
        }
        guard let older = responsePane.olderEntry else {
            return .notify(.info, "Nothing to compare with; M marks this response, then D on another compares both")
        }
        return [.effect(.history(.compare(entry.id, with: older.id, of: path, for: item)))]
    }

    /// Shows the differences between the response of a recorded run and another, the older one at the left.
    private mutating func show(
        _ recorded: RecordedRun, at place: HistoryPlace, of item: ItemID, comparedWith other: RecordedBody?
    ) -> [Outcome] {
        guard recorded.missingBody == nil, recorded.result.response?.body?.isEmpty == false else {
            return .notify(.info, recorded.missingBody ?? "This run has no body to compare")
        }
        guard let (body, isNewer) = opposite(of: recorded.entry, other) else { return [] }
        responsePane.show(.body)
        let effects = runs.open(recorded, at: place, of: item, at: now).map(Outcome.effect)
        _ = runs.withViewer(of: item) { viewer in
            viewer.name = HistoryTab.name(recorded.entry)
            return viewer.compare(with: body, isNewer: isNewer)
        }
        return effects
    }

    /// The body that the one of a run is compared with, and whether it is the newer of both.
    private func opposite(of entry: HistoryEntry, _ other: RecordedBody?) -> (NamedBody, isNewer: Bool)? {
        if let other {
            var body = other.body
            body.name = HistoryTab.name(other.entry)
            return (body, other.entry.id > entry.id)
        }
        if let mark = runs.mark { return (mark, runs.markedEntry.map { $0 > entry.id } ?? false) }
        guard let run, var body = run.body else { return nil }
        body.name = run.recorded.map { HistoryTab.name($0.entry) } ?? "\(run.viewer?.name ?? run.name), the latest"
        return (body, run.recorded.map { $0.entry.id > entry.id } ?? true)
    }

    // MARK: Files that others change

    /// Takes in a file that was edited elsewhere, with the history of what has another path in it.
    mutating func reloaded(_ loaded: LoadedCollection) -> [Outcome] {
        let moves = workbench.movedElsewhere(by: loaded).map(Outcome.move)
        return moves + workbench.sayingWhatIsGone(from: loaded.path) { $0.reloaded(loaded) }
    }

    mutating func changed(_ loaded: LoadedCollection) -> [Outcome] {
        let moves = workbench.movedElsewhere(by: loaded).map(Outcome.move)
        let isTyping = requestPane.editing != nil && workbench.file?.path == loaded.path
        let isInCell = environmentPane?.editing != nil && environmentPane?.path == loaded.path
        let waits = isTyping || isInCell || isChoosing
        return moves + (waits ? workbench.hold(loaded) : workbench.changed(loaded, mayAsk: mayAsk))
    }

    /// True while a list of choices is open: they were made of the request as it is.
    var isChoosing: Bool { overlays.contains { if case .picker = $0 { true } else { false } } }

    /// Outcomes of news without those that would put another request under the text that is typed.
    func keepingField(_ outcomes: [Outcome]) -> [Outcome] {
        requestPane.editing == nil ? outcomes : outcomes.filter { if case .perform = $0 { false } else { true } }
    }

    // MARK: Sparklines

    /// Asks for the last runs of all requests, whose rows show the status and the time of the last one.
    mutating func followRecent() -> [Effect] {
        guard layout.tree != nil else { return [] }
        let files = workbench.collections.map(\.path)
        guard files != runs.recentFiles else { return [] }
        runs.recentFiles = files
        return [.history(.recent(files))]
    }

    /// Asks again once a file was read again, whose items may be others.
    mutating func forgetRecent(after event: Event) {
        switch event {
        case .reloaded, .changed: runs.recentFiles = []
        default: break
        }
    }

    /// Asks again for those of a file, a request of which has just run.
    func refreshRecent(of item: ItemID) -> [Outcome] {
        // Without sparklines the row shows the run of this session.
        guard showsSparklines, let file = workbench.file(of: item)?.path, runs.recentFiles.contains(file) else {
            return []
        }
        return [.effect(.history(.recent([file])))]
    }

    private mutating func take(_ recent: [ItemPath: [RecentRun]], of files: [String]) {
        for path in files {
            guard let collection = workbench.file(at: path)?.collection else { continue }
            let saved = recent.isEmpty ? [:] : workbench.file(at: path)?.saved?.pathsByID ?? [:]
            var (byItem, items): ([ItemID: [RecentRun]], [ItemID]) = ([:], [])
            collection.forEachRequest { request, folders in
                items.append(request.id)
                let names = saved[request.id] ?? folders.map(\.name) + [request.name]
                byItem[request.id] = recent[ItemPath(file: path, path: names)]
            }
            runs.take(byItem, instead: items)
        }
    }

    // MARK: Values that may differ

    private mutating func propose(_ paths: [VolatilePath], _ question: VolatileQuestion) {
        guard case .preview(var preview)? = overlays.last else { return }
        preview.propose(paths.map(\.path), of: question.item, ComparisonRows.rows(paths))
        overlays[overlays.count - 1] = .preview(preview)
    }

    mutating func ignore(_ paths: [String], of item: ItemID) -> [Outcome] {
        guard let request = workbench.request(item) else { return [] }
        let added = paths.filter { !request.ignoredPaths.contains($0) }
        workbench.edit(item, "let values of \(request.name) differ") { collection in
            collection.update(item) { $0.ignoredPaths += added }
        }
        return .notify(
            .success,
            "\(request.name): \(Count.of(added.count, "path")) may differ from the next comparison on; u undoes it")
    }

    private var entry: HistoryEntry? { responsePane.entry }

    var hasEntry: Bool { entry != nil }

    mutating func receive(_ answer: HistoryAnswer) -> [Outcome] {
        switch answer {
        case .shown(var history):
            // Answers have no order: one for the objective of before may be the last.
            let isOld =
                history.within != runs.askedObjective?.within || history.environment != runs.askedEnvironment
            if history.request == runs.askedHistory, isOld { return [] }
            if history.request == requestPath { history.objective = objective?.share ?? history.objective }
            runs.history = history
            if runs.awaitedHistory == history.request { runs.awaitedHistory = nil }
        case .last(let run, let place, let age, let item): return openLast(run, at: place, age: age, of: item)
        case .opened(let run, let place, let age, let item):
            responsePane.showOpened()
            return runs.open(run, at: place, of: item, openedAge: age, at: now).map(Outcome.effect)
        case .found, .notFound, .peeked: return receiveOfAll(answer)
        case .compared(let run, let place, let other, let item):
            return show(run, at: place, of: item, comparedWith: other)
        case .marked(var body):
            body.body.name = HistoryTab.name(body.entry)
            runs.mark(body)
            return .notify(
                .info, "Marked; D compares another response with that of \(HistoryTab.time(body.entry.startedAt))")
        case .curl(let text): return [.effect(.copy(text, named: "curl of the run"))]
        case .markedMoment(let mark):
            runs.isHistoryStale = true
            return .notify(.success, "Marked: \(mark.name), \(HistoryTab.time(mark.date))")
        case .recent(let recent, let files): take(recent, of: files)
        case .simulation(let simulation, let path, let item):
            guard let name = workbench.request(item)?.name, requestPath == path else { return [] }
            guard !simulation.runs.isEmpty else {
                return .notify(.info, "No attempt is in the history yet; s sends the request")
            }
            return [.open(.simulator(SimulatorOverlay(simulation, name: name, item: item)))]
        case .tried(let policy, let figures):
            changeSimulator { $0.take(figures, of: policy) }
        case .values(let values):
            return [.open(.preview(PreviewOverlay(values.path, ValueRows.rows(values))))]
        case .report(let title, let lines): return Self.report(title, lines)
        case .budgets(let heading, let rows): return budgets(heading, rows)
        case .volatile(let paths, let question): propose(paths, question)
        case .judged(let question, let verdict): runs.batch?.take(verdict, on: question)
        case .end(let isOlder):
            return .notify(.info, isOlder ? "There is no older run in the history" : "This is the newest run")
        case .failed(let message):
            // It may be the answer to any question.
            runs.awaitedHistory = nil
            return .notify(.warning, message)
        }
        return []
    }

    /// Lists the error budgets; the chosen row leads to the statistics of its request.
    private func budgets(_ heading: String, _ rows: [BudgetRow]) -> [Outcome] {
        let statistics = Action.response(.showTab(ResponseTab.statistics.number))
        let items = rows.compactMap { row in
            workbench.item(recordedAs: row.request).map { item in
                PickerOverlay.Item(
                    name: row.text, action: .inOrder([.tree(.select(.request(item))), statistics]))
            }
        }
        let title = "Error budgets · 1 h and 6 h: burn rate; at 1 it lasts for its window"
        var picker = PickerOverlay(title: title, items: items)
        picker.heading = heading
        return [.open(.picker(picker))]
    }

    private static func report(_ title: String, _ lines: [String]) -> [Outcome] {
        var preview = PreviewOverlay(title, lines.map { [Span(text: $0, role: .plain)] })
        // It is none of the selected request, which a key of the preview would send.
        preview.compared = ItemID()
        return [.open(.preview(preview))]
    }
}

extension Workbench {
    /// A request with its old and its new path.
    typealias Move = (old: ItemPath, new: ItemPath)

    /// The path of a request in the history: that with which it was saved last, as only a save takes its runs along.
    func recordedPath(of id: ItemID) -> ItemPath? {
        guard let file = file(of: id) else { return nil }
        // Scratch requests that were saved to a file are still known as such.
        let others = files.filter { !$0.isScratch } + files.filter(\.isScratch)
        let home = ([file] + others).first { $0.records(id) }
        return ItemPath(
            file: (home ?? file).path, path: home?.recordedNames(of: id) ?? file.collection?.path(to: id) ?? [])
    }

    /// The requests of a file whose names have changed since it was saved, and those that came from another file or went to
    /// one.
    func renamed(in path: String, to new: Collection) -> [Move] {
        guard let old = file(at: path)?.saved, old != new else { return [] }
        let (before, after) = (old.pathsByID, new.pathsByID)
        let renamed = old.namedRequests.compactMap { id, names -> Move? in
            guard let now = after[id], now != names else { return nil }
            return (ItemPath(file: path, path: names), ItemPath(file: path, path: now))
        }
        let others = files.filter { $0.path != path && !$0.isScratch }
        let come = new.namedRequests.filter { before[$0.id] == nil }.compactMap { id, names -> Move? in
            let sources = others + [scratch].compactMap { $0 }
            let source = sources.first { !($0.collection?.contains(id) ?? true) && $0.records(id) }
            guard let source, let old = source.recordedNames(of: id) else { return nil }
            return (ItemPath(file: source.path, path: old), ItemPath(file: path, path: names))
        }
        // The file that they go to is not saved yet: later nobody knows any more where they were.
        let gone = old.namedRequests.filter { after[$0.id] == nil }.compactMap { id, names -> Move? in
            let target = others.first { $0.collection?.contains(id) ?? false && !($0.saved?.contains(id) ?? false) }
            guard let target, let now = target.collection?.pathsByID[id] else { return nil }
            return (ItemPath(file: path, path: names), ItemPath(file: target.path, path: now))
        }
        return renamed + come + gone
    }

    /// The requests that somebody else has renamed or moved in a file.
    func movedElsewhere(by loaded: LoadedCollection) -> [Move] {
        guard let file = file(at: loaded.path), saves.writing[file.path] == nil, let old = file.saved,
            loaded.fingerprint != file.fingerprint, !file.isLost(in: loaded)
        else { return [] }
        return (loaded.collection?.movedRequests(since: old) ?? []).map { old, new in
            (ItemPath(file: file.path, path: old), ItemPath(file: file.path, path: new))
        }
    }
}

extension Outcome {
    static func move(_ move: Workbench.Move) -> Outcome { .effect(.history(.move(move.old, to: move.new))) }
}

extension Collection {
    fileprivate var pathsByID: [ItemID: [String]] {
        Dictionary(namedRequests.map { ($0.id, $0.path) }) { first, _ in first }
    }

    /// The names of all requests, each after those of its folders.
    fileprivate var namedRequests: [(id: ItemID, path: [String])] {
        func paths(_ items: [CollectionItem], _ folders: [String]) -> [(id: ItemID, path: [String])] {
            items.flatMap { item -> [(id: ItemID, path: [String])] in
                switch item {
                case .request(let request): [(request.id, folders + [request.name])]
                case .folder(let folder): paths(folder.items, folders + [folder.name])
                }
            }
        }
        return paths(items, [])
    }
}
