/// Finds the normalized paths (RFC 9535, section 2.7) of many values of a document. It remembers the position of the
/// last one: for values in document order, each sibling is passed once.
package struct JSONPathLocator {
    private let document: JSONDocument
    /// The last value and the containers around it, outermost first, each with the number of siblings before it.
    private var last: [Location] = []

    private struct Location {
        let index: Int
        let position: Int
    }

    package init(_ document: JSONDocument) { self.document = document }

    /// Returns the path from the root of `node`, such as `$['names'][0]`.
    package mutating func path(of node: JSONNode) -> String { String(decoding: bytes(of: node), as: UTF8.self) }

    /// Returns the same path as UTF-8.
    package mutating func bytes(of node: JSONNode) -> [UInt8] {
        var result = [UInt8(ascii: "$")]
        guard document.contains(node) else { return result }
        locate(node.index)
        for location in last.dropFirst() {
            result.append(UInt8(ascii: "["))
            if let key = document.key(of: JSONNode(location.index)) {
                JSONStringEncoder.append(key.string, quote: UInt8(ascii: "'"), to: &result)
            } else {
                result += String(location.position).utf8
            }
            result.append(UInt8(ascii: "]"))
        }
        return result
    }

    /// Returns the path in short notation, which is a JSONPath as well: `$.names[0]`.
    package mutating func shortPath(of node: JSONNode) -> String {
        guard document.contains(node) else { return "$" }
        locate(node.index)
        return last.dropFirst().reduce(into: "$") { $0 += document.shortStep(to: $1.index, at: $1.position) }
    }

    /// Sets `last` to the path of the value at `index`.
    private mutating func locate(_ index: Int) {
        var around: [Location] = []
        var current = index
        var level = last.count - 1
        while true {
            if let known = beside(current) {
                last.removeSubrange(known.level...)
                around.append(Location(index: current, position: known.position))
                break
            }
            let (parent, position) = climb(current, &level)
            around.append(Location(index: current, position: position))
            guard let parent else {
                last = []
                break
            }
            current = parent
        }
        last += around.reversed()
    }

    /// Returns the level of the last path that holds `index` or one of its next 15 siblings, and the position of
    /// `index` that follows from it: slices may go backwards.
    private func beside(_ index: Int) -> (level: Int, position: Int)? {
        guard let deepest = last.last?.index else { return nil }
        var sibling: Int? = index
        for steps in 0..<16 {
            guard let current = sibling, current <= deepest else { return nil }
            if let level = level(of: current) { return (level, last[level].position - steps) }
            sibling = document.value(document.after(current))
        }
        return nil
    }

    private func level(of index: Int) -> Int? {
        let level = last.partitioningIndex { $0.index >= index }
        return level < last.count && last[level].index == index ? level : nil
    }

    /// Walks back over the siblings of `index` to its container, or to a value of the last path, whose container and
    /// position are known. The levels above `level` have been passed already.
    private func climb(_ index: Int, _ level: inout Int) -> (parent: Int?, position: Int) {
        var (current, steps) = (index, 0)
        while true {
            while level >= 0, last[level].index > current { level -= 1 }
            if level >= 0, last[level].index == current {
                return (level > 0 ? last[level - 1].index : nil, last[level].position + steps)
            }
            guard let before = document.previousSibling(current) else {
                return (current > 0 ? current - 1 : nil, steps)
            }
            (current, steps) = (before, steps + 1)
        }
    }
}

extension JSONDocument {
    /// Returns the normalized path of `node` from its root (RFC 9535, section 2.7), such as `$['names'][0]`. O(siblings
    /// before it and before each container around it); for many, use a `JSONPathLocator`.
    package func path(of node: JSONNode) -> String {
        var locator = JSONPathLocator(self)
        return locator.path(of: node)
    }

    /// Returns the path of `node` from its root in short notation, such as `$.names[0]`.
    package func shortPath(of node: JSONNode) -> String {
        var locator = JSONPathLocator(self)
        return locator.shortPath(of: node)
    }

