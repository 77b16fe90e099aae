#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that was downloaded, from `RequestManager.download(_:to:resume:authentication:retry:sla:onProgress:)`.
public struct Download: Sendable, Equatable {
    /// As it was given.
    public var path: String
    /// In bytes.
    public var length: Int
    /// The bytes that an earlier call had left, in front of those that this one received; 0 where it began anew.
    public var resumedAt: Int
    /// The head of the last response: 200 as a rule, 206 where a download was continued, 416 where nothing was missing.
    public var head: ResponseHead
}

// The door for responses that go into a file.
extension RequestManager {
    /// Writes the body of a response into a file while it arrives.
    ///
    /// The body goes into `path` with the suffix `.part`, which takes the place of `path` when it is complete; until then
    /// a file there stays as it is. Nothing is held in memory but some 256 KiB: where the disk is slower than the network,
    /// the transfer is paused. Compressed responses are not asked for.
    ///
    /// An attempt that follows a broken one fetches what is missing, with `Range` and `If-Range` (RFC 9110 §14), if the
    /// response had a strong entity tag or a time of change that can stand for one, and the method is GET. Where the server
    /// has another version by then, knows no ranges or sends another range than it was asked for, the file begins anew.
    ///
    /// Retries and the SLA apply to the whole of the download. A response is a file if its status is from 200 to 299 and
    /// the part of the request's validator before decoding passes it; the response decoder, the rest of the validator and
    /// the fallback response do not apply. Middlewares get the head, without a body.
    ///
    /// Cancelling the Swift task ends the run, and the call throws `RequestError.cancelled`.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run. Its `downloadProgress` gets the length of the
    ///     file, and so does `onProgress`.
    ///   - path: The file. Its folder must exist. Two downloads into the same file exclude each other.
    ///   - resume: Keeps what came before a failure or a cancellation, with a small file `.part.json` beside it, and goes
    ///     on from there in the next call for the same method, host, path, query, `Accept` and `Accept-Language`. false
    ///     leaves nothing behind, and begins anew. What was kept of another request is an error either way
    ///     (`UnwritableFile.Code.otherDownload`).
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retry: Which failures are worth another attempt; none by default.
    ///   - sla: The limit for the whole download, over all attempts and waits; nil, the default, is none.
    ///   - onProgress: Gets the length of the file and what is expected. Where it falls behind, only the newest comes.
    /// - Throws: Beside the errors of every request `RequestError.fileNotWritten(_:_:)`, before anything is sent if the
    ///   file cannot be created.
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
        let result = await withTaskCancellationHandler {
            start(run)
            return await outcome.result
        } onCancel: {
            run.cancel()
        }
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
            // A body in the response is one that a middleware has put there.
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

    /// By its status alone.
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

    /// Of the parts that name what is requested, and in which representation, without the credentials: FNV-1a, in 64 bits.
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
