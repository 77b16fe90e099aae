import OmbiTerminal
import OmbiWorkspace

/// The history of the selected request, in tabs of the response.
extension AppState {
    /// The selected request by names; nil without one.
    private var requestPath: ItemPath? { workbench.order(0)?.itemPath }

    /// Asks for the runs of the request where a tab shows them that does not have them yet.
    mutating func followHistory() -> [Effect] {
        guard responsePane.tab.showsHistory, let path = requestPath, runs.askedHistory != path else { return [] }
        runs.askedHistory = path
        return [.history(.show(path))]
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

    /// Asks anew: a run has ended, or was deleted.
    func refreshHistory() -> [Outcome] {
        guard responsePane.tab.showsHistory, let path = requestPath else { return [] }
        return [.effect(.history(.show(path)))]
    }

    mutating func performOnHistory(_ action: ResponseAction) -> [Outcome] {
        guard let path = requestPath, let item = workbench.selected else { return Runs.noRequest }
        switch action {
        case .showHistory:
            responsePane.show(.history)
            return [.focus(.response)]
        case .showValue:
            // The whole body over time is the list of responses.
            guard let value = shownViewer?.page?.path, value != "$" else { return performOnHistory(.showHistory) }
            return [.effect(.history(.values(value, of: path)))]
        case .openRecorded:
            return entry.map { [.effect(.history(.open($0.id, of: path, for: item)))] } ?? []
        case .olderResponse, .newerResponse:
            if run?.isRunning ?? false { return .notify(.info, "the request is running; x cancels it") }
            // The run on the screen is the newest of the history, unless it was opened from there.
            let skipped = run != nil && run?.recorded == nil ? 1 : 0
            let isOlder = action == .olderResponse
            if !isOlder, run?.recorded == nil { return receive(.end(isOlder: false)) }
            return [
                .effect(
                    .history(
                        .step(from: run?.recorded?.entry.id, isOlder: isOlder, skipping: skipped, of: path, for: item)))
            ]
        case .askToDeleteRecorded:
            guard let entry else { return [] }
            let question = QuestionOverlay(
                lines: [
                    "Delete the run of \(HistoryTab.time(entry.startedAt)) from the history?", "It cannot be undone.",
                ],
                yes: .init("delete", .response(.deleteRecorded(entry.id))), no: .init("keep", .leave))
            return [.open(.question(question))]
        case .deleteRecorded(let id): return [.effect(.history(.delete([id], of: path)))]
        default: return []
        }
    }

    /// The run under the cursor.
    private var entry: HistoryEntry? { responsePane.entry(in: runs.history) }

    var hasEntry: Bool { entry != nil }

    mutating func receive(_ answer: HistoryAnswer) -> [Outcome] {
        switch answer {
        case .shown(let history): runs.history = history
        case .opened(let run, let place, let item):
            responsePane.showOpened()
            return runs.open(run, at: place, of: item, at: now).map(Outcome.effect)
        case .values(let values):
            return [.open(.preview(PreviewOverlay(values.path, ValueRows.rows(values))))]
        case .compared(let question, let verdict): runs.batch?.take(verdict, on: question)
        case .end(let isOlder):
            return .notify(.info, isOlder ? "there is no older run in the history" : "this is the newest run")
        case .failed(let message): return .notify(.warning, message)
        }
        return []
    }
}

extension Workbench {
    /// The requests of a file whose names have changed since it was saved, with the old and the new paths.
    func renamed(in path: String, to new: Collection) -> [(old: ItemPath, new: ItemPath)] {
        guard let old = file(at: path)?.saved, old != new else { return [] }
        let paths = Dictionary(new.requestPaths.map { ($0.id, $0.path) }) { first, _ in first }
        return old.requestPaths.compactMap { id, names in
            guard let now = paths[id], now != names else { return nil }
            return (ItemPath(file: path, path: names), ItemPath(file: path, path: now))
        }
    }
}

extension Collection {
    /// The names of all requests, each after those of its folders.
    fileprivate var requestPaths: [(id: ItemID, path: [String])] {
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
