/// A regular expression as a tree.
indirect enum RegexNode: Equatable, Sendable {
    enum Assertion: UInt8, Sendable {
        case lineStart, lineEnd, textStart, textEnd, wordEdge, notWordEdge
    }

    case empty
    case set(ScalarSet)
    case sequence([RegexNode])
    case choice([RegexNode])
    case repeated(RegexNode, least: Int, most: Int?, isGreedy: Bool)
    case assertion(Assertion)
    /// The first group, whose bounds a `GroupPattern` finds; for others it is what it holds.
    case group(RegexNode)

    /// Returns a sequence of the letters, each in both cases if wanted.
    static func text(_ text: String, foldingCase: Bool) -> RegexNode {
        .sequence(text.unicodeScalars.map { .set(foldingCase ? ScalarSet($0).foldingCase : ScalarSet($0)) })
    }

    /// The bytes that every match begins with; may be empty.
    var prefix: [UInt8] { parts.bytes }

    /// The prefix; `isAll` if it is the whole expression.
    private var parts: (bytes: [UInt8], isAll: Bool) {
        switch self {
        case .empty: return ([], true)
        case .set(let set):
            guard set.ranges.count == 1, let range = set.ranges.first, range.count == 1,
                let scalar = Unicode.Scalar(range.lowerBound)
            else { return ([], false) }
            return (Array(String(scalar).utf8), true)
        case .sequence(let nodes):
            var bytes: [UInt8] = []
            for node in nodes {
                let (more, isAll) = node.parts
                bytes += more
                if !isAll { return (bytes, false) }
            }
            return (bytes, true)
        case .group(let node): return node.parts
        case .repeated(let node, let least, _, _): return (least > 0 ? node.parts.bytes : [], false)
        case .choice, .assertion: return ([], false)
        }
    }
}
