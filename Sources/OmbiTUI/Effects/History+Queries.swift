/// The questions of the screen to the history.
extension History {
    /// Returns nil where there is nothing to say.
    func answer(_ query: HistoryQuery) async -> HistoryAnswer? {
        do throws(HistoryError) {
            switch query {
            case .show(let path, let range, let limit, let environment):
                return .shown(try await shown(path, range, within: limit, of: environment))
            case .last(let path, let item): return await last(path, for: item)
            case .open(let id, let path, let item): return try await opened(id, of: path, for: item)
            case .search(let search): return await found(search)
            case .peek(let id): return try await peeked(id)
            case .step(let id, let isOlder, let skipped, let path, let item):
                let filter = HistoryFilter(item: resolved(path))
                let found = try await neighbor(of: id, isOlder: isOlder, skipping: skipped, in: filter)
                return found.map { .opened($0.run, $0.place, for: item) } ?? .end(isOlder: isOlder)
            case .compare(let id, let other, let path, let item):
                return try await compared(id, with: other, of: path, for: item)
            case .mark(let id):
                return try await body(id).map(HistoryAnswer.marked) ?? .failed("This run has no body to compare")
            case .curl(let id):
                guard let request = try await run(id)?.result.prepared else {
                    return .failed("The request of this run was never complete")
                }
                return .curl(CurlExport.sent(request))
            case .recent(let files): return .recent(try await recent(files), in: files)
            case .simulate(let path, let item):
                return .simulation(try await simulation(HistoryFilter(item: resolved(path))), of: path, for: item)
            case .try(let policy, let simulation): return .tried(policy, simulation.figures(policy))
            case .values(let value, let path):
                return .values(try await values(at: value, HistoryFilter(item: resolved(path))))
            case .delete(let ids, let path, let range, let limit, let environment):
                var filter = HistoryFilter()
                filter.ids = ids
                _ = try await delete(filter)
                return .shown(try await shown(path, range, within: limit, of: environment))
            case .markMoment(let name): return .markedMoment(try await mark(name, at: Date()))
            case .objectives(let endpoints): return try await budgets(of: endpoints)
            case .aroundMark(let files): return try await comparison(aroundMarkOf: files)
            case .judge(let question): return .judged(question, try await verdict(on: question))
            case .volatile(let question):
                let paths = try await volatilePaths(
                    of: resolved(question.request), environment: question.environment, status: question.status,
                    ignoring: question.ignored.compactMap { try? JSONPath($0) })
                return .volatile(paths, question)
            case .move(let old, let new):
                rename(old, to: new)
                return nil
            }
        } catch { return .failed(error.description) }
    }

    private func opened(
        _ id: HistoryEntry.ID, of path: ItemPath, for item: ItemID
    ) async throws(HistoryError) -> HistoryAnswer {
        guard let run = try await run(id) else { return .failed("This run is no longer in the history") }
        let place = try await place(of: id, in: HistoryFilter(item: resolved(path)))
        return .opened(run, place, age: Duration.age(of: run.entry.startedAt, at: Date()), for: item)
    }

    private func compared(
        _ id: HistoryEntry.ID, with other: HistoryEntry.ID?, of path: ItemPath, for item: ItemID
    ) async throws(HistoryError) -> HistoryAnswer {
        guard let run = try await run(id) else { return .failed("This run is no longer in the history") }
        let place = try await place(of: id, in: HistoryFilter(item: resolved(path)))
        guard let other else { return .compared(run, place, with: nil, for: item) }
        guard let body = try await body(other) else { return .failed("The other run has no body to compare") }
        return .compared(run, place, with: body, for: item)
    }

    /// Returns the last run. No user has asked for it, so an error shows only where one opens the history.
    private func last(_ path: ItemPath, for item: ItemID) async -> HistoryAnswer {
        guard let found = try? await neighbor(of: nil, isOlder: true, in: HistoryFilter(item: resolved(path))) else {
            return .last(nil, HistoryPlace(number: 1, count: 0), age: .zero, for: item)
        }
        let age = Duration.age(of: found.run.entry.startedAt, at: Date())
        return .last(found.run, found.place, age: age, for: item)
    }

