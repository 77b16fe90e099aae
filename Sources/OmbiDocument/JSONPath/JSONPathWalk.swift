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
    /// The index of the value of `@`.
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

/// The test of one value against a filter.
struct JSONPathTest {
    let run: JSONPathRun
    /// The index of the value that `@` stands for.
    let node: Int

    /// Recursive; the parser limits the nesting.
    func holds(_ expression: JSONPathExpression) -> Bool {
        switch expression {
        case .any(let terms): return terms.contains { holds($0) }
        case .all(let factors): return factors.allSatisfy { holds($0) }
        case .not(let inner): return !holds(inner)
        case .exists(let query): return first(query) != nil
        case .comparison(let left, let comparison, let right):
            return JSONPathComparer(run: run).holds(value(left), comparison, value(right))
        case .matches(let text, let pattern, let isWhole):
            guard let bytes = self.text(of: value(text)), let source = self.text(of: value(pattern)) else {
                return false
            }
            return run.expression(source)?.matches(bytes, isWhole: isWhole, within: run.time) ?? false
        }
    }

    private func first(_ query: JSONPathQuery) -> Int? {
        if query.isSingular { return single(query) }
        var walk = JSONPathWalk(query.segments, from: query.isRelative ? node : run.root)
        return walk.next(run)
    }

    /// Returns the value of a singular query without a walk: most filters evaluate one for every value.
    private func single(_ query: JSONPathQuery) -> Int? {
        var index = query.isRelative ? node : run.root
        for segment in query.segments {
            guard !run.document.isScalar(index), let next = child(segment.selectors[0], of: index) else { return nil }
            index = next
        }
        return index
    }

    private func child(_ selector: JSONPathSelector, of index: Int) -> Int? {
        switch selector {
        case .name(let name): run.document.member(name, of: index, run)
        case .index(let position):
            run.document.isArray(index) ? run.document.element(position, of: index, run) : nil
        case .wildcard, .slice, .filter: nil
        }
    }

    private func value(_ operand: JSONPathOperand) -> JSONPathValue {
        switch operand {
        case .string(let bytes): return .string(bytes)
        case .number(let bytes): return .number(bytes)
        case .true: return .literal(.true)
        case .false: return .literal(.false)
        case .null: return .literal(.null)
        case .query(let query): return single(query).map { .node($0) } ?? .nothing
        case .length(let inner): return length(of: value(inner))
        case .count(let query): return .count(count(query, upTo: .max).count)
        case .value(let query):
            let (count, first) = count(query, upTo: 2)
            return count == 1 ? first.map { .node($0) } ?? .nothing : .nothing
        }
    }

    private func count(_ query: JSONPathQuery, upTo limit: Int) -> (count: Int, first: Int?) {
        var walk = JSONPathWalk(query.segments, from: query.isRelative ? node : run.root)
        let first = walk.next(run)
        guard first != nil else { return (0, nil) }
        var count = 1
        while count < limit, walk.next(run) != nil { count += 1 }
        return (count, first)
    }

    /// Returns the number of characters, elements or members of a value; nothing for other kinds (section 2.4.4).
    private func length(of value: JSONPathValue) -> JSONPathValue {
        if case .node(let index) = value, !run.document.isScalar(index) {
            return .count(run.document.length(index, run))
        }
        guard let text = text(of: value) else { return .nothing }
        return .count(text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) })
    }

    /// Returns the text of a string; nil for other kinds.
    private func text(of value: JSONPathValue) -> [UInt8]? {
        value.withText(run.document) { text in
            text.map { text in
                run.step(text.count >> 6)
                return Array(text)
            }
        }
    }
}
