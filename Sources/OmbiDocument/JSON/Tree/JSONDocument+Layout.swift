/// How values are laid out in lines.
extension JSONDocument {
    /// The longest line of an array of scalars, in bytes.
    private static let longestLine = 60

    @inline(__always) func isContainer(_ index: Int) -> Bool { !isScalar(index) && !isEnd(index) }

    /// Whether the value at `index` takes one line however much room there is: scalars, empty containers, and short
    /// arrays of scalars.
    @inline(__always) func isOneLine(_ index: Int) -> Bool {
        if isOpen(index) { return false }
        let link = link(index)
        if link & JSONTape.scalarBit != 0 { return true }
        let inner = Int(link) - index - 2
        if inner == 0 { return true }
        // Each element takes a byte and what is around it.
        return inner <= Self.longestLine / 3 && isArray(index) && isShortArray(index, inner)
    }

    private func isShortArray(_ index: Int, _ count: Int) -> Bool {
        var length = 2 * count
        for element in index + 1...index + count {
            let link = link(element)
            guard link & JSONTape.scalarBit != 0 else { return false }
            length += Int(link & JSONTape.maximumLength)
            if length > Self.longestLine { return false }
        }
        return true
    }

    /// Whether it is still to be seen if the container at `index` fits in a line.
    func mayBecomeOneLine(_ index: Int) -> Bool {
        guard !isFinished, error == nil, isOpen(index) else { return false }
        return count - index - 1 <= (isArray(index) ? Self.longestLine / 3 : 0)
    }

    /// Whether `node` begins a line that others belong to.
    func isSpread(_ index: Int) -> Bool { isContainer(index) && !isOneLine(index) }

    /// The key of the member at `index` and the colon, or nothing: where its row begins.
    func start(_ index: Int) -> Int { keyBytes(of: JSONNode(index))?.lowerBound ?? offset(index) }
}
