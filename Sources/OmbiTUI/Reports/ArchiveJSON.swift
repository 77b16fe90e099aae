import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs as an HTTP archive (HAR 1.2): an entry for each attempt with its response. `_attempt` is that of
/// `schema/run.schema.json`.
enum ArchiveJSON {
    /// The text before the entries, which are written one after the other with commas between.
    static let start =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"Ombi\",\"version\":\"\(Program.version)\"},\"entries\":["
    static let end = "]}}"

    /// Returns the entries of a run; none for one that sent nothing.
    static func entries(_ run: RecordedRun) -> [String] {
        guard let request = run.result.prepared else { return [] }
        let attempts = run.result.attempts
        return attempts.enumerated().map { index, attempt in
            let isFinal = index == attempts.count - 1 && run.result.receivedResponse != nil
            return entry(attempt, of: run, request, isFinal ? Body(of: run) : Body(of: attempt)).compact
        }
    }

    /// The response of an entry, and what is known of a body that is not kept.
    private struct Body {
        var response: TransportResponse?
        var size: Int
        var missing: String?

        init(of run: RecordedRun) {
            response = run.result.receivedResponse
            size = run.entry.size ?? response?.body?.count ?? 0
            missing = run.missingBody
        }

        init(of attempt: AttemptReport) {
            response = attempt.received
            size = attempt.omittedBody ?? response?.body?.count ?? 0
            missing = attempt.omittedBody.map { "the body is not kept (\($0) bytes)" }
        }
    }

    private static func entry(
        _ attempt: AttemptReport, of run: RecordedRun, _ request: PreparedRequest, _ body: Body
    ) -> JSONValue {
        let start = run.entry.startedAt.addingTimeInterval(attempt.startedAt.milliseconds / 1000)
        let timings = attempt.metrics.timings
        let version = attempt.metrics.protocolName ?? "HTTP/1.1"
        let names = run.entry.request.path.joined(separator: "/")
        let wait = attempt.wait.map { ", then waited \(Int($0.milliseconds)) ms" } ?? ""
        return [
            "startedDateTime": .string(start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "time": .milliseconds(timings.total),
            "request": value(request.sent(as: attempt), version, sent: attempt.metrics.bytesSent),
            "response": value(attempt, body, version),
            "cache": [:], "timings": value(timings),
            "serverIPAddress": attempt.metrics.remoteAddress.map { JSONValue.string(host($0)) },
            "comment": .string("\(names), attempt \(attempt.number)\(wait)"), "_run": .number(run.entry.id),
            "_attempt": attempt.json,
        ]
    }

    private static func value(_ request: PreparedRequest, _ version: String, sent: Int) -> JSONValue {
        [
            "method": .string(request.method.rawValue), "url": .string(request.url), "httpVersion": .string(version),
            "cookies": [], "headers": .array(request.headers.map { JSONValue.pair($0.name, $0.value) }),
            "queryString": .array(query(request.url)),
            // In the text secrets are masked.
            "headersSize": .number(-1), "bodySize": .number(sent), "postData": content(request),
        ]
    }

    /// Nil for a request without a body.
    private static func content(_ request: PreparedRequest) -> JSONValue? {
        guard let body = request.body, !body.isEmpty else { return nil }
        let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let missing = request.namesFiles ? "not recorded, as it was read from files: \(body)" : nil
        return [
            "mimeType": .string(type), "comment": missing.map(JSONValue.string),
            "text": missing == nil ? .string(body) : nil,
        ]
    }

    private static func query(_ url: String) -> [JSONValue] {
        let address = url.prefix { $0 != "#" }
        guard let mark = address.firstIndex(of: "?") else { return [] }
        let parameters = RequestParameters(encoded: String(address[address.index(after: mark)...]))
        return parameters.allParameters.map { JSONValue.pair($0.name, $0.value.text) }
    }

    private static func value(
        _ attempt: AttemptReport, _ body: Body, _ version: String
    ) -> JSONValue {
        let response = body.response
        let status = response?.statusCode ?? 0
        let headers = response?.headers?.fields ?? []
        let location = headers.first { $0.key.name.lowercased() == "location" }?.value.text ?? ""
        return [
            "status": .number(status), "statusText": .string(StatusCode.reason(status) ?? ""),
            "httpVersion": .string(version), "cookies": [],
            "headers": .array(headers.map { JSONValue.pair($0.key.name, $0.value.text) }),
            "content": content(body), "redirectURL": .string(location), "headersSize": .number(-1),
            "bodySize": .number(response == nil ? -1 : attempt.metrics.bytesReceived),
            "_error": attempt.outcome.failure.map(JSONValue.string),
        ]
    }

    private static func content(_ shown: Body) -> JSONValue {
        let type = shown.response?[.contentType]?.text ?? ""
        let body = shown.response?.body ?? Data()
        let text = String(validating: body, as: UTF8.self)
        return [
            "size": .number(shown.size), "mimeType": .string(type.isEmpty ? "x-unknown" : type),
            "comment": shown.missing.map(JSONValue.string),
            "text": body.isEmpty ? nil : .string(text ?? body.base64EncodedString()),
            "encoding": text == nil ? .string("base64") : nil,
        ]
    }

    /// A phase that did not occur is -1, and `connect` includes TLS.
    private static func value(_ timings: Timings) -> JSONValue {
        let optional = { (duration: Duration) -> JSONValue in duration > .zero ? .milliseconds(duration) : .number(-1) }
        return [
            "blocked": optional(timings.queue), "dns": optional(timings.resolve),
            "connect": optional(timings.connect + timings.tls), "ssl": optional(timings.tls),
            "send": .milliseconds(timings.send), "wait": .milliseconds(timings.wait),
            "receive": .milliseconds(timings.receive),
        ]
    }

    /// Returns an address without its port and brackets.
    private static func host(_ address: String) -> String {
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            return String(address[address.index(after: address.startIndex)..<end])
        }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : address
    }
}

extension TransportMetrics {
    /// "HTTP/1.1", as heads and HTTP archives have it.
    var protocolName: String? { httpVersion.map { "HTTP/\($0)" } }
}
