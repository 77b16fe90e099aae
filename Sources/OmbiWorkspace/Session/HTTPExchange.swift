import Dispatch
import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request by HTTP with all its attempts.
struct HTTPExchange: Exchange {
    private let sending: Sending

    init(_ sending: Sending) { self.sending = sending }

    func perform() async -> Session.Outcome {
        guard sending.run.isWatched else { return await unwatched() }
        let receive = sending.events.receive
        return await watched {
            receive(.step($0))
        } onRedirect: {
            receive(.redirected($0))
        }
    }

    /// Sends the request without a receiver of its events.
    private func unwatched() async -> Session.Outcome {
        var task: RequestTask<BuiltRequest>?
        let (resolved, built) = (sending.request.resolved, sending.request.built(by: sending.manager))
        let ending = await withCheckedContinuation { continuation in
            let sent = sending.manager.send(built, retry: resolved.retry, sla: resolved.sla.value, on: nil) {
                continuation.resume(returning: $0)
            }
            sending.run.attach(sent)
            task = sent
        }
        return Session.Outcome(ending: ending, report: task?.finalReport)
    }

    /// Sends the request.
    /// - Parameters:
    ///   - onEvent: gets the masked events on the queue.
    ///   - onRedirect: gets the redirects among them.
    func watched(
        _ onEvent: @escaping @Sendable (RequestEvent) -> Void,
        onRedirect: @escaping @Sendable (FollowedRedirect) -> Void = { _ in }
    ) async -> Session.Outcome {
        let (run, mask) = (sending.run, sending.events.mask)
        let (resolved, built) = (sending.request.resolved, sending.request.built(by: sending.manager))
        let report = Lock<RequestReport?>(nil)
        let keeper = Lock(StreamKeeper())
        let ending = await withCheckedContinuation { continuation in
            let handle = sending.manager.send(
                built, retry: resolved.retry, sla: resolved.sla.value, on: sending.events.queue
            ) {
                continuation.resume(returning: $0)
            } onEvent: { event in
                keeper.withLock { $0.take(event) }
                let event = run.isFinished ? keeper.withLock { $0.finished(event) } : event
                if case .finished(let finished) = event { report.withLock { $0 = finished } }
                if let redirect = mask.redirect(event) { onRedirect(redirect) }
                if let event = mask.redactor.redact(event) { onEvent(event) }
            }
            run.attach(handle)
        }
        if run.isFinished, case .failure(.cancelled) = ending, let part = keeper.withLock({ $0.response }) {
            return Session.Outcome(ending: .success(part), report: report.withLock { $0 })
        }
        return Session.Outcome(ending: ending, report: report.withLock { $0 })
    }
}

/// The part of an open-ended response that has arrived: what a run that is finished by its user results in.
///
/// Such a response has no end of its own, so ending it is no failure.
private struct StreamKeeper {
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
