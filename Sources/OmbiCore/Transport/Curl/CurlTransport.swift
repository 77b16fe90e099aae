#if canImport(CCurl)
/// A transport based on libcurl: persistent connections, HTTP/2 over TLS, gzip, br and zstd as supported by the
/// installed libraries.
///
/// Any number of requests may be started at once. As many as `Configuration` allows are sent; the others queue, in
/// order of arrival at each host, and round-robin among hosts. The queue is a phase (``RequestPhase/queue``) in which
/// `idleTimeout` does not run; `attemptTimeout` does. When the process has no file descriptors left, requests wait for
/// those of others, and fail with ``TransportError/Code/noDescriptors`` if there are no others.
///
/// A few threads drive all requests. They start with the first request and end with the last connection. They deliver
/// the events, one at a time for each attempt; receivers must not block them, except in the last event.
///
/// Redirects are followed here and not by libcurl: fields that carry credentials are withheld from another host.
public final class CurlTransport: Transport {
    /// The limits of a transport. They apply to all its requests; the route to a server is each manager's own
    /// `Connection`.
    public struct Configuration: Sendable, Hashable {
        /// The maximum size of a body, after decoding; a larger one ends the attempt.
        public var maximumResponseBytes: Int
        /// The maximum size of a response in memory, in bytes. The rest is stored in a temporary file.
        public var memoryLimit: Int
        /// The memory budget of all responses together, including those still retained.
        public var memoryBudget: MemoryBudget
        /// The folder for temporary files; `TMPDIR` by default.
        public var temporaryFolder: String
        /// The maximum number of concurrent requests to one host over HTTP/1.1, where each occupies a connection; 8 by
        /// default. Further ones queue in order of arrival. `Connection.maximumConnectionsPerHost` takes precedence.
        public var maximumConnectionsPerHost: Int
        /// The maximum number of concurrent requests to one host over HTTP/2 and later, where they share a connection;
        /// 100 by default, as servers generally allow (RFC 9113 §5.1.2). If a server allows fewer, further connections
        /// are made.
        public var maximumStreamsPerHost: Int
        /// The maximum number of connections in total, idle ones included. Further requests queue, and hosts take
        /// turns. nil, the default, derives it from the process's limit of file descriptors (`ulimit -n`).
        public var maximumConnections: Int?
        /// The time for which an idle connection is kept open, in whole seconds; 60 s by default.
        public var idleConnectionLifetime: Duration
        /// The number of threads that drive requests. nil, the default, is half the number of processors, and at least
        /// one.
        public var loops: Int?

        /// Creates a configuration; by default 1 GiB for a response, 32 MiB of it in memory, 256 MiB for all, 8
        /// connections to a host.
        public init(
            maximumResponseBytes: Int = 1 << 30, memoryLimit: Int = 32 << 20, memoryBudget: MemoryBudget = .standard,
            temporaryFolder: String = Configuration.defaultTemporaryFolder, maximumConnectionsPerHost: Int = 8,
            maximumStreamsPerHost: Int = 100, maximumConnections: Int? = nil,
            idleConnectionLifetime: Duration = .seconds(60), loops: Int? = nil
        ) {
            self.maximumResponseBytes = maximumResponseBytes
            self.memoryLimit = memoryLimit
            self.memoryBudget = memoryBudget
            self.temporaryFolder = temporaryFolder
            self.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.maximumStreamsPerHost = maximumStreamsPerHost
            self.maximumConnections = maximumConnections
            self.idleConnectionLifetime = idleConnectionLifetime
            self.loops = loops
        }

        var connectionLimit: Int { max(maximumConnections ?? Descriptors.connectionLimit, 1) }
        var loopCount: Int { min(max(loops ?? Processors.count / 2, 1), 64) }

        /// The value of `TMPDIR`, or `/tmp`.
        public static var defaultTemporaryFolder: String { ResponseLimits.defaultTemporaryFolder }

        var limits: ResponseLimits {
            ResponseLimits(
                maximumBytes: maximumResponseBytes, memoryLimit: memoryLimit, memoryBudget: memoryBudget,
                temporaryFolder: temporaryFolder)
        }
    }

    /// The configuration, fixed at creation.
    public let configuration: Configuration
    private let loops: CurlLoops

    /// The default transport of managers, which share its connections and threads.
    public static let shared = CurlTransport()

    /// Creates a transport without opening or loading anything: libcurl is loaded when the first request is sent, or
    /// when a manager reads `acceptedEncodings`.
    public init(configuration: Configuration = .init()) {
        self.configuration = configuration
        loops = CurlLoops(configuration: configuration)
    }

    /// Active requests continue to their end; then the connections are closed.
    deinit { loops.close() }

    public var acceptedEncodings: String? { try? CurlLibrary.shared.get().acceptedEncodings }

    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let (id, pause) = loops.start(request, onEvent)
        guard let pause else { return CurlTask(loops: loops, id: id) }
        return CurlPiecesTask(loops: loops, id: id, pausing: pause)
    }

    public func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        CurlChannelLoop.shared.open(request, configuration, completion)
    }
}

/// The handle of a transfer. Small enough for an `any TransportTask` without an allocation.
private struct CurlTask: TransportTask {
    let loops: CurlLoops
    let id: CurlTransferID

    func cancel() { loops.submit(.cancel(id), for: id) }
}

/// The handle of a transfer whose response is delivered in pieces.
private struct CurlPiecesTask: TransportTask {
    let loops: CurlLoops
    let id: CurlTransferID
    let pausing: CurlPause

    func cancel() { loops.submit(.cancel(id), for: id) }

    func pause() { pausing.set(true) }

    func resume() {
        pausing.set(false)
        loops.submit(.resume(id), for: id)
    }
}

extension CurlTransport {
    /// Returns the error of every request with these settings, such as one that needs what the libcurl of this system was
    /// built without; nil if there is none. Loads libcurl, and sends nothing.
    public static func refusal(of connection: Connection) -> TransportError? {
        do throws(TransportError) {
            let shared = CurlShared(library: try CurlLibrary.shared.get(), configuration: Configuration())
            try CurlHandle(shared).use(ConnectionBox(connection), .own)
            return nil
        } catch {
            return error
        }
    }
}
#endif
