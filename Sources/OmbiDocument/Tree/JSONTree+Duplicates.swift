extension JSONTree {
    /// The number of siblings compared on each side, so that a page of an object with a million members is not slow.
    private static let reach = 128

    /// Returns true if another member of the object has the same key, among the nearest 128 on each side.
    public func hasDuplicateKey(_ node: JSONNode) -> Bool {
        guard let key = document.keyBytes(of: node) else { return false }
        var forward: Int? = node.index
        var backward: Int? = node.index
        for _ in 0..<Self.reach {
            forward = forward.flatMap { document.value(document.after($0)) }
            backward = backward.flatMap { document.previousSibling($0) }
            if forward == nil, backward == nil { return false }
            if let forward, isSame(key, forward) { return true }
            if let backward, isSame(key, backward) { return true }
        }
        return false
    }

    private func isSame(_ key: ByteRange, _ other: Int) -> Bool {
        if !document.hasEscapedKeys {
            let name = document.bytes(in: key).unquoted
            return document.hasKey(other, name, needsEscape: false)
        }
        var decoder = JSONStringDecoder(document.bytes(in: key), replacesSurrogates: false)
        return decoder.decode() == document.decodedKey(other)
    }
}
