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
    /// A bit for each key: most lookups are for absent keys, and end without a comparison.
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
        let beginning = ByteScan.leadingWord(of: key)
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
    package func positions(besides keys: JSONKeys) -> [Int] {
        var next = 0
        return all.indices.filter { index in
            guard let position = keys.position(of: all[index], from: next) else { return true }
            next = position + 1
            return false
        }
    }
}

/// The keys of a type of object, prepared to be recognised in thousands of objects.
package final class JSONKeys: Sendable {
    package let names: [String]
    private let starts: [Start]

    private struct Start: Sendable {
        let beginning: UInt64
        let length: Int
    }

    package init(_ names: [String]) {
        self.names = names
        starts = names.map { Start(beginning: ByteScan.leadingWord(of: $0), length: $0.utf8.count) }
    }

    /// Returns the position of a member's key among these; nil for any other key.
    /// - Parameter start: The position to try first: most files have their keys in one order.
    package func position(of member: JSONMember, from start: Int) -> Int? {
        if member.hasEscapes { return names.firstIndex(where: member.hasKey) }
        var position = start
        for _ in starts.indices {
            if position >= starts.count { position = 0 }
            let key = starts[position]
            if key.beginning == member.beginning, key.length == member.length,
                key.length <= 8 || member.hasKey(names[position])
            {
                return position
            }
            position += 1
        }
        return nil
    }
}

extension JSONDocument {
    /// Returns the members of an object; none for any other value.
    package func members(of node: JSONNode) -> ObjectMembers {
        kind(of: node) == .object ? members(ofObject: node) : ObjectMembers([])
    }

    /// Returns the members of a node known to be an object of this document.
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

/// A duplicate key of an object.
package struct JSONDuplicateKey: Sendable {
    /// The member that repeats it.
    package let node: JSONNode
    /// The object that has both.
    package let object: JSONNode
    package let error: JSONSyntaxError
}

extension JSONDocument {
    /// The members that repeat the key of an earlier member of the same object, in document order. Keys are compared
    /// byte by byte: a composed and a decomposed `é` are two.
    package var duplicateKeys: [JSONDuplicateKey] { duplicateKeys(inPart: 0, of: 1) }

    /// The duplicate keys of the objects that begin in one of equal parts of the document, for threads that look at one each.
    package func duplicateKeys(inPart part: Int, of parts: Int) -> [JSONDuplicateKey] {
        var pairs: [Pair] = []
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.fewMembers) { beginnings in
            for index in count * part / parts..<count * (part + 1) / parts
            where !isScalar(index) && !isEnd(index) && firstByte(index) == UInt8(ascii: "{")
                && mayHaveDuplicates(index, beginnings)
            {
                appendDuplicates(of: index, to: &pairs)
            }
        }
        guard !pairs.isEmpty else { return [] }
        // In ascending order, as a locator counts on from the last offset.
        var locator = TextLocator(bytes)
        let places = pairs.flatMap { [$0.first, $0.again] }.sorted()
        let positions = Dictionary(
            places.map { ($0, locator.position(of: start($0))) }, uniquingKeysWith: { first, _ in first })
        return pairs.sorted { $0.again < $1.again }.compactMap { pair in
            guard let first = positions[pair.first], let again = positions[pair.again] else { return nil }
            let key = key(of: JSONNode(pair.again)).map { JSONValue.quoted($0.string) } ?? ""
            let error = JSONSyntaxError(
                offset: start(pair.again), position: again,
                reason: "the key \(key) is given twice in this object, first on line \(first.line)")
            return JSONDuplicateKey(node: JSONNode(pair.again), object: JSONNode(pair.object), error: error)
        }
    }

    /// Two members of an object with one key.
    private struct Pair {
        let object: Int
        let first: Int
        let again: Int
    }

    /// Up to here, comparing every key with those before it is faster than a dictionary.
    private static var fewMembers: Int { 16 }

    /// Returns false for an object of few members whose keys all begin differently, as almost every object's do.
    /// - Parameter beginnings: room for `fewMembers`.
    private func mayHaveDuplicates(_ object: Int, _ beginnings: UnsafeMutableBufferPointer<UInt64>) -> Bool {
        if hasEscapedKeys { return true }
        var (seen, number): (UInt64, Int) = (0, 0)
        var isSuspect = false
        forEachMember(of: object) { _, key in
            let beginning = ByteScan.beginning(bytes(in: key.lowerBound + 1..<key.upperBound))
            let bit = ByteScan.bit(of: beginning)
            isSuspect = number == beginnings.count || seen & bit != 0 && beginnings[..<number].contains(beginning)
            if isSuspect { return false }
            seen |= bit
            beginnings[number] = beginning
            number += 1
            return true
        }
        return isSuspect
    }

    private func appendDuplicates(of object: Int, to pairs: inout [Pair]) {
        let members = members(ofObject: JSONNode(object)).all
        if members.count > Self.fewMembers {
            var seen: [[UInt8]: Int] = [:]
            for member in members {
                let (index, key) = (member.value.index, decodedKey(member.value.index))
                guard let first = seen[key] else {
                    seen[key] = index
                    continue
                }
                pairs.append(Pair(object: object, first: first, again: index))
            }
            return
        }
        for (position, again) in members.enumerated() {
            guard let first = members[..<position].first(where: { haveEqualKeys($0, again) }) else { continue }
            pairs.append(Pair(object: object, first: first.value.index, again: again.value.index))
        }
    }

    private func haveEqualKeys(_ left: JSONMember, _ right: JSONMember) -> Bool {
        if hasEscapedKeys { return decodedKey(left.value.index) == decodedKey(right.value.index) }
        return bytes(in: left.keyRange).elementsEqual(bytes(in: right.keyRange))
    }
}
