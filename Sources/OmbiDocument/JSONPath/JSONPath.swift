/// A JSONPath query (RFC 9535), ready to run on any document. It supports the whole standard, with its functions
/// `length`, `count`, `match`, `search` and `value`.
///
/// Choices that the standard leaves: for a key that an object has twice, a name selects the last value, as most JSON
/// parsers do; the members of an object come in the order of the body.
public struct JSONPath: Sendable, CustomStringConvertible {
    /// The expression as given.
    public let description: String
    let segments: [JSONPathSegment]

    /// - Throws: The first error in the grammar or the types (section 2.4.3) of the expression, with its column.
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// Returns the values that the query selects, found on demand.
    ///
    /// An unfinished document is searched as far as it has been read: what is missing counts as absent.
    /// - Parameters:
    ///   - root: The value that `$` stands for; the first root by default.
    ///   - isCancelled: Polled every few thousand values; once it returns true, there are no more.
    public func matches(
        in document: JSONDocument, root: JSONNode? = nil, isCancelled: (() -> Bool)? = nil
    ) -> JSONPathMatches {
        let time = isCancelled.map { EvaluationTime(nil, isCancelled: $0) }
        return JSONPathMatches(segments: segments, document: document, root: root, time: time)
    }

    /// Returns the values that the query selects, found on demand, until the time is over: then there are no more, and
    /// `EvaluationTime.interruption` says why.
    public func matches(
        in document: JSONDocument, root: JSONNode? = nil, within time: EvaluationTime
    ) -> JSONPathMatches {
        JSONPathMatches(segments: segments, document: document, root: root, time: time)
    }
}

/// An error in a JSONPath expression: its column and what was expected.
public struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1, in Unicode scalars.
    public let column: Int
    public let reason: String

    public var description: String { "column \(column): \(reason)" }
}

/// The values that a query gives, in the order of RFC 9535, found one at a time. It holds one cursor for each segment
/// of the query, however many values there are.
public struct JSONPathMatches: Sequence, IteratorProtocol {
    private let run: JSONPathRun?
    private var walk: JSONPathWalk

    init(segments: [JSONPathSegment], document: JSONDocument, root: JSONNode?, time: EvaluationTime?) {
        let start = root ?? document.firstRoot
        run = start.map { JSONPathRun(document: document, root: $0.index, time: time) }
        walk = JSONPathWalk(segments, from: start?.index ?? 0)
    }

    public mutating func next() -> JSONNode? {
        guard let run, run.document.contains(JSONNode(run.root)) else { return nil }
        return walk.next(run).map(JSONNode.init)
    }

    /// True when the iteration was interrupted.
    public var wasCancelled: Bool { run?.isStopped ?? false }
}
