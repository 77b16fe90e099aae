import OmbiCore
import OmbiWorkspace

/// The judgement on a run, the same in the tree and in CI.
enum Verdict {
    /// Returns a sentence for each failure; empty when the run passed. Without an expected status, an error status is a
    /// failure.
    static func failures(of result: RunResult, expectation: Expectation?, report: RequestReport?) -> [String] {
        switch result {
        case .cancelled: return ["cancelled"]
        case .failure(let message): return [message]
        case .response(let response):
            let duration = report?.duration ?? .zero
            let unmet = expectation?.failures(status: response.statusCode, duration: duration) ?? []
            guard expectation?.status.isEmpty ?? true, let status = response.statusCode, status >= 400 else {
                return unmet
            }
            return [StatusCode.words(status)] + unmet
        }
    }
}
