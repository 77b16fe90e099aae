import OmbiCore
import OmbiDocument
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs as an HTTP archive (HAR 1.2): an entry for each attempt, the last of which has the response.
enum ArchiveJSON {
    /// The text before the entries, which are written one after the other with commas between.
    static let start =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"Ombi\",\"version\":\"0.1.0\"},\"entries\":["
    static let end = "]}}"

    /// Returns the entries of a run; none for one that sent nothing.
    static func entries(_ run: RecordedRun) -> [String] {
        guard let request = run.result.prepared else { return [] }
        let attempts = run.result.report?.attempts ?? []
        return attempts.enumerated().map { index, attempt in
            let isLast = index == attempts.count - 1
            return entry(attempt, of: run, request, isLast ? run.result.receivedResponse : nil).compact
        }
    }

    private static func entry(
        _ attempt: AttemptReport, of run: RecordedRun, _ request: PreparedRequest, _ response: TransportResponse?
    ) -> JSONValue {
        let start = run.entry.startedAt.addingTimeInterval(attempt.startedAt.seconds)
        let timings = attempt.metrics.timings
        let version = attempt.metrics.protocolName ?? "HTTP/1.1"
        var members: [JSONValue.Member] = [
            .init(
                "startedDateTime", .string(start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))),
            .init("time", milliseconds(timings.total)),
            .init("request", value(request, version, sent: attempt.metrics.bytesSent)),
            .init("response", value(attempt, response ?? attempt.response, response.map { _ in run }, version)),
            .init("cache", .object([])), .init("timings", value(timings)),
        ]
        if let address = attempt.metrics.remoteAddress {
            members.append(.init("serverIPAddress", .string(host(address))))
        }
        let names = run.entry.request.path.joined(separator: "/")
        let wait = attempt.wait.map { ", then waited \(Int($0.seconds * 1000)) ms" } ?? ""
        members += [
            .init("comment", .string("\(names), attempt \(attempt.number)\(wait)")),
            .init("_run", .number(run.entry.id)), .init("_attempt", .number(attempt.number)),
            .init("_reason", .string(attempt.reason.rawValue)),
        ]
        return .object(members)
    }

    private static func value(_ request: PreparedRequest, _ version: String, sent: Int) -> JSONValue {
        let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        var members: [JSONValue.Member] = [
            .init("method", .string(request.method.rawValue)), .init("url", .string(request.url)),
            .init("httpVersion", .string(version)), .init("cookies", .array([])),
            .init("headers", .array(request.headers.map { pair($0.name, $0.value) })),
            .init("queryString", .array(query(request.url))),
            // In the text secrets are masked.
            .init("headersSize", .number(-1)), .init("bodySize", .number(sent)),
        ]
        if let body = request.body, !body.isEmpty {
            let content: JSONValue.Member =
                request.namesFiles
                ? .init("comment", .string("not recorded, as it was read from files: \(body)"))
                : .init("text", .string(body))
            members.append(.init("postData", .object([.init("mimeType", .string(type)), content])))
        }
        return .object(members)
    }

    private static func query(_ url: String) -> [JSONValue] {
        let address = url.prefix { $0 != "#" }
        guard let mark = address.firstIndex(of: "?") else { return [] }
        let parameters = RequestParameters(encoded: String(address[address.index(after: mark)...]))
        return parameters.allParameters.map { pair($0.name, $0.value.text) }
    }

    private static func value(
        _ attempt: AttemptReport, _ response: TransportResponse?, _ run: RecordedRun?, _ version: String
    ) -> JSONValue {
        let status = response?.statusCode ?? 0
        let headers = response?.headers?.fields ?? []
        let location = headers.first { $0.key.name.lowercased() == "location" }?.value.text ?? ""
        var members: [JSONValue.Member] = [
            .init("status", .number(status)), .init("statusText", .string(StatusCode.reason(status) ?? "")),
            .init("httpVersion", .string(version)), .init("cookies", .array([])),
            .init("headers", .array(headers.map { pair($0.key.name, $0.value.text) })),
            .init("content", content(response, run)), .init("redirectURL", .string(location)),
            .init("headersSize", .number(-1)),
            .init("bodySize", .number(response == nil ? -1 : attempt.metrics.bytesReceived)),
        ]
        switch attempt.outcome {
        case .failed(_, let message), .stopped(let message): members.append(.init("_error", .string(message)))
        case .slaExceeded: members.append(.init("_error", .string("the SLA ended")))
        case .cancelled: members.append(.init("_error", .string("cancelled")))
        case .abandoned: members.append(.init("_error", .string("ended by a retry")))
        case .succeeded: break
        }
        return .object(members)
    }

    /// - Parameter run: that of the response; nil for one whose body was never kept.
    private static func content(_ response: TransportResponse?, _ run: RecordedRun?) -> JSONValue {
        let type = response?[.contentType]?.text ?? ""
        let body = response?.body ?? Data()
        var members: [JSONValue.Member] = [
            .init("size", .number(run?.entry.size ?? body.count)),
            .init("mimeType", .string(type.isEmpty ? "x-unknown" : type)),
        ]
        if let missing = run?.missingBody { members.append(.init("comment", .string(missing))) }
        if let text = String(validating: body, as: UTF8.self) {
            if !body.isEmpty { members.append(.init("text", .string(text))) }
        } else {
            members += [.init("text", .string(body.base64EncodedString())), .init("encoding", .string("base64"))]
        }
        return .object(members)
    }

    /// A phase that did not occur is -1, and `connect` includes TLS.
    private static func value(_ timings: Timings) -> JSONValue {
        let optional = { (duration: Duration) in duration > .zero ? milliseconds(duration) : .number(-1) }
        return .object([
            .init("blocked", optional(timings.queue)), .init("dns", optional(timings.resolve)),
            .init("connect", optional(timings.connect + timings.tls)), .init("ssl", optional(timings.tls)),
            .init("send", milliseconds(timings.send)), .init("wait", milliseconds(timings.wait)),
            .init("receive", milliseconds(timings.receive)),
        ])
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        .object([.init("name", .string(name)), .init("value", .string(value))])
    }

    private static func milliseconds(_ duration: Duration) -> JSONValue {
        .number((duration.seconds * 1_000_000).rounded() / 1000)
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

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension TransportMetrics {
    /// "HTTP/1.1", as heads and HTTP archives have it.
    var protocolName: String? { httpVersion.map { "HTTP/\($0)" } }
}
