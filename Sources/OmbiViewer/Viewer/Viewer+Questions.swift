import OmbiDocument
import OmbiTerminal

/// Searches, filters and commands: the queries, and the changes that their results make.
extension Viewer {
    // MARK: Find

    /// Searches for a text from the visible part on.
    mutating func look(for text: String, _ syntax: SearchPattern.Syntax) -> ViewerEffect? {
        guard let page else { return nil }
        let origin = find?.origin ?? page.rows.range(at: page.cursor).lowerBound
        var query = FindQuery(text: text, syntax: syntax, isRaw: page.mode == .hex, number: nextNumber())
        if case .json = page.content { query.isLaidOut = true }
        guard !text.isEmpty else {
            find = nil
            return order(.stopFinding)
        }
        do throws(PatternError) {
            _ = try query.pattern()
        } catch {
            line?.mistake = (error.column, error.reason)
            find?.hasNone = true
            return order(.stopFinding)
        }
        let current = find?.current
        find = ViewerFind(query: query, current: current, origin: origin)
        return order(.find(query, page.document, from: origin))
    }

    /// Repeats the search in a body that has grown; the view stays where it is.
    mutating func countAgain() -> [ViewerEffect] {
        guard let before = find, let search = look(for: before.query.text, before.query.syntax) else { return [] }
        // While there is no match yet, the first one is still awaited.
        guard before.current != nil || !before.isLooking && !before.hasNone else { return [search] }
        find?.current = before.current
        find?.isLooking = false
        return [search]
    }

    mutating func found(_ range: ByteRange?, _ number: Int) -> [ViewerEffect] {
        if find?.query.number == number { find?.hasNone = range == nil }
        guard let before = find, before.asked == number, before.isLooking else { return [] }
        find?.isLooking = false
        find?.isSlow = false
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
        if now.lowerBound < before.lowerBound, goesForward { return [.tell(.info, "from the start again")] }
        if now.lowerBound > before.lowerBound, !goesForward { return [.tell(.info, "from the end again")] }
        return []
    }

    mutating func findNext(forward: Bool) -> [ViewerEffect] {
        guard let page, let find else {
            return [.tell(.info, "nothing was looked for; / finds")]
        }
        goesForward = forward
        let row = page.rows.range(at: page.cursor)
        let from = find.current?.lowerBound ?? (forward ? row.upperBound - 1 : row.lowerBound)
        let step = FindStep(query: find.query, offset: from, forward: forward, number: nextNumber())
        self.find?.asked = step.number
        self.find?.isLooking = true
        return [order(.findNext(step, page.document))]
    }

    /// Stops searching for the next match; the view stays, and the matches found so far are kept.
    mutating func stopStepping() -> [ViewerEffect] {
        find?.isLooking = false
        find?.isSlow = false
        return [order(.stopStepping)]
    }

    mutating func stopFinding() -> [ViewerEffect] {
        guard find != nil else { return [] }
        find = nil
        return [order(.stopFinding)]
    }

    /// The finder that marks the matches in the visible rows.
    var finder: Finder? {
        find.flatMap { page?.document.finder($0.query) }
    }

    // MARK: Results

    /// Numbers a query whose result goes on top of `depth` others.
    mutating func ask(over depth: Int) {
        askedNumber = nextNumber()
        askedDepth = depth
        isAsking = true
    }

    mutating func stopAsking() -> [ViewerEffect] {
        askedNumber = nextNumber()
        isAsking = false
        return [order(.stopAsking)]
    }

    /// Shows a result on top of those that it is made from.
    mutating func show(_ result: ViewerResult) -> [ViewerEffect] {
        results = Array(results.prefix(askedDepth)) + [result]
        locating = nil
        resizePages()
        return stopFinding()
    }

    /// Returns to the source of the result.
    mutating func leaveResult() -> [ViewerEffect] {
        results.removeLast()
        locating = nil
        resizePages()
        return stopFinding()
    }

    /// Repeats the filters that ran on a part of a body, once all of it is there, from the bottom up.
    mutating func askAgain() -> [ViewerEffect] {
        guard !isAsking else { return [] }
        for (depth, result) in results.enumerated() {
            guard let path = result.path, !result.page.document.isComplete, document(under: depth).isComplete else {
                continue
            }
            return [filter(path, over: depth)]
        }
        return []
    }

    /// The steps from the body to the result: `| $..name ! sort`.
    var chain: String? {
        results.isEmpty
            ? nil : (results.map(\.step) + [result?.count.map { "· " + $0 }].compactMap { $0 }).joined(separator: " ")
    }

    // MARK: Filter

    mutating func filter(_ path: String, over depth: Int) -> ViewerEffect {
        ask(over: depth)
        return order(.filter(path, document(under: depth), number: askedNumber))
    }

    mutating func filtered(_ answer: FilterAnswer, _ number: Int) -> [ViewerEffect] {
        guard askedNumber == number, askedDepth <= results.count else { return [] }
        switch answer {
        case .mistake(let column, let reason):
            isAsking = false
            // The prompt may have been closed before the result arrived.
            let notice: [ViewerEffect] =
                line == nil ? [.tell(.warning, "the filter is wrong at column \(column): \(reason)")] : []
            line?.mistake = (column, reason)
            resizePages()
            return notice + askAgain()
        case .matches(let path, let document, let isCut, let isDone):
            isAsking = !isDone
            let source = ViewerResult.Source.filter(path, isCut: isCut)
            guard askedDepth < results.count, results[askedDepth].path == path else {
                let page = ViewerPage(document, wraps: settings.wraps)
                return show(ViewerResult(source: source, page: page)) + askAgain()
            }
            // A filter that is repeated on all of the body shows its old result until the new one is as long.
            guard isDone || document.matchCount >= results[askedDepth].page.document.matchCount else { return [] }
            let rows = pageRows
            results[askedDepth].source = source
            results[askedDepth].page.grow(to: document, page: rows)
            resizePages()
            guard isDone else { return [] }
            return lookAgain() + askAgain()
        }
    }

    /// Repeats the search of a partial result in all that the filter selected.
    private mutating func lookAgain() -> [ViewerEffect] { askedDepth == results.count - 1 ? countAgain() : [] }

    // MARK: Commands

    mutating func run(_ command: String) -> ViewerEffect {
        ask(over: results.count)
        return order(.shell(command, page ?? ViewerPage(.empty), number: askedNumber))
    }

    mutating func ran(_ answer: CommandAnswer, _ number: Int) -> [ViewerEffect] {
        guard askedNumber == number else { return [] }
        isAsking = false
        let complaint = answer.complaint.isEmpty ? "" : ": \(answer.complaint)"
        let notice = ViewerEffect.tell(
            answer.trouble.map { Notice(.failure, "\(answer.shortCommand) \($0)\(complaint)") })
        guard answer.output.kind != .empty || answer.trouble == nil else { return [notice] + askAgain() }
        var output = answer.output
        output.note = answer.note ?? output.note
        let page = ViewerPage(output, wraps: settings.wraps)
        return [notice] + show(ViewerResult(source: .command(answer.command), page: page)) + askAgain()
    }
}
