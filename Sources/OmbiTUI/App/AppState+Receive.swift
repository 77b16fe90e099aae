import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension AppState {
    /// Takes in what happened in the world.
    mutating func receive(_ event: Event, at time: Duration) -> [Effect] {
        now = time
        defer { settleViewer() }
        switch event {
        case .resized(let size): resize(to: size)
        case .opened(let loaded, let environment): open(loaded, environment)
        case .reloaded(let loaded): reload(loaded)
        case .checked(let item, let isReady): return checked(item, isReady: isReady)
        case .run(let id, .prepared(let sent)): change(id) { $0.prepare(sent, now: time) }
        case .run(let id, .step(let event)): return fold(event, of: id)
        case .run(_, .captured): break
        case .run(let id, .ended(let result)): return end(id, result)
        case .viewer(let id, let event): return receive(event, of: id)
        case .told(let told): notice = told
        case .saved(let path, let collection, let fingerprint): return saved(path, collection, fingerprint)
        case .saveFailed(let path, let message, let changed): return saveFailed(path, message, changedOnDisk: changed)
        case .edited(let target, let text): return takeEdited(target, text)
        case .editorFailed(let message): return tell(.failure, message)
        case .copied(let message): return tell(.success, message)
        case .tick:
            isTicking = false
            return ticks()
        case .terminating: return keepDrafts() + [.quit]
        }
        return []
    }

    private mutating func resize(to size: Size) {
        self.size = size
        tree.refresh(workbench, page: treePage)
        requestPane.place(at: requestPane.position.cursor, count: formRows.count, page: requestPage)
        responsePane.scroll(by: 0, count: responsePane.rowCount(responseView), page: responsePage)
    }

    private mutating func open(_ loaded: [LoadedCollection], _ environment: String?) {
        workbench = Workbench(loaded)
        if let environment { choose(environment) }
        tree.open(workbench, page: treePage)
        followTree()
        let broken = workbench.files.filter { $0.collection == nil }
        if let file = broken.first {
            let more = broken.count > 1 ? " and \(broken.count - 1) more" : ""
            notice = Notice(.warning, "could not read \(file.fileName)\(more): select it to see why")
        } else {
            notice = warning(of: workbench.files.flatMap(\.problems)) ?? notice
        }
        for file in loaded.reversed() { file.draft.map { offer($0, of: file.path) } }
    }

    /// The first thing that is wrong with files that could be read.
    private func warning(of problems: [Problem]) -> Notice? {
        guard let first = problems.first else { return nil }
        let more = problems.count > 1 ? " · \(problems.count - 1) more, which ombi check lists" : ""
        return Notice(.warning, first.description + more)
    }

    /// The environment of the command line, in every collection that has one of that name.
    private mutating func choose(_ environment: String) {
        let files = workbench.files.filter { $0.collection?.environment(named: environment) != nil }
        for file in files { workbench.choose(environment: environment, for: file.path) }
        if files.isEmpty { notice = Notice(.failure, "no collection has an environment \(environment); E shows them") }
    }

    private mutating func reload(_ loaded: LoadedCollection) {
        notice =
            loaded.collection == nil
            ? Notice(.failure, loaded.problems.first?.description ?? "could not be read")
            : warning(of: loaded.problems)
                ?? Notice(.success, "read \(loaded.path.split(separator: "/").last ?? "")")
        let before = workbench.file(at: loaded.path)
        // A file that cannot be read must not cost any edits.
        if loaded.collection == nil, before?.isDirty ?? false { return }
        if before?.collection == nil || before?.collection?.text == loaded.collection?.text {
            workbench.reload(loaded)
            tree.refresh(workbench, page: treePage)
        } else {
            edit { $0.reload(loaded) }
        }
        if request == nil { selected = nil }
        followTree()
        // While it could not be read, there was nothing to take edits.
        if before?.collection == nil, let draft = loaded.draft { offer(draft, of: loaded.path) }
    }

    // MARK: Runs

    mutating func change(_ id: RunID, _ change: (inout RunState) -> Void) {
        guard let item = items[id], var run = runs[item], run.id == id else { return }
        change(&run)
        runs[item] = run
    }

    private mutating func end(_ id: RunID, _ result: SessionResult) -> [Effect] {
        let time = now
        change(id) { $0.end(result, now: time) }
        guard let item = items[id], let run = runs[item], run.id == id else { return [] }
        if item != selected { notice = run.ending }
        return endBody(of: id, result.ending)
    }

    // MARK: Files

    private mutating func saved(_ path: String, _ collection: Collection, _ fingerprint: Fingerprint) -> [Effect] {
        saving[path] = nil
        workbench.markSaved(path: path, as: collection, fingerprint)
        tree.refresh(workbench, page: treePage)
        notice = Notice(.success, "saved \(workbench.file(at: path)?.fileName ?? path)")
        let discarding: [Effect] = draftsTakenBack.remove(path) == nil ? [] : [.discardDraft(path: path)]
        if savesAgain.remove(path) != nil, let file = workbench.file(at: path), file.isDirty {
            return discarding + save([file])
        }
        guard quitsAfterSaving, saving.isEmpty else { return discarding }
        quitsAfterSaving = false
        // Text typed while the file was written needs the question again.
        return discarding + quit()
    }

    private mutating func saveFailed(_ path: String, _ message: String, changedOnDisk: Bool) -> [Effect] {
        saving[path] = nil
        savesAgain.remove(path)
        quitsAfterSaving = false
        guard changedOnDisk else { return tell(.failure, message) }
        let lines = ["\(path) was changed by somebody else since it was read.", "Yours is still here, unsaved."]
        overlays.append(
            .question(
                QuestionOverlay(
                    subject: .changedOnDisk(path: path), lines: lines, yes: "overwrite theirs", no: "take theirs")))
        return []
    }

    private mutating func takeEdited(_ target: EditorTarget, _ text: String) -> [Effect] {
        var complaint: String?
        switch target {
        case .body(let id):
            guard text != workbench.request(id)?.bodyText else { return [] }
            edit { $0.edit(id) { _ = $0.update(id) { complaint = $0.setBodyText(text) } } }
        case .headers(let id):
            edit {
                $0.edit(id) { collection in
                    _ = collection.update(id) { request in
                        do throws(FieldError) { try request.setHeadersText(text) } catch { complaint = error.message }
                    }
                }
            }
        }
        return complaint.map { tell(.warning, $0) } ?? []
    }
}

extension RunState {
    /// The outcome of the run in one line, for when another request is selected.
    var ending: Notice {
        switch stage {
        case .ended(.response(let response)):
            let status = response.statusCode ?? 0
            let kind: Notice.Kind = (200..<400).contains(status) ? .success : .warning
            return Notice(
                kind, "\(name): \(StatusCode.words(status)) · \(TimeText.duration(report?.duration ?? .zero))")
        case .ended(.failure(let message)): return Notice(.failure, "\(name): \(message)")
        case .ended(.cancelled): return Notice(.info, "\(name): cancelled")
        case .preparing, .attempting, .waiting: return Notice(.info, "\(name): running")
        }
    }
}
