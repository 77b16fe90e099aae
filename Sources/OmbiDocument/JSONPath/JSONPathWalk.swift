/// The walk of one query through a document, depth first: a cursor for each segment, on a value of the previous one.
struct JSONPathWalk {
    private let segments: [JSONPathSegment]
    private var cursors: [JSONPathCursor] = []
    /// The only value of a query without segments; nil once returned.
    private var only: Int?

    init(_ segments: [JSONPathSegment], from start: Int) {
        self.segments = segments
        if segments.isEmpty { only = start } else { cursors.append(JSONPathCursor(on: start)) }
    }

    /// Returns the next value of the query.
    mutating func next(_ run: JSONPathRun) -> Int? {
        if let start = only {
            only = nil
            return start
        }
        while let last = cursors.indices.last {
            guard let index = cursors[last].next(segments[last], run) else {
                cursors.removeLast()
                continue
            }
            if last + 1 == segments.count { return index }
            cursors.append(JSONPathCursor(on: index))
        }
        return nil
    }
}
