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
