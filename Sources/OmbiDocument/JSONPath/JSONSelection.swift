/// The values that a query gives in a document of any number of roots: `$` stands for each root in turn, or for each
/// match in a tree of matches.
///
///     var selection = JSONSelection(path, in: document) { isCancelled }
///     while let nodes = selection.next(1000) { tree.append(matches: nodes) }
public struct JSONSelection: Sequence, IteratorProtocol {
    private let path: JSONPath
    private let document: JSONDocument
    private let isCancelled: (() -> Bool)?
    private var roots: JSONTops
    private var matches: JSONPathMatches?
    private var queriedCount = 0
    /// True when the iteration ended because `isCancelled` returned true.
    public private(set) var wasCancelled = false

    /// - Parameter isCancelled: Polled every few thousand values; once it returns true, there are no more matches.
    public init(_ path: JSONPath, in document: JSONDocument, isCancelled: (() -> Bool)? = nil) {
        self.init(path, document, JSONTops(document), isCancelled)
    }

    init(_ path: JSONPath, _ document: JSONDocument, _ roots: JSONTops, _ isCancelled: (() -> Bool)?) {
        self.path = path
        self.document = document
        self.roots = roots
        self.isCancelled = isCancelled
    }

    public mutating func next() -> JSONNode? {
        while !wasCancelled {
            if let node = matches?.next() { return node }
            wasCancelled = matches?.wasCancelled ?? false
            queriedCount &+= 1
            // A small root ends before its query polls.
            if queriedCount & 0x3FF == 0, isCancelled?() ?? false { wasCancelled = true }
            guard !wasCancelled, let root = roots.next() else { return nil }
            matches = path.matches(in: document, root: root, isCancelled: isCancelled)
        }
        return nil
    }

    /// Returns the next values, at most `limit`; nil at the end.
    public mutating func next(_ limit: Int) -> [JSONNode]? {
        var nodes: [JSONNode] = []
        while nodes.count < limit, let node = next() { nodes.append(node) }
        return nodes.isEmpty ? nil : nodes
    }
}

/// Lookups for selectors. Indices are those of containers.
extension JSONDocument {
    @inline(__always) func isArray(_ index: Int) -> Bool { firstByte(index) == UInt8(ascii: "[") }

    /// Returns the number of values in the container at `index`.
    func length(_ index: Int, _ run: JSONPathRun) -> Int {
        var count = 0
        var child = firstChild(index)
        while let current = child, run.step() {
            count += 1
            child = value(after(current))
        }
        return count
    }

    /// Returns the child at `position`, from 0 or, if negative, from the end.
    func element(_ position: Int, of index: Int, _ run: JSONPathRun) -> Int? {
        var child = position < 0 ? lastChild(index) : firstChild(index)
        var steps = position < 0 ? -1 - position : position
        while steps > 0, let current = child {
            guard run.step() else { return nil }
            child = position < 0 ? previousSibling(current) : value(after(current))
            steps -= 1
        }
        return child
    }

    /// Returns the value of the last member with that name; nil for an array.
    func member(_ name: JSONPathName, of index: Int, _ run: JSONPathRun) -> Int? {
        guard firstByte(index) == UInt8(ascii: "{") else { return nil }
        return name.bytes.withBuffer { lastMember($0, needsEscape: name.needsEscape, of: index, run) }
    }

    @inline(__always) func lastMember(
        _ name: UnsafeBufferPointer<UInt8>, needsEscape: Bool, of index: Int, _ run: JSONPathRun
    ) -> Int? {
        var child = lastChild(index)
        while let current = child, run.step() {
            if hasKey(current, name, needsEscape: needsEscape) { return current }
            child = previousSibling(current)
        }
        return nil
    }

    /// Returns true if the key of the member at `index` equals `name`.
    @inline(__always)
    func hasKey(_ index: Int, _ name: UnsafeBufferPointer<UInt8>, needsEscape: Bool) -> Bool {
        guard let end = keyEnd(index) else { return false }
        if !needsEscape {
            let start = end - name.count - 2
            if start > 0, bytes.base[start] == 0x22, bytes.base[start - 1] != 0x5C,
                Self.areEqual(bytes.base + start + 1, name)
            {
                return true
            }
        }
        return hasEscapedKeys && decodedKey(index).elementsEqual(name)
    }

    @inline(__always)
    private static func areEqual(_ bytes: UnsafePointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<name.count where bytes[index] != name[index] { return false }
        return true
    }

    /// Returns the decoded key, lone surrogates encoded as if they were characters.
    func decodedKey(_ index: Int) -> [UInt8] {
        guard let key = keyBytes(of: JSONNode(index)) else { return [] }
        var decoder = JSONStringDecoder(bytes(in: key), replacesSurrogates: false)
        return decoder.decode()
    }
}
