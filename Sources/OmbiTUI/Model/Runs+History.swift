import OmbiCore
import OmbiViewer
import OmbiWorkspace

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
