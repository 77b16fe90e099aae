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

/// The sessions of a transport, one for each combination of settings in use. They end with the transport, after its
/// last attempt.
final class SessionPool: Sendable {
    private struct Entry {
        let settings: SessionSettings
        let session: URLSession
        let delegate: SessionDelegate
    }

    /// The sessions in order of use, the last used one last.
    private let entries = Lock<[Entry]>([])
    private let adjust: @Sendable (URLSessionConfiguration) -> Void
    /// A separate queue, because the global ones may all be busy; static, because an operation queue does not retain
    /// it. Events are only forwarded on it.
    private static let delegateQueue = DispatchQueue(label: "ombi.urlsession", qos: .userInitiated)
    /// Most programs use one or two.
    private static let maximumSessions = 16

    init(adjust: @escaping @Sendable (URLSessionConfiguration) -> Void) { self.adjust = adjust }

    deinit {
        for entry in entries.withLock({ $0 }) { entry.session.finishTasksAndInvalidate() }
    }

    /// Creates a task that reports to `listener`. It is not started.
    func task(
        for request: SessionRequest, _ settings: SessionSettings, listener: @escaping SessionListener
    ) -> SessionTask {
        if let task = existing(settings, request, listener) { return task }
        // The caller's closure runs outside the lock. If two threads arrive here at once, the second session is
        // discarded.
        let made = makeEntry(settings)
        let (task, surplus) = entries.withLock { entries in
            let index = entries.firstIndex { $0.settings == settings }
            let entry = index.map { entries[$0] } ?? made
            var surplus = index == nil ? [] : [made]
            if index == nil {
                entries.append(made)
                if entries.count > Self.maximumSessions { surplus.append(entries.removeFirst()) }
            }
            return (entry.delegate.task(for: request, in: entry.session, listener: listener), surplus)
        }
        for entry in surplus { entry.session.finishTasksAndInvalidate() }
        return task
    }

    /// Runs under the lock, because a session that has been removed can create no more tasks.
    private func existing(
        _ settings: SessionSettings, _ request: SessionRequest, _ listener: @escaping SessionListener
    ) -> SessionTask? {
        entries.withLock { entries in
            guard let index = entries.lastIndex(where: { $0.settings == settings }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.delegate.task(for: request, in: entry.session, listener: listener)
        }
    }

    private func makeEntry(_ settings: SessionSettings) -> Entry {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = URLRequest.noTimeout
        configuration.timeoutIntervalForResource = URLRequest.noTimeout
        settings.apply(to: configuration)
        adjust(configuration)
        let queue = OperationQueue()
        queue.underlyingQueue = Self.delegateQueue
        queue.maxConcurrentOperationCount = 1
        let delegate = SessionDelegate(verifiesServer: settings.verifiesServer)
        return Entry(
            settings: settings,
            session: URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue),
            delegate: delegate)
    }
}

/// The settings of a connection that belong to a session and not to a request. Requests with equal settings share a
/// session and its connections; a connection made without verification is never used by others.
struct SessionSettings: Sendable, Hashable {
    private(set) var verifiesServer: Bool
    private let usesProxy: Bool
    private let minimumVersion: Connection.TLS.Version
    private let maximumConnectionsPerHost: Int

    /// Equal to the default of `CurlTransport`.
    private static let defaultConnectionsPerHost = 8

    /// Throws for settings that `URLSession` does not support.
    init(_ connection: Connection) throws(TransportError) {
        try connection.check()
        try Self.checkSupport(connection)
        verifiesServer = connection.tls.verifiesServer
        usesProxy = connection.proxy != .none
        minimumVersion = connection.tls.minimumVersion
        maximumConnectionsPerHost = connection.maximumConnectionsPerHost ?? Self.defaultConnectionsPerHost
    }

    /// The settings for another server than that of the request, which is always verified.
    var verified: SessionSettings {
        var settings = self
        settings.verifiesServer = true
        return settings
    }

    private static func checkSupport(_ connection: Connection) throws(TransportError) {
        let standard = Connection()
        let unsupported: [(String, Bool)] = [
            ("connectTimeout", connection.connectTimeout != nil),
            ("tls.caFile", connection.tls.caFile != nil),
            ("tls.clientCertificate", connection.tls.clientCertificate != nil),
            ("tls.pinnedPublicKeys", !connection.tls.pinnedPublicKeys.isEmpty),
            ("httpVersion", connection.httpVersion != standard.httpVersion),
            ("unixSocket", connection.unixSocket != nil),
            ("addresses", !connection.addresses.isEmpty),
            ("networkInterface", connection.networkInterface != nil),
            ("addressFamily", connection.addressFamily != standard.addressFamily),
            ("maximumReceiveRate", connection.maximumReceiveRate != nil),
            ("maximumSendRate", connection.maximumSendRate != nil),
        ]
        if let member = unsupported.first(where: \.1)?.0 { throw refusal(member, on: "URLSession") }
        #if canImport(FoundationNetworking)
        let missing: [(String, Bool)] = [
            ("proxy", connection.proxy != standard.proxy),
            ("tls.verifiesServer", !connection.tls.verifiesServer),
            ("tls.minimumVersion", connection.tls.minimumVersion != standard.tls.minimumVersion),
        ]
        if let member = missing.first(where: \.1)?.0 { throw refusal(member, on: "URLSession on Linux") }
        #else
        if case .server = connection.proxy { throw refusal("proxy", on: "URLSession") }
        #endif
    }

    private static func refusal(_ member: String, on platform: String) -> TransportError {
        Connection.unsupported(member, "asks for something that \(platform) cannot do")
    }

    func apply(to configuration: URLSessionConfiguration) {
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        #if !canImport(FoundationNetworking)
        if !usesProxy { configuration.connectionProxyDictionary = [:] }
        configuration.tlsMinimumSupportedProtocolVersion =
            switch minimumVersion {
            case .v1_0: .TLSv10
            case .v1_1: .TLSv11
            case .v1_2: .TLSv12
            case .v1_3: .TLSv13
            }
        #endif
    }
}
