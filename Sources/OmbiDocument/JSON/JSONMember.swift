/// A member of an object, whose key can be compared without being decoded.
package struct JSONMember {
    package let value: JSONNode
    package let kind: JSONKind
    /// The range of the key, quotes included.
    package let keyRange: Range<Int>
    /// True for a key with an escape, which is longer than its text.
    package let hasEscapes: Bool
    /// With its quotes.
    private let literal: UnsafeBufferPointer<UInt8>

    fileprivate init(value: JSONNode, in document: JSONDocument) {
        self.value = value
        kind = document.kind(of: value)
        keyRange = document.keyBytes(of: value) ?? 0..<0
        literal = document.bytes(in: keyRange)
        hasEscapes = document.hasEscapedKeys && literal.contains(0x5C)
    }

    /// The decoded key. The document has to be alive.
    package var key: String { JSONText(decoding: literal).string }

    /// Compares the key byte by byte. The document has to be alive.
    package func hasKey(_ name: String) -> Bool {
        if hasEscapes { return key.utf8.elementsEqual(name.utf8) }
        guard literal.count == name.utf8.count + 2 else { return false }
        let isEqual = name.utf8.withContiguousStorageIfAvailable { bytes in
            var index = 0
            while index < bytes.count, literal[index + 1] == bytes[index] { index += 1 }
            return index == bytes.count
        }
        return isEqual ?? literal.dropFirst().dropLast().elementsEqual(name.utf8)
    }
}

extension JSONDocument {
    /// Returns the members of an object, in order; none for any other value. Their keys are not copied: use them only while
    /// this document is alive.
    package func members(of node: JSONNode) -> [JSONMember] {
        guard kind(of: node) == .object else { return [] }
        var members: [JSONMember] = []
        members.reserveCapacity(childCount(of: node))
        var next = firstChild(node.index)
        while let index = next {
            members.append(JSONMember(value: JSONNode(index), in: self))
            next = value(after(index))
        }
        return members
    }
}
