/// The verdict on each expectation of a run: what was expected and, where it was not met, what came instead.
enum ExpectTab {
    static func title(_ run: RunState?) -> String {
        guard let expectations = run?.expectations, !expectations.isEmpty else { return "Expect" }
        return expectations.failureCount == 0 ? "Expect ✓" : "Expect ✗ \(expectations.failureCount)"
    }

    static func rows(_ run: RunState) -> [ResponseRow] {
        guard run.response != nil else {
            guard !run.isRunning, run.headers != nil else { return [] }
            return [.hint("Nothing was checked: the response is not complete. s sends it again.")]
        }
        guard !run.expectations.isEmpty else {
            return [.hint("Nothing is expected. X on a value of the body expects it; so does the tab Expect.")]
        }
        return run.expectations.map(row)
    }

    private static func row(_ result: ExpectationResult) -> ResponseRow {
        let mark = Span(text: result.isMet ? "✓ " : "✗ ", role: result.isMet ? .success : .failure)
        if let statement = result.statement {
            return ResponseRow(
                [mark, Span(text: statement, role: .failure)], .value(statement, named: "the expectation"))
        }
        let found = result.isMet ? "" : "  \(result.place == .time ? "took" : "got") \(result.found)"
        return ResponseRow(
            [mark, Span(text: result.expected, role: .plain), Span(text: found, role: .failure)],
            .value(result.isMet ? result.expected : result.sentence, named: "the expectation"))
    }
}
