/// Runs of the history in the place of those of the session.
extension Runs {
    /// The runs of a request; nil for another one than that of the last answer.
    func history(of item: ItemID?) -> RequestHistory? {
        item == historyItem && history?.request == askedHistory ? history : nil
    }

    /// Notes that the history has one run more, or several: those that were sent first are recorded, too.
    /// - Parameter run: the run that the event belongs to, before the event; nil where another has taken its place.
    mutating func noteRecorded(_ event: SessionEvent, of item: ItemID?, _ run: RunState?) {
        switch event {
        case .ended(let result):
            guard let item else { return }
            ended += 1
            guard item == historyItem else { return }
            isHistoryStale = true
            let wasPrepared = result.prepared != nil
            let isRecorded = run.map { $0.isRecorded || $0.isKept && wasPrepared } ?? wasPrepared
            // The tab has its number also while it does not show the runs, and does not ask for them.
            if isRecorded, history?.request == askedHistory { history?.count += 1 }
        case .dependency(let step):
            let first = run?.dependencies.last { $0.run.item == step.item && $0.run.isRunning }
            noteRecorded(step.event, of: step.item, first?.run)
        default: break
        }
    }

    /// The body that others are compared with.
    var mark: NamedBody? {
        get { viewerSettings.mark }
        set { viewerSettings.mark = newValue }
    }

    /// The run of the history whose body is marked; nil once another body is.
    var markedEntry: HistoryEntry.ID? {
        guard let markedRun, mark?.name == markedRun.body.name else { return nil }
        return markedRun.entry.id
    }

    mutating func mark(_ body: RecordedBody) {
        mark = body.body
        markedRun = body
    }

    /// Takes in the last runs of all requests in some files.
    mutating func take(_ recent: [ItemID: [RecentRun]], instead items: [ItemID]) {
        for item in items { self.recent[item] = recent[item] }
    }

    /// Shows a run of the history as that of its request, with its body to compare with the one before.
    /// - Parameters:
    ///   - age: that of a run that is opened by itself.
    ///   - openedAge: that of a run that the user has opened, where the title says it.
    mutating func open(
        _ recorded: RecordedRun, at place: HistoryPlace, of item: ItemID, age: Duration? = nil,
        openedAge: Duration? = nil, at time: Duration
    ) -> [Effect] {
        guard !(self[item]?.isRunning ?? false) else { return [] }
        var run = RunState(
            id: lastID + 1, item: item, name: recorded.entry.request.path.last ?? "", startedAt: time)
        run.environment = recorded.entry.environment
        if let prepared = recorded.result.prepared { run.prepare(prepared, now: time) }
        if let report = recorded.result.report { run.fold(.finished(report)) }
        run.end(recorded.result, now: time)
        run.capture(recorded.result.captured)
        let latest = age == nil ? summary(of: item) : run.summary.asOld
        run.recorded = RecordedPlace(
            entry: recorded.entry, place: place, latest: latest, age: age, openedAge: openedAge)
        let replaced = self[item].map { max($0.longest, $0.elapsed(now: time)) }
        run.longest = max(run.elapsed(now: time), replaced ?? .zero)
        var effects = replace(with: run)
        effects += endBody(of: run.id, recorded.result.ending)
        if let missing = recorded.missingBody { change(run.id) { $0.viewer?.interruption = missing } }
        return effects
    }
}

/// The response of an attempt in the place of the final one.
extension Runs {
    /// Shows the response of an attempt, or of a redirect of it; with nil that of the run again.
    mutating func open(attempt number: Int?, redirect: Int? = nil, of item: ItemID) -> [Effect] {
        guard let id = self[item]?.id else { return [] }
        if let run = self[id: id], run.isExampleOnly, number == nil { return remove(run) }
        change(id) { $0.open(attempt: number, redirect: redirect) }
        let effects = dropViewer(of: id)
        guard let run = self[id: id] else { return effects }
        guard let opened = run.opened else { return effects + showFinal(run) }
        guard let body = opened.received?.body else { return effects }
        let shown = showBody(of: id, .data(body))
        if opened.isPartial, !opened.isUnfollowedRedirect {
            let words =
                run.openedHop == nil
                ? "attempt \(opened.number) broke off; only this part arrived"
                : "only this part of the redirect is kept"
            change(id) { $0.viewer?.interruption = words }
        }
        return effects + shown
    }

    private mutating func showFinal(_ run: RunState) -> [Effect] {
        guard case .ended(let ending) = run.stage else { return [] }
        guard !run.showsFallback else {
            return showBody(of: run.id, .data(run.shownResponse?.body ?? Data()))
        }
        let effects = endBody(of: run.id, ending)
        if let interruption = run.finalInterruption { change(run.id) { $0.viewer?.interruption = interruption } }
        return effects
    }
}

extension RunState {
    /// `attempt 2`, `redirect 1 of attempt 2`, `example found`; nil while the final response shows.
    var openedName: String? {
        if let example { return "example \(example.name)" }
        return openedNumber.map { number in (openedHop.map { "redirect \($0.place) of " } ?? "") + "attempt \(number)" }
    }

