/// A duplicate key of an object.
public struct JSONDuplicateKey: Sendable {
    /// The member that repeats it.
    public let node: JSONNode
    public let error: JSONSyntaxError
}

extension JSONDocument {
    /// The members that repeat the key of an earlier member of the same object, in document order. Keys are compared
    /// byte by byte: a composed and a decomposed `é` are two.
    public var duplicateKeys: [JSONDuplicateKey] { duplicateKeys(inPart: 0, of: 1) }

    /// The duplicate keys of the objects that begin in one of equal parts of the document, for threads that look at one each.
    package func duplicateKeys(inPart part: Int, of parts: Int) -> [JSONDuplicateKey] {
        var pairs: [(first: Int, again: Int)] = []
        // One array for all objects.
        var members: [Member] = []
        for index in count * part / parts..<count * (part + 1) / parts
        where !isScalar(index) && !isEnd(index) && firstByte(index) == UInt8(ascii: "{") {
            appendDuplicates(of: index, to: &pairs, &members)
        }
        guard !pairs.isEmpty else { return [] }
        var locator = TextLocator(bytes)
        return pairs.sorted { $0.again < $1.again }.map { pair in
            let line = locator.position(of: start(pair.first)).line
            let key = key(of: JSONNode(pair.again)).map { JSONValue.quoted($0.string) } ?? ""
            let (offset, reason) = (
                start(pair.again), "the key \(key) is given twice in this object, first on line \(line)"
            )
            let error = JSONSyntaxError(offset: offset, position: locator.position(of: offset), reason: reason)
            return JSONDuplicateKey(node: JSONNode(pair.again), error: error)
        }
    }

    /// Up to here, comparing every key with those before it is faster than a dictionary.
    private static var fewMembers: Int { 16 }

    /// A type of its own: the metadata of a tuple with a range costs a start of the program 240,000 instructions.
    private struct Member {
        let index: Int
        let key: ByteRange
        /// The first bytes of the key.
        let beginning: UInt64
        /// False where no member before has a key that begins like this one.
        let mayRepeat: Bool
    }

    private func appendDuplicates(
        of object: Int, to pairs: inout [(first: Int, again: Int)], _ members: inout [Member]
    ) {
        members.removeAll(keepingCapacity: true)
        var seen: UInt64 = 0
        var next = firstChild(object)
        while let member = next {
            let key = keyBytes(of: JSONNode(member)) ?? 0..<0
            let beginning = ByteScan.beginning(bytes.buffer(key))
            let bit = ByteScan.bit(of: beginning)
            members.append(
                Member(
                    index: member, key: key, beginning: beginning, mayRepeat: hasEscapedKeys || seen & bit != 0))
            seen |= bit
            next = value(after(member))
        }
        if members.count > Self.fewMembers {
            var seen: [[UInt8]: Int] = [:]
            for member in members {
                let key = decodedKey(member.index)
                if let first = seen[key] { pairs.append((first, member.index)) } else { seen[key] = member.index }
            }
            return
        }
        for (position, again) in members.enumerated() where again.mayRepeat {
            var first = 0
            while first < position, !haveEqualKeys(members[first], again) { first += 1 }
            if first < position { pairs.append((members[first].index, again.index)) }
        }
    }

    private func haveEqualKeys(_ left: Member, _ right: Member) -> Bool {
        if hasEscapedKeys { return decodedKey(left.index) == decodedKey(right.index) }
        guard left.beginning == right.beginning, left.key.count == right.key.count else { return false }
        return bytes.buffer(left.key).elementsEqual(bytes.buffer(right.key))
    }
}
