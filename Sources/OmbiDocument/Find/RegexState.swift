/// A set of program steps in order of preference, and the context before them.
struct RegexState: Hashable {
    var steps: [Int32]
    var before: RegexContext
}
