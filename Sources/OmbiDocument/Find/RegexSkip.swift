/// The state in which a machine waits for a match to begin, with one of a few bytes or with the prefix of all matches.
struct RegexSkip {
    /// Negative for no state.
    var state: Int
    let bytes: [UInt8]
    var prefix: LiteralMatcher?

    /// Returns the next offset where a match may begin, or the limit.
    func next(in text: Bytes, from start: Int, before limit: Int) -> Int {
        if let prefix { return prefix.first(in: text, from: start, before: limit) ?? limit }
        return switch bytes.count {
        case 1: ByteScan.first(bytes[0], in: text, start..<limit) ?? limit
        case 2: ByteScan.first(bytes[0], or: bytes[1], in: text, start..<limit) ?? limit
        case 3: ByteScan.first(bytes[0], or: bytes[1], or: bytes[2], in: text, start..<limit) ?? limit
        default: start
        }
    }
}
