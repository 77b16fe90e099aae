/// A view in place of a body: the values of a filter, the output of a command, or the differences from another body.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, isCut: Bool)
        case command(String)
        /// With a summary of the differences.
        case comparison(String)
    }

    var source: Source
    var page: ViewerPage

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
        case .command(let command): "! \(command)"
        case .comparison(let summary): "D \(summary)"
        }
    }

    /// The JSONPath of a filter.
    var path: String? { if case .filter(let path, _) = source { path } else { nil } }

    /// The text in place of an empty result.
    func emptiness(isPending: Bool) -> String {
        switch source {
        case .filter: isPending ? "No match so far." : "No match."
        case .command: "No output."
        case .comparison: "No difference."
        }
    }
}
