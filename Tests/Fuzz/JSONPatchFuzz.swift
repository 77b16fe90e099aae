/// Two JSON documents with the byte 0x1E between them: patching one into the other gives a text that reads back as the
/// other, and patching nothing gives the text as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSONPatch(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let parts = UnsafeBufferPointer(start: start, count: count).split(separator: 0x1E, maxSplits: 2)
    guard parts.count >= 2 else { return 0 }
    guard let old = try? JSONDocument(checking: Bytes(parts[0])),
        let new = try? JSONDocument(checking: Bytes(parts[1])),
        let oldRoot = old.firstRoot, let newRoot = new.firstRoot
    else { return 0 }
    let (before, after) = (old.value(of: oldRoot), new.value(of: newRoot))
    for keys in [[], ["name", "id"]] {
        let patched = JSONPatch.text(old, from: before, to: after, identifyingKeys: keys)
        check(patched, after)
        precondition(
            JSONPatch.text(old, from: before, to: before, identifyingKeys: keys) == Array(parts[0]), "no change")
    }
    // The text may hold more than the value that is edited.
    if parts.count == 3, let other = try? JSONDocument(checking: Bytes(parts[2])), let root = other.firstRoot {
        let patched = JSONPatch.text(old, from: other.value(of: root), to: after, identifyingKeys: ["name"])
        precondition((try? JSONDocument(checking: Bytes(patched))) != nil, "what is written can be read")
    }
    check(Array(after.text.utf8), after)
    check(Array(after.compact.utf8), after)
    return 0
}

private func check(_ text: [UInt8], _ expected: JSONValue) {
    guard let document = try? JSONDocument(checking: Bytes(text)), let root = document.firstRoot else {
        preconditionFailure("what is written can be read")
    }
    precondition(document.value(of: root) == expected, "what is written reads back as it was")
}
