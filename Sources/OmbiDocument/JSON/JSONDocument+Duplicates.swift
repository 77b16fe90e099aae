/// A duplicate key of an object.
public struct JSONDuplicateKey: Sendable {
    /// The member that repeats it.
    public let node: JSONNode
    public let error: JSONSyntaxError
}

extension JSONDocument {
    /// The members that repeat the key of an earlier member of the same object, in document order. Keys are compared
    /// byte by byte: a composed and a decomposed `é` are two.
    public var duplicateKeys: [JSONDuplicateKey] {
        var pairs: [(first: Int, again: Int)] = []
        for index in 0..<count where !isEnd(index) && firstByte(index) == UInt8(ascii: "{") {
            appendDuplicates(of: index, to: &pairs)
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

    private func appendDuplicates(of object: Int, to pairs: inout [(first: Int, again: Int)]) {
        var members: [Int] = []
        var next = firstChild(object)
        while let member = next {
            members.append(member)
            next = value(after(member))
        }
        let keys = members.map { keyBytes(of: JSONNode($0)) ?? 0..<0 }
        if members.count > Self.fewMembers {
            var seen: [[UInt8]: Int] = [:]
            for member in members {
                let key = decodedKey(member)
                if let first = seen[key] { pairs.append((first, member)) } else { seen[key] = member }
            }
            return
        }
        for again in members.indices.dropFirst() {
            let first = (0..<again).first { first in
                hasEscapedKeys
                    ? decodedKey(members[first]) == decodedKey(members[again]) : areEqual(keys[first], keys[again])
            }
            if let first { pairs.append((members[first], members[again])) }
        }
    }

    private func areEqual(_ left: ByteRange, _ right: ByteRange) -> Bool {
        guard left.count == right.count else { return false }
        return bytes.buffer(left).elementsEqual(bytes.buffer(right))
    }
}
