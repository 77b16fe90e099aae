import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The part of an open-ended response that has arrived: what a run that is finished by its user results in.
///
/// Such a response has no end of its own, so ending it is no failure.
struct StreamKeeper {
    private var head: ResponseHead?
    private var store: ResponseStore?

    mutating func take(_ event: RequestEvent) {
        switch event {
        case .attemptStarted: (head, store) = (nil, nil)
        case .headReceived(_, let head, _): self.head = head
        case .bodyStarted(_, let store, _): self.store = store
        default: break
        }
    }

    /// Nil before the head of an open-ended response.
    var response: TransportResponse? {
        guard let head, OpenEndedResponse.isAnnounced(by: head.headers) else { return nil }
        return TransportResponse(
            url: head.url, headers: head.headers, statusCode: head.statusCode, body: store?.data ?? Data())
    }

    /// Returns the event of a run that its user has finished: its last attempt is no cancelled one.
    func finished(_ event: RequestEvent) -> RequestEvent {
        guard let response else { return event }
        switch event {
        case .attemptFinished(let report): return .attemptFinished(finished(report, response))
        case .finished(var report):
            if case .cancelled = report.outcome { report.outcome = .succeeded }
            report.attempts = report.attempts.map { finished($0, response) }
            return .finished(report)
        default: return event
        }
    }

    private func finished(_ report: AttemptReport, _ response: TransportResponse) -> AttemptReport {
        guard case .cancelled = report.outcome else { return report }
        var report = report
        report.outcome = .succeeded
        report.response = response
        return report
    }
}
