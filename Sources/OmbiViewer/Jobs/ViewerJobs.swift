import OmbiDocument
import OmbiTerminal

/// The work of viewers off the main thread.
enum ViewerJobs {
    private static let interval = Duration.milliseconds(100)

    // MARK: Find

    /// The first match from an offset on, then all of them, from there outwards.
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
        var told = ContinuousClock.now
        var goesOn = first != nil
        while goesOn, !flag.isCancelled {
            goesOn = index.step(finder, in: bytes)
            guard !goesOn || .now - told >= interval else { continue }
            told = .now
            emit(.counted(MatchCount(index: index, isComplete: !goesOn), number: query.number))
        }
    }

    /// The next match after an offset, or the one before. When that takes a while, it says so.
    static func findNext(
        _ step: FindStep, _ document: BodyDocument, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        guard let finder = document.finder(step.query) else { return }
        let bytes = step.query.isRaw ? document.raw : document.text
        let start = ContinuousClock.now
        var isTold = false
        func isCancelled() -> Bool {
            if !isTold, .now - start >= interval {
                isTold = true
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
        guard case .json(let tree) = document.shape else {
            return emit(
                .filtered(
                    .mistake(column: 1, reason: Self.notJSON(document) ?? "only JSON can be filtered"), number: number))
        }
        do throws(JSONPathError) {
            try FilterJob(text, document, tree, number, flag, emit: emit).run()
        } catch {
            emit(.filtered(.mistake(column: error.column, reason: error.reason), number: number))
        }
    }

    /// Why JSON has no values to select.
    private static func notJSON(_ document: BodyDocument) -> String? { document.isOverLimit ? document.note : nil }

    static func locate(
        _ text: String, _ document: BodyDocument, _ number: Int, _ flag: CancelFlag, emit: (ViewerEvent) -> Void
    ) {
        func answer(_ offset: Int?, _ mistake: String?) {
            if !flag.isCancelled { emit(.located(offset: offset, mistake: mistake, number: number)) }
        }
        guard let json = document.json else {
            return answer(nil, notJSON(document) ?? "only JSON has paths; type the number of a line")
        }
        do throws(JSONPathError) {
            let tree = JSONTree(json, columns: 80)
            let node = try tree.node(atPath: text) { flag.isCancelled }
            answer(node.map { json.range(of: $0).lowerBound }, node == nil ? "nothing is at \(text)" : nil)
        } catch {
            answer(nil, "the path is wrong at \(error)")
        }
    }
}
