/// A part of a regular expression.
indirect enum IRegexpNode {
    case set(IRegexpSet)
    case sequence([IRegexpNode])
    case choice([IRegexpNode])
    /// At least `least` times, and at most `most` times where there is a most.
    case repetition(IRegexpNode, least: Int, most: Int?)
    case begin, end
}
