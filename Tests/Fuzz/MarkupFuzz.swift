/// Any bytes as XML or HTML: the same rows in one go and in portions, each of which can be drawn, folded and left.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMarkup(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 1 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let isHTML = start[0] & 1 == 0
    let whole = MarkupIndex(bytes, isHTML: isHTML)
    var parts = MarkupIndex(isHTML: isHTML)
    for end in ends(of: bytes.count, seed: start[0]) {
        let before = parts.rows
        parts.extend(over: bytes[0..<end], isComplete: false)
        precondition(zip(before, parts.rows).allSatisfy { $0.range == $1.range }, "rows that are there stay")
        checkFolds(parts)
    }
    parts.extend(over: bytes, isComplete: true)
    precondition(parts.rows.elementsEqual(whole.rows), "the same rows in portions")
    precondition(parts.problem == whole.problem, "the same mistake in portions")
    checkFolds(whole)
    let columns = 1 + Int(start[0]) % 60
    for row in whole.rows.indices.prefix(100) {
        let spans = whole.spans(
            row: row, in: bytes, isFolded: row % 2 == 0, skipping: row % 3 * 7, columns: columns,
            matches: [bytes.count / 3..<bytes.count / 2])
        check(spans, columns: columns)
        precondition(whole.parent(of: row).map { $0 < row } ?? true, "a parent comes first")
        precondition(whole.row(at: whole.rows[row].range.lowerBound) == row, "a row is found at its first byte")
    }
    return 0
}

private func checkFolds(_ index: MarkupIndex) {
    var end = 0
    for row in index.rows.indices {
        let range = index.rows[row].range
        precondition(range.lowerBound >= end && !range.isEmpty, "rows are in order")
        end = range.upperBound
        let hidden = index.foldable(row)
        precondition(hidden.lowerBound >= row && hidden.upperBound <= index.rows.count, "what is hidden is there")
    }
}
