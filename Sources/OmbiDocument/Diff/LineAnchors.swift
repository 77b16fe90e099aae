/// The lines that occur once in both texts, in the same order: the parts that did not move.
enum LineAnchors {
    static func find(_ old: [Int32], _ new: [Int32], in range: LineChange) -> [LineChange] {
        let most = max(old.max() ?? 0, new.max() ?? 0)
        let oldLines = uniqueLines(of: old, range.old, most)
        let newLines = uniqueLines(of: new, range.new, most)
        var pairs: [(old: Int, new: Int)] = []
        for line in range.old {
            let number = Int(old[line])
            if oldLines[number] == line, newLines[number] >= 0 { pairs.append((line, newLines[number])) }
        }
        return longestIncreasing(pairs).map { LineChange(old: $0.old..<$0.old + 1, new: $0.new..<$0.new + 1) }
    }

    /// Returns the line of each number; -1 for numbers that do not occur, -2 for those that occur more than once.
    private static func uniqueLines(of lines: [Int32], _ range: Range<Int>, _ most: Int32) -> [Int] {
        var uniqueLines = [Int](repeating: -1, count: Int(most) + 1)
        for line in range {
            let number = Int(lines[line])
            uniqueLines[number] = uniqueLines[number] == -1 ? line : -2
        }
        return uniqueLines
    }

    /// Returns the longest list of pairs in which both sides increase (patience sorting).
    private static func longestIncreasing(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        var tops: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for index in pairs.indices {
            let pile = tops.partitioningIndex { pairs[$0].new > pairs[index].new }
            if pile > 0 { previous[index] = tops[pile - 1] }
            if pile == tops.count { tops.append(index) } else { tops[pile] = index }
        }
        var chain: [(old: Int, new: Int)] = []
        var next = tops.last ?? -1
        while next >= 0 {
            chain.append(pairs[next])
            next = previous[next]
        }
        return chain.reversed()
    }
}
