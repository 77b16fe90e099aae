/// A member of an object, whose key can be compared without being decoded.
package struct JSONMember {
    package let value: JSONNode
    package let kind: JSONKind
    /// True for a key with an escape, which is longer than its text.
    fileprivate let hasEscapes: Bool
    /// The offset of the key's first quote.
    private let start: Int
    /// With its quotes.
    private let literal: UnsafeBufferPointer<UInt8>
    fileprivate let beginning: UInt64

    // Borrowed, as one copy for each key counts the references to the whole document, for all threads.
    fileprivate init(_ index: Int, key: Range<Int>, in document: borrowing JSONDocument) {
        value = JSONNode(index)
        kind = JSONKind(firstByte: document.firstByte(index))
        start = key.lowerBound
        literal = document.bytes(in: key)
        hasEscapes = document.hasEscapedKeys && literal.contains(0x5C)
        beginning = ByteScan.beginning(literal.unquoted)
    }

    /// The range of the key, quotes included.
    package var keyRange: Range<Int> { start..<start + literal.count }

    /// The decoded key. The document has to be alive.
    package var key: String { JSONText(decoding: literal).string }

    /// The number of bytes in the key, without its quotes.
    @inline(__always)
    fileprivate var length: Int { literal.count - 2 }

    fileprivate func hasKey(_ name: String) -> Bool {
        if hasEscapes { return key.utf8.elementsEqual(name.utf8) }
        let isEqual = name.utf8.withContiguousStorageIfAvailable { name in
            guard name.count == length, ByteScan.beginning(name) == beginning else { return false }
            var index = 8
            while index < name.count, literal[index + 1] == name[index] { index += 1 }
            return index >= name.count
        }
        return isEqual ?? literal.unquoted.elementsEqual(name.utf8)
    }
}

/// The members of an object, in order. Their keys are not copied: use them only while the document is alive.
package struct ObjectMembers {
    package let all: [JSONMember]
    /// A bit for each key: most keys that are asked for are absent, and are found to be so without a comparison.
    private let bits: UInt64

    fileprivate init(_ members: [JSONMember]) {
        all = members
        bits = members.reduce(0) { $0 | ($1.hasEscapes ? .max : ByteScan.bit(of: $1.beginning)) }
    }

    /// Returns the first member with a key, which is compared byte by byte.
    package subscript(_ key: String) -> JSONMember? { position(of: key).map { all[$0] } }

    @inline(__always)
    private func position(of key: String) -> Int? {
        let length = key.utf8.count
        let beginning =
            key.utf8.withContiguousStorageIfAvailable(ByteScan.beginning)
            ?? Array(key.utf8).withUnsafeBufferPointer(ByteScan.beginning)
        guard bits & ByteScan.bit(of: beginning) != 0 else { return nil }
        for position in all.indices {
            let member = all[position]
            let isFound =
                member.hasEscapes
                ? member.hasKey(key)
                : member.length == length && member.beginning == beginning && (length <= 8 || member.hasKey(key))
            if isFound { return position }
        }
        return nil
    }

    /// Returns the positions of the members with other keys than these.
    package func positions(besides keys: [String]) -> [Int] {
        // Most objects have none: each member is the one that is found under a key.
        var (found, left): (UInt64, Int) = (0, all.count)
        for key in keys where left > 0 {
            guard let position = position(of: key), position < UInt64.bitWidth, found & 1 << position == 0 else {
                continue
            }
            found |= 1 << position
            left -= 1
        }
        if left == 0 { return [] }
        return all.indices.filter { index in
            let member = all[index]
            return !keys.contains { key in
                (member.length == key.utf8.count || member.hasEscapes) && member.hasKey(key)
            }
        }
    }
}

extension JSONDocument {
    /// Returns the members of an object; none for any other value.
    package func members(of node: JSONNode) -> ObjectMembers {
        kind(of: node) == .object ? members(ofObject: node) : ObjectMembers([])
    }

    /// Returns the members of a node that is known to be an object of this document.
    package func members(ofObject node: JSONNode) -> ObjectMembers {
        var members: [JSONMember] = []
        // Room for the members of most objects at once.
        members.reserveCapacity(8)
        forEachMember(of: node.index) { index, key in
            members.append(JSONMember(index, key: key, in: self))
            return true
        }
        return ObjectMembers(members)
    }
}
