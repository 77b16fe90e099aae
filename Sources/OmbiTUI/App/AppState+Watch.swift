import OmbiTerminal
import OmbiWorkspace

/// A request that is sent every few seconds.
extension AppState {
    /// Handles an action on a watch; nil for any other.
    mutating func performOnWatch(_ action: RunAction) -> [Outcome]? {
        switch action {
        case .askToWatch: return askToWatch()
        case .watch(let plan): return watch(plan)
        case .cancel:
            guard let watch = runs.watch else { return nil }
            let others = runs.activeItems.filter { $0 != watch.item }
            return others.isEmpty ? cancelWatch() : nil
        default: return nil
        }
    }

    /// Asks for the interval; ends the watch where there is one.
    private mutating func askToWatch() -> [Outcome] {
        if runs.watch != nil { return stopWatching() }
        guard let request = workbench.request, folder == nil else { return Runs.noRequest }
        guard !request.isWebSocket else {
            return .notify(.info, "A WebSocket stays open by itself; watch a request that ends")
        }
        guard !(workbench.context?.chosenEnvironment?.protected ?? false) || request.method.isSafe else {
            return .notify(
                .warning, "A \(request.method.rawValue) to a protected environment is not repeated by itself")
        }
        return [.open(.prompt(PromptOverlay(.watch(request.name), text: "5s", isSelected: true)))]
    }

    private mutating func watch(_ plan: WatchPlan) -> [Outcome] {
        guard let request = workbench.request else { return Runs.noRequest }
        runs.lastWatch += 1
        runs.watch = Watch(request.id, name: request.name, plan: plan, number: runs.lastWatch, at: now)
        return continueWatch()
    }

    mutating func stopWatching(_ reason: String = "no longer watched") -> [Outcome] {
        guard let watch = runs.watch else { return [] }
        runs.watch = nil
        return .notify(.info, "\(watch.name): \(reason), after \(Count.of(watch.runs, "run"))")
    }

    /// Ends the watch, and cancels its run.
    private mutating func cancelWatch() -> [Outcome] {
        let run = runs[runs.watch?.item]
        return stopWatching() + (run?.isRunning ?? false ? [.effect(.cancel(run?.id ?? 0))] : [])
    }

    mutating func watchTicked(_ number: Int) -> [Outcome] {
        runs.watch?.number == number ? continueWatch() : []
    }

    /// Sends the request if its time has come, and looks at the clock again.
    private mutating func continueWatch() -> [Outcome] {
        guard var watch = runs.watch else { return [] }
        var outcomes: [Outcome] = []
        if now >= watch.nextAt, !(runs[watch.item]?.isRunning ?? false) {
            guard let order = workbench.order(runs.lastID + 1, of: watch.item) else {
                return stopWatching("is no longer in the collection")
            }
            watch.begin(at: now)
            outcomes = runs.begin(order, at: now).map(Outcome.effect)
        }
        runs.watch = watch
        return outcomes + [.effect(.watchTick(watch.number, after: watch.untilTick(at: now)))]
    }

    /// Takes in the end of a run of which nothing was sent, where the run before is on the screen again.
    mutating func unsent(_ run: RunState, _ result: SessionResult) -> [Outcome] {
        let notice = run.unsent(result).map { [Outcome.notice($0)] } ?? []
        return refreshHistory() + refreshRecent(of: run.item) + watchEnded(result, of: run.item) + notice
    }

    /// Takes in the result of a watched request: a line and the bell for a change, and the end that was waited for.
    mutating func watchEnded(_ result: SessionResult, of item: ItemID) -> [Outcome] {
        guard runs.watch?.item == item else { return [] }
        if result.ending == .cancelled { return stopWatching("cancelled") }
        let change = runs.watch?.end(result, ignoring: workbench.request(item)?.ignoredPaths ?? [])
        let isReached = runs.watch?.plan.end?.isReached(passed: result.passed) ?? false
        guard isReached || change != nil else { return [] }
        let end = isReached ? stopWatching(result.passed ? "passes" : "fails") : []
        let command = change.map { [Outcome.effect(.tellChange($0.text))] } ?? []
        return (change.map { [.notice($0)] } ?? []) + end + command + [.effect(.ringBell)]
    }
}
