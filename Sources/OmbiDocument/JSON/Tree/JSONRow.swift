/// A row of a `JSONTree`: a place in it that stays valid while more of the body comes, and while others are folded.
/// Rows compare in the order in which they are shown.
public struct JSONRow: Hashable, Comparable, Sendable {
    /// What of its value a row shows.
    public enum Part: UInt8, Sendable {
        /// A scalar, a container on one line, a folded container, or the beginning of one.
        case value
        /// More of a long scalar that has been opened.
        case piece
        /// The closing bracket of a container.
        case end
        /// Where and why the body stops being JSON.
        case error
        /// A line of what comes after that.
        case raw
    }

    public let part: Part
    /// How many containers there are around it.
    public let depth: Int
    /// Which of the matches it belongs to, in a tree of matches.
    let match: UInt32
    /// Its index in the tape; for a closing bracket that of the closing entry.
    let entry: UInt32
    /// The index of its value.
    private let value: UInt32
    /// Where a piece, an error or a raw row begins in the body.
    let offset: Int

    /// The value that the row shows or ends; nil behind the last value.
    public var node: JSONNode? { isBehind ? nil : JSONNode(Int(value)) }

    /// Whether it is not of a value but of the text behind the last one.
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

    /// A row behind all values.
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