    private func budgets(of endpoints: [ObjectiveEndpoint]) async throws(HistoryError) -> HistoryAnswer {
        let statuses = try await ObjectiveStatus.all(endpoints, in: self)
        guard !statuses.isEmpty else {
            return .failed("No run of a request with an objective is in the history yet")
        }
        let table = ObjectiveStatus.table(statuses)
        return .budgets(heading: table.heading, table.rows)
    }

    /// Compares the hour before the newest mark with the one after it.
    private func comparison(aroundMarkOf files: [String]) async throws(HistoryError) -> HistoryAnswer {
        guard let mark = try await marks(until: Date()).last else {
            return .failed("There is no mark yet; \"Mark this moment\" in the palette and ombi mark make one")
        }
        var filter = HistoryFilter()
        filter.files = files.map { resolved(ItemPath(file: $0)).file }
        let found = try await MarkComparison.find(mark.name, span: 3600, filter, now: Date(), in: self)
        guard let found, !found.isEmpty else {
            return .failed("No run is in the history within an hour of \(mark.name)")
        }
        return .report("Before and after a mark", found.lines)
    }

    private func verdict(on question: ReplayQuestion) async throws(HistoryError) -> ReplayVerdict {
        let (target, baseline) = (question.target.environment, question.target.baseline)
        let own = question.isRecorded ? try await newest(of: question.request, target).first?.id : nil
        let others = try await newest(of: question.request, baseline)
        guard let recorded = others.first(where: { $0.id != own }) else {
            return .none("no run in \(baseline ?? "the history")")
        }
        guard let old = try await run(recorded.id) else { return .none("no longer in the history") }
        return .compared(
            RunComparison(
                question.request, from: .init(old), to: .init(question.result, environment: target),
                ignoring: question.ignored.compactMap { try? JSONPath($0) }))
    }

    /// The newest runs that came to an end by themselves.
    private func newest(
        of request: ItemPath, _ environment: String?
    ) async throws(HistoryError) -> [HistoryEntry] {
        var filter = HistoryFilter(item: resolved(request))
        filter.environment = environment
        filter.outcomes = [.passed, .failed, .error]
        return try await entries(filter, limit: 2)
    }

    /// The body of a run; nil where none is kept.
    private func body(_ id: HistoryEntry.ID) async throws(HistoryError) -> RecordedBody? {
        guard let run = try await run(id), run.missingBody == nil, let body = run.result.response?.body, !body.isEmpty
        else { return nil }
        let document = BodyDocument(
            Bytes(keeping: body), contentType: run.result.response?[.contentType]?.text)
        return RecordedBody(entry: run.entry, body: NamedBody(name: run.entry.url, document: document))
    }

    /// The last runs of the requests in files, by the paths of the files as they were given.
    private func recent(_ files: [String]) async throws(HistoryError) -> [ItemPath: [RecentRun]] {
        let names = Dictionary(files.map { (resolved(ItemPath(file: $0)).file, $0) }) { first, _ in first }
        let runs = try await recent(files: Array(names.keys), limit: Self.maximumRecent)
        return Dictionary(
            runs.compactMap { path, runs in
                names[path.file].map { (ItemPath(file: $0, path: path.path), runs) }
            }
        ) { first, _ in first }
    }

    /// As many as a row has room for.
    private static var maximumRecent: Int { 8 }

