internal import OmbiBase

#if canImport(os)
import os
#else
internal import Logging
#endif

/// A log of sent requests and received responses.
///
/// Credentials are masked: in sensitive header fields (`RequestHeaders.Key.isSensitive`) and values marked as secret
/// (`RequestHeaders.Value.secret(_:)`), before the host of a URL, and in the values of query parameters, form fields
/// and JSON members that have a name such as `api_key` or `token`, or that carry an API key. Bodies are shortened to an
/// excerpt, or to their size if they are not text.
public struct RequestLog: Sendable {
    /// A log message.
    public struct Entry: Sendable, Hashable {
        /// The severity of a message.
        public enum Level: String, Sendable, Hashable {
            /// A request when it is sent, or a response when it arrives.
            case debug
            /// The failure of a run, and the use of a fallback response.
            case error
        }

        /// The severity.
        public var level: Level
        /// One line for a failure. For requests and responses: a first line, one line per header field, the body.
        public var message: String

        /// Creates an entry, for custom handlers and tests.
        public init(level: Level, message: String) {
            self.level = level
            self.message = message
        }
    }

    /// The logging program, such as "com.example.app".
    public let subsystem: String
    /// The part of the subsystem, such as the name of the API.
    public let category: String
    private let handler: @Sendable (Entry) -> Void

    /// Creates a log that writes to the system's log: Apple's unified logging if available, else swift-log under the
    /// label "subsystem.category".
    public init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, handler: SystemLog.handler(subsystem, category))
    }

    /// Creates a log that passes each entry to `handler`, which may be called from any thread.
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

    /// Returns an excerpt of the body; a stream is not read for the log.
    private static func excerpt(_ request: TransportRequest) -> String {
        if let stream = request.bodyStream { return stream.length.map { "(\($0) bytes)" } ?? "(a stream)" }
        return excerpt(request.body, type: request.headers[.contentType]?.text)
    }

    /// Returns the first 4 KiB of a body, masked.
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

    /// Returns nil for bytes that are not UTF-8; a character split by the cut is omitted.
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

/// Handlers that write to the system's log.
enum SystemLog {
    #if canImport(os)
    static func handler(_ subsystem: String, _ category: String) -> @Sendable (RequestLog.Entry) -> Void {
        handler(Logger(subsystem: subsystem, category: category))
    }

    /// Headers and bodies are private, the system's default for any text; a failure contains neither.
    static func handler(_ logger: Logger) -> @Sendable (RequestLog.Entry) -> Void {
        { entry in
            switch entry.level {
            case .debug: logger.debug("\(entry.message)")
            case .error: logger.error("\(entry.message, privacy: .public)")
            }
        }
    }
    #else
    static func handler(_ subsystem: String, _ category: String) -> @Sendable (RequestLog.Entry) -> Void {
        let logger = Logger(label: "\(subsystem).\(category)")
        return { entry in logger.log(level: entry.level == .error ? .error : .debug, "\(entry.message)") }
    }
    #endif
}

#if canImport(os)
extension RequestLog {
    /// Creates a log that writes to Apple's unified logging. Its `subsystem` and `category` are empty, since an `OSLog`
    /// does not expose them.
    public init(_ log: OSLog) {
        self.init(subsystem: "", category: "", handler: SystemLog.handler(Logger(log)))
    }
}

extension RequestManager {
    /// Creates a manager that logs to Apple's unified logging.
    public convenience init(host: String, log: OSLog) {
        self.init(host: host, log: RequestLog(log))
    }
}
#endif
