/// A regular expression compiled in both directions.
struct RegexPattern: Sendable {
    let forward: RegexProgram
    let backward: RegexProgram
    /// The prefix of every match, if it is longer than a byte: it is found faster than any match.
    let prefix: LiteralMatcher?

    init(_ node: RegexNode) throws(PatternError) {
        forward = try RegexProgram(node, isReversed: false, isAnchored: false)
        let bytes = node.prefix
        prefix = bytes.count > 1 ? LiteralMatcher(bytes, ignoresCase: false) : nil
        backward = try RegexProgram(node, isReversed: true, isAnchored: true)
    }
}
