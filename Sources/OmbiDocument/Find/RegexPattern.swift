/// A regular expression compiled both ways.
struct RegexPattern: Sendable {
    let forward: RegexProgram
    let backward: RegexProgram

    init(_ node: RegexNode) throws(PatternError) {
        forward = try RegexProgram(node, isReversed: false, isAnchored: false)
        backward = try RegexProgram(node, isReversed: true, isAnchored: true)
    }
}