    /// Returns the step to a value in short notation: `.name`, `[0]`, or `["odd name"]` for a name that needs quotes.
    func shortStep(to index: Int, at position: Int) -> String {
        guard let key = keyBytes(of: JSONNode(index)) else { return "[\(position)]" }
        let name = self.bytes(in: key).unquoted
        let isPlain = !name.isEmpty && name.allSatisfy(Self.isNameByte) && !(name.first ?? 0x30).isASCIIDigit
        return isPlain ? "." + String(decoding: name, as: UTF8.self) : "[\(bytes.text(key))]"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte.isASCIIAlphanumeric
    }
}

/// Finds the values of singular queries, such as `$.items[70].id`, in one document. It remembers positions in large
/// containers, so that a thousand queries of a body of 100 MB pass each value once, not a thousand times.
package final class JSONLookup {
    private let document: JSONDocument
    private let run: JSONPathRun?
    /// Each 256th element of the large arrays that were queried, by the index of the array.
    private var marks: [Int: [Int]] = [:]
    /// The members of the large objects that were queried, by the hashes of their keys, by the index of the object.
    private var members: [Int: [Int: Int]] = [:]

    private static let stride = 256

    package init(_ document: JSONDocument) {
        self.document = document
        run = document.firstRoot.map { JSONPathRun(document: document, root: $0.index, time: nil) }
    }

    /// Returns the value of a singular query; nil if it selects none, or for a query that is not singular.
    package func node(at path: JSONPath) -> JSONNode? {
        guard path.isSingular, let run, document.contains(JSONNode(run.root)) else { return nil }
        var index = run.root
        for segment in path.segments {
            guard !document.isScalar(index), let child = child(segment.selectors[0], of: index, run) else { return nil }
            index = child
        }
        return JSONNode(index)
    }

    private func child(_ selector: JSONPathSelector, of index: Int, _ run: JSONPathRun) -> Int? {
        switch selector {
        case .name(let name): member(name, of: index, run)
        case .index(let position) where document.isArray(index):
            position < Self.stride ? document.element(position, of: index, run) : element(position, of: index, run)
        case .index, .wildcard, .slice, .filter: nil
        }
    }

    private func element(_ position: Int, of index: Int, _ run: JSONPathRun) -> Int? {
        var marks = self.marks[index] ?? document.firstChild(index).map { [$0] } ?? []
        self.marks[index] = nil
        defer { self.marks[index] = marks }
        while marks.count <= position / Self.stride {
            guard let last = marks.last, let next = walk(from: last, Self.stride) else { return nil }
            marks.append(next)
        }
        return walk(from: marks[position / Self.stride], position % Self.stride)
    }

    private func walk(from start: Int, _ steps: Int) -> Int? {
        var current: Int? = start
        for _ in 0..<steps {
            guard let index = current else { return nil }
            current = document.value(document.after(index))
        }
        return current
    }

    // MARK: Members

    private func member(_ name: JSONPathName, of index: Int, _ run: JSONPathRun) -> Int? {
        guard document.firstByte(index) == UInt8(ascii: "{") else { return nil }
        if members[index] == nil {
            // A small object is searched faster than it is remembered.
            guard let first = document.firstChild(index), walk(from: first, Self.stride) != nil else {
                return document.member(name, of: index, run)
            }
            members[index] = hashes(of: index)
        }
        let hash = name.bytes.withBuffer { Self.hash($0) }
        guard let found = members[index]?[hash] else { return nil }
        let isFound = name.bytes.withBuffer { document.hasKey(found, $0, needsEscape: name.needsEscape) }
        return isFound ? found : document.member(name, of: index, run)
    }

    /// Returns the members by the hashes of their keys; the last one of a key that is there twice.
    private func hashes(of index: Int) -> [Int: Int] {
        var hashes: [Int: Int] = [:]
        var child = document.firstChild(index)
        while let current = child {
            let hash =
                document.hasEscapedKeys
                ? document.decodedKey(current).withUnsafeBufferPointer(Self.hash)
                : Self.hash(document.bytes(in: document.keyBytes(of: JSONNode(current)) ?? 0..<0).unquoted)
            hashes[hash] = current
            child = document.value(document.after(current))
        }
        return hashes
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }
}

extension JSONPath {
    /// True if the query can give at most one value (RFC 9535, section 2.3.5.1).
    package var isSingular: Bool { JSONPathQuery(isRelative: false, segments: segments).isSingular }
}
