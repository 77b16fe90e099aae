#if canImport(os)
import os
#else
internal import Logging
#endif

/// The log of the system, as a function.
enum SystemLog {
    #if canImport(os)
    static func handler(_ subsystem: String, _ category: String) -> @Sendable (RequestLog.Entry) -> Void {
        handler(Logger(subsystem: subsystem, category: category))
    }

    /// Headers and bodies are private, which is what the system makes of any text; a failure holds neither.
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
    /// Writes to a log of Apple's unified logging, which keeps its subsystem and its category to itself.
    public init(_ log: OSLog) {
        self.init(subsystem: "", category: "", handler: SystemLog.handler(Logger(log)))
    }
}

extension RequestManager {
    /// A manager that logs to a log of Apple's unified logging.
    public convenience init(host: String, log: OSLog) {
        self.init(host: host, log: RequestLog(log))
    }
}
#endif
