/// A row of a tab of the response, and what is copied of it.
struct ResponseRow: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case line
        case header(String, String)
        /// A line that says what to do here.
        case hint
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
        return String(text.trimming { $0 == " " })
    }
}

extension [ResponseRow] {
    /// `Name: value`, a line each.
    var headerLines: String {
        compactMap { if case .header(let name, let value) = $0.content { "\(name): \(value)" } else { nil } }
            .joined(separator: "\n")
    }

    /// A hint in place of rows takes as many lines as it needs.
    func foldingHint(columns: Int) -> [ResponseRow] {
        guard count == 1, let hint = first, hint.content == .hint else { return self }
        return WrappedText.lines(of: hint.spans.map(\.text).joined(), columns: columns).map { .hint($0) }
    }
}

/// The rows that show one value over time: the newest first, a row for each change.
enum ValueRows {
    static func rows(_ history: ValueHistory) -> [[Span]] {
        guard let newest = history.periods.first else {
            return [[Span(text: "No response of this request is in the history yet.", role: .dim)]]
        }
        let changes = history.periods.count - 1
        var rows: [[Span]] = []
        if history.numbers.count > 1 {
            rows.append([Span(text: Sparkline.text(history.numbers, columns: 60), role: .phaseWait)])
        }
        let summary =
            changes == 0
            ? "the same in \(Count.of(history.runs, "run"))"
            : "\(Count.of(changes, "change")) in \(Count.of(history.runs, "run")); the last one "
                + HistoryTab.time(newest.first)
        rows.append([Span(text: summary, role: .dim)])
        rows.append([])
        rows += history.periods.map { period in
            [
                Span(text: HistoryTab.time(period.first) + "  ", role: .dim),
                period.value.map { Span(text: $0, role: .plain) } ?? Span(text: "no such value", role: .warning),
                Span(text: period.runs > 1 ? "  \(period.runs)×" : "", role: .dim),
            ]
        }
        if history.isCut { rows.append([Span(text: "Older responses were not looked at.", role: .dim)]) }
        return rows
    }
}
