import OmbiCore

/// A tunnel that a run goes through.
struct UsedTunnel: Sendable {
    private let tunnel: SSHTunnel
    private let mark: Int

    init(_ tunnel: SSHTunnel) {
        self.tunnel = tunnel
        mark = tunnel.mark
    }

    /// The request with the socket of the tunnel as its proxy.
    func carrying(_ request: ResolvedRequest) -> ResolvedRequest {
        var request = request
        request.connection.proxy = tunnel.proxy
        return request
    }

    /// Adds to the reason of a failed connection what ssh wrote meanwhile: the proxy itself tells less.
    func explain(
        _ ending: Result<TransportResponse, RequestError<NoError>>
    ) -> Result<TransportResponse, RequestError<NoError>> {
        guard case .failure(.connectionError(var error)) = ending else { return ending }
        var lines = tunnel.complaints(since: mark)
        if lines.isEmpty, !tunnel.isRunning { lines = ["it has ended; the next run starts it again"] }
        guard !lines.isEmpty else { return ending }
        error.message = error.message.replacing("the proxy \(tunnel.path)", with: "ssh")
        error.message += "; " + SSHTunnel.quote(lines)
        return .failure(.connectionError(error))
    }
}

extension Session {
    enum TunnelError: Error {
        case cancelled
        case failed(ResolveError)

        var result: SessionResult {
            switch self {
            case .cancelled: SessionResult(.cancelled)
            case .failed(let error): SessionResult(.failure(error.description))
            }
        }
    }

    /// The limit for a host of ssh that is reached without `connectTimeout`.
    private static let tunnelLimit = Duration.seconds(15)

    /// Returns the tunnel of a request once it takes connections.
    func openTunnel(
        to host: SSHHost, of request: ResolvedRequest, for order: RunOrder
    ) async -> Result<UsedTunnel, TunnelError> {
        let key = SSHTunnels.Key(file: order.file, environment: order.environment, host: host)
        let limit = request.connection.connectTimeout ?? Self.tunnelLimit
        // The run ends when it is cancelled, whatever ssh does.
        let (results, source) = AsyncStream<Result<SSHTunnel, SSHTunnel.Failure>>.makeStream()
        let task = Task { [tunnels] in
            source.yield(await tunnels.tunnel(key, within: limit))
            source.finish()
        }
        for await result in results {
            switch result {
            case .success(let tunnel): return .success(UsedTunnel(tunnel))
            case .failure(let failure):
                return .failure(
                    .failed(ResolveError(request: request.name, field: "via \(host)", reason: failure.reason)))
            }
        }
        _ = task
        return .failure(.cancelled)
    }
}
