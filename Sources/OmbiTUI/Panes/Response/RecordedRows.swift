import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A run of the history to read, where its request is gone: in no tree there is a place for its response.
enum RecordedRows {
    /// The lines of a body that show, and the bytes that they are taken from.
    private static let maximumLines = 500
    private static let maximumBytes = 1 << 16

    static func rows(_ run: RecordedRun, age: Duration) -> [[Span]] {
        let name = run.entry.request.shortName
        let note = "\(name) is not in the workspace; ombi history show \(run.entry.id) has all of the run"
        let start = [[Span(text: "recorded \(age.ageWords) ago", role: .warning)], [Span(text: note, role: .dim)], []]
        return start + request(run) + failures(run) + response(run)
    }

    private static func request(_ run: RecordedRun) -> [[Span]] {
        guard let request = run.result.prepared else { return [] }
        var rows = [[Span(text: "\(request.method.rawValue) \(request.url)", role: .title)]]
        rows += request.headers.map { header($0.name, $0.value) }
        rows.append([])
        guard let body = request.body, !body.isEmpty else { return rows }
        rows += lines(body)
        rows.append([])
        return rows
    }

    private static func failures(_ run: RecordedRun) -> [[Span]] {
        run.result.failures.map { [Span(text: "✗ " + $0, role: .failure)] }
    }

    private static func response(_ run: RecordedRun) -> [[Span]] {
        guard let response = run.result.receivedResponse else { return [] }
        let status = response.statusCode.map(StatusCode.words) ?? "no status"
        let facts = " · \(TimeText.duration(run.entry.duration)) · \(TimeText.size(run.entry.size ?? 0))"
        var rows = [[Span(text: status, role: .title), Span(text: facts, role: .dim)]]
        rows += (response.headers?.fields ?? []).map { header($0.key.name, $0.value.text) }
        rows.append([])
        return rows + body(response.body ?? Data(), missing: run.missingBody)
    }

    private static func body(_ body: Data, missing: String?) -> [[Span]] {
        if let missing { return [[Span(text: missing, role: .dim)]] }
        let start = body.prefix(maximumBytes)
        guard !start.contains(0) else { return [[Span(text: "\(TimeText.size(body.count)) of bytes", role: .dim)]] }
        let lines = lines(String(decoding: start, as: UTF8.self))
        guard start.count < body.count || lines.count > maximumLines else { return lines }
        return Array(lines.prefix(maximumLines)) + [[Span(text: "… and more", role: .dim)]]
    }

    private static func header(_ name: String, _ value: String) -> [Span] {
        [Span(text: name + ": ", role: .key), Span(text: value, role: .plain)]
    }

    private static func lines(_ text: String) -> [[Span]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { [Span(text: String($0), role: .plain)] }
    }
}
