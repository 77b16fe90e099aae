import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport based on Foundation's `URLSession`, for platforms without libcurl, and for programs that need features
/// of the system (its proxies, its VPN, its trust store).
///
/// Redirects are followed here and not by `URLSession`, by the rules of `RedirectPolicy`. Settings of a `Connection`
/// that `URLSession` does not support are rejected before anything is sent (`TransportError.Code.unsupportedOption`).
/// On Linux it supports less, and reports less: see the article Transports of OmbiCore.
public final class URLSessionTransport: Transport {
    /// The storage limits for responses. They apply to all requests of a transport.
    public struct Configuration: Sendable, Hashable {
        /// The maximum size of a body in bytes, after decoding; a larger one ends the attempt.
        public var maximumResponseBytes: Int
        /// The maximum size of a response in memory, in bytes; the rest is stored in a temporary file.
        public var memoryLimit: Int
        /// The memory shared by the responses of all transports.
        public var memoryBudget: MemoryBudget
        /// The folder for temporary files.
        public var temporaryFolder: String

        /// Creates a configuration; by default 1 GiB for a response, 32 MiB of it in memory, 256 MiB for all, and files
        /// in `TMPDIR`.
        public init(
            maximumResponseBytes: Int = 1 << 30, memoryLimit: Int = 32 << 20, memoryBudget: MemoryBudget = .standard,
            temporaryFolder: String = Configuration.defaultTemporaryFolder
        ) {
            self.maximumResponseBytes = maximumResponseBytes
            self.memoryLimit = memoryLimit
            self.memoryBudget = memoryBudget
            self.temporaryFolder = temporaryFolder
        }

        /// The value of `TMPDIR`, or `/tmp`.
        public static var defaultTemporaryFolder: String { ResponseLimits.defaultTemporaryFolder }

        var limits: ResponseLimits {
            ResponseLimits(
                maximumBytes: maximumResponseBytes, memoryLimit: memoryLimit, memoryBudget: memoryBudget,
                temporaryFolder: temporaryFolder)
        }
    }

    /// The default transport of managers on platforms without libcurl.
    public static let shared = URLSessionTransport()

    /// The configuration, fixed at creation.
    public let configuration: Configuration
    private let sessions: SessionPool
    private let clock: any RunClock

    /// - Parameters:
    ///   - configuration: The storage limits for responses.
    ///   - adjust: Changes the configuration of each new session, such as its protocol classes, its proxies or its
    ///     service type. Cookies, caches and credentials are off; OmbiCore has its own.
    public convenience init(
        configuration: Configuration = .init(),
        adjust: @escaping @Sendable (_ session: URLSessionConfiguration) -> Void = { _ in }
    ) {
        self.init(configuration: configuration, adjust: adjust, clock: SystemClock())
    }

    init(
        configuration: Configuration, adjust: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in },
        clock: any RunClock
    ) {
        self.configuration = configuration
        self.clock = clock
        sessions = SessionPool(adjust: adjust)
    }

    #if canImport(FoundationNetworking)
    /// The codings supported by every build of the system's libcurl.
    public var acceptedEncodings: String? { "gzip, deflate" }
    #else
    public var acceptedEncodings: String? { "gzip, deflate, br" }
    #endif

    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let attempt = SessionAttempt(
            request, limits: configuration.limits, sessions: sessions, clock: clock, onEvent: onEvent)
        attempt.start()
        return attempt
    }
}

#if !canImport(CCurl)
extension RequestManager {
    /// Creates a manager with `URLSessionTransport.shared`, on platforms without libcurl.
    public convenience init(host: String, log: RequestLog? = nil) {
        self.init(host: host, transport: URLSessionTransport.shared, log: log)
    }

    /// Creates a manager that writes to the system's log (`RequestLog.init(subsystem:category:)`), in the category
    /// "OmbiRequestManager".
    public convenience init(host: String, subsystem: String) {
        self.init(host: host, log: RequestLog(subsystem: subsystem, category: "OmbiRequestManager"))
    }
}
#endif
