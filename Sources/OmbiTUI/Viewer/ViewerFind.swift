import OmbiDocument

/// A search in a body, and what is known of its matches.
struct ViewerFind: Equatable, Sendable {
    var query: FindQuery
    var count: MatchCount?
    /// The match that was gone to last.
    var current: ByteRange?
    /// Whether the first match is still looked for.
    var isLooking = true
    var hasNone = false
    /// Where the reader was before.
    var origin: Int

    /// For the foot of the viewer: `3 of 17`.
    func summary(in bytes: Bytes) -> String {
        if hasNone { return "no match" }
        guard let count else { return isLooking ? "…" : "" }
        let more = count.index.isCapped ? "+" : count.isComplete ? "" : "…"
        let total = "\(count.index.found)\(more)"
        guard let current, count.isComplete, let number = count.index.number(ofMatchAt: current.lowerBound, in: bytes)
        else { return total + (count.index.found == 1 ? " match" : " matches") }
        return "\(number + 1) of \(total)"
    }
}
