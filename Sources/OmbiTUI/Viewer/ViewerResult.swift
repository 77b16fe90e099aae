/// What stands in for a body: what a filter selected, what a command made of it, or how it differs from another.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, count: Int, isCut: Bool)
        case command(String)
        /// How many differences there are.
        case comparison(String)
    }

    var source: Source
    var page: ViewerPage

    /// How many values a filter selected.
    var count: String? {
        guard case .filter(_, let count, let isCut) = source else { return nil }
        return "\(isCut ? "the first " : "")\(count) \(count == 1 ? "match" : "matches")"
    }

    var title: String {
        switch source {
        case .filter(let path, _, _): "| \(path) · \(count ?? "")"
        case .command(let command): "! \(command)"
        case .comparison(let summary): "D \(summary)"
        }
    }
}
