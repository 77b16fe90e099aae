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
            guard let item, item == historyItem else { return }
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
