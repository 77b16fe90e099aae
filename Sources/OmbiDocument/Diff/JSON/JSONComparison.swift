/// Walks down two documents at once, where they differ.
struct JSONComparison {
    let old: JSONDocument
    let new: JSONDocument
    let oldHashes: JSONHashes
    let newHashes: JSONHashes
    private let limit: Int
    /// The pending steps, the next one last: no recursion, however deep the documents are.
    private var pending: [Step] = []
    private var changes: [JSONChange] = []

    /// Two values that differ, or a single one.
    private struct Step {
        var old: Int?
        var new: Int?
        var before: Int?
        var around: Around
    }

    /// The containers of two values, and the depth of the values.
    private struct Around {
        var old: Int?
        var new: Int?
        var depth = 0
    }

    /// - Parameter limit: The maximum number of changes.
    init(old: JSONDocument, new: JSONDocument, oldHashes: JSONHashes, newHashes: JSONHashes, limit: Int) {
        self.old = old
        self.new = new
        self.oldHashes = oldHashes
        self.newHashes = newHashes
        self.limit = limit
    }

    mutating func run(isCancelled: () -> Bool) -> [JSONChange]? {
        let (oldRoots, newRoots) = (old.roots.map(\.index), new.roots.map(\.index))
        let (left, right) = (oldRoots.filter { !oldHashes.ignored[$0] }, newRoots.filter { !newHashes.ignored[$0] })
        guard elements(left, right, Around(), isCancelled) else { return nil }
        var count = 0
        while let step = pending.popLast(), changes.count < limit {
            count += 1
            if count & 0xFF == 0, isCancelled() { return nil }
            guard compare(step, isCancelled) else { return nil }
        }
        return changes
    }

    /// Returns false when cancelled.
    private mutating func compare(_ step: Step, _ isCancelled: () -> Bool) -> Bool {
        guard let left = step.old, let right = step.new, old.firstByte(left) == new.firstByte(right),
            old.isContainer(left)
        else {
            changes.append(
                JSONChange(
                    old: step.old.map(JSONNode.init), new: step.new.map(JSONNode.init),
                    oldParent: step.around.old.map(JSONNode.init), newParent: step.around.new.map(JSONNode.init),
                    newBefore: step.before.map(JSONNode.init), depth: step.around.depth))
            return true
        }
        let (oldChildren, newChildren) = (
            children(of: left, in: old, oldHashes), children(of: right, in: new, newHashes)
        )
        let around = Around(old: left, new: right, depth: step.around.depth + 1)
        if old.isArray(left) { return elements(oldChildren, newChildren, around, isCancelled) }
        members(oldChildren, newChildren, around)
        return true
    }

    private func children(of index: Int, in document: JSONDocument, _ hashes: JSONHashes) -> [Int] {
        document.children(of: JSONNode(index)).map(\.index).filter { !hashes.ignored[$0] }
    }

    /// Puts steps on the stack, the first on top. Each gives at least one change: steps over the limit are left out.
    private mutating func push(_ steps: [Step]) { pending += steps.prefix(limit).reversed() }

    @inline(__always) private func areEqual(_ left: Int, _ right: Int) -> Bool { oldHashes[left] == newHashes[right] }
}

/// Objects.
extension JSONComparison {
    private mutating func members(_ left: [Int], _ right: [Int], _ around: Around) {
        let (oldKeys, newKeys) = (left.map { oldHashes.key($0) }, right.map { newHashes.key($0) })
        // Usually both have the same members in the same order.
        if oldKeys == newKeys { return push(changed(left[...], right[...], around)) }
        let (partners, gone) = JSONMembers.match(oldKeys, newKeys)
        var steps: [Step] = []
        var rest = gone[...]
        for position in -1..<right.count {
            if position >= 0 {
                let partner = partners[position].map { left[$0] }
                if partner.map({ areEqual($0, right[position]) }) != true {
                    steps.append(Step(old: partner, new: right[position], around: around))
                }
            }
            while let member = rest.first, member.behind == position {
                steps.append(
                    Step(old: left[member.position], before: position >= 0 ? right[position] : nil, around: around))
                rest.removeFirst()
            }
        }
        push(steps)
    }
}

/// Arrays, and the roots.
extension JSONComparison {
    /// Returns false when cancelled.
    private mutating func elements(
        _ left: [Int], _ right: [Int], _ around: Around, _ isCancelled: () -> Bool
    ) -> Bool {
        var start = 0
        while start < left.count, start < right.count, areEqual(left[start], right[start]) { start += 1 }
        var (leftEnd, rightEnd) = (left.count, right.count)
        while leftEnd > start, rightEnd > start, areEqual(left[leftEnd - 1], right[rightEnd - 1]) {
            leftEnd -= 1
            rightEnd -= 1
        }
        var numbers = HashNumbers()
        let oldNumbers = left[start..<leftEnd].map { numbers.number(of: oldHashes[$0]) }
        let newNumbers = right[start..<rightEnd].map { numbers.number(of: newHashes[$0]) }
        guard let found = LineDiff.changes(from: oldNumbers, to: newNumbers, isCancelled: isCancelled) else {
            return false
        }
        var steps: [Step] = []
        for change in found where steps.count < limit {
            let lower = start + change.new.lowerBound
            steps += pairs(
                left[start + change.old.lowerBound..<start + change.old.upperBound],
                right[lower..<start + change.new.upperBound], before: lower > 0 ? right[lower - 1] : nil, around)
        }
        push(steps)
        return true
    }

    /// The number of elements ahead in which a similar one is searched for.
    private static let reach = 32

    /// Pairs elements with those that replace them: all in order if there are as many, otherwise those that have
    /// something in common.
    private func pairs(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>, before: Int?, _ around: Around) -> [Step] {
        if left.count == right.count { return changed(left, right, around) }
        let likeness = left.isEmpty || right.isEmpty ? JSONLikeness() : JSONLikeness(right, of: new, newHashes)
        var (next, last) = (right.startIndex, before)
        var steps: [Step] = []
        for element in left where steps.count < limit {
            guard let partner = likeness.position(of: element, of: old, oldHashes, in: next..<next + Self.reach) else {
                steps.append(Step(old: element, before: last, around: around))
                continue
            }
            steps += right[next..<partner].map { Step(new: $0, around: around) }
            steps += changed([element], [right[partner]], around)
            last = right[partner]
            next = partner + 1
        }
        return steps + right[next...].prefix(limit).map { Step(new: $0, around: around) }
    }

    /// Returns a step for each pair of values that differ.
    private func changed(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>, _ around: Around) -> [Step] {
        let pairs = zip(left, right).lazy.filter { !areEqual($0, $1) }
        return pairs.prefix(limit).map { Step(old: $0, new: $1, around: around) }
    }
}
