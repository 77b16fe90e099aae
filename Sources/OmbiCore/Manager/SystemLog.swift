#if canImport(os)
import os
#else
internal import Logging
#endif

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
