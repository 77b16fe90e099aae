import OmbiTerminal
import OmbiWorkspace

/// The last runs of a request in its row: a bar for the time of each, a cross for one that failed.
enum RecentRuns {
    static let columns = 8

    /// - Parameter runs: the oldest first; the newest one is at the right.
    static func spans(_ runs: [RecentRun]) -> [Span] {
        let shown = Array(runs.suffix(columns))
        let passed = shown.filter(\.passed).map { $0.duration / .milliseconds(1) }
        // Bars compare what passed: a failure that took a minute would make all of them the same.
        var bars = Array(Sparkline.text(passed, columns: columns)).makeIterator()
        let cells: [Span] = shown.map { run in
            run.passed
                ? Span(text: bars.next().map(String.init) ?? " ", role: .phaseWait) : Span(text: "✗", role: .failure)
        }
        return [Span(text: String(repeating: " ", count: columns - shown.count), role: .plain)] + cells.merged
    }
}

extension [Span] {
    /// Neighbours of one role as one.
    fileprivate var merged: [Span] {
        reduce(into: []) { spans, span in
            if let last = spans.last, last.role == span.role {
                spans[spans.count - 1].text += span.text
            } else {
                spans.append(span)
            }
        }
    }
}
