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
