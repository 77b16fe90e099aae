#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response whose body is read while it arrives, from `RequestManager.stream(_:authentication:retry:sla:)`.
///
///     let stream = try await manager.stream(Export(id: 42))
///     for try await piece in stream.body {
///         try file.write(contentsOf: piece)
///     }
///
/// Dropping the stream and its body cancels the transfer.
public struct ResponseStream<ResponseError: Error>: Sendable {
    /// The status and the headers.
    public let head: ResponseHead
    /// The body, after content decoding.
    public let body: Body

    /// The pieces of a body, in order and each once: two loops over the same body share them.
    ///
    /// At most some 256 KiB are buffered: beyond that the transfer is paused. Pieces are not kept after reading.
    /// Cancelling the task that waits for a piece cancels the transfer.
    public struct Body: AsyncSequence, Sendable {
        public typealias Element = Data
        public typealias Failure = RequestError<ResponseError>

        let reader: PieceReader

        public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

        /// An iterator that waits for each piece.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let reader: PieceReader

            /// Returns the next piece, or nil after the last. Throws the error that ended the transfer: a
            /// `RequestError.connectionError(_:)`, `.timedOut(_:)` or `.cancelled`.
            public mutating func next() async throws(RequestError<ResponseError>) -> Data? {
                do throws(TransportError) {
                    return try await reader.next()
                } catch {
                    throw RequestError(RunFailure(error))
                }
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(RequestError<ResponseError>) -> Data? {
                try await next()
            }
        }
    }
}

/// The reading end of a response in pieces: cancels the transfer when it is released.
final class PieceReader: Sendable {
    let pieces: PieceBuffer

    init(_ pieces: PieceBuffer) { self.pieces = pieces }

    deinit { pieces.cancel() }

    func next() async throws(TransportError) -> Data? { try await pieces.next() }
}
