/// A part of a regular expression.
indirect enum IRegexpNode {
    case set(IRegexpSet)
    case sequence([IRegexpNode])
    case choice([IRegexpNode])
    /// `least` to `most` repetitions; without an upper limit if `most` is nil.
    case repetition(IRegexpNode, least: Int, most: Int?)
    case begin, end
}
