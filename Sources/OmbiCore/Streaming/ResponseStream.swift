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
                    return try await reader.pieces.next()
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
}

// Reading responses while they arrive.
extension RequestManager {
    /// Sends a request, and returns its response as soon as the head has arrived; the body is read while it arrives.
    ///
    /// Retries, the SLA, middlewares and credentials apply until a head is accepted, which is the end of the run: later
    /// failures are errors of the body. The part of the request's validator before decoding applies: first to the head
    /// as the server sent it, and to a rejected one again with the first MiB of its body, which the error carries. The
    /// response decoder, the rest of the validator and the fallback response do not apply. Middlewares get the head,
    /// without a body.
    ///
    /// Cancelling the Swift task ends the run, and the call throws `RequestError.cancelled`.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retry: The policy for retries; none by default.
    ///   - sla: The limit from the call to the head, over all attempts and waits; nil for none.
    public final func stream<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Duration? = .seconds(180)
    ) async throws(T.Failure) -> ResponseStream<T.ResponseError> {
        try await stream(
            StreamedRequest(base: requestable),
            RunOptions(authentication: authentication, policy: retry, sla: sla))
    }

    final func stream<T: Requestable>(
        _ request: StreamedRequest<T>, _ options: RunOptions
    ) async throws(T.Failure) -> ResponseStream<T.ResponseError> {
        let source = StreamTransport(transport) { request.responseValidator.refusal(of: $0) != nil }
        let outcome = RunOutcome<StreamedRequest<T>>()
        let run = makeRun(request, options, fallback: nil, transport: source, outcome: outcome)
        let streamed = StreamedRun(run, of: request)
        let result = await outcome.result(of: run) { start(streamed) }
        do throws(T.Failure) {
            let stream: ResponseStream<T.ResponseError> = try Self.stream(of: try result.get(), source.takePieces())
            streamed.follow(stream.body.reader.pieces) { self.forget(streamed) }
            return stream
        } catch {
            forget(streamed)
            source.cancel()
            throw error
        }
    }

    /// A body in the response comes from a middleware.
    private static func stream<E>(
        of response: TransportResponse, _ pieces: PieceBuffer?
    ) throws(RequestError<E>) -> ResponseStream<E> {
        if response.body != nil { pieces?.cancel() }
        let pieces = response.body.map(PieceBuffer.init) ?? pieces ?? PieceBuffer(Data())
        guard let url = response.url, let status = response.statusCode else {
            pieces.cancel()
            throw .decodingError(CodingFailure("a middleware gave a response without a URL or a status"), response)
        }
        let head = ResponseHead(url: url, statusCode: status, headers: response.headers ?? [:])
        return ResponseStream(head: head, body: ResponseStream.Body(reader: PieceReader(pieces)))
    }
}
