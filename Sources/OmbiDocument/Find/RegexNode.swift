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

    /// The letters one after another, each in both cases if wanted.
    static func text(_ text: String, foldingCase: Bool) -> RegexNode {
        .sequence(text.unicodeScalars.map { .set(foldingCase ? ScalarSet($0).foldingCase : ScalarSet($0)) })
    }
}
