/// The contents of values.
extension JSONDocument {
    /// Returns the range of the value in the body, as sent; an unfinished one extends to the error or to the end of the
    /// part that was read. O(1), except for scalars of a gigabyte and more: O(length).
    package func range(of node: JSONNode) -> Range<Int> {
        guard contains(node) else { return 0..<0 }
        let start = offset(node.index)
        return start..<(isOpen(node.index) ? max(start, error?.offset ?? byteCount) : end(node.index))
    }

    /// Returns the end in the body of the value at `index`, which is not open.
    @inline(__always) private func end(_ index: Int) -> Int {
        let link = link(index)
        guard link & JSONTape.scalarBit != 0 else { return offset(Int(link) - 1) + 1 }
        let (start, length) = (offset(index), link & JSONTape.maximumLength)
        return length < JSONTape.maximumLength ? start + Int(length) : scalarEnd(from: start)
    }

    /// Returns the end of a scalar whose length is too large for the tape.
    private func scalarEnd(from start: Int) -> Int {
        var next = start + 1
        if bytes.base[start] == 0x22 {
            while next < byteCount, bytes.base[next] != 0x22 { next += bytes.base[next] == 0x5C ? 2 : 1 }
            return min(next + 1, byteCount)
        }
        while next < byteCount, JSONNumberPhase.mayContain(bytes.base[next]) { next += 1 }
        return next
    }

    /// Returns the key of a member, with its quotes; nil for elements and roots. O(length of the key)
    ///
    /// The key is found backwards from the value: in a string, every quote has an odd number of backslashes before it.
    package func keyBytes(of node: JSONNode) -> Range<Int>? {
        guard contains(node), let end = keyEnd(node.index) else { return nil }
        var start = end - 1
        repeat {
            start -= 1
            while start > 0, bytes.base[start] != 0x22 { start -= 1 }
        } while start > 0 && isEscaped(start)
        return start..<end
    }

    /// Returns the end of the key of the value at `index`, after its closing quote; nil for elements and roots.
    @inline(__always) func keyEnd(_ index: Int) -> Int? {
        var before = offset(index) - 1
        while before > 0, bytes.base[before] <= 0x20 { before -= 1 }
        guard before > 0, bytes.base[before] == UInt8(ascii: ":") else { return nil }
        before -= 1
        while before > 0, bytes.base[before] <= 0x20 { before -= 1 }
        return before + 1
    }

    /// Calls `body` with the members of the object at `index` and their keys, quotes included, until it returns false.
    ///
    /// The keys are found forwards, each from the end of the member before it, in fewer steps than `keyBytes`.
    @inline(__always) func forEachMember(of index: Int, _ body: (_ index: Int, _ key: Range<Int>) -> Bool) {
        var start = offset(index) + 1
        var next = firstChild(index)
        while let member = next, let end = keyEnd(member) {
            while bytes.base[start] != 0x22 { start += 1 }
            guard body(member, start..<end) else { return }
            if isOpen(member) { return }
            start = self.end(member)
            next = value(after(member))
        }
    }

    private func isEscaped(_ quote: Int) -> Bool {
        var start = quote
        while start > 0, bytes.base[start - 1] == 0x5C { start -= 1 }
        return (quote - start) & 1 == 1
    }

    /// Returns the decoded key of a member; nil for elements and roots.
    package func key(of node: JSONNode) -> JSONText? { keyBytes(of: node).map { JSONText(decoding: bytes(in: $0)) } }

    /// Returns the decoded text of a string; nil for other values.
    package func text(of node: JSONNode) -> JSONText? {
        guard kind(of: node) == .string, isScalar(node.index) else { return nil }
        return text(ofString: node)
    }

    /// Returns the decoded text of a node known to be a complete string of this document.
    package func text(ofString node: JSONNode) -> JSONText {
        JSONText(decoding: bytes(in: range(of: node)), hasEscapes: hasEscapes(node.index))
    }

    /// Returns a part of the body without copying it, clamped to the part that was read. The bytes live as long as this
    /// document does: use them in its scope only.
    package func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let range = range.clamped(to: 0..<byteCount)
        return UnsafeBufferPointer(start: bytes.base + range.lowerBound, count: range.count)
    }

    /// Returns false if no string in the value contains that character twice in a row, judged without unescaping: an
    /// escape of four digits counts as a possible occurrence.
    package func mayHold(twice character: UInt8, in node: JSONNode) -> Bool {
        let range = range(of: node)
        var next = range.lowerBound
        while let found = ByteScan.first(character, or: 0x5C, in: bytes, next..<range.upperBound) {
            let following = bytes[found + 1]
            if following == (bytes[found] == character ? character : UInt8(ascii: "u")) { return true }
            next = found + (bytes[found] == character ? 1 : 2)
        }
        return false
    }

    /// Returns the value as sent, numbers digit by digit. Invalid UTF-8 is replaced.
    package func source(of node: JSONNode) -> String { String(decoding: bytes(in: range(of: node)), as: UTF8.self) }
}

