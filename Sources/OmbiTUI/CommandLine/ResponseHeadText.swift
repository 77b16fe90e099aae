import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The status and the headers of a response for people.
enum ResponseHeadText {
    /// `HTTP/1.1 200 OK  12 ms  1.2 kB`, and a line for each header. Empty without a response.
    static func text(_ result: SessionResult, isColored: Bool) -> String {
        guard let response = result.receivedResponse else { return "" }
        let version = result.report?.attempts.last?.metrics.protocolName
        let status = response.statusCode.map(StatusCode.words)
        let first = [version, status].compactMap { $0 }.joined(separator: " ")
        let time = result.report.map { TimeText.duration($0.duration) }
        let attempts = result.attemptsOfPage > 1 ? "\(result.attemptsOfPage) attempts" : nil
        let rest = [time, TimeText.size(response.body?.count ?? 0), attempts].compactMap { $0 }
        let color: Paint = result.passed ? .green : .red
        let line = SafeText.line(first)
        let fields = (response.headers?.fields ?? []).map { SafeText.line("\($0.key.name): \($0.value.text)") }
        let head = ([isColored ? color.text(line) : line] + rest).joined(separator: "  ")
        return ([head] + fields).joined(separator: "\n") + "\n"
    }
}
