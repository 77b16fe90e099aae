/// A row of a `JSONTree`: a position that stays valid while more of the body arrives, and while other rows are folded.
/// Rows compare in the order in which they are shown.
public struct JSONRow: Hashable, Comparable, Sendable {
    /// The part of its value that a row shows.
    public enum Part: UInt8, Sendable {
        /// A scalar, a container on one line, a folded container, or the beginning of one.
        case value
        /// A further row of a long scalar that is opened.
        case piece
        /// The closing bracket of a container.
        case end
        /// The syntax error and its position.
        case error
        /// A line of the text after the error.
        case raw
    }

    public let part: Part
    /// The number of containers around the row.
    public let depth: Int
    /// The index of its match, in a tree of matches.
    let match: UInt32
    /// The index of its entry in the tape; for a closing bracket that of the closing entry.
    let entry: UInt32
    /// The index of its value.
    private let value: UInt32
    /// The offset of a piece, an error or a raw row in the body.
    let offset: Int

    /// The value that the row shows or ends; nil after the last value.
    public var node: JSONNode? { isBehind ? nil : JSONNode(Int(value)) }

    /// True for a row of the text after the last value.
    var isBehind: Bool { part == .error || part == .raw }
    var index: Int { Int(entry) }

    init(value: Int, part: Part = .value, depth: Int, match: UInt32 = 0, entry: Int? = nil, offset: Int = 0) {
        self.part = part
        self.depth = depth
        self.match = match
        self.entry = UInt32(truncatingIfNeeded: entry ?? value)
        self.value = UInt32(truncatingIfNeeded: value)
        self.offset = offset
    }

    /// Creates a row after all values.
    init(behind part: Part, offset: Int) {
        self.init(value: .max, part: part, depth: 0, match: .max, offset: offset)
    }

    public static func < (left: JSONRow, right: JSONRow) -> Bool {
        if left.match != right.match { return left.match < right.match }
        if left.entry != right.entry { return left.entry < right.entry }
        if left.part != right.part { return left.part.rawValue < right.part.rawValue }
        return left.offset < right.offset
    }

    public static func == (left: JSONRow, right: JSONRow) -> Bool {
        left.match == right.match && left.entry == right.entry && left.part == right.part
            && left.offset == right.offset
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(match)
        hasher.combine(entry)
        hasher.combine(part)
        hasher.combine(offset)
    }
}
