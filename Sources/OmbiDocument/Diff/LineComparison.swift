/// Compares the ranges of two texts between equal lines, and collects the differences.
struct LineComparison {
    let old: [Int32]
    let new: [Int32]
    private(set) var changes: [LineChange] = []

    /// The maximum number of edits in a range. With more, all of it counts as changed: nobody reads such a list, and
    /// finding it takes quadratic time.
    private static let maximumEdits = 2048
    /// The steps left for all ranges. When none is left, up to `leastEdits` edits are still searched for.
    private var steps = 1 << 26
    private static let leastEdits = 32

    init(old: [Int32], new: [Int32]) {
        self.old = old
        self.new = new
    }

    /// Returns a range without the equal lines at its start and its end.
    func trimmed(_ range: LineChange) -> LineChange {
        var (oldStart, newStart) = (range.old.lowerBound, range.new.lowerBound)
        var (oldEnd, newEnd) = (range.old.upperBound, range.new.upperBound)
        while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
            oldStart += 1
            newStart += 1
        }
        while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        return LineChange(old: oldStart..<oldEnd, new: newStart..<newEnd)
    }

    mutating func compare(_ range: LineChange) {
        let range = trimmed(range)
        if range.old.isEmpty && range.new.isEmpty { return }
        if range.old.isEmpty || range.new.isEmpty { return add(range) }
        guard let trace = trace(range) else { return add(range) }
        walkBack(trace, range)
    }

    /// Adds a change, joined with the one before it when no line lies between.
    private mutating func add(_ change: LineChange) {
        if let last = changes.last, last.old.upperBound == change.old.lowerBound,
            last.new.upperBound == change.new.lowerBound
        {
            changes[changes.count - 1] = LineChange(
                old: last.old.lowerBound..<change.old.upperBound, new: last.new.lowerBound..<change.new.upperBound)
        } else {
            changes.append(change)
        }
    }

    /// Returns how far each diagonal gets with each number of edits (Myers 1986, figure 2); nil if there are too many.
    private mutating func trace(_ range: LineChange) -> [[Int32]]? {
        let (oldCount, newCount) = (range.old.count, range.new.count)
        let most = min(Self.maximumEdits, oldCount + newCount)
        var reached = [Int32](repeating: 0, count: 2 * most + 3)
        var trace: [[Int32]] = []
        for edits in 0...most where edits <= Self.leastEdits || steps > 0 {
            steps -= edits
            trace.append(Array(reached[(most + 1 - edits)...(most + 1 + edits)]))
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let position = diagonal + most + 1
                let goesDown = diagonal == -edits || diagonal != edits && reached[position - 1] < reached[position + 1]
                let start = Int(goesDown ? reached[position + 1] : reached[position - 1] + 1)
                var x = start
                while x < oldCount, x - diagonal < newCount, x - diagonal >= 0,
                    old[range.old.lowerBound + x] == new[range.new.lowerBound + x - diagonal]
                {
                    x += 1
                }
                steps -= x - start
                reached[position] = Int32(x)
                if x >= oldCount, x - diagonal >= newCount { return trace }
            }
        }
        return nil
    }

    /// Walks from the end of a range back to its start, along the edits that led there, and adds them.
    private mutating func walkBack(_ trace: [[Int32]], _ range: LineChange) {
        var edits: [LineChange] = []
        var (x, y) = (range.old.count, range.new.count)
        for count in stride(from: trace.count - 1, to: 0, by: -1) {
            let reached = trace[count]
            let diagonal = x - y
            func at(_ diagonal: Int) -> Int {
                let index = diagonal + count
                return reached.indices.contains(index) ? Int(reached[index]) : 0
            }
            let goesDown = diagonal == -count || diagonal != count && at(diagonal - 1) < at(diagonal + 1)
            let fromDiagonal = goesDown ? diagonal + 1 : diagonal - 1
            let fromX = at(fromDiagonal)
            let fromY = fromX - fromDiagonal
            let (oldStart, newStart) = (range.old.lowerBound + fromX, range.new.lowerBound + fromY)
            edits.append(
                LineChange(
                    old: oldStart..<(goesDown ? oldStart : oldStart + 1),
                    new: newStart..<(goesDown ? newStart + 1 : newStart)))
            (x, y) = (fromX, fromY)
        }
        for edit in edits.reversed() { add(edit) }
    }
}
