import OmbiTerminal

/// A row of a tab of the response, and what is copied of it.
struct ResponseRow: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// A line that is copied as it shows.
        case line
        case header(String, String)
        /// A line that says what to do here.
        case hint
        /// A value under a name.
        case value(String, named: String)
    }

    var spans: [Span]
    var content = Content.line

    init(_ spans: [Span], _ content: Content = .line) {
        self.spans = spans
        self.content = content
    }

    static func hint(_ text: String) -> ResponseRow { ResponseRow([Span(text: text, role: .dim)], .hint) }

    /// The row, then its parts.
    var copies: [PickerOverlay.Item] {
        switch content {
        case .header(let name, let value):
            [.copying("\(name): \(value)", "header \(name)"), .copying(value, "the value of \(name)")]
        case .value(let text, let name): text.isEmpty ? [] : [.copying(text, name)]
        case .hint: []
        case .line:
            text.isEmpty ? [] : [.copying(text, "the line")]
        }
    }

    private var text: String {
        let text = spans.map(\.text).joined()
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension [ResponseRow] {
    /// `Name: value`, a line each.
    var headerLines: String {
        compactMap { if case .header(let name, let value) = $0.content { "\(name): \(value)" } else { nil } }
            .joined(separator: "\n")
    }
}
