#if canImport(CCurl)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sends requests with libcurl: connections that are kept, HTTP/2 over TLS, gzip, br and zstd as the installed libraries
/// have them.
///
/// Any number of requests may be started at once. As many as `Configuration` allows are sent; the others queue, first come
/// first served at each host, with the hosts in turn. The queue is a phase of its own (``RequestPhase/queue``), in which
/// `idleTimeout` does not run; `attemptTimeout` does. Where the process has no file descriptors left, requests wait for
/// those of others, and fail with ``TransportError/Code/noDescriptors`` where there are no others.
///
/// A few threads drive all requests. They come with the first request and go when no connection is left. Events come on
/// them, one at a time for each attempt; receivers must not wait there, except in the last event.
///
/// Redirects are followed here and not by libcurl: fields that carry credentials are not sent on to another host.
public final class CurlTransport: Transport {
    /// What a transport keeps, and how much it does at once. It holds for all its requests; how they reach their server
    /// is each manager's own `Connection`.
    public struct Configuration: Sendable, Hashable {
        /// A larger body, after decoding, ends the attempt.
        public var maximumResponseBytes: Int
        /// In bytes. What is longer of a response goes to a temporary file.
        public var memoryLimit: Int
        /// What all responses together may take of the memory, those included that somebody keeps.
        public var memoryBudget: MemoryBudget
        /// Where temporary files are made; `TMPDIR` unless it says otherwise.
        public var temporaryFolder: String
        /// Requests to one host at the same time over HTTP/1.1, where each has a connection for itself; 8 by default.
        /// Further ones queue, first come first served. `Connection.maximumConnectionsPerHost` goes before it.
        public var maximumConnectionsPerHost: Int
        /// Requests to one host at the same time over HTTP/2 and later, where they share a connection; 100 by default, as
        /// servers allow as a rule (RFC 9113 §5.1.2). Where a server allows fewer, further connections are made.
        public var maximumStreamsPerHost: Int
        /// Connections in all, idle ones included. Further requests queue, and hosts take turns. nil, the default, is what
        /// the limit of file descriptors of the process allows (`ulimit -n`).
        public var maximumConnections: Int?
        /// How long a connection is kept open for the next request, to the second; 60 s by default.
        public var idleConnectionLifetime: Duration
        /// Threads that drive requests. nil, the default, is half the number of processors, and at least one.
        public var loops: Int?

        /// As the members say: 1 GiB for a response, 32 MiB of it in memory, 256 MiB of all, 8 connections to a host.
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
        var loopCount: Int { min(max(loops ?? Self.processorCount / 2, 1), 64) }

        static let processorCount = max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1)

        /// `TMPDIR`, or `/tmp`.
        public static var defaultTemporaryFolder: String { ResponseLimits.defaultTemporaryFolder }

        var limits: ResponseLimits {
            ResponseLimits(
                maximumBytes: maximumResponseBytes, memoryLimit: memoryLimit, memoryBudget: memoryBudget,
                temporaryFolder: temporaryFolder)
        }
    }

    /// What it was made with.
    public let configuration: Configuration
    private let loops: CurlLoops

    /// The transport of managers that are given no other. Its connections and its threads serve all of them.
    public static let shared = CurlTransport()

    /// Opens nothing and loads nothing: libcurl is looked for when the first request is sent, or when a manager asks
    /// for `acceptedEncodings`.
    public init(configuration: Configuration = .init()) {
        self.configuration = configuration
        loops = CurlLoops(configuration: configuration)
    }

    /// Requests under way go on to their end; then the connections are closed.
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

/// The handle of one transfer. No larger than what fits into an `any TransportTask` without an allocation.
private struct CurlTask: TransportTask {
    let loops: CurlLoops
    let id: CurlTransferID

    func cancel() { loops.submit(.cancel(id), for: id) }
}

/// That of one whose response is delivered in pieces.
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
#endif
