import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The rows in place of the body of an attempt that has none, or whose body is not kept.
enum AttemptRows {
    /// - Parameter isRedirect: true for a redirect that the attempt followed.
    static func rows(_ attempt: AttemptReport, isRedirect: Bool = false, columns: Int) -> [ResponseRow] {
        let role: Role = attempt.received == nil ? .failure : .dim
        return WrappedText.lines(
            of: isRedirect ? "The body of this redirect is not kept." : text(attempt), columns: columns
        ).map { ResponseRow([Span(text: $0, role: role)]) }
    }

    private static func text(_ attempt: AttemptReport) -> String {
        if let bytes = attempt.omittedBody { return "Body not kept: \(TimeText.size(bytes))" }
        guard let received = attempt.received else { return attempt.outcome.failure ?? "This attempt has no response." }
        return received.headers == nil ? "The response to this attempt is not recorded." : "No body."
    }
}