/// Text written by hand: collection files, and bodies of requests.
extension JSONDocument {
    /// The levels of containers that are read; it bounds every walk over the values.
    package static let maximumCheckedDepth = 512

    /// Reads a text strictly: its errors name their remedy, and an escape that is half of a surrogate pair is an error.
    /// A byte order mark at the front is skipped; both members of a duplicate key are kept.
    package init(checking bytes: Bytes) throws(JSONSyntaxError) {
        try self.init(checking: bytes, with: Self.indexForChecking())
    }

    package static func indexForChecking() -> JSONIndex {
        JSONIndex(roots: .one, limits: IndexLimits(depth: maximumCheckedDepth))
    }

    /// - Parameter index: an index for checking that has read none of the bytes, or a part from their start.
    package init(checking bytes: Bytes, with index: JSONIndex) throws(JSONSyntaxError) {
        var index = index
        _ = index.append(bytes)
        var document = index.finish()
        if document.error != nil {
            // An error in a part may depend on the bytes after the part.
            index = Self.indexForChecking()
            _ = index.append(bytes)
            document = index.finish()
        }
        // Without an error, the index has found it to be UTF-8.
        if document.error != nil, let error = UTF8Check.error(in: bytes) { throw error }
        if index.scanner.hasUnicodeEscapes,
            let half = Surrogates.firstHalf(in: bytes, before: document.error?.offset ?? bytes.count)
        {
            throw half
        }
        if document.error != nil {
            let (offset, reason) = index.scanner.advice
            throw JSONSyntaxError(offset: offset, reason: reason, in: bytes)
        }
        self = document
    }
}

/// Escapes that write a character beyond U+FFFF as a pair (RFC 8259, section 7).
private enum Surrogates {
    /// Returns an error for the first half that lacks its other half, among valid tokens.
    static func firstHalf(in bytes: Bytes, before end: Int) -> JSONSyntaxError? {
        var next = 0
        while let escape = ByteScan.first(0x5C, in: bytes, next..<end) {
            next = min(escape + 2, end)
            guard let unit = unit(in: bytes, at: escape, before: end) else { continue }
            next = escape + 6
            guard unit & 0xF800 == 0xD800 else { continue }
            if unit < 0xDC00, let second = self.unit(in: bytes, at: next, before: end), second & 0xFC00 == 0xDC00 {
                next += 6
                continue
            }
            let digits = unit.digits(4, radix: 16)
            return JSONSyntaxError(
                offset: escape, reason: "\\u\(digits) is half of a surrogate pair; its other half is missing",
                in: bytes)
        }
        return nil
    }

    /// Returns the code unit of `\u` and four digits.
    private static func unit(in bytes: Bytes, at escape: Int, before end: Int) -> UInt32? {
        guard escape + 6 <= end, bytes.starts(with: Array("\\u".utf8), at: escape) else { return nil }
        return Hexadecimal.fourDigits(at: bytes.base + escape + 2)
    }
}

/// Navigation from value to value.
extension JSONDocument {
    /// The first value that is in no container. The other roots are its siblings.
    package var firstRoot: JSONNode? { count > 0 ? JSONNode(0) : nil }

    /// The values outside of any container; the last one may be unfinished.
    package var roots: JSONSiblings { JSONSiblings(document: self, first: firstRoot) }

    /// Returns true if `node` is a value of this document.
    @inline(__always)
    package func contains(_ node: JSONNode) -> Bool { value(node.index) != nil }

    /// Returns the kind of `node`; `null` for a node of another document. O(1)
    package func kind(of node: JSONNode) -> JSONKind {
        contains(node) ? JSONKind(firstByte: firstByte(node.index)) : .null
    }

    /// Returns true if `node` is a container whose end has not come, or never comes because of an error. O(1)
    package func isUnfinished(_ node: JSONNode) -> Bool { isOpen(node.index) }

    /// O(1)
    package func firstChild(of node: JSONNode) -> JSONNode? {
        contains(node) ? firstChild(node.index).map(JSONNode.init) : nil
    }

    /// O(1), in an unfinished container O(depth).
    package func lastChild(of node: JSONNode) -> JSONNode? {
        contains(node) ? lastChild(node.index).map(JSONNode.init) : nil
    }

    /// O(1), however large `node` is.
    package func nextSibling(of node: JSONNode) -> JSONNode? {
        contains(node) ? value(after(node.index)).map(JSONNode.init) : nil
    }

    /// O(1), however large the sibling is.
    package func previousSibling(of node: JSONNode) -> JSONNode? {
        contains(node) ? previousSibling(node.index).map(JSONNode.init) : nil
    }

