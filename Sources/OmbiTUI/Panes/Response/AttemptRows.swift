import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The rows in place of the body of an attempt that has none, or whose body is not kept.
enum AttemptRows {
    static func rows(_ attempt: AttemptReport, columns: Int) -> [ResponseRow] {
        let text =
            attempt.omittedBody.map { "Body not kept: \(TimeText.size($0)). Esc shows the final response." }
            ?? attempt.outcome.failure ?? "This attempt has no response."
        return WrappedText.lines(of: text, columns: columns).map {
            ResponseRow([Span(text: $0, role: attempt.omittedBody == nil ? .failure : .dim)])
        }
    }
}
