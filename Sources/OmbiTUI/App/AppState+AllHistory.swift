import OmbiTerminal
import OmbiWorkspace

/// The runs of all requests, and the way from one of them to its request.
extension AppState {
    func showAllHistory() -> [Outcome] {
        [.open(.history(HistoryOverlay(files: workbench.files.map(\.path))))]
    }

    /// Asks for the runs that the list needs next.
    mutating func followSearch() -> [Effect] {
        guard case .history(var history)? = overlays.last else { return [] }
        if history.takeUnmarking() { runs.mark = nil }
        (history.marked, history.notice) = (runs.markedEntry, notice)
        let queries = history.ask()
        overlays[overlays.count - 1] = .history(history)
        return queries.map { .history($0) }
    }

    /// Takes in an answer about the runs of all requests.
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
