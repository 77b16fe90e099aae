import OmbiDocument

/// A search in a body, and the known matches.
struct ViewerFind: Equatable, Sendable {
    var query: FindQuery
    var count: MatchCount?
    /// The match that the view went to last.
    var current: ByteRange?
    var hasNone = false
    /// The offset of the cursor before the search.
    var origin: Int

    init(query: FindQuery, current: ByteRange?, origin: Int) {
        self.query = query
        self.current = current
        self.origin = origin
    }

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
