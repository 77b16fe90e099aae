/// The state of a machine in which nothing happens but where a match may begin: at one of a few bytes, or where a text
/// stands that all matches begin with.
struct RegexSkip {
    /// Negative for no state at all.
    var state: Int
    let bytes: [UInt8]
    var prefix: LiteralMatcher?

    /// The next such place, or the limit.
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
