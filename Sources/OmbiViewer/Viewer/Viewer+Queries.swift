/// Searches, filters and commands: the queries, and the changes that their results make.
extension Viewer {
    // MARK: Find

    mutating func search(for text: String, _ syntax: SearchPattern.Syntax) -> ViewerEffect? {
        guard let page else { return nil }
        let origin = find?.origin ?? page.rows.range(at: page.cursor).lowerBound
        var query = FindQuery(text: text, syntax: syntax, isRaw: page.mode == .hex, number: nextNumber())
        if case .json = page.content { query.isFormatted = true }
        guard !text.isEmpty else {
            dropFind()
            return order(.stopFinding)
        }
        do throws(PatternError) {
            _ = try query.pattern()
        } catch {
            line?.problem = (error.column, error.reason)
            find?.hasNone = true
            dropMatch()
            return order(.stopFinding)
        }
        let current = find?.current
        find = ViewerFind(query: query, current: current, origin: origin)
        move = .match(number: query.number, isSlow: false)
        return order(.find(query, page.document, from: origin))
    }

    /// Repeats the search in a body that has grown; the view stays where it is.
    mutating func repeatSearch() -> [ViewerEffect] {
        let pending = move
        guard let before = find, let search = self.search(for: before.query.text, before.query.syntax) else {
            return []
        }
        let awaitsPath = pending != nil && pending?.isMatch == false
        // While there is no match yet, the first one is still awaited.
        guard awaitsPath || before.current != nil || pending == nil && !before.hasNone else { return [search] }
        find?.current = before.current
        move = awaitsPath ? pending : nil
        return [search]
    }

    mutating func found(_ range: ByteRange?, _ number: Int) -> [ViewerEffect] {
        if find?.query.number == number { find?.hasNone = range == nil }
        guard let before = find, case .match(number, _)? = move else { return [] }
        move = nil
        find?.hasNone = range == nil
        guard let range else { return [] }
        find?.current = range
        let (rows, finder) = (pageRows, finder)
        page?.go(toByte: range.lowerBound, page: rows)
        page?.show(match: range, finder)
        guard let current = before.current, line == nil else { return [] }
        return wrapNotice(current, range)
    }

    private func wrapNotice(_ before: ByteRange, _ now: ByteRange) -> [ViewerEffect] {
        if now.lowerBound < before.lowerBound, goesForward { return [.notify(.info, "From the start again")] }
        if now.lowerBound > before.lowerBound, !goesForward { return [.notify(.info, "From the end again")] }
        return []
    }

    mutating func findNext(forward: Bool) -> [ViewerEffect] {
        guard let page, let find else {
            if let effects = goToDifference(forward: forward) { return effects }
            return [.notify(.info, "Nothing to find yet; / starts a search")]
        }
        goesForward = forward
        let row = page.rows.range(at: page.cursor)
        let from = find.current?.lowerBound ?? (forward ? row.upperBound - 1 : row.lowerBound)
        let step = FindStep(query: find.query, offset: from, forward: forward, number: nextNumber())
        // A step in place of a slow one is slow until its match is found: the note does not flicker.
        move = .match(number: step.number, isSlow: move?.isSlowMatch ?? false)
        return [order(.findNext(step, page.document))]
    }

    /// Stops searching for the next match; the view stays, and the matches found so far are kept.
    mutating func stopStepping() -> [ViewerEffect] {
        dropMatch()
        return [order(.stopStepping)]
    }

    mutating func stopFinding() -> [ViewerEffect] {
        guard find != nil else { return [] }
        dropFind()
        return [order(.stopFinding)]
    }

    mutating func dropFind() {
        find = nil
        dropMatch()
    }

    private mutating func dropMatch() { if move?.isMatch ?? false { move = nil } }

    /// The finder that marks the matches in the visible rows.
    var finder: Finder? {
        find.flatMap { page?.document.finder($0.query) }
    }

    // MARK: Results

    /// Shows a result on top of those that it is made from.
    mutating func show(_ result: ViewerResult, over depth: Int) -> [ViewerEffect] {
        results = Array(results.prefix(depth)) + [result]
        move = nil
        resizePages()
        return stopFinding()
    }

