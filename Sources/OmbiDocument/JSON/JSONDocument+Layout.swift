/// The layout of values in lines.
extension JSONDocument {
    /// The maximum length of an array of scalars on one line, in bytes.
    private static let maximumLineLength = 60

    @inline(__always) func isContainer(_ index: Int) -> Bool { !isScalar(index) && !isEnd(index) }

    /// Returns true for values that take one line at any width: scalars, empty containers, and short arrays of scalars.
    @inline(__always) func isOneLine(_ index: Int) -> Bool {
        if isOpen(index) { return false }
        let link = link(index)
        if link & JSONTape.scalarBit != 0 { return true }
        let inner = Int(link) - index - 2
        if inner == 0 { return true }
        // Each element takes at least one byte, and two for its separator.
        return inner <= Self.maximumLineLength / 3 && isArray(index) && isShortArray(index, inner)
    }

    private func isShortArray(_ index: Int, _ count: Int) -> Bool {
        var length = 2 * count
        for element in index + 1...index + count {
            let link = link(element)
            guard link & JSONTape.scalarBit != 0 else { return false }
            length += Int(link & JSONTape.maximumLength)
            if length > Self.maximumLineLength { return false }
        }
        return true
    }

    /// Returns true while the container at `index` may still turn out to fit on one line.
    func mayBecomeOneLine(_ index: Int) -> Bool {
        guard !isFinished, error == nil, isOpen(index) else { return false }
        return count - index - 1 <= (isArray(index) ? Self.maximumLineLength / 3 : 0)
    }

    /// Returns true for a container on several lines.
    func isSpread(_ index: Int) -> Bool { isContainer(index) && !isOneLine(index) }

    /// Returns the start of the row of a value: its key if it has one, or else the value.
    func start(_ index: Int) -> Int { keyBytes(of: JSONNode(index))?.lowerBound ?? offset(index) }
}
