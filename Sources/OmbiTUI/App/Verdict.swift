import OmbiCore
import OmbiWorkspace

/// Whether a run is what was hoped for: the same judgement in the tree and in CI.
enum Verdict {
    /// What is wrong, in words; empty when nothing is. Without an expectation of a status, an error status is wrong.
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
