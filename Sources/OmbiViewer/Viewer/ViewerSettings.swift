import OmbiDocument

/// The settings that viewers share: how bodies are shown, and the command history of prompts.
package struct ViewerSettings: Equatable, Sendable {
    var wraps = true
    var showsNumbers = true
    var syntax = SearchPattern.Syntax.text
    /// The marked body, with which others are compared.
    package var mark: NamedBody?
    /// The texts typed into each kind of prompt, oldest first.
    private var history: [[String]] = Array(repeating: [], count: 6)

    private static let maximumEntries = 100

    package init() {}

    /// The texts of the prompts that search and filter, oldest first.
    package var prompts: [String: [String]] {
        get { ["search": entries(.find), "filter": entries(.filter)].filter { !$0.value.isEmpty } }
        set {
            history[ViewerLine.Subject.find.rawValue] = newValue["search"] ?? []
            history[ViewerLine.Subject.filter.rawValue] = newValue["filter"] ?? []
        }
    }

    func entries(_ subject: ViewerLine.Subject) -> [String] { history[subject.rawValue] }

    mutating func remember(_ text: String, for subject: ViewerLine.Subject) {
        guard !text.isEmpty else { return }
        history[subject.rawValue].removeAll { $0 == text }
        history[subject.rawValue].append(text)
        if history[subject.rawValue].count > Self.maximumEntries { history[subject.rawValue].removeFirst() }
    }
}
