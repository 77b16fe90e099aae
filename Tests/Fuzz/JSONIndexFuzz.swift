/// Any bytes, in one piece and in two: the index must say the same of both, and every node must be where it says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSONIndex(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let roots: JSONRoots = start[0] & 1 == 0 ? .one : .many
    let whole = JSONIndex.document(bytes, roots: roots)
    let index = JSONIndex(roots: roots)
    let early = index.append(bytes[0..<(count - 1) * Int(start[0] >> 1) / 127])
    walk(early)
    _ = index.append(bytes)
    let split = index.finish()
    precondition(split.entryCount == whole.entryCount, "as many values in two pieces as in one")
    precondition(split.error?.offset == whole.error?.offset, "the same mistake in two pieces as in one")
    walk(whole)
    return 0
}

private func walk(_ document: JSONDocument) {
    var node = document.firstRoot
    var line: [UInt8] = []
    var steps = 0
    while let current = node, steps < 2_000 {
        steps += 1
        let range = document.range(of: current)
        precondition(range.upperBound <= document.byteCount && !range.isEmpty, "a value is in the body")
        precondition(document.node(atByte: range.lowerBound) == current, "a value is found at its first byte")
        if let key = document.keyBytes(of: current) {
            precondition(key.upperBound < range.lowerBound && key.count >= 2, "a key comes before its value")
        }
        if let child = document.firstChild(of: current) {
            precondition(document.parent(of: child) == current, "a child knows its container")
        }
        _ = (document.text(of: current), document.key(of: current), document.path(of: current))
        line.removeAll(keepingCapacity: true)
        document.appendLine(of: current, to: &line)
        node = document.next(after: current)
        if let node { precondition(document.previous(before: node) == current, "back is the way it came") }
    }
}
