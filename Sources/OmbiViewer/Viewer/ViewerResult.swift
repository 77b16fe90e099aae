/// A view in place of a body: the values of a filter, the output of a command, or the differences from another body.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, isCut: Bool)
        /// The values of a JSONPath as one text.
        case joined(String)
        case command(String)
        /// With a summary of the differences.
        case comparison(String)
    }

    var source: Source
    var page: ViewerPage
    /// The offset of each difference of a comparison.
    var differences: [Int] = []
    /// The bytes that it was made from.
    var sourceCount = 0

    /// A description of the number of values that a filter selected.
    var count: String? {
        guard case .filter(_, let isCut) = source else { return nil }
        let count = page.document.matchCount
        return "\(isCut ? "the first " : "")\(count) \(count == 1 ? "match" : "matches")"
    }

    /// The step from the source to this result, as it was typed.
    var step: String {
        switch source {
        case .filter(let path, _): "| \(path)"
        case .joined(let path): "J \(path)"
        case .command(let command): "! \(command)"
        case .comparison(let summary): "D \(summary)"
        }
    }

    /// The JSONPath of a filter, or of a joined text.
    var path: String? {
        switch source {
        case .filter(let path, _), .joined(let path): path
        case .command, .comparison: nil
        }
    }

    var isJoined: Bool { if case .joined = source { true } else { false } }

    /// The text in place of an empty result.
    func emptiness(isPending: Bool) -> String {
        switch source {
        case .filter, .joined: isPending ? "No match so far." : "No match."
        case .command: "No output."
        case .comparison: "No difference."
        }
    }
}