    /// The name of the final response, where two are compared.
    var finalName: String { sent.map { "\($0.method.rawValue) \($0.url)" } ?? name }
}

/// The fallback of a run in the place of its response.
extension Runs {
    /// Shows the fallback instead of what the server sent, or the response of the server again.
    mutating func toggleFallbackBody(_ id: RunID) -> [Effect] {
        let effects = dropViewer(of: id)
        change(id) { run in
            if run.hasOpened { run.open(attempt: nil) }
            run.showsFallback.toggle()
            run.exchanges += 1
        }
        guard let response = self[id: id]?.shownResponse else { return effects }
        return effects + startBody(of: id, .data(response.body ?? Data()))
    }
}

extension RunState {
    /// The line above a body: the age of a fallback, and its reason; what is odd about a response or its request.
    var caution: String? {
        if example != nil { return "An example of the collection: no server sent it" }
        if let opened { return opened.remark }
        guard showsFallback, let fallback = fallback?.response else {
            // The viewer says why a part is one.
            let warning = response.flatMap { sent?.credentialsWarning(after: $0.statusCode) }
            return finished.last?.remark ?? warning?.asSentence
        }
        return "Fallback: \(fallback.words) · the request failed: \(failures.first ?? "no response")"
    }
}

/// One request that was sent to several environments at once, to see them side by side. Each run is one of a copy of the
/// request, so that they do not wait for each other.
struct EnvironmentRuns: Equatable, Sendable {
    struct Lane: Equatable, Sendable {
        var environment: String
        var run: RunID
    }

    /// Tells it from the one before.
    var id: RunID
    var name: String
    var lanes: [Lane]

    /// The number of environments that are sent to at once.
    static let maximumLanes = 12
}

extension Runs {
    /// Sends a request to environments at once, in place of the last such request.
    mutating func begin(
        _ request: SavedRequest, in collection: Collection, file: String, recordedPath: ItemPath?, to names: [String],
        at time: Duration
    ) -> [Effect] {
        let folders = collection.folders(of: request.id)
        var effects: [Effect] = []
        var lanes: [EnvironmentRuns.Lane] = []
        let id = lastID + 1
        for environment in names.prefix(EnvironmentRuns.maximumLanes) {
            var copy = request
            copy.id = ItemID()
            lanes.append(.init(environment: environment, run: lastID + 1))
            var order = RunOrder(
                id: lastID + 1, request: copy, collection: collection, environment: environment, file: file,
                folders: folders)
            order.recordedPath = recordedPath
            effects += begin(order, at: time)
        }
        environments = EnvironmentRuns(id: id, name: request.name, lanes: lanes)
        return effects
    }
}

/// The runs of a batch: begun here when its queue has their turns, and otherwise like those of single requests.
extension Runs {
    /// Begins a batch in place of the last one.
    mutating func begin(_ batch: Batch, at time: Duration) -> [Effect] {
        var batch = batch
        batch.id = lastID + 1
        self.batch = batch
        return forgettingRows + beginNext(at: time)
    }

    mutating func restartFailed(in collection: Collection, at time: Duration) -> [Effect] {
        batch?.restartFailed(in: collection, at: time)
        return forgettingRows + beginNext(at: time)
    }

    /// Another pass captures the values of its rows of data anew.
    private var forgettingRows: [Effect] { batch?.plan.data == nil ? [] : [.forgetRows] }

    /// Begins the requests of the batch whose turn it is, or asks for a clock.
    mutating func beginNext(at time: Duration) -> [Effect] {
        guard batch?.counts.waiting ?? 0 > 0 else { return [] }
        let busy = itemsOutsideBatch.union([prompted].compactMap { $0 })
        var effects: [Effect] = []
        while true {
            let id = lastID + 1
            guard let next = batch?.takeNext(id: id, busy: busy, at: time) else { return effects }
            switch next {
            case .begin(let order): effects += begin(order, at: time)
            case .wait(let delay): return effects + [.batchTick(batch?.id ?? 0, after: delay)]
            }
        }
    }

    /// Begins what a clock was asked for; one of an earlier batch comes too late.
    mutating func batchTicked(_ id: Int, at time: Duration) -> [Effect] {
        guard batch?.id == id else { return [] }
        batch?.wake()
        return beginNext(at: time)
    }

    /// Takes in the result of a run, and begins the next ones.
    mutating func endInBatch(_ id: RunID, _ result: SessionResult, at time: Duration) -> [Effect] {
        guard let row = batch?.row(of: id) else { return beginNext(at: time) }
        var effects = (batch?.end(id, result, at: time) ?? []).map(Effect.cancel)
        if let question = batch?.question(about: row, result) { effects.append(.history(.judge(question))) }
        effects += beginNext(at: time)
        return batch?.isEnded ?? false ? effects + forgettingRows : effects
    }
}
