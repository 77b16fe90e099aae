/// A JSONPath query (RFC 9535), ready to run on any document. It supports the whole standard, with its functions
/// `length`, `count`, `match`, `search` and `value`.
///
/// Choices that the standard leaves: for a key that an object has twice, a name selects the last value, as most JSON
/// parsers do; the members of an object come in the order of the body.
package struct JSONPath: Sendable, CustomStringConvertible {
    package let description: String
    let segments: [JSONPathSegment]

    /// - Throws: The first error in the grammar or the types (section 2.4.3) of the expression, with its column.
    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// Returns the values that the query selects, found on demand.
    ///
    /// An unfinished document is searched as far as it has been read: missing values count as absent.
    /// - Parameters:
    ///   - root: The value of `$`; the first root by default.
    ///   - isCancelled: Polled every few thousand values; once it returns true, there are no more.
    package func matches(
        in document: JSONDocument, root: JSONNode? = nil, isCancelled: (() -> Bool)? = nil
    ) -> JSONPathMatches {
        let time = isCancelled.map { EvaluationTime(nil, isCancelled: $0) }
        return JSONPathMatches(segments: segments, document: document, root: root, time: time)
    }

    /// Returns the values that the query selects, found on demand, until the time is over;
    /// `EvaluationTime.interruption` then has the reason.
    package func matches(
        in document: JSONDocument, root: JSONNode? = nil, within time: EvaluationTime
    ) -> JSONPathMatches {
        JSONPathMatches(segments: segments, document: document, root: root, time: time)
    }
}

/// An error in a JSONPath expression: its column and what was expected.
package struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1, in Unicode scalars.
    package let column: Int
    package let reason: String

    package var description: String { "column \(column): \(reason)" }
}

/// The values that a query gives, in the order of RFC 9535, found one at a time. It holds one cursor for each segment
/// of the query, regardless of the number of values.
package struct JSONPathMatches: Sequence, IteratorProtocol {
    private let run: JSONPathRun?
    private var walk: JSONPathWalk

    init(segments: [JSONPathSegment], document: JSONDocument, root: JSONNode?, time: EvaluationTime?) {
        let start = root ?? document.firstRoot
        run = start.map { JSONPathRun(document: document, root: $0.index, time: time) }
        walk = JSONPathWalk(segments, from: start?.index ?? 0)
    }

    package mutating func next() -> JSONNode? {
        guard let run, run.document.contains(JSONNode(run.root)) else { return nil }
        return walk.next(run).map(JSONNode.init)
    }

    /// True when the iteration was interrupted.
    package var wasCancelled: Bool { run?.isStopped ?? false }
}

/// A step of a query: selectors applied to a value, or to it and all its descendants (RFC 9535, section 2.5).
struct JSONPathSegment: Sendable {
    var isDescendant = false
    var selectors: [JSONPathSelector]
    /// True if there is white space in the brackets, which the grammar forbids in a compared query.
    var hasInnerSpace = false
}

/// A selector of values in a container (RFC 9535, section 2.3). Indirect, so that it is passed on for each container of
/// a body by counting one reference.
indirect enum JSONPathSelector: Sendable {
    case name(JSONPathName)
    case wildcard
    /// From 0, or from the end if negative.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathExpression)
}

struct JSONPathName: Sendable {
    let bytes: JSONPathBytes
    /// True if JSON cannot hold the name without an escape: then no key is equal to it byte by byte.
    let needsEscape: Bool

    init(_ text: String) {
        bytes = JSONPathBytes(text)
        needsEscape = text.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }
}

/// A name or a literal of an expression as UTF-8, at a stable address: it is compared with the body in place.
struct JSONPathBytes: Sendable {
    private let bytes: Bytes

    init(_ text: String) { bytes = Bytes(text.utf8) }

    @inline(__always) func withBuffer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(bytes) { body(UnsafeBufferPointer(start: bytes.base, count: bytes.count)) }
    }
}

/// A slice of an array, `start:end:step` (RFC 9535, section 2.3.4). Bounds are below 2^53 in magnitude.
struct JSONPathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step = 1

    /// True if the positions depend on the number of elements.
    var needsLength: Bool { step < 0 || (start ?? 0) < 0 || (end ?? 0) < 0 }

    /// Returns the first position and the number of positions. Unless `needsLength`, `length` may be too large.
    func positions(length: Int) -> (first: Int, count: Int) {
        func normalized(_ bound: Int) -> Int { bound >= 0 ? bound : length + bound }
        if step > 0 {
            let lower = min(max(normalized(start ?? 0), 0), length)
            let upper = min(max(normalized(end ?? length), 0), length)
            return (lower, upper > lower ? (upper - lower - 1) / step + 1 : 0)
        }
        guard step < 0 else { return (0, 0) }
        let upper = min(max(start.map(normalized) ?? length - 1, -1), length - 1)
        let lower = min(max(end.map(normalized) ?? -1, -1), length - 1)
        return (upper, upper > lower ? (upper - lower - 1) / -step + 1 : 0)
    }
}

/// A logical expression of a filter (RFC 9535, section 2.3.5).
indirect enum JSONPathExpression: Sendable {
    case any([JSONPathExpression])
    case all([JSONPathExpression])
    case not(JSONPathExpression)
    case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
    /// True if the query gives any value.
    case exists(JSONPathQuery)
    /// `match` or `search`: true if the pattern matches the whole text, or any part of it.
    case matches(text: JSONPathOperand, pattern: JSONPathOperand, isWhole: Bool)
}

/// An operand of a comparison, or an argument of a function that takes a value.
indirect enum JSONPathOperand: Sendable {
    case string(JSONPathBytes)
    case number(JSONPathBytes)
    case `true`, `false`, null
    /// A singular query: it gives at most one value.
    case query(JSONPathQuery)
    case length(JSONPathOperand)
    case count(JSONPathQuery)
    /// The value of a query that gives exactly one.
    case value(JSONPathQuery)
}

enum JSONPathComparison: String, Sendable, CaseIterable {
    // Two-character operators first: the parser takes the first that fits.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}

/// A query within an expression: from the current value (`@`) or from the root (`$`).
struct JSONPathQuery: Sendable {
    var isRelative: Bool
    var segments: [JSONPathSegment]

    /// True if the query can give at most one value (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }

    var hasInnerSpace: Bool { segments.contains { $0.hasInnerSpace } }
}

/// The values that a query gives in a document of any number of roots: `$` stands for each root in turn, or for each
/// match in a tree of matches.
///
///     var selection = JSONSelection(path, in: document) { isCancelled }
///     while let node = selection.next() { nodes.append(node) }
package struct JSONSelection: Sequence, IteratorProtocol {
    private let path: JSONPath
    private let document: JSONDocument
    private let isCancelled: (() -> Bool)?
    private var roots: JSONTops
    private var matches: JSONPathMatches?
    private var queriedCount = 0
    /// True when the iteration ended because `isCancelled` returned true.
    package private(set) var wasCancelled = false

    /// - Parameter isCancelled: Polled every few thousand values; once it returns true, there are no more matches.
    package init(_ path: JSONPath, in document: JSONDocument, isCancelled: (() -> Bool)? = nil) {
        self.init(path, document, JSONTops(document), isCancelled)
    }

    init(_ path: JSONPath, _ document: JSONDocument, _ roots: JSONTops, _ isCancelled: (() -> Bool)?) {
        self.path = path
        self.document = document
        self.roots = roots
        self.isCancelled = isCancelled
    }

    package mutating func next() -> JSONNode? {
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
}

/// Lookups for selectors. Indices are of containers.
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
