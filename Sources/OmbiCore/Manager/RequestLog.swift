internal import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a manager tells what it sends and receives. Fields that carry credentials are masked.
public struct RequestLog: Sendable {
    public struct Entry: Sendable, Hashable {
        public enum Level: String, Sendable, Hashable {
            case debug
            case error
        }

        public var level: Level
        public var message: String

        public init(level: Level, message: String) {
            self.level = level
            self.message = message
        }
    }

    public let subsystem: String
    public let category: String
    private let handler: @Sendable (Entry) -> Void

    /// Writes to swift-log, under the label "subsystem.category".
    public init(subsystem: String, category: String) {
        let logger = Logger(label: "\(subsystem).\(category)")
        self.init(subsystem: subsystem, category: category) { entry in
            logger.log(level: entry.level == .error ? .error : .debug, "\(entry.message)")
        }
    }

    public init(subsystem: String, category: String, handler: @escaping @Sendable (Entry) -> Void) {
        self.subsystem = subsystem
        self.category = category
        self.handler = handler
    }

    func request(_ request: TransportRequest) {
        debug("\(request.method.rawValue) \(Self.masked(request.url))", request.headers, request.body)
    }

    func response(_ response: TransportResponse) {
        let status = response.statusCode.map(StatusCode.words) ?? "no status"
        debug("\(status) \(response.url.map(Self.masked) ?? "")", response.headers ?? [:], response.body)
    }

    func failure(_ message: String) { handler(Entry(level: .error, message: message)) }

    private func debug(_ line: String, _ headers: RequestHeaders, _ body: Data?) {
        let fields = headers.fields.map { "\($0.key): \($0.key.isSensitive ? "••••••" : $0.value.text)" }
        handler(Entry(level: .debug, message: ([line] + fields + [Self.excerpt(body)]).joined(separator: "\n")))
    }

    /// The URL without the name and the password that may stand before its host.
    private static func masked(_ url: URL) -> String {
        let text = url.absoluteString
        guard let colon = text.firstIndex(of: ":"),
            let start = text.index(colon, offsetBy: 3, limitedBy: text.endIndex),
            let at = text[start...].prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@")
        else { return text }
        return text[..<start] + "••••••" + text[at...]
    }

    /// The first 4 KiB of a body.
    private static func excerpt(_ body: Data?) -> String {
        guard let body, !body.isEmpty else { return "(no body)" }
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        return body.count > 4096 ? "\(text)… (\(body.count) bytes)" : text
    }
}