    mutating func leaveResult() -> [ViewerEffect] {
        results.removeLast()
        (move, start) = (nil, nil)
        resizePages()
        return stopFinding()
    }

    /// Repeats the filters that ran on a part of a body, once all of it is there, from the bottom up; then those of the
    /// body before.
    mutating func repeatFilters() -> [ViewerEffect] {
        guard query == nil else { return [] }
        for (depth, result) in results.enumerated() {
            let source = document(under: depth)
            let isLonger = Self.isLive(source) && source.raw.count > result.sourceCount
            guard let path = result.path, !result.page.document.isComplete, source.isComplete || isLonger else {
                continue
            }
            return [filter(path, over: depth, joins: result.isJoined)]
        }
        let source = document(under: results.count)
        guard let next = start?.filters[safe: results.count], source.hasPaths, source.isComplete || Self.isLive(source)
        else { return [] }
        return [filter(next.path, over: results.count, joins: next.joins)]
    }

    /// The steps from the body to the result: `| $..name ! sort`.
    var chain: String? {
        results.isEmpty
            ? nil : (results.map(\.step) + [result?.count.map { "· " + $0 }].compactMap { $0 }).joined(separator: " ")
    }

    // MARK: Filter

    mutating func filter(_ path: String, over depth: Int, joins: Bool = false) -> ViewerEffect {
        let (document, number) = (document(under: depth), startQuery(over: depth))
        return order(
            joins ? .join(path, document, number: number) : .filter(path, document, number: number))
    }

    /// Joins the values of the current filter, or prompts for the path of the values.
    mutating func join() -> [ViewerEffect] {
        guard page?.document.hasPaths ?? false else {
            return [.notify(.info, "Only values of JSON can be joined")]
        }
        guard page?.document.isFiltered ?? false else {
            open(.join)
            return []
        }
        return [filter("$", over: results.count, joins: true)]
    }

    private mutating func joined(_ path: String, _ document: BodyDocument, _ query: Query) -> [ViewerEffect] {
        _ = endQuery(query.number)
        guard query.depth < results.count, results[query.depth].path == path, results[query.depth].isJoined else {
            var page = ViewerPage(document, wraps: true)
            page.resize(columns: size.columns, page: pageRows)
            return show(.joined(path), page, of: query)
        }
        growResult(of: query, to: document)
        return repeatQueries(after: query)
    }

    private mutating func show(
        _ source: ViewerResult.Source, _ page: ViewerPage, of query: Query
    ) -> [ViewerEffect] {
        let effects = show(ViewerResult(source: source, page: page, sourceCount: query.sourceCount), over: query.depth)
        goToStart()
        goToEnd()
        return effects + repeatFilters()
    }

    private mutating func growResult(of query: Query, to document: BodyDocument) {
        let rows = pageRows
        results[query.depth].page.grow(to: document, page: rows)
        results[query.depth].sourceCount = query.sourceCount
        resizePages()
        goToStart()
        goToEnd()
    }

    private mutating func repeatQueries(after query: Query) -> [ViewerEffect] {
        (query.depth == results.count - 1 ? repeatSearch() : []) + repeatFilters()
    }

    mutating func filtered(_ answer: FilterAnswer, _ number: Int) -> [ViewerEffect] {
        guard let query, query.number == number, query.depth <= results.count else { return [] }
        switch answer {
        case .joined(let path, let document): return joined(path, document, query)
        case .problem(let column, let reason):
            _ = endQuery(number)
            start = nil
            // The prompt may have been closed before the result arrived.
            let notice: [ViewerEffect] =
                line == nil ? [.notify(.warning, "The filter is wrong at column \(column): \(reason)")] : []
            line?.problem = (column, reason)
            resizePages()
            return notice + repeatFilters()
        case .matches(let path, let document, let isCut, let isDone):
            if isDone { _ = endQuery(number) }
            let source = ViewerResult.Source.filter(path, isCut: isCut)
            guard query.depth < results.count, results[query.depth].path == path, !results[query.depth].isJoined else {
                return show(source, ViewerPage(document, wraps: settings.wraps), of: query)
            }
            // A filter that is repeated on all of the body shows its old result until the new one is as long.
            guard isDone || document.matchCount >= results[query.depth].page.document.matchCount else { return [] }
            results[query.depth].source = source
            growResult(of: query, to: document)
            // The search went through a part of what the filter selects.
            return isDone ? repeatQueries(after: query) : []
        }
    }

