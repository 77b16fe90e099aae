/// The work of viewers off the main thread.
enum ViewerJobs {
    private static let interval = Duration.milliseconds(100)

    // MARK: Find

    /// Finds the first match from an offset on, then counts all matches, from there outwards.
    static func find(
        _ query: FindQuery, _ document: BodyDocument, from offset: Int, _ flag: CancelFlag,
        emit: (ViewerEvent) -> Void
    ) {
        guard let finder = document.finder(query) else { return }
        let bytes = query.isRaw ? document.raw : document.text
        let first = finder.next(in: bytes, after: offset - 1) { flag.isCancelled }
        if flag.isCancelled { return }
        emit(.found(first, number: query.number))
        var index = MatchIndex(count: bytes.count, from: first?.lowerBound ?? offset)
        var lastReport = ContinuousClock.now
        var goesOn = first != nil
        while goesOn, !flag.isCancelled {
            goesOn = index.step(finder, in: bytes)
            guard !goesOn || .now - lastReport >= interval else { continue }
            lastReport = .now
            emit(.counted(MatchCount(index: index, isComplete: !goesOn), number: query.number))
        }
    }

    /// Finds the next match after an offset, or the previous one. Reports a search that takes longer than `interval`.
    static func findNext(
        _ step: FindStep, _ document: BodyDocument, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        guard let finder = document.finder(step.query) else { return }
        let bytes = step.query.isRaw ? document.raw : document.text
        let start = ContinuousClock.now
        var isReported = false
        func isCancelled() -> Bool {
            if !isReported, .now - start >= interval {
                isReported = true
                emit(.looking(number: step.number))
            }
            return flag.isCancelled
        }
        let range =
            step.forward
            ? finder.next(in: bytes, after: step.offset, isCancelled: isCancelled)
            : finder.previous(in: bytes, before: step.offset, isCancelled: isCancelled)
        if !flag.isCancelled { emit(.found(range, number: step.number)) }
    }

    // MARK: Paths

    static func filter(
        _ text: String, _ document: BodyDocument, _ number: Int, _ flag: CancelFlag,
        emit: @escaping (ViewerEvent) -> Void
    ) {
        guard let (document, tree) = values(of: document) else {
            return emit(
                .filtered(
                    .problem(column: 1, reason: Self.notJSON(document) ?? "only JSON can be filtered"), number: number))
        }
        do throws(JSONPathError) {
            try FilterJob(text, document, tree, number, flag, emit: emit).run()
        } catch {
            emit(.filtered(.problem(column: error.column, reason: error.reason), number: number))
        }
    }

    /// Joins the values that a path selects as one text.
    static func join(
        _ text: String, _ document: BodyDocument, _ number: Int, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        do throws(JSONPathError) {
            guard let (values, tree) = values(of: document) else {
                let reason = Self.notJSON(document) ?? "only values of JSON can be joined"
                return emit(.filtered(.problem(column: 1, reason: reason), number: number))
            }
            guard var joined = try JoinJob.text(text, tree, flag) else { return }
            joined.isComplete = values.isComplete
            emit(.filtered(.joined(text, joined), number: number))
        } catch {
            emit(.filtered(.problem(column: error.column, reason: error.reason), number: number))
        }
    }

    /// The values that a path selects from: a body of JSON, or the data of events.
    private static func values(of document: BodyDocument) -> (BodyDocument, JSONTree)? {
        var document = document
        if case .events(let index) = document.shape {
            document = EventValues.document(of: index, in: document.text, isComplete: document.isComplete)
            // Without any event there is a tree without roots.
            if case .empty = document.shape {
                return (document, JSONTree(JSONIndex(roots: .many).finish(), columns: 80))
            }
        }
        guard case .json(let tree) = document.shape else { return nil }
        return (document, tree)
    }

    /// The reason why JSON has no values to select.
    private static func notJSON(_ document: BodyDocument) -> String? { document.isOverLimit ? document.note : nil }

    static func locate(
        _ text: String, _ document: BodyDocument, _ number: Int, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        func report(_ offset: Int?, _ problem: String?) {
            if !flag.isCancelled { emit(.located(offset: offset, problem: problem, number: number)) }
        }
        guard let json = document.json else {
            return report(nil, notJSON(document) ?? "only JSON has paths; type the number of a line")
        }
        do throws(JSONPathError) {
            let tree = JSONTree(json, columns: 80)
            let node = try tree.node(atPath: text) { flag.isCancelled }
            report(node.map { json.range(of: $0).lowerBound }, node == nil ? "nothing is at \(text)" : nil)
        } catch {
            report(nil, "the path is wrong at \(error)")
        }
    }
}