    private func shown(
        _ path: ItemPath, _ range: StatisticsRange, within limit: Duration?, of environment: String?
    ) async throws(HistoryError) -> RequestHistory {
        let filter = HistoryFilter(item: resolved(path))
        let limited = range.limiting(filter, now: windowsEnd)
        var statistics = try await statistics(limited)
        if limit != nil || environment != nil {
            var counted = limited
            counted.environment = environment
            statistics.windows = try await windows(counted, within: limit)
        }
        let count = range == .all ? statistics.runs + statistics.cancelled : try await count(filter)
        let entries = try await entries(filter, limit: RequestHistory.maximumEntries)
        let oldest = entries.last?.startedAt ?? .distantFuture
        var marks = try await marks(since: oldest.addingTimeInterval(-RequestHistory.timeBefore))
        marks.removeFirst(max(0, marks.prefix { $0.date < oldest }.count - 1))
        return RequestHistory(
            request: path, entries: entries, count: count, statistics: statistics, range: range, within: limit,
            environment: environment, marks: marks, readAt: windowsEnd)
    }
}

/// Searches over the runs of all requests.
extension History {
    /// Returns a page with the files named as in the search; nil once the search was cancelled for a newer one.
    func found(_ search: RunSearch) async -> HistoryAnswer? {
        let names = Dictionary(search.files.map { (resolved(ItemPath(file: $0)).file, $0) }) { first, _ in first }
        do throws(HistorySearch.Problem) {
            let now = windowsEnd
            var filter = try HistorySearch.filter(search.text, now: now).ending(at: now)
            filter.files = names.keys.sorted()
            return await found(search, filter, names)
        } catch { return .notFound(error.text, search) }
    }

    private func found(
        _ search: RunSearch, _ filter: HistoryFilter, _ names: [String: String]
    ) async -> HistoryAnswer? {
        do throws(HistoryError) {
            var page = try await page(filter, before: search.before, limit: RunSearch.page)
            if search.before == nil { page.loads = try await loads(filter) }
            if Task.isCancelled { return nil }
            for index in page.entries.indices {
                let file = page.entries[index].request.file
                page.entries[index].request.file = names[file] ?? file
            }
            return .found(page, search)
        } catch { return .notFound(error.description.asSentence, search) }
    }

    /// Returns a run that is shown by itself.
    func peeked(_ id: HistoryEntry.ID) async throws(HistoryError) -> HistoryAnswer {
        guard let run = try await run(id) else { return .failed("This run is no longer in the history") }
        return .peeked(run, age: Duration.age(of: run.entry.startedAt, at: Date()))
    }
}

/// Questions to the history, which are answered off the main thread.
extension EffectRunner {
    func ask(_ query: HistoryQuery) {
        guard let history else { return answerWithoutHistory(query) }
        // SQLite is not loaded before the first frame.
        guard isShown else { return waitingQueries.append(query) }
        // Tasks have no order, and the next question may be about the new path.
        if case .move(let old, let new) = query { return history.rename(old, to: new) }
        let emit = emitter
        let isSearch = if case .search = query { true } else { false }
        if isSearch { searching?.cancel() }
        // Dispatch watches the threads of the global executor once a second, until Ombi ends.
        let task = Task.detached(executorPreference: ResponseExecutor.shared) {
            if let answer = await history.answer(query) { emit(.history(answer)) }
        }
        if isSearch { searching = task }
    }

    private func answerWithoutHistory(_ query: HistoryQuery) {
        switch query {
        case .judge(let question): onEvent(.history(.judged(question, .none("no history is kept"))))
        case .markMoment, .objectives, .aroundMark: onEvent(.notice(Notice(.info, "No history is kept")))
        case .search(let search):
            onEvent(.history(.notFound("No history is kept; \"record\" in the settings keeps one.", search)))
        default: break
        }
    }

    func writeIncident(_ text: String, of files: [String]) {
        guard let history else { return onEvent(.notice(Notice(.info, "No history is kept"))) }
        do throws(IncidentRange.Failure) {
            let order = try IncidentOrder(text, now: Date())
            let emit = emitter
            Task.detached { emit(.notice(await order.write(from: history, of: files, to: "."))) }
        } catch { onEvent(.notice(Notice(.warning, "\(text): \(error.reason)"))) }
    }
}