    /// Returns the next value in document order: the first child, or else the next sibling of `node` or of the nearest
    /// container that has one. At most O(depth)
    package func next(after node: JSONNode) -> JSONNode? {
        guard contains(node) else { return nil }
        var index = node.index + 1
        while index < count, isEnd(index) { index += 1 }
        return index < count ? JSONNode(index) : nil
    }

    /// Returns the previous value in document order: the previous sibling or the last value in it, or the container.
    /// At most O(depth)
    package func previous(before node: JSONNode) -> JSONNode? {
        guard contains(node) else { return nil }
        var index = node.index - 1
        while index >= 0, isEnd(index) { index -= 1 }
        return index >= 0 ? JSONNode(index) : nil
    }

    /// Returns the container of `node`; nil for a root. O(siblings before it)
    package func parent(of node: JSONNode) -> JSONNode? { location(of: node)?.parent }

    /// Returns the container of `node` and the number of siblings before it; nil for a root. O(siblings before it)
    package func location(of node: JSONNode) -> (parent: JSONNode, index: Int)? {
        guard contains(node) else { return nil }
        var (index, position) = (node.index, 0)
        while let before = previousSibling(index) { (index, position) = (before, position + 1) }
        return index > 0 ? (JSONNode(index - 1), position) : nil
    }

    /// Returns the containers around `node`, outermost first. O(siblings before it and before each of them)
    package func ancestors(of node: JSONNode) -> [JSONNode] {
        Array(
            sequence(state: node) { node in
                guard let parent = parent(of: node) else { return nil }
                node = parent
                return parent
            }
        ).reversed()
    }

    /// Returns the values in `node`, in order.
    package func children(of node: JSONNode) -> JSONSiblings {
        JSONSiblings(document: self, first: firstChild(of: node))
    }

    /// Returns the number of values in `node`. O(children)
    package func childCount(of node: JSONNode) -> Int {
        var (count, next) = (0, firstChild(of: node)?.index)
        while let index = next { (count, next) = (count + 1, value(after(index))) }
        return count
    }

    /// Returns the child at `position`, from 0. O(position)
    package func child(at position: Int, of node: JSONNode) -> JSONNode? {
        guard position >= 0, var index = firstChild(of: node)?.index else { return nil }
        for _ in 0..<position {
            guard let next = value(after(index)) else { return nil }
            index = next
        }
        return JSONNode(index)
    }

    /// Returns the innermost value at a byte of the body: a key belongs to its member, the bytes between values to
    /// their container. nil outside of all roots. O(log values), and the siblings before it for a byte between values
    package func node(atByte target: Int) -> JSONNode? {
        guard target >= 0, target < byteCount, count > 0 else { return nil }
        // Offsets grow with indices.
        let behind = (0..<count).partitioningIndex { offset($0) > target }
        if behind < count, let next = value(behind), let key = keyBytes(of: JSONNode(next)), key.lowerBound <= target {
            return JSONNode(next)
        }
        return behind > 0 ? enclosing(behind - 1, byte: target) : nil
    }

    private func enclosing(_ index: Int, byte target: Int) -> JSONNode? {
        if isEnd(index) {
            let container = JSONNode(Int(link(index)))
            return target == offset(index) ? container : parent(of: container)
        }
        let node = JSONNode(index)
        if !isScalar(index) || target < range(of: node).upperBound { return node }
        return parent(of: node)
    }
}

/// Consecutive values of the same container, or roots. Nothing is materialized.
package struct JSONSiblings: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int?

    init(document: JSONDocument, first: JSONNode?) {
        self.document = document
        upcoming = first?.index
    }

    package mutating func next() -> JSONNode? {
        guard let index = upcoming else { return nil }
        upcoming = document.value(document.after(index))
        return JSONNode(index)
    }
}

/// Values to write or query one after another: the roots of a document, or the matches of a query. Nothing is copied.
package struct JSONTops: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var roots: JSONSiblings
    private let positions: [UInt32]?
    private var taken = 0

    /// - Parameter positions: those of the values to take in place of the roots.
    init(_ document: JSONDocument, at positions: [UInt32]? = nil) {
        (self.document, self.positions) = (document, positions)
        roots = document.roots
    }

    package mutating func next() -> JSONNode? {
        guard let positions else { return roots.next() }
        while taken < positions.count {
            taken += 1
            let node = JSONNode(Int(positions[taken - 1]))
            if document.contains(node) { return node }
        }
        return nil
    }

    /// Returns the progress, from 0 to 1: `done` within the last value; for roots, `offset` counts instead.
    func fraction(ofLast done: Double, at offset: Int) -> Double {
        guard let positions else { return Double(offset) / Double(Swift.max(1, document.byteCount)) }
        return positions.isEmpty || taken == 0 ? 0 : (Double(taken - 1) + done) / Double(positions.count)
    }
}