/// Runs the effects of viewers, each kind on its own thread. A new effect cancels the previous one of its kind.
@MainActor
package final class ViewerWorker {
    private enum Kind { case find, step, query, locate }

    private let emit: @Sendable (ViewerID, ViewerEvent) -> Void
    /// The input of `ombi view`.
    private let input: ViewInput?
    private let jobs = Jobs<Kind>()
    private var loaders: [ViewerID: BodyLoader] = [:]

    package init(input: ViewInput?, emit: @escaping @Sendable (ViewerID, ViewerEvent) -> Void) {
        self.input = input
        self.emit = emit
    }

    package func run(_ order: ViewerOrder, for id: ViewerID) {
        switch order {
        case .read(let source, let contentType): read(source, contentType, id)
        case .stopReading: stopReading(id)
        case .readMore(let isComplete): loaders[id]?.read(isComplete: isComplete)
        case .find(let query, let document, let offset):
            jobs.cancel(.step, of: id)
            start(.find, id) { ViewerJobs.find(query, document, from: offset, $0, emit: $1) }
        case .findNext(let step, let document):
            jobs.cancel(.locate, of: id)
            // Matches are still counted meanwhile.
            start(.step, id) { ViewerJobs.findNext(step, document, $0, emit: $1) }
        case .stopStepping: jobs.cancel(.step, of: id)
        case .stopFinding:
            jobs.cancel(.step, of: id)
            jobs.cancel(.find, of: id)
        case .filter(let path, let document, let number):
            start(.query, id) { ViewerJobs.filter(path, document, number, $0, emit: $1) }
        case .join(let path, let document, let number):
            start(.query, id) { ViewerJobs.join(path, document, number, $0, emit: $1) }
        case .stopQuery: jobs.cancel(.query, of: id)
        case .shell(let command, let page, let number):
            start(.query, id) { $1(.ran(ShellCommand.run(command, input: page.input, flag: $0), number: number)) }
        case .compare(let old, let new, let number):
            start(.query, id) { flag, emit in
                BodyComparison(from: old, to: new) { flag.isCancelled }.map { emit(.compared($0, number: number)) }
            }
        case .locate(let path, let document, let number):
            jobs.cancel(.step, of: id)
            start(.locate, id) { ViewerJobs.locate(path, document, number, $0, emit: $1) }
        case .forget:
            loaders.removeValue(forKey: id)?.cancel()
            jobs.cancelAll(of: id)
        }
    }

    private func start(
        _ kind: Kind, _ id: ViewerID,
        _ job: @escaping @Sendable (CancelFlag, @escaping @Sendable (ViewerEvent) -> Void) -> Void
    ) {
        let emit = emitter(for: id)
        jobs.start(kind, of: id) { job($0, emit) }
    }

    private func read(_ source: BodySource, _ contentType: String?, _ id: ViewerID) {
        loaders[id]?.cancel()
        let emit = emitter(for: id)
        let loader: BodyLoader
        switch source {
        case .data(let data):
            let bytes = Bytes(keeping: data)
            loader = BodyLoader(contentType: contentType, isComplete: true, bytes: { bytes }, emit: emit)
        case .store(let store):
            loader = BodyLoader(
                contentType: contentType, isComplete: false, bytes: { Bytes(store) }, arrivals: { store.arrivals },
                emit: emit)
        case .input:
            guard let input else { return }
            loader = BodyLoader(contentType: contentType, isComplete: false, bytes: { input.bytes }, emit: emit)
            loaders[id] = loader
            return input.read(
                onMore: { loader.read(isComplete: $0) }, onFailure: { emit(.inputFailed($0)) })
        }
        loaders[id] = loader
        loader.read()
    }

    private func stopReading(_ id: ViewerID) {
        guard input?.end() == true else { return }
        emit(id, .inputFailed("stopped: this is what had arrived"))
        loaders[id]?.read(isComplete: true)
    }

    private func emitter(for id: ViewerID) -> @Sendable (ViewerEvent) -> Void {
        let emit = emit
        return { emit(id, $0) }
    }
}
