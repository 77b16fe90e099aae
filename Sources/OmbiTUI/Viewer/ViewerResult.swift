/// What stands in for a body: what a filter selected, what a command made of it, or how it differs from another.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, isCut: Bool)
        case command(String)
        /// How many differences there are.
        case comparison(String)
    }

    var source: Source
    var page: ViewerPage

    /// How many values a filter selected.
    var count: String? {
        guard case .filter(_, let isCut) = source else { return nil }
        let count = page.document.matchCount
        return "\(isCut ? "the first " : "")\(count) \(count == 1 ? "match" : "matches")"
    }

    /// What was done, as it was typed.
    var step: String {
        switch source {
        case .filter(let path, _): "| \(path)"
        case .command(let command): "! \(command)"
        case .comparison(let summary): "D \(summary)"
        }
    }

    /// The JSONPath of a filter.
    var path: String? { if case .filter(let path, _) = source { path } else { nil } }

    /// Why nothing shows.
    func emptiness(isAsking: Bool) -> String {
        switch source {
        case .filter: isAsking ? "No match so far." : "No match."
        case .command: "No output."
        case .comparison: "No difference."
        }
    }
}
