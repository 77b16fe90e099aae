import OmbiDocument
import OmbiTerminal

/// Marking a body, and comparing others with it.
extension Viewer {
    /// The visible body, with a name.
    private var shown: NamedBody? {
        guard let page else { return nil }
        return NamedBody(name: [name, chain].compactMap { $0 }.joined(separator: " "), document: page.document)
    }

    /// Marks the visible body, or clears its mark.
    mutating func mark() -> [ViewerEffect] {
        guard let shown else { return [] }
        guard settings.mark?.document.isSameMemory(as: shown.document) != true else {
            settings.mark = nil
            return [.tell(.info, "no longer marked")]
        }
        if let obstacle { return [.tell(obstacle)] }
        settings.mark = shown
        return [.tell(.info, "marked; D compares another body with \(shown.name)")]
    }

    /// Compares the visible body with the marked one, or else with the previous response.
    mutating func compare() -> [ViewerEffect] {
        guard let shown else { return [] }
        if case .comparison? = result?.source {
            return [.tell(.info, "this is a comparison; Esc goes back to the body")]
        }
        if let obstacle { return [.tell(obstacle)] }
        var marked = settings.mark
        marked?.name += " (marked)"
        // The result of a filter or a command is not compared with a whole body.
        guard let older = marked ?? (results.isEmpty ? before : nil) else {
            return [.tell(.info, "nothing to compare with; M marks this body, then D on another compares both")]
        }
        guard !older.document.isSameMemory(as: shown.document) else {
            return [.tell(.info, "this is the marked body; D on another compares both, M unmarks it")]
        }
        ask(over: results.count)
        return [order(.compare(older, shown, number: askedNumber))]
    }

    /// Why the visible body cannot be compared: it is only a part.
    private var obstacle: Notice? {
        if !(page?.document.isComplete ?? false) {
            return Notice(.info, "the body is still coming; wait for all of it")
        }
        return interruption == nil ? nil : Notice(.warning, "only a part of this body came: it is not compared")
    }

    mutating func compared(_ answer: BodyComparison, _ number: Int) -> [ViewerEffect] {
        guard askedNumber == number else { return [] }
        isAsking = false
        guard let text = answer.text else {
            return [.tell(.success, answer.summary)] + askAgain()
        }
        let page = ViewerPage(text, wraps: settings.wraps)
        return show(ViewerResult(source: .comparison(answer.summary), page: page)) + askAgain()
    }
}

extension BodyDocument {
    /// Returns true for two views of one body, which is more than equality.
    fileprivate func isSameMemory(as other: BodyDocument) -> Bool {
        raw.base == other.raw.base && raw.count == other.raw.count && isFiltered == other.isFiltered
            && selectsSame(as: other)
    }
}