    // MARK: Commands

    mutating func run(_ command: String) -> ViewerEffect {
        order(.shell(command, page ?? ViewerPage(.empty), number: startQuery(over: results.count)))
    }

    mutating func ran(_ answer: CommandAnswer, _ number: Int) -> [ViewerEffect] {
        guard let query = endQuery(number) else { return [] }
        let errors = answer.errorOutput.isEmpty ? "" : ": \(answer.errorOutput)"
        let notice = ViewerEffect.notify(
            answer.failure.map { Notice(.failure, "\(answer.shortCommand) \($0)\(errors)") })
        guard answer.output.kind != .empty || answer.failure == nil else { return [notice] + repeatFilters() }
        var output = answer.output
        output.note = answer.note ?? output.note
        let page = ViewerPage(output, wraps: settings.wraps)
        let result = ViewerResult(source: .command(answer.command), page: page)
        return [notice] + show(result, over: query.depth) + repeatFilters()
    }
}

/// A search in a body, and the known matches.
struct ViewerFind: Equatable, Sendable {
    var query: FindQuery
    var count: MatchCount?
    /// The match that the view went to last.
    var current: ByteRange?
    var hasNone = false
    /// The offset of the cursor before the search.
    var origin: Int

    /// A summary for the foot of the viewer: `3 of 17`.
    func summary(in bytes: Bytes, _ move: Viewer.PendingMove?) -> String {
        if move?.isSlowMatch ?? false { return "looking…" }
        if hasNone { return "no match" }
        guard let count else { return move?.isMatch ?? false ? "…" : "" }
        let more = count.index.isCapped ? "+" : count.isComplete ? "" : "…"
        let total = "\(count.index.found)\(more)"
        guard let current, count.isComplete, let number = count.index.number(ofMatchAt: current.lowerBound, in: bytes)
        else { return total + (count.index.found == 1 ? " match" : " matches") }
        return "\(number + 1) of \(total)"
    }
}

extension Viewer.PendingMove {
    var isMatch: Bool { if case .match = self { true } else { false } }
    var isSlowMatch: Bool { if case .match(_, isSlow: true) = self { true } else { false } }
}

/// A view in place of a body: the values of a filter, the output of a command, or the differences from another body.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, isCut: Bool)
        /// The values of a JSONPath as one text.
        case joined(String)
        case command(String)
        /// With a summary of the differences.
        case comparison(String)
    }

    var source: Source
    var page: ViewerPage
    var differences: [Int] = []
    /// The bytes that it was made from.
    var sourceCount = 0

    /// A description of the number of values that a filter selected.
    var count: String? {
        guard case .filter(_, let isCut) = source else { return nil }
        let count = page.document.matchCount
        return "\(isCut ? "the first " : "")\(count) \(count == 1 ? "match" : "matches")"
    }

    /// The step from the source to this result, as it was typed.
    var step: String {
        switch source {
        case .filter(let path, _): "| \(path)"
        case .joined(let path): "J \(path)"
        case .command(let command): "! \(command)"
        case .comparison(let summary): "D \(summary)"
        }
    }

    /// The JSONPath of a filter, or of a joined text.
    var path: String? {
        switch source {
        case .filter(let path, _), .joined(let path): path
        case .command, .comparison: nil
        }
    }

    var isJoined: Bool { if case .joined = source { true } else { false } }

    /// The text in place of an empty result.
    func emptiness(isPending: Bool) -> String {
        switch source {
        case .filter, .joined: isPending ? "No match so far." : "No match."
        case .command: "No output."
        case .comparison: "No difference."
        }
    }
}

