/// The footer's hints.
extension Viewer {
    /// The visibility of an action among the hints.
    package enum Hint: Equatable, Sendable {
        case hidden, shown
        /// Shown, with this word for its present effect.
        case named(String)
    }

    /// The footer's words for submitting and switching the option of the open prompt; nil without one.
    package var promptWords: (accept: String, option: String?)? { line.map { ($0.acceptWord, $0.optionWord) } }

    /// Returns the hint of an action on the visible content: hidden where it has no effect.
    package func hint(for action: ViewerAction) -> Hint {
        guard let page else { return .shown }
        switch action {
        case .filter: return page.document.hasPaths ? .shown : .hidden
        case .join: return isLog && page.document.hasPaths ? .shown : .hidden
        case .toggleFollowing: return isArriving ? .named(isFollowing ? "pause" : "follow") : .hidden
        case .switchMode: return page.modes.count > 1 ? .named(page.nextMode.hint) : .hidden
        case .findNext:
            if find != nil { return .shown }
            return differences.isEmpty ? .hidden : .named("next difference")
        case .compare:
            let hasOther = settings.mark != nil || results.isEmpty && before != nil
            return hasOther && !isComparison ? .shown : .hidden
        case .mark: return isComparison ? .hidden : .shown
        case .select: return page.rows.isEmpty || page.anchor != nil ? .hidden : .shown
        case .copyValue, .find, .save: return page.rows.isEmpty ? .hidden : .shown
        case .copyPath: return page.path == nil ? .hidden : .shown
        default: return .shown
        }
    }

    private var isComparison: Bool { if case .comparison? = result?.source { true } else { false } }
}
