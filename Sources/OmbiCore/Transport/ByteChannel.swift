#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A bidirectional connection for bytes, under a WebSocket. `Transport.openChannel(for:_:)` opens it.
///
/// Its owner has at most one `receive` and one `send` in progress, and finally calls `close()`. Each completion is
/// called exactly once, on a thread of the transport, which it must not block, or within the call itself.
public protocol ByteChannel: Sendable {
    /// Receives the next bytes, at most some 64 KiB; empty at the end of the stream. Nothing is received between calls,
    /// so that the peer has to wait.
    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void)

    /// Sends bytes; completes when the system has accepted all of them.
    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void)

    /// Drops the connection. Operations in progress complete with `TransportError.Code.cancelled`; harmless on a closed
    /// connection. Callable from any thread.
    func close()
}

extension Transport {
    public func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        refusedChannel(completion)
    }

    /// Fails, as a transport without channels does.
    func refusedChannel(
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        let error = TransportError(
            code: .unsupportedOption, message: "\(Self.self) opens no channels, which a WebSocket runs over")
        completion(.failure(error))
        return ClosedChannel(error: error)
    }
}

/// The channel of a transport without support for channels.
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
