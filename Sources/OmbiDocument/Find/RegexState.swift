/// A set of places of a regular expression's program, the preferred ones first, and what stands before them.
struct RegexState: Hashable {
    var places: [Int32]
    var before: RegexContext
}
