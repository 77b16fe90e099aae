/// What stands in for a body: what a filter selected, or what a command made of it.
struct ViewerResult: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case filter(String, count: Int, isCut: Bool)
        case command(String)
    }

    var source: Source
    var page: ViewerPage

    var title: String {
        switch source {
        case .filter(let path, let count, let isCut):
            "| \(path) · \(isCut ? "the first " : "")\(count) \(count == 1 ? "match" : "matches")"
        case .command(let command): "! \(command)"
        }
    }
}
