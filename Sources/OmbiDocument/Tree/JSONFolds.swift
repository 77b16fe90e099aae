/// The folded containers: all from a level on or none, and those that were toggled since.
struct JSONFolds: Sendable, Equatable {
    /// The depth from which on containers are folded.
    private(set) var level: Int?
    private var toggled: Set<UInt32> = []

    init(level: Int? = nil) { self.level = level.map { max(0, $0) } }

    @inline(__always) func isFolded(_ index: Int, depth: Int) -> Bool {
        let isFoldedByLevel = level.map { depth >= $0 } ?? false
        return toggled.isEmpty
            ? isFoldedByLevel : isFoldedByLevel != toggled.contains(UInt32(truncatingIfNeeded: index))
    }

    mutating func toggle(_ index: Int) {
        let index = UInt32(truncatingIfNeeded: index)
        if toggled.remove(index) == nil { toggled.insert(index) }
    }
}
