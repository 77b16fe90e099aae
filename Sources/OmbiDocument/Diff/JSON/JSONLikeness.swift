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
