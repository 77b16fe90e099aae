/// The values that a query gives, in the order of RFC 9535, found one at a time. It holds one cursor for each segment
/// of the query, however many values there are.
public struct JSONPathMatches: Sequence, IteratorProtocol {
    private let run: JSONPathRun?
    private var walk: JSONPathWalk

    init(segments: [JSONPathSegment], document: JSONDocument, root: JSONNode?, isCancelled: (() -> Bool)?) {
        let start = root ?? document.firstRoot
        run = start.map { JSONPathRun(document: document, root: $0.index, isCancelled: isCancelled) }
        walk = JSONPathWalk(segments, from: start?.index ?? 0)
    }

    public mutating func next() -> JSONNode? {
        guard let run, run.document.contains(JSONNode(run.root)) else { return nil }
        return walk.next(run).map(JSONNode.init)
    }

    /// True when the iteration ended because `isCancelled` returned true.
    public var wasCancelled: Bool { run?.isStopped ?? false }
}
