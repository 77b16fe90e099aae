#if canImport(CCurl)
/// Sends requests with libcurl: keep-alive, HTTP/2 over TLS, gzip, br and zstd as the installed library has them.
///
/// Redirects are followed here and not by libcurl: fields that carry credentials are not sent on to another host.
public final class CurlTransport: Transport {
    /// What a transport keeps. It holds for all its requests; how they reach their server is each manager's own
    /// `Connection`.
    public struct Configuration: Sendable, Hashable {
        /// A larger body, after decoding, ends the attempt.
        public var maximumResponseBytes: Int
        /// In bytes. What is longer of a response goes to a temporary file.
        public var memoryLimit: Int
        /// What all responses together may take of the memory, those included that somebody keeps.
        public var memoryBudget: MemoryBudget
        /// Where temporary files are made; `TMPDIR` unless it says otherwise.
        public var temporaryFolder: String

        /// As the members say: 1 GiB for a response, 32 MiB of it in memory, 256 MiB of all.
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

    /// What it was made with.
    public let configuration: Configuration
    private let loop: CurlLoop

    /// Opens nothing and loads nothing: libcurl is looked for when the first request is sent, or when a manager asks
    /// for `acceptedEncodings`. Connections are kept open as long as the transport lives.
    public init(configuration: Configuration = .init()) {
        self.configuration = configuration
        loop = CurlLoop(configuration: configuration)
    }

    public var acceptedEncodings: String? { try? CurlLibrary.shared.get().acceptedEncodings }

    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        CurlTask(loop: loop, id: loop.start(request, onEvent: onEvent))
    }
}

/// The handle of one transfer.
private struct CurlTask: TransportTask {
    let loop: CurlLoop
    let id: Int

    func cancel() { loop.cancel(id: id) }
}
#endif
