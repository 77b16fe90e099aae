/// A downloaded file, from `RequestManager.download(_:to:resume:authentication:retry:sla:onProgress:)`.
public struct Download: Sendable, Equatable {
    /// The path as given.
    public var path: String
    /// The length in bytes.
    public var length: Int
    /// The number of bytes from an earlier call, before those received by this one; 0 if the file started over.
    public var resumedAt: Int
    /// The head of the last response: in general 200, 206 if a download was continued, 416 if nothing was missing.
    public var head: ResponseHead
}

// Saving responses to files.
extension RequestManager {
    /// Writes the body of a response to a file while it arrives.
    ///
    /// The body is written to `path` with the suffix `.part`, which replaces `path` when it is complete; until then an
    /// existing file remains unchanged. Only some 256 KiB are held in memory: if the disk is slower than the network,
    /// the transfer is paused. Compressed responses are not requested.
    ///
    /// An attempt that follows a broken one requests the missing part, with `Range` and `If-Range` (RFC 9110 §14), if
    /// the response had a strong entity tag or a modification time that can replace one, and the method is GET. If the
    /// server has another version by then, does not support ranges, or sends a different range, the file starts over.
    ///
    /// Retries and the SLA apply to the whole download. A response is a file if its status is from 200 to 299 and the
    /// request's validator accepts it before decoding; the response decoder, the rest of the validator and the fallback
    /// response do not apply. Middlewares get the head, without a body.
    ///
    /// Cancelling the Swift task ends the run, and the call throws `RequestError.cancelled`.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run. Its `downloadProgress` gets the length of the file, and so
    ///     does `onProgress`.
    ///   - path: The file. Its folder must exist. Two downloads to the same file exclude each other.
    ///   - resume: Keeps the bytes received before a failure or a cancellation, with a small file `.part.json`, and
    ///     continues in the next call for the same method, host, path, query, `Accept` and `Accept-Language`. false
    ///     leaves nothing behind, and starts over. The partial file of another request is an error either way
    ///     (`UnwritableFile.Code.otherDownload`).
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retry: The policy for retries; none by default.
    ///   - sla: The limit for the whole download, over all attempts and waits; nil, the default, for none.
    ///   - onProgress: Receives the current and the expected length of the file. If it falls behind, it gets only the
    ///     newest.
    /// - Throws: In addition to the errors of every request, `RequestError.fileNotWritten(_:_:)`, before anything is
    ///   sent if the file cannot be created.
    public final func download<T: Requestable>(
        _ requestable: T, to path: String, resume: Bool = false, authentication: RequestAuthentication? = nil,
        retry: RetryPolicy = .never, sla: Duration? = nil,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(T.Failure) -> Download {
        let file: PartialFile
        do throws(UnwritableFile) {
            file = try await PartialFile.open(path, for: fingerprint(of: requestable), isKept: resume)
        } catch {
            throw .fileNotWritten(error)
        }
        let resumedAt = file.resumePoint?.offset ?? 0
        do throws(T.Failure) {
            let head = try await fill(
                file, with: requestable, RunOptions(authentication: authentication, policy: retry, sla: sla), onProgress
            )
            return Download(
                path: path, length: file.length, resumedAt: file.hasStartedOver ? 0 : resumedAt, head: head)
        } catch {
            await file.giveUp()
            throw error
        }
    }

    private final func fill<T: Requestable>(
        _ file: PartialFile, with requestable: T, _ options: RunOptions,
        _ onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(T.Failure) -> ResponseHead {
        let validator = StreamedRequest(base: requestable).responseValidator
        let source = DownloadTransport(transport, into: file) { response in
            !Self.isFile(response, options.policy) || validator.refusal(of: response) != nil
        }
        let request = StreamedRequest(
            base: requestable, addedHeaders: ["Accept-Encoding": "identity"],
            passes: { source.completion?.statusCode == $0.statusCode },
            downloadProgress: Self.both(requestable._downloadProgress, onProgress))
        let outcome = RunOutcome<StreamedRequest<T>>()
        let run = makeRun(request, options, fallback: nil, transport: source, outcome: outcome)
        let result = await outcome.result(of: run) { start(run) }
        await source.end()
        if let problem = source.problem { throw .fileNotWritten(problem) }
        let response = try result.get()
        guard source.completion != nil || Self.isFile(response, options.policy), let url = response.url,
            let status = response.statusCode
        else {
            let words = response.statusCode.map { "its status is \(StatusCode.words($0))" } ?? "it has no status"
            throw .decodingError(CodingFailure("the response is no file: \(words)"), response)
        }
        do throws(UnwritableFile) {
            // A body in the response comes from a middleware.
            if response.body != nil || source.completion == nil {
                try await file.startOver()
                try await file.append([response.body ?? Data()])
            }
            try await file.finish()
        } catch {
            throw .fileNotWritten(error, response)
        }
        return ResponseHead(url: url, statusCode: status, headers: response.headers ?? [:])
    }

    /// Returns true for a success that the policy does not repeat; the validator is not consulted.
    private static func isFile(_ response: TransportResponse, _ policy: RetryPolicy) -> Bool {
        guard let status = response.statusCode, 200..<300 ~= status else { return false }
        return !policy.repeats(response)
    }

    private static func both(
        _ first: (@Sendable (TransferProgress) -> Void)?, _ second: (@Sendable (TransferProgress) -> Void)?
    ) -> (@Sendable (TransferProgress) -> Void)? {
        guard let first, let second else { return first ?? second }
        return { progress in
            first(progress)
            second(progress)
        }
    }

    /// Returns a hash (64-bit FNV-1a) of the parts that identify the requested resource and representation, without the
    /// credentials.
    private final func fingerprint<T: Requestable>(of request: T) -> String {
        let query = (try? request._query) ?? []
        let headers = ((try? request._headers) ?? [:]).merging(additionalHeaders)
        let parts =
            [request.method.rawValue, host, request.path] + query.flatMap { [$0.name, $0.value ?? ""] }
            + [RequestHeaders.Key.acceptType, .acceptLanguage].map { headers[$0]?.text ?? "" }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
