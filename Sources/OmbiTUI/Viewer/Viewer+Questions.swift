import OmbiDocument

/// Finding, filtering and commands: what is asked, and what the answers change.
extension Viewer {
    // MARK: Find

    /// Looks for a text from the visible part on.
    mutating func look(for text: String, _ syntax: SearchPattern.Syntax) -> Effect? {
        guard let page else { return nil }
        let origin = find?.origin ?? page.rows.range(at: page.cursor).lowerBound
        let query = FindQuery(text: text, syntax: syntax, isRaw: page.mode == .hex, number: nextNumber())
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

    mutating func found(_ range: ByteRange?, _ number: Int, notice: inout Notice?) {
        guard find?.query.number == number else { return }
        let before = find?.current
        find?.isLooking = false
        find?.hasNone = range == nil
        guard let range else { return }
        find?.current = range
        if let before, line == nil, before.lowerBound != range.lowerBound { tellWrap(before, range, notice: &notice) }
        let rows = pageRows
        page?.go(toByte: range.lowerBound, page: rows)
    }

    private func tellWrap(_ before: ByteRange, _ now: ByteRange, notice: inout Notice?) {
        if now.lowerBound < before.lowerBound, goesForward { notice = Notice(.info, "from the start again") }
        if now.lowerBound > before.lowerBound, !goesForward { notice = Notice(.info, "from the end again") }
    }

    mutating func findNext(forward: Bool, notice: inout Notice?) -> [Effect] {
        guard let page, let find else {
            notice = Notice(.info, "nothing was looked for; / finds")
            return []
        }
        goesForward = forward
        let row = page.rows.range(at: page.cursor)
        let from = find.current?.lowerBound ?? (forward ? row.upperBound - 1 : row.lowerBound)
        return [order(.findNext(find.query, page.document, from: from, forward: forward))]
    }

    /// What marks the matches of the rows that show.
    var finder: Finder? {
        guard let query = find?.query, let pattern = try? query.pattern() else { return nil }
        return Finder(pattern)
    }

    // MARK: Filter

    mutating func filter(_ path: String) -> Effect {
        askedNumber = nextNumber()
        isAsking = true
        return order(.filter(path, body?.document ?? .empty, number: askedNumber))
    }

    mutating func filtered(_ answer: FilterAnswer, _ number: Int) {
        guard askedNumber == number else { return }
        isAsking = false
        switch answer {
        case .mistake(let column, let reason): line?.mistake = (column, reason)
        case .matches(let path, let document, let count, let isCut):
            find = nil
            result = ViewerResult(
                source: .filter(path, count: count, isCut: isCut),
                page: ViewerPage(document, wraps: settings.wraps))
        }
        resizePages()
    }

    // MARK: Commands

    mutating func run(_ command: String) -> Effect {
        askedNumber = nextNumber()
        isAsking = true
        return order(.shell(command, page?.document ?? .empty, number: askedNumber))
    }

    mutating func ran(_ answer: CommandAnswer, _ number: Int, notice: inout Notice?) {
        guard askedNumber == number else { return }
        isAsking = false
        let complaint = answer.complaint.isEmpty ? "" : ": \(answer.complaint)"
        switch answer.status {
        case 0: notice = nil
        case nil:
            notice = Notice(.failure, "\(answer.command) took longer than \(CommandAnswer.limit) s; ended\(complaint)")
        case let status?: notice = Notice(.failure, "\(answer.command) ended with status \(status)\(complaint)")
        }
        guard answer.output.kind != .empty || answer.status == 0 else { return }
        find = nil
        result = ViewerResult(
            source: .command(answer.command), page: ViewerPage(answer.output, wraps: settings.wraps))
        resizePages()
    }
}
