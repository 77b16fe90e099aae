/// A set of program steps in order of preference, and the context before them.
struct RegexState: Hashable {
    var places: [Int32]
    var before: RegexContext
}
