/// Walks down two documents at once, where they differ.
struct JSONComparison {
    let old: JSONDocument
    let new: JSONDocument
    let oldHashes: JSONHashes
    let newHashes: JSONHashes
    /// What is still to be looked at, the next one last: no recursion, however deep the documents are.
    private var pending: [Step] = []
    private var changes: [JSONChange] = []

    /// Two values that differ, or one that is alone.
    private struct Step {
        var old: Int?
        var new: Int?
        var before: Int?
        var parents: (old: Int?, new: Int?)
    }

    init(old: JSONDocument, new: JSONDocument, oldHashes: JSONHashes, newHashes: JSONHashes) {
        self.old = old
        self.new = new
        self.oldHashes = oldHashes
        self.newHashes = newHashes
    }

    mutating func run(limit: Int, isCancelled: () -> Bool) -> [JSONChange]? {
        guard elements(old.roots.map(\.index), new.roots.map(\.index), (nil, nil), isCancelled) else { return nil }
        var count = 0
        while let step = pending.popLast(), changes.count < limit {
            count += 1
            if count & 0xFF == 0, isCancelled() { return nil }
            guard compare(step, isCancelled) else { return nil }
        }
        return changes
    }

    /// False when it was cancelled.
    private mutating func compare(_ step: Step, _ isCancelled: () -> Bool) -> Bool {
        guard let left = step.old, let right = step.new, old.firstByte(left) == new.firstByte(right),
            old.isContainer(left)
        else {
            changes.append(
                JSONChange(
                    old: step.old.map(JSONNode.init), new: step.new.map(JSONNode.init),
                    oldParent: step.parents.old.map(JSONNode.init), newParent: step.parents.new.map(JSONNode.init),
                    newBefore: step.before.map(JSONNode.init)))
            return true
        }
        let (oldChildren, newChildren) = (children(of: left, in: old), children(of: right, in: new))
        if old.isArray(left) { return elements(oldChildren, newChildren, (left, right), isCancelled) }
        members(oldChildren, newChildren, (left, right))
        return true
    }

    private func children(of index: Int, in document: JSONDocument) -> [Int] {
        document.children(of: JSONNode(index)).map(\.index)
    }

    /// Puts steps on the stack, the first on top.
    private mutating func push(_ steps: [Step]) { pending += steps.reversed() }

    @inline(__always) private func areEqual(_ left: Int, _ right: Int) -> Bool { oldHashes[left] == newHashes[right] }
}

/// Objects.
extension JSONComparison {
    private mutating func members(_ left: [Int], _ right: [Int], _ parents: (old: Int?, new: Int?)) {
        var places: [UInt64: [Int]] = [:]
        for (place, member) in right.enumerated().reversed() {
            places[newHashes.key(member), default: []].append(place)
        }
        // For each new member the old one of the same key, and behind it those that are gone.
        var partners = [Int?](repeating: nil, count: right.count)
        var gone: [Int: [Int]] = [:]
        var last = -1
        for member in left {
            if let place = places[oldHashes.key(member)]?.popLast() {
                partners[place] = member
                last = place
            } else {
                gone[last, default: []].append(member)
            }
        }
        var steps: [Step] = []
        for place in -1..<right.count {
            if place >= 0, partners[place].map({ areEqual($0, right[place]) }) != true {
                steps.append(Step(old: partners[place], new: right[place], parents: parents))
            }
            for member in gone[place] ?? [] {
                steps.append(Step(old: member, before: place >= 0 ? right[place] : nil, parents: parents))
            }
        }
        push(steps)
    }
}

/// Arrays, and the values that are in no container.
extension JSONComparison {
    /// False when it was cancelled.
    private mutating func elements(
        _ left: [Int], _ right: [Int], _ parents: (old: Int?, new: Int?), _ isCancelled: () -> Bool
    ) -> Bool {
        var start = 0
        while start < left.count, start < right.count, areEqual(left[start], right[start]) { start += 1 }
        var (leftEnd, rightEnd) = (left.count, right.count)
        while leftEnd > start, rightEnd > start, areEqual(left[leftEnd - 1], right[rightEnd - 1]) {
            leftEnd -= 1
            rightEnd -= 1
        }
        var numbers: [UInt64: Int32] = [:]
        func number(_ hash: UInt64) -> Int32 {
            if let number = numbers[hash] { return number }
            numbers[hash] = Int32(truncatingIfNeeded: numbers.count)
            return Int32(truncatingIfNeeded: numbers.count - 1)
        }
        let oldNumbers = left[start..<leftEnd].map { number(oldHashes[$0]) }
        let newNumbers = right[start..<rightEnd].map { number(newHashes[$0]) }
        guard let found = LineDiff.changes(from: oldNumbers, to: newNumbers, isCancelled: isCancelled) else {
            return false
        }
        var steps: [Step] = []
        for change in found {
            let lower = start + change.new.lowerBound
            steps += pairs(
                left[start + change.old.lowerBound..<start + change.old.upperBound],
                right[lower..<start + change.new.upperBound], before: lower > 0 ? right[lower - 1] : nil, parents)
        }
        push(steps)
        return true
    }

    /// How many elements ahead one that resembles another is looked for.
    private static let reach = 32

    /// Elements in whose place others are: as many as before are taken for the same, changed. Otherwise those are that
    /// have something in common.
    private func pairs(
        _ left: ArraySlice<Int>, _ right: ArraySlice<Int>, before: Int?, _ parents: (old: Int?, new: Int?)
    ) -> [Step] {
        if left.count == right.count {
            return zip(left, right).map { Step(old: $0, new: $1, parents: parents) }
        }
        var (rest, last) = (right, before)
        var steps: [Step] = []
        for element in left {
            guard let partner = rest.prefix(Self.reach).firstIndex(where: { resemble(element, $0) }) else {
                steps.append(Step(old: element, before: last, parents: parents))
                continue
            }
            for added in rest[..<partner] { steps.append(Step(new: added, parents: parents)) }
            steps.append(Step(old: element, new: rest[partner], parents: parents))
            last = rest[partner]
            rest = rest[(partner + 1)...]
        }
        return steps + rest.map { Step(new: $0, parents: parents) }
    }

    /// Whether two containers have a child in common, among the first few.
    private func resemble(_ left: Int, _ right: Int) -> Bool {
        guard old.firstByte(left) == new.firstByte(right), old.isContainer(left) else { return false }
        let isArray = old.isArray(left)
        var ours = Set<UInt64>()
        for child in old.children(of: JSONNode(left)).prefix(Self.reach) {
            ours.insert(oldHashes[child.index] ^ (isArray ? 0 : oldHashes.key(child.index)))
        }
        return new.children(of: JSONNode(right)).prefix(Self.reach).contains { child in
            ours.contains(newHashes[child.index] ^ (isArray ? 0 : newHashes.key(child.index)))
        }
    }
}
