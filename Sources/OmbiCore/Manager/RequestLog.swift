#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a manager tells what it sends and receives.
///
/// Credentials are masked: in sensitive header fields (`RequestHeaders.Key.isSensitive`) and values that are marked
/// (`RequestHeaders.Value.secret(_:)`), before the host of a URL, and in the values of query parameters, form fields and
/// JSON members that have a name such as `api_key` or `token`, or that carry an API key. Of a body there is an excerpt;
/// of one that is no text, its size.
public struct RequestLog: Sendable {
    /// One message.
    public struct Entry: Sendable, Hashable {
        /// How much a message matters.
        public enum Level: String, Sendable, Hashable {
            /// Each request when it is sent, and each response when it arrives.
            case debug
            /// The failure of a run, and the use of a fallback response.
            case error
        }

        /// How much it matters.
        public var level: Level
        /// One line for a failure. For requests and responses: a first line, one for each header field, the body.
        public var message: String

        /// For handlers and tests that make entries of their own.
        public init(level: Level, message: String) {
            self.level = level
            self.message = message
        }
    }

    /// Who logs, such as "com.example.app".
    public let subsystem: String
    /// Which part of it logs, such as the name of the API.
    public let category: String
    private let handler: @Sendable (Entry) -> Void

    /// Writes to the log of the system: Apple's unified logging where there is one, elsewhere swift-log under the label
    /// "subsystem.category".
    public init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, handler: SystemLog.handler(subsystem, category))
    }

    /// Hands each entry to `handler`, which may be called from any thread.
    public init(subsystem: String, category: String, handler: @escaping @Sendable (Entry) -> Void) {
        self.subsystem = subsystem
        self.category = category
        self.handler = handler
    }

    func request(_ request: TransportRequest) {
        let line = "\(request.method.rawValue.visible) \(LogMask.url(request.url, of: request))"
        debug(line, request.headers, Self.excerpt(request))
    }

    func response(_ response: TransportResponse, to request: TransportRequest?) {
        let status = response.statusCode.map(StatusCode.words) ?? "no status"
        let line = "\(status) \(response.url.map { LogMask.url($0, of: request) } ?? "")"
        let type = response.headers?[.contentType]?.text
        debug(line, response.headers ?? [:], Self.excerpt(response.body, type: type))
    }

    func failure(_ message: String) { handler(Entry(level: .error, message: message)) }

    private func debug(_ line: String, _ headers: RequestHeaders, _ body: String) {
        let fields = headers.fields.map { "\($0.key.name.visible): \(Self.value(of: $0).visible)" }
        handler(Entry(level: .debug, message: ([line] + fields + [body]).joined(separator: "\n")))
    }

    private static func value(of field: RequestHeaders.Field) -> String {
        if field.key.isSensitive || field.value.isSecret { return LogMask.mask }
        return [.location, .referer, "Content-Location"].contains(field.key)
            ? LogMask.url(field.value.text) : field.value.text
    }

    /// A stream is not read for the log.
    private static func excerpt(_ request: TransportRequest) -> String {
        if let stream = request.bodyStream { return stream.length.map { "(\($0) bytes)" } ?? "(a stream)" }
        return excerpt(request.body, type: request.headers[.contentType]?.text)
    }

    /// The first 4 KiB of a body, masked.
    private static func excerpt(_ body: Data?, type: String?) -> String {
        guard let body, !body.isEmpty else { return "(no body)" }
        let type = MediaType.essence(of: type ?? "")
        guard !type.hasPrefix("multipart/"), let text = text(body.prefix(excerptBytes)) else {
            return "(\(body.count) bytes)"
        }
        let masked = masked(text, type: type).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.replacing("\t", with: "    ").visible }.joined(separator: "\n")
        return body.count > excerptBytes ? "\(masked)… (\(body.count) bytes)" : masked
    }

    private static let excerptBytes = 4096

    /// nil for bytes that are not UTF-8; a character that the cut has split is left out.
    private static func text(_ bytes: Data) -> String? {
        for cut in 0...(bytes.count < excerptBytes ? 0 : 3) {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }

    private static func masked(_ text: String, type: String) -> String {
        if type == "application/x-www-form-urlencoded" { return LogMask.form(text) }
        let first = text.first { !$0.isWhitespace }
        return type.hasSuffix("json") || first == "{" || first == "[" ? LogMask.json(text) : text
    }
}
