import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// A run as a server would have it: attempts with a status each, and the waits between them.
struct ScriptedRun {
    /// A status, and the milliseconds that the attempt and the wait after it take.
    typealias Attempt = (status: Int, milliseconds: Int, wait: Int)

    private let prepared: PreparedRequest
    let response: TransportResponse
    let report: RequestReport
    private let maximum: Int

    init(_ url: String, _ attempts: [Attempt], of maximum: Int, sla: Int, body: String) {
        let response = SampleRun.response(attempts.last?.status ?? 200, body)
        self.response = response
        self.maximum = maximum
        prepared = PreparedRequest(
            url: url, method: .get, headers: [PreparedRequest.Header(name: "Accept", value: "application/json")],
            sla: .init(.seconds(sla)), attempts: .init(maximum))
        var start = 0
        var reports: [AttemptReport] = []
        for (index, attempt) in attempts.enumerated() {
            let isLast = index == attempts.count - 1
            let failure = "\(attempt.status) \(attempt.status == 429 ? "Too Many Requests" : "Service Unavailable")"
            let wait = isLast ? nil : Duration.milliseconds(attempt.wait)
            reports.append(
                AttemptReport(
                    number: index + 1, reason: index == 0 ? .first : .retry, startedAt: .milliseconds(start),
                    duration: .milliseconds(attempt.milliseconds),
                    metrics: TransportMetrics(
                        timings: SampleRun.timings(connect: 4, wait: attempt.milliseconds - 6, receive: 2)),
                    outcome: attempt.status < 400 ? .succeeded : .failed(.status, failure),
                    response: isLast ? response : SampleRun.response(attempt.status, ""), willRetry: !isLast,
                    wait: wait, waitReason: wait == nil ? nil : .backoff))
            start += attempt.milliseconds + attempt.wait
        }
        let last = reports.last
        report = RequestReport(
            attempts: reports, duration: last?.endedAt ?? .zero, sla: .seconds(sla),
            outcome: last?.outcome == .succeeded ? .succeeded : .failed("Service Unavailable"))
    }

    /// The request as it goes out, with what a saved one expects of the response.
    func sent(_ request: SavedRequest?) -> PreparedRequest {
        var sent = prepared
        sent.expectation = request?.expect
        return sent
    }

    /// The beginning of an attempt, from 1.
    func start(of number: Int) -> [RequestEvent] {
        let start = report.attempts[number - 1].startedAt
        return [
            .attemptStarted(number: number, attempts: maximum, at: start),
            .phaseReached(attempt: number, phase: .connect, at: start),
            .phaseReached(attempt: number, phase: .wait, at: start + .milliseconds(4)),
        ]
    }

    /// The end of an attempt, and the beginning of the wait after it.
    func end(of number: Int) -> [RequestEvent] {
        let attempt = report.attempts[number - 1]
        let end = attempt.endedAt
        guard let wait = attempt.wait else { return [.attemptFinished(attempt)] }
        return [
            .attemptFinished(attempt), .waiting(attempt: number + 1, until: end + wait, reason: .backoff, at: end),
        ]
    }
}

extension Story {
    /// Sends the selected request, and returns its run.
    mutating func send(_ run: ScriptedRun) -> RunID {
        press("s")
        let id = state.runs.lastID
        receive(.run(id, .prepared(run.sent(request))))
        return id
    }

    /// Goes on to a time since the start.
    mutating func wait(until milliseconds: Int) {
        time = .milliseconds(milliseconds)
        receive(.tick)
    }

    /// Ends a run with all of its attempts that have not been, from a number on.
    mutating func finish(_ id: RunID, _ run: ScriptedRun, from number: Int = 1) {
        for number in number...run.report.attempts.count {
            receive(run.start(of: number) + run.end(of: number), of: id)
        }
        receive([.finished(run.report)], of: id)
        end(id, .response(run.response))
    }

    /// Types a filter; what it selects shows after each character.
    mutating func filter(_ path: String) {
        for character in path {
            type(String(character))
            for effect in takeEffects() {
                guard case .view(let id, .filter(let path, let document, let number)) = effect else { continue }
                var events: [ViewerEvent] = []
                ViewerJobs.filter(path, document, number, CancelFlag()) { events.append($0) }
                for event in events { receive(.viewer(id, event)) }
            }
        }
    }
}
