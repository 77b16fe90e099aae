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

    /// Pairs elements with their replacements: all in order if their numbers are equal, otherwise those with a common
    /// part.
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

/// A hash for each value of a document: equal for equal values, and practically never for others. White space, the
/// order of members and the escapes of strings do not matter; numbers are compared by their values.
struct JSONHashes {
    private let document: JSONDocument
    private let text: ByteHash
    let ignored: JSONIgnored
    /// One for each entry of the tape.
    private var hashes: [UInt64] = []

    /// - Parameter text: The same for documents that are compared.
    /// - Returns: nil when cancelled.
    init?(_ document: JSONDocument, text: ByteHash, ignoring paths: [JSONPath] = [], isCancelled: () -> Bool) {
        guard let ignored = JSONIgnored(paths, in: document, isCancelled: isCancelled) else { return nil }
        self.document = document
        self.text = text
        self.ignored = ignored
        var hashes = [UInt64](repeating: 0, count: document.count)
        // Backwards, children come before their containers.
        for index in stride(from: document.count - 1, through: 0, by: -1) where !document.isEnd(index) {
            if index & 0xFFFF == 0, isCancelled() { return nil }
            hashes[index] = document.isScalar(index) ? scalar(index) : container(index, hashes)
        }
        self.hashes = hashes
    }

    @inline(__always) subscript(index: Int) -> UInt64 { hashes[index] }

    /// Returns the hash of a member's key.
    func key(_ index: Int) -> UInt64 {
        if document.hasEscapedKeys { return document.decodedKey(index).withUnsafeBufferPointer { text($0) } }
        guard let key = document.keyBytes(of: JSONNode(index)) else { return 0 }
        return text(document.bytes(in: key.lowerBound + 1..<key.upperBound - 1))
    }

    private func scalar(_ index: Int) -> UInt64 {
        let range = document.range(of: JSONNode(index))
        guard document.firstByte(index) == 0x22 else {
            let bytes = document.bytes(in: range)
            guard document.kind(of: JSONNode(index)) == .number, let value = JSONNumberOrder.canonical(bytes) else {
                return ByteHash.mix(text(bytes), 1)
            }
            return ByteHash.mix(value.withUnsafeBufferPointer { text($0) }, 1)
        }
        if document.hasEscapes(index) {
            var decoder = JSONStringDecoder(document.bytes(in: range), replacesSurrogates: false)
            return ByteHash.mix(decoder.decode().withUnsafeBufferPointer { text($0) }, 2)
        }
        return ByteHash.mix(text(document.bytes(in: range.lowerBound + 1..<range.upperBound - 1)), 2)
    }

    private func container(_ index: Int, _ hashes: [UInt64]) -> UInt64 {
        let isArray = document.isArray(index)
        var hash: UInt64 = isArray ? 3 : 4
        var count: UInt64 = 0
        var child = document.firstChild(index)
        while let current = child {
            child = document.value(document.after(current))
            if ignored[current] { continue }
            // A sum does not depend on the order of members.
            hash = isArray ? ByteHash.mix(hash, hashes[current]) : hash &+ ByteHash.mix(key(current), hashes[current])
            count += 1
        }
        return ByteHash.mix(hash ^ text.seed, count)
    }
}

/// The members of two objects, matched by key.
enum JSONMembers {
    /// A member without a partner, and the position in the newer object of the last member before it with one, or -1.
    struct Gone: Comparable {
        var behind: Int
        var position: Int

        static func < (left: Gone, right: Gone) -> Bool {
            (left.behind, left.position) < (right.behind, right.position)
        }
    }

    /// Matches members by key. Duplicate keys are matched in order.
    /// - Parameters: The hashes of the keys.
    /// - Returns: The position of the old member for each new one, and the old members that are left.
    static func match(_ old: [UInt64], _ new: [UInt64]) -> (partners: [Int?], gone: [Gone]) {
        var numbers = HashNumbers()
        // The first position of each key by its number, and for each position the next one of the same key; -1 for none.
        var first: [Int] = []
        var following = [Int](repeating: -1, count: new.count)
        for position in new.indices.reversed() {
            let number = Int(numbers.number(of: new[position]))
            if number == first.count { first.append(-1) }
            following[position] = first[number]
            first[number] = position
        }
        var partners = [Int?](repeating: nil, count: new.count)
        var gone: [Gone] = []
        var last = -1
        for position in old.indices {
            if let number = numbers.find(old[position]).map({ Int($0) }), first[number] >= 0 {
                last = first[number]
                partners[last] = position
                first[number] = following[last]
            } else {
                gone.append(Gone(behind: last, position: position))
            }
        }
        return (partners, gone.sorted())
    }
}

/// Finds elements that resemble others: containers of the same kind that have one of their first children in common.
struct JSONLikeness {
    /// The hashes of the elements' first children, sorted.
    private var marks: [(mark: UInt64, position: Int)] = []

    private static let maximumChildren = 32

    /// Creates an index without elements.
    init() {}

    init(_ elements: ArraySlice<Int>, of document: JSONDocument, _ hashes: JSONHashes) {
        for position in elements.indices {
            Self.forEachMark(of: elements[position], document, hashes) { marks.append(($0, position)) }
        }
        marks.sort { $0 < $1 }
    }

    /// Returns the first position in a range whose element resembles a value of another document.
    func position(of value: Int, of document: JSONDocument, _ hashes: JSONHashes, in range: Range<Int>) -> Int? {
        var result: Int?
        Self.forEachMark(of: value, document, hashes) { mark in
            let next = marks.partitioningIndex { $0 >= (mark, range.lowerBound) }
            guard next < marks.count, marks[next].mark == mark, range.contains(marks[next].position) else { return }
            result = min(result ?? .max, marks[next].position)
        }
        return result
    }

    private static func forEachMark(
        of value: Int, _ document: JSONDocument, _ hashes: JSONHashes, _ body: (UInt64) -> Void
    ) {
        guard document.isContainer(value) else { return }
        let isArray = document.isArray(value)
        for child in document.children(of: JSONNode(value)).prefix(maximumChildren)
        where !hashes.ignored[child.index] {
            body(ByteHash.mix(hashes[child.index], isArray ? 0 : hashes.key(child.index)))
        }
    }
}
