/// Two bodies: the changes by lines turn one into the other, and the changes of JSON can be shown.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDiff(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 1 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let middle = input.count * Int(start[0]) / 255
    let (old, new) = (Bytes(input[..<middle]), Bytes(input[middle...]))
    lines(old, new)
    lines(old, Bytes(input[(middle / 2)...]))
    let documents = [old, new].map { JSONIndex.document($0, roots: .many) }
    let columns = 1 + Int(start[0]) % 80
    guard let changes = JSONDiff.changes(from: documents[0], to: documents[1]),
        let none = JSONDiff.changes(from: documents[0], to: documents[0])
    else { preconditionFailure("nobody cancelled it") }
    precondition(none.isEmpty, "a document is like itself")
    let rows = JSONDiffRows(old: documents[0], new: documents[1], changes: changes, columns: columns, limit: 300)
    for row in rows.rows { check(rows.spans(of: row, columns: columns), columns: columns) }
    return 0
}

private func lines(_ old: Bytes, _ new: Bytes) {
    guard let changes = LineDiff.changes(from: old, to: new) else { preconditionFailure("nobody cancelled it") }
    let (left, right) = (texts(old), texts(new))
    var made: [[UInt8]] = []
    var next = 0
    for change in changes {
        precondition(change.old.lowerBound >= next && change.old.upperBound <= left.count, "changes are in order")
        made += left[next..<change.old.lowerBound]
        precondition(made.count == change.new.lowerBound, "what lies between them is the same")
        made += right[change.new]
        next = change.old.upperBound
    }
    made += left[next...]
    precondition(made == right, "the changes make the new text")
}

private func texts(_ bytes: Bytes) -> [[UInt8]] {
    let lines = LineIndex(bytes)
    guard !bytes.isEmpty else { return [] }
    return (0..<lines.lineCount(in: bytes)).map { bytes.array(lines.range(of: $0, in: bytes) ?? 0..<0) }
}
