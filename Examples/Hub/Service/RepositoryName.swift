/// The owner and the name of a repository: "ada/engine".
struct RepositoryName: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    var path: String { "/repos/\(text)" }
}
