import OmbiCore
import OmbiTerminal

extension RateLimit {
    /// `412 left, 18m`, `3 left, 20 s, retry after 5 s`
    var words: String {
        let left = remaining.map { "\($0) left" }
        let time = left == nil ? nil : reset.map { TimeText.duration($0) }
        let retry = retryAfter.map { "retry after \(TimeText.duration($0))" }
        return [left, time, retry].compactMap { $0 }.joined(separator: ", ")
    }

    /// `api.example.com 412 left, 18m`
    func words(of host: String) -> String { host.isEmpty ? words : "\(host) \(words)" }
}
