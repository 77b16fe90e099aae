#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport between a run and its own, for a response saved to a file: for the run an attempt ends when the file is
/// complete, so that retries and the SLA apply to the whole download. An attempt continues where the previous one broke
/// off.
final class DownloadTransport: Transport {
    private struct State {
        var latest: ReadingAttempt?
        /// The response that completed the file.
        var completion: TransportResponse?
        var problem: UnwritableFile?
    }

    let base: any Transport
    let file: PartialFile
    /// Returns true for responses other than a file.
    let isRefused: @Sendable (TransportResponse) -> Bool
    private let state = Lock(State())

    init(_ base: any Transport, into file: PartialFile, isRefused: @escaping @Sendable (TransportResponse) -> Bool) {
        self.base = base
        self.file = file
        self.isRefused = isRefused
    }

    var acceptedEncodings: String? { base.acceptedEncodings }
    /// The response that completed the file; nil until then.
    var completion: TransportResponse? { state.withLock { $0.completion } }
    /// The file error that ended the download.
    var problem: UnwritableFile? { state.withLock { $0.problem } }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let attempt = ReadingAttempt(base, onEvent: onEvent)
        let previous = state.withLock { state in
            defer { (state.latest, state.completion) = (attempt, nil) }
            return state.latest
        }
        attempt.start(after: previous) { await DownloadAttempt(self, attempt).run(request) }
        return attempt
    }

    func complete(by response: TransportResponse) { state.withLock { $0.completion = response } }

    func fail(_ problem: UnwritableFile) { state.withLock { $0.problem = problem } }

    /// Waits until nothing writes the file any more.
    func end() async {
        let latest = state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
        await latest?.end()
    }
}
