import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with Foundation's `URLSession`: the transport for platforms that have no libcurl, and for programs
/// that want what only the system offers (its proxies, its VPN, its trust store).
///
/// Redirects are followed here and not by `URLSession`, by the rules of `RedirectPolicy`. What `URLSession` cannot do of
/// a `Connection` is refused before anything is sent (`TransportError.Code.unsupportedOption`). On Linux it can do
/// less, and tells less: see the article Transports of OmbiCore.
public final class URLSessionTransport: Transport {
    /// What a transport keeps of responses. It holds for all its requests.
    public struct Configuration: Sendable, Hashable {
        /// A larger body, after decoding, ends the attempt. In bytes.
        public var maximumResponseBytes: Int
        /// The bytes of one response that stay in memory; what is longer goes to a temporary file.
        public var memoryLimit: Int
        /// The memory that the responses of all transports share.
        public var memoryBudget: MemoryBudget
        /// The folder for temporary files.
        public var temporaryFolder: String

        /// 1 GiB for a response, 32 MiB of it in memory, 256 MiB of all, and files in `TMPDIR`, unless said otherwise.
        public init(
            maximumResponseBytes: Int = 1 << 30, memoryLimit: Int = 32 << 20, memoryBudget: MemoryBudget = .standard,
            temporaryFolder: String = Configuration.defaultTemporaryFolder
        ) {
            self.maximumResponseBytes = maximumResponseBytes
            self.memoryLimit = memoryLimit
            self.memoryBudget = memoryBudget
            self.temporaryFolder = temporaryFolder
        }

        /// `TMPDIR`, or `/tmp`.
        public static var defaultTemporaryFolder: String { ResponseLimits.defaultTemporaryFolder }

        var limits: ResponseLimits {
            ResponseLimits(
                maximumBytes: maximumResponseBytes, memoryLimit: memoryLimit, memoryBudget: memoryBudget,
                temporaryFolder: temporaryFolder)
        }
    }

    /// The transport of managers that name no other one, where there is no libcurl.
    public static let shared = URLSessionTransport()

    /// What it was made with.
    public let configuration: Configuration
    private let sessions: SessionPool
    private let clock: any RunClock

    /// - Parameters:
    ///   - configuration: What is kept of responses.
    ///   - adjust: Changes the configuration of each session that the transport makes, such as its protocol classes,
    ///     its proxies or its service type. Cookies, caches and credentials are off; OmbiCore has its own.
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
    /// The codings that every build of the system's libcurl decodes.
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
    /// With `URLSessionTransport.shared`, on platforms that have no libcurl.
    public convenience init(host: String, log: RequestLog? = nil) {
        self.init(host: host, transport: URLSessionTransport.shared, log: log)
    }

    /// With a log of the system (`RequestLog.init(subsystem:category:)`), in the category "OmbiRequestManager".
    public convenience init(host: String, subsystem: String) {
        self.init(host: host, log: RequestLog(subsystem: subsystem, category: "OmbiRequestManager"))
    }
}
#endif
