/// A hash for each value of a document: equal for equal values, and practically never for others. White space, the
/// order of members and the escapes of strings do not matter; numbers are compared by their values.
struct JSONHashes {
    private let document: JSONDocument
    private let text: ByteHash
    let ignored: JSONIgnored
    /// One for each entry of the tape.
    private var hashes: [UInt64] = []

    /// - Parameter text: The same for documents that are compared.
    /// - Returns: nil when cancelled.
    init?(_ document: JSONDocument, text: ByteHash, ignoring paths: [JSONPath] = [], isCancelled: () -> Bool) {
        guard let ignored = JSONIgnored(paths, in: document, isCancelled: isCancelled) else { return nil }
        self.document = document
        self.text = text
        self.ignored = ignored
        var hashes = [UInt64](repeating: 0, count: document.count)
        // Backwards, children come before their containers.
        for index in stride(from: document.count - 1, through: 0, by: -1) where !document.isEnd(index) {
            if index & 0xFFFF == 0, isCancelled() { return nil }
            hashes[index] = document.isScalar(index) ? scalar(index) : container(index, hashes)
        }
        self.hashes = hashes
    }

    @inline(__always) subscript(index: Int) -> UInt64 { hashes[index] }

    /// Returns the hash of a member's key.
    func key(_ index: Int) -> UInt64 {
        if document.hasEscapedKeys { return document.decodedKey(index).withUnsafeBufferPointer { text($0) } }
        guard let key = document.keyBytes(of: JSONNode(index)) else { return 0 }
        return text(document.bytes(in: key.lowerBound + 1..<key.upperBound - 1))
    }

    private func scalar(_ index: Int) -> UInt64 {
        let range = document.range(of: JSONNode(index))
        guard document.firstByte(index) == 0x22 else {
            let bytes = document.bytes(in: range)
            guard document.kind(of: JSONNode(index)) == .number, let value = JSONNumberOrder.canonical(bytes) else {
                return ByteHash.mix(text(bytes), 1)
            }
            return ByteHash.mix(value.withUnsafeBufferPointer { text($0) }, 1)
        }
        if document.hasEscapes(index) {
            var decoder = JSONStringDecoder(document.bytes(in: range), replacesSurrogates: false)
            return ByteHash.mix(decoder.decode().withUnsafeBufferPointer { text($0) }, 2)
        }
        return ByteHash.mix(text(document.bytes(in: range.lowerBound + 1..<range.upperBound - 1)), 2)
    }

    private func container(_ index: Int, _ hashes: [UInt64]) -> UInt64 {
        let isArray = document.isArray(index)
        var hash: UInt64 = isArray ? 3 : 4
        var count: UInt64 = 0
        var child = document.firstChild(index)
        while let current = child {
            child = document.value(document.after(current))
            if ignored[current] { continue }
            // A sum does not depend on the order of members.
            hash = isArray ? ByteHash.mix(hash, hashes[current]) : hash &+ ByteHash.mix(key(current), hashes[current])
            count += 1
        }
        return ByteHash.mix(hash ^ text.seed, count)
    }
}
