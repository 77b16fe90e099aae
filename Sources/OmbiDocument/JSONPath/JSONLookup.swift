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

    /// Returns the value of a singular query; nil where there is none, and for a query that is not singular.
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
                : Self.hash(UnsafeBufferPointer(rebasing: keyContent(of: current)))
            hashes[hash] = current
            child = document.value(document.after(current))
        }
        return hashes
    }

    private func keyContent(of index: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        let range = document.keyBytes(of: JSONNode(index)) ?? 0..<0
        return document.bytes(in: range).dropFirst().dropLast()
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
