/// A duplicate key of an object.
public struct JSONDuplicateKey: Sendable {
    /// The member that repeats it.
    public let node: JSONNode
    /// The object that has both.
    public let object: JSONNode
    public let error: JSONSyntaxError
}

extension JSONDocument {
    /// The members that repeat the key of an earlier member of the same object, in document order. Keys are compared
    /// byte by byte: a composed and a decomposed `é` are two.
    public var duplicateKeys: [JSONDuplicateKey] { duplicateKeys(inPart: 0, of: 1) }

    /// The duplicate keys of the objects that begin in one of equal parts of the document, for threads that look at one each.
    package func duplicateKeys(inPart part: Int, of parts: Int) -> [JSONDuplicateKey] {
        var pairs: [Pair] = []
        // One array for all objects.
        var members: [Member] = []
        for index in count * part / parts..<count * (part + 1) / parts
        where !isScalar(index) && !isEnd(index) && firstByte(index) == UInt8(ascii: "{") {
            appendDuplicates(of: index, to: &pairs, &members)
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
        of object: Int, to pairs: inout [Pair], _ members: inout [Member]
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
                guard let first = seen[key] else {
                    seen[key] = member.index
                    continue
                }
                pairs.append(Pair(object: object, first: first, again: member.index))
            }
            return
        }
        for (position, again) in members.enumerated() where again.mayRepeat {
            var first = 0
            while first < position, !haveEqualKeys(members[first], again) { first += 1 }
            guard first < position else { continue }
            pairs.append(Pair(object: object, first: members[first].index, again: again.index))
        }
    }

    private func haveEqualKeys(_ left: Member, _ right: Member) -> Bool {
        if hasEscapedKeys { return decodedKey(left.index) == decodedKey(right.index) }
        guard left.beginning == right.beginning, left.key.count == right.key.count else { return false }
        return bytes.buffer(left.key).elementsEqual(bytes.buffer(right.key))
    }
}
