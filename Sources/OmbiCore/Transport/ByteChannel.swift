#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A connection that carries bytes in both directions, under a WebSocket. `Transport.openChannel(for:_:)` opens it.
///
/// Its owner has at most one `receive` and one `send` in progress, and calls `close()` in the end. Each completion is
/// called exactly once, on a thread of the transport, which it must not block, or within the call itself.
public protocol ByteChannel: Sendable {
    /// Receives the next bytes, at most some 64 KiB; empty at the end of the stream. Between calls nothing is received, so
    /// that the peer has to wait.
    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void)

    /// Completes when all bytes are handed over to the system.
    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void)

    /// Drops the connection. What is in progress completes with `TransportError.Code.cancelled`; harmless when the
    /// connection is gone already. Callable from any thread.
    func close()
}

extension Transport {
    public func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        let error = TransportError(
            code: .unsupportedOption, message: "\(Self.self) opens no channels, which a WebSocket runs over")
        completion(.failure(error))
        return ClosedChannel(error: error)
    }
}

/// The channel of a transport that has none.
private struct ClosedChannel: ByteChannel {
    let error: TransportError

    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void) {
        completion(.failure(error))
    }

    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void) {
        completion(.failure(error))
    }

    func close() {}
}
