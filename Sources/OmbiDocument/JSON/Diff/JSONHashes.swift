/// A number for each value of a document: equal for values that say the same, and as good as never for others. White
/// space, the order of members and the way in which strings are escaped do not matter; numbers are compared as sent.
struct JSONHashes {
    private let document: JSONDocument
    private let seed: UInt64
    /// One for each entry of the tape.
    private var hashes: [UInt64] = []

    /// - Parameter seed: The same for documents that are compared; unforeseeable, so that no body can be made to look
    ///   like another one.
    /// - Returns: nil when it was cancelled.
    init?(_ document: JSONDocument, seed: UInt64, isCancelled: () -> Bool) {
        self.document = document
        self.seed = seed
        var hashes = [UInt64](repeating: 0, count: document.count)
        // Backwards, children come before their containers.
        for index in stride(from: document.count - 1, through: 0, by: -1) where !document.isEnd(index) {
            if index & 0xFFFF == 0, isCancelled() { return nil }
            hashes[index] = document.isScalar(index) ? scalar(index) : container(index, hashes)
        }
        self.hashes = hashes
    }

    @inline(__always) subscript(index: Int) -> UInt64 { hashes[index] }

    /// The hash of a member's key.
    func key(_ index: Int) -> UInt64 {
        if document.hasEscapedKeys { return document.decodedKey(index).withUnsafeBufferPointer(text) }
        guard let key = document.keyBytes(of: JSONNode(index)) else { return 0 }
        return text(document.bytes(in: key.lowerBound + 1..<key.upperBound - 1))
    }

    private func scalar(_ index: Int) -> UInt64 {
        let range = document.range(of: JSONNode(index))
        guard document.firstByte(index) == 0x22 else { return Self.mix(text(document.bytes(in: range)), 1) }
        if document.hasEscapes(index) {
            var decoder = JSONStringDecoder(document.bytes(in: range), replacesSurrogates: false)
            return Self.mix(decoder.decode().withUnsafeBufferPointer(text), 2)
        }
        return Self.mix(text(document.bytes(in: range.lowerBound + 1..<range.upperBound - 1)), 2)
    }

    private func container(_ index: Int, _ hashes: [UInt64]) -> UInt64 {
        let isArray = document.isArray(index)
        var hash: UInt64 = isArray ? 3 : 4
        var count: UInt64 = 0
        var child = document.firstChild(index)
        while let current = child {
            // A sum does not depend on the order of members.
            hash = isArray ? Self.mix(hash, hashes[current]) : hash &+ Self.mix(key(current), hashes[current])
            count += 1
            child = document.value(document.after(current))
        }
        return Self.mix(hash ^ seed, count)
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        guard let base = bytes.baseAddress else { return Self.mix(hash, 0) }
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = Self.mix(hash, ByteScan.word(base, offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(base[offset])
            offset += 1
        }
        return Self.mix(hash, rest)
    }

    @inline(__always) private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ left &* 3
    }
}
