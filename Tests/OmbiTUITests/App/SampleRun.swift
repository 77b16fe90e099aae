import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The events of a run as the engine tells them, at fixed times: a first attempt that gets a 503 after 312 ms,
/// a wait of 250 ms, and a second attempt that succeeds after 143 ms.
enum SampleRun {
    static let sla = Duration.seconds(2)

    static let sent = PreparedRequest(
        url: "http://127.0.0.1:8765/users/42?expand=orders", method: .get,
        headers: [
            PreparedRequest.Header(name: "Accept", value: "application/json"),
            PreparedRequest.Header(name: "Authorization", value: "Bearer ••••••", source: .environment("local")),
        ], sla: .init(sla), attempts: .init(4))

    static let failed = AttemptReport(
        number: 1, startedAt: .zero, duration: .milliseconds(312),
        metrics: TransportMetrics(timings: timings(connect: 2, wait: 310)),
        outcome: .failed(.status, "503 Service Unavailable"), response: response(503, ""), willRetry: true,
        wait: .milliseconds(250), waitReason: .backoff)

    static let succeeded = AttemptReport(
        number: 2, startedAt: .milliseconds(562), duration: .milliseconds(143),
        metrics: TransportMetrics(timings: timings(connect: 2, wait: 133, receive: 8)),
        outcome: .succeeded, response: answer)

    static let answer = response(200, #"{"id":42,"name":"Ada","tags":["a","b"],"active":true,"boss":null}"#)

    static let report = RequestReport(
        attempts: [failed, succeeded], duration: .milliseconds(705), sla: sla, outcome: .succeeded)

    static let refusal = "could not connect to 127.0.0.1:1 (connection refused)"

    static let refused = RequestReport(
        attempts: [
            AttemptReport(
                number: 1, startedAt: .zero, duration: .microseconds(400),
                metrics: TransportMetrics(timings: Timings(connect: .microseconds(400))),
                outcome: .failed(.connection, refusal))
        ], duration: .microseconds(500), sla: sla, outcome: .failed(refusal))

    static func head(_ status: Int) -> ResponseHead {
        ResponseHead(url: url, statusCode: status, headers: ["Content-Type": "application/json"])
    }

    static func response(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            url: url, headers: ["Content-Type": "application/json", "Content-Length": .int(body.utf8.count)],
            statusCode: status, body: Data(body.utf8))
    }

    static func timings(connect: Int = 0, wait: Int = 0, receive: Int = 0) -> Timings {
        Timings(connect: .milliseconds(connect), wait: .milliseconds(wait), receive: .milliseconds(receive))
    }

    private static let url = URL(filePath: "/users/42")

    /// Everything up to the wait after the first attempt.
    static let untilWait: [RequestEvent] = [
        .attemptStarted(number: 1, attempts: 4, at: .zero),
        .phaseReached(attempt: 1, phase: .connect, at: .zero),
        .phaseReached(attempt: 1, phase: .wait, at: .milliseconds(2)),
        .headReceived(attempt: 1, head(503), at: .milliseconds(311)),
        .attemptFinished(failed),
        .waiting(attempt: 2, until: .milliseconds(562), reason: .backoff, at: .milliseconds(312)),
    ]

    /// From the second attempt to the middle of its body.
    static let untilBody: [RequestEvent] = [
        .attemptStarted(number: 2, attempts: 4, at: .milliseconds(562)),
        .phaseReached(attempt: 2, phase: .connect, at: .milliseconds(562)),
        .phaseReached(attempt: 2, phase: .wait, at: .milliseconds(564)),
        .headReceived(attempt: 2, head(200), at: .milliseconds(690)),
        .phaseReached(attempt: 2, phase: .receive, at: .milliseconds(690)),
        .bodyReceived(attempt: 2, bytes: 30, expected: 65, at: .milliseconds(700)),
    ]

    static let ending: [RequestEvent] = [.attemptFinished(succeeded), .finished(report)]
}

extension Story {
    /// The run that the last `s` asked for.
    var lastOrder: RunOrder? {
        effects.reversed().lazy.compactMap { if case .send(let order) = $0 { order } else { nil } }.first
    }

    /// Sends the selected request and lets it begin.
    @discardableResult
    mutating func send() -> RunID {
        press("s")
        let id = state.runs.lastID
        receive(.run(id, .prepared(SampleRun.sent)))
        return id
    }

    /// Ends a run with the request and the report of before.
    mutating func end(_ id: RunID, _ ending: SessionResult.Ending) {
        let run = state.runs[id: id]
        receive(.run(id, .ended(SessionResult(ending, prepared: run?.sent, report: run?.report))))
    }

    mutating func receive(_ events: [RequestEvent], of id: RunID) {
        for event in events { receive(.run(id, .step(event))) }
    }

    /// Lets a run end with the answer of `SampleRun`, laid out.
    mutating func finish(_ id: RunID, with response: TransportResponse = SampleRun.answer) {
        receive(SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending, of: id)
        end(id, .response(response))
        readBody(response)
    }

    /// Lets the body of an answer be read.
    mutating func readBody(_ response: TransportResponse = SampleRun.answer) {
        let last = state.runs[id: state.runs.lastID]?.viewer?.id
        guard let viewer = state.run?.viewer?.id ?? last else { return }
        let document = BodyDocument(Bytes(response.body ?? Data()), contentType: response[.contentType]?.text)
        receive(.viewer(viewer, .read(document)))
    }

    /// Lets a run end because nobody listens there.
    mutating func refuse(_ id: RunID) {
        receive([.attemptStarted(number: 1, attempts: 1, at: .zero), .finished(SampleRun.refused)], of: id)
        end(id, .failure(SampleRun.refusal))
    }
}
