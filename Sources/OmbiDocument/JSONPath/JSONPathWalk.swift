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

/// An iterator over the values that one segment selects below one value.
struct JSONPathCursor {
    /// The value that the selectors are applied to: for a descendant segment, each container from the first value down.
    private var node: Int
    /// The end of a descendant segment's walk; nil until it begins.
    private var limit: Int?
    /// The selector after the current one.
    private var selector = 0
    /// The next value of the current selector.
    private var candidate: Int?
    /// The number of values that the current selector may still give.
    private var remaining = 0
    /// The number of siblings from one value of a slice to the next; negative for a backward slice.
    private var stride = 1

    init(on node: Int) { self.node = node }

    mutating func next(_ segment: JSONPathSegment, _ run: JSONPathRun) -> Int? {
        let document = run.document
        while run.step() {
            if let index = candidate {
                advance(from: index, document)
                if selector > 0, case .filter(let expression) = segment.selectors[selector - 1] {
                    guard JSONPathTest(run: run, node: index).holds(expression) else { continue }
                }
                return index
            }
            if selector < segment.selectors.count, !document.isScalar(node) {
                begin(segment.selectors[selector], run)
                selector += 1
            } else if !segment.isDescendant || !descend(document) {
                return nil
            }
        }
        return nil
    }

    /// Moves `candidate` to the next value of the current selector.
    @inline(__always) private mutating func advance(from index: Int, _ document: JSONDocument) {
        remaining -= 1
        candidate = remaining > 0 ? index : nil
        for _ in 0..<stride.magnitude {
            guard let current = candidate else { return }
            candidate = stride > 0 ? document.value(document.after(current)) : document.previousSibling(current)
        }
    }

    /// Moves to the next container in document order. Returns false at the end.
    private mutating func descend(_ document: JSONDocument) -> Bool {
        let limit = limit ?? document.after(node)
        self.limit = limit
        selector = 0
        node += 1
        while node < limit, document.isScalar(node) || document.isEnd(node) { node += 1 }
        return node < limit
    }

    private mutating func begin(_ selector: JSONPathSelector, _ run: JSONPathRun) {
        let document = run.document
        (stride, remaining) = (1, 1)
        switch selector {
        case .name(let name): candidate = document.member(name, of: node, run)
        case .wildcard, .filter:
            candidate = document.firstChild(node)
            remaining = .max
        case .index(let position): candidate = document.isArray(node) ? document.element(position, of: node, run) : nil
        case .slice(let slice): if document.isArray(node) { begin(slice, run) }
        }
    }

    private mutating func begin(_ slice: JSONPathSlice, _ run: JSONPathRun) {
        // A slice that does not need the length gets a bound that is never reached.
        let length = slice.needsLength ? run.document.length(node, run) : 1 << 60
        let (first, count) = slice.positions(length: length)
        guard count > 0 else { return }
        (stride, remaining) = (slice.step, count)
        let isNearEnd = slice.needsLength && first > length / 2
        candidate = run.document.element(isNearEnd ? first - length : first, of: node, run)
    }
}

/// The shared state of one evaluation: the document and the time.
final class JSONPathRun {
    let document: JSONDocument
    /// The index of the value that `$` stands for.
    let root: Int
    /// Nil for an evaluation that may take any time.
    let time: EvaluationTime?
    private var left = EvaluationTime.interval
    private(set) var isStopped = false
    /// The patterns so far, compiled: usually there is only one.
    private var patterns: [[UInt8]: IRegexp?] = [:]

    private static let maximumPatterns = 16

    init(document: JSONDocument, root: Int, time: EvaluationTime?) {
        self.document = document
        self.root = root
        self.time = time
    }

    /// Counts a visited value, or the work of several. Returns false once the evaluation is interrupted.
    @inline(__always) @discardableResult func step(_ count: Int = 1) -> Bool {
        left &-= count
        return left > 0 ? !isStopped : poll()
    }

    private func poll() -> Bool {
        left = EvaluationTime.interval
        if let time, !time.poll() { isStopped = true }
        return !isStopped
    }

    /// Returns nil for a pattern that RFC 9485 does not allow.
    func expression(_ source: [UInt8]) -> IRegexp? {
        if let known = patterns[source] { return known }
        // A value of the body can be the pattern, and a long one takes as long as thousands of values.
        step(EvaluationTime.interval)
        if patterns.count >= Self.maximumPatterns { patterns = [:] }
        let expression = IRegexp(String(decoding: source, as: UTF8.self))
        patterns[source] = .some(expression)
        return expression
    }
}
