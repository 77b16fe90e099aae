import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request and its response as text, masked as the history masks them, and cut.
struct ReportedExchange: Equatable, Sendable {
    var request: String
    /// Nil without a response.
    var response: String?
}

extension ReportedExchange {
    /// In bytes; of a body beyond it, no part is shown.
    private static let maximumBody = 1 << 16
    private static let maximumHeaders = 40

    /// Nil for a run of which nothing could be prepared.
    init?(_ result: SessionResult) {
        guard let sent = result.prepared else { return nil }
        let headers = sent.headers.filter(\.isSent).map { ($0.name, Self.masked($0.value, named: $0.name)) }
        let url = LogMask.url(sent.url)
        let first = sent.method.rawValue + " " + ReportText.cut(url, to: ReportText.maximumMessage)
        request = Self.text(first, headers, sent.body.map { LogMask.json($0) } ?? "")
        guard let received = result.receivedResponse else { return }
        let version = result.report?.attempts.last?.metrics.protocolName
        let status = received.statusCode.map(StatusCode.words)
        response = Self.text(
            [version, status].compactMap { $0 }.joined(separator: " "),
            (received.headers?.fields ?? []).map { ($0.key.name, Self.masked($0.value.text, named: $0.key.name)) },
            Self.body(of: result))
    }

    /// Names tell secrets apart that no collection calls one.
    private static func masked(_ value: String, named name: String) -> String {
        RequestHeaders.Key(name).isSensitive ? LogMask.mask : value
    }

    private static func text(_ first: String, _ headers: [(String, String)], _ body: String) -> String {
        let fields = headers.prefix(maximumHeaders).map {
            ReportText.cut("\($0.0): \($0.1)", to: ReportText.maximumName)
        }
        let rest = body.isEmpty ? [] : ["", ReportText.cut(body, to: ReportText.maximumExcerpt)]
        return ([first] + fields + rest).joined(separator: "\n")
    }

    private static func body(of result: SessionResult) -> String {
        let size = result.receivedResponse?.body?.count ?? 0
        guard size <= maximumBody else { return "(a body of \(TimeText.size(size)))" }
        guard let body = result.maskedBody else { return "" }
        return String(validating: body, as: UTF8.self) ?? "(\(TimeText.size(size)) that are no text)"
    }
}
