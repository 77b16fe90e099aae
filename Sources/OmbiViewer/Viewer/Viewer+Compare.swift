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
