import OmbiDocument

/// A search in a body, and the known matches.
struct ViewerFind: Equatable, Sendable {
    var query: FindQuery
    var count: MatchCount?
    /// The match that the view went to last.
    var current: ByteRange?
    /// The number of the query whose match the view goes to: the search itself, or a step of it.
    var asked: Int
    /// True while that match is pending; `isSlow` when it is not near.
    var isLooking = true
    var isSlow = false
    var hasNone = false
    /// The offset of the cursor before the search.
    var origin: Int

    init(query: FindQuery, current: ByteRange?, origin: Int) {
        self.query = query
        self.current = current
        self.origin = origin
        asked = query.number
    }

    /// A summary for the foot of the viewer: `3 of 17`.
    func summary(in bytes: Bytes) -> String {
        if isSlow { return "looking…" }
        if hasNone { return "no match" }
        guard let count else { return isLooking ? "…" : "" }
        let more = count.index.isCapped ? "+" : count.isComplete ? "" : "…"
        let total = "\(count.index.found)\(more)"
        guard let current, count.isComplete, let number = count.index.number(ofMatchAt: current.lowerBound, in: bytes)
        else { return total + (count.index.found == 1 ? " match" : " matches") }
        return "\(number + 1) of \(total)"
    }
}