/// Marking a body, and comparing others with it.
extension Viewer {
    /// The visible body, with a name.
    private var shown: NamedBody? {
        guard let page else { return nil }
        return NamedBody(name: [name, chain].compactMap { $0 }.joined(separator: " "), document: page.document)
    }

    mutating func mark() -> [ViewerEffect] {
        guard let shown else { return [] }
        guard settings.mark?.document.isSameMemory(as: shown.document) != true else {
            settings.mark = nil
            return [.notify(.info, "No longer marked")]
        }
        if let problem { return [.notify(problem)] }
        settings.mark = shown
        return [.notify(.info, "Marked; D compares another body with \(shown.name)")]
    }

    /// Compares the visible body with the marked one, or else with the previous response.
    mutating func compare() -> [ViewerEffect] {
        guard let shown else { return [] }
        if case .comparison? = result?.source {
            return [.notify(.info, "This is a comparison; Esc goes back to the body")]
        }
        if let problem { return [.notify(problem)] }
        var marked = settings.mark
        marked?.name += " (marked)"
        // The result of a filter or a command is not compared with a whole body.
        guard let other = marked ?? (results.isEmpty ? before : nil) else {
            return [.notify(.info, "Nothing to compare with; M marks this body, then D on another compares both")]
        }
        guard !other.document.isSameMemory(as: shown.document) else {
            return [.notify(.info, "This is the marked body; D on another compares both, M unmarks it")]
        }
        let (old, new) = marked == nil && isBeforeNewer ? (shown, other) : (other, shown)
        return [order(.compare(old, new, number: startQuery(over: results.count)))]
    }

    /// Compares the body with another one, once it is complete. The older one is at the left.
    package mutating func compare(with other: NamedBody, isNewer: Bool) -> [ViewerEffect] {
        guard let body, body.document.isComplete else {
            comparison = Comparison(other: other, isNewer: isNewer)
            return []
        }
        comparison = nil
        results = []
        let own = NamedBody(name: name, document: body.document)
        guard !other.document.isSameMemory(as: own.document) else { return [.notify(.info, "This is the same body")] }
        let (old, new) = isNewer ? (own, other) : (other, own)
        return [order(.compare(old, new, number: startQuery(over: 0)))]
    }

    /// The reason why the visible body cannot be compared: it is incomplete.
    private var problem: Notice? {
        if !(page?.document.isComplete ?? false) {
            return Notice(.info, "The body is still arriving; compare it once it is complete")
        }
        return interruption == nil ? nil : Notice(.warning, "Not compared: only a part of this body arrived")
    }

    mutating func compared(_ answer: BodyComparison, _ number: Int) -> [ViewerEffect] {
        guard let query = endQuery(number) else { return [] }
        guard let text = answer.text else {
            return [.notify(.success, answer.summary)] + repeatFilters()
        }
        let page = ViewerPage(text, wraps: settings.wraps)
        let result = ViewerResult(source: .comparison(answer.summary), page: page, differences: answer.positions)
        return show(result, over: query.depth) + repeatFilters()
    }

    var differences: [Int] { result.map(\.differences) ?? differencesOfBody }

    /// Moves to the next or the previous difference; nil without a comparison.
    mutating func goToDifference(forward: Bool) -> [ViewerEffect]? {
        guard let page, !differences.isEmpty else { return nil }
        let row = page.rows.range(at: page.cursor)
        let next =
            forward
            ? differences.first { $0 >= row.upperBound } : differences.last { $0 < row.lowerBound }
        guard let next else { return [.notify(.info, forward ? "The last difference" : "The first difference")] }
        let rows = pageRows
        self.page?.go(toByte: next, page: rows)
        return []
    }
}

extension BodyDocument {
    /// Returns true for two views of one body, which is more than equality.
    fileprivate func isSameMemory(as other: BodyDocument) -> Bool {
        raw.base == other.raw.base && raw.count == other.raw.count && isFiltered == other.isFiltered
            && selectsSame(as: other)
    }
}
