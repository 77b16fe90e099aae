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
    guard let changes = JSONDiff.changes(from: documents[0], to: documents[1]),
        let none = JSONDiff.changes(from: documents[0], to: documents[0])
    else { preconditionFailure("nobody cancelled it") }
    precondition(none.isEmpty, "a document is like itself")
    let trees = documents.map { document in
        var tree = JSONTree(document, columns: 80)
        while !tree.extend(limit: 100_000) {}
        return tree
    }
    var text = DiffText(old: "old", new: "new", context: Int(start[0]) % 5, limit: 100_000)
    precondition(text.add(from: trees[0], to: trees[1]), "nobody cancelled it")
    precondition(text.isSame == changes.isEmpty, "what differs is shown")
    precondition(text.positions.allSatisfy { $0 < text.bytes.count }, "every difference begins in the text")
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
