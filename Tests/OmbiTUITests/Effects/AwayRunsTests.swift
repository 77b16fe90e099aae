import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The runs that go on without a terminal.
@Suite struct AwayRunsTests {
    private static let passed = SessionResult(.response(TransportResponse(statusCode: 200)))

    @Test func `runs are waited for until they end, or their limit is over`() {
        var runs = AwayRuns([
            .init(id: 1, name: "a", deadline: .seconds(10)), .init(id: 2, name: "b", deadline: .seconds(3)),
            .init(id: 3, name: "c", deadline: .zero),
        ])
        // What has no end of its own is cancelled first.
        #expect(runs.overdue(at: .zero) == [3])
        runs.end(3, SessionResult(.cancelled))
        #expect(runs.deadline == .seconds(3))
        #expect(runs.overdue(at: .seconds(2)) == [])
        runs.end(1, Self.passed)
        runs.end(1, Self.passed)
        #expect(runs.overdue(at: .seconds(3)) == [2])
        #expect(runs.overdue(at: .seconds(4)) == [])
        // One that does not even end when it is cancelled holds nothing up.
        #expect(runs.overdue(at: .seconds(3) + AwayRuns.grace) == [] && runs.deadline == nil)
        #expect(runs.ended.map(\.name) == ["c", "a", "b"])
        #expect(runs.ended.map(\.failure) == ["cancelled", nil, "given up"])
    }

    @Test func `when the user quits, runs are cancelled at once and not waited for long`() {
        let all = AwayRuns([
            .init(id: 1, name: "a", deadline: .seconds(10)), .init(id: 2, name: "b", deadline: .seconds(30)),
        ])
        var runs = all.cancelled(at: .seconds(1))
        #expect(runs.overdue(at: .seconds(1)) == [1, 2])
        runs.end(1, SessionResult(.cancelled))
        #expect(runs.deadline == .seconds(1) + AwayRuns.grace)
        #expect(runs.overdue(at: .seconds(1) + AwayRuns.grace) == [] && runs.deadline == nil)
    }

    @Test func `a run has the rest of its SLA, and none more than the maximum`() {
        var story = Story()
        story.choose("user by id")
        story.press("s")
        guard case .send(let order)? = story.takeEffects().first else {
            Issue.record("nothing was sent")
            return
        }
        // Nothing is known about its limit before it is prepared.
        #expect(story.state.away(at: .zero).deadline == AwayRuns.standardLimit)
        story.receive(.run(order.id, .prepared(SampleRun.sent)))
        let limit = story.state.away(at: .milliseconds(500)).deadline ?? .zero
        #expect(limit <= SampleRun.sla + AwayRuns.grace && limit > AwayRuns.grace)
        story.pass(order.id)
        #expect(story.state.away(at: .seconds(1)).deadline == nil)
    }

    @Test func `what happened is told once, in one message`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let note = AwayNote(folder: folder)
        #expect(note.take() == nil)
        note.write([])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        note.write([.init(name: "a", failure: nil), .init(name: "b", failure: "503 Service Unavailable")])
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(
            note.take()
                == Notice(
                    .warning,
                    "While the terminal was away, 2 runs ended, 1 failed: b: 503 Service Unavailable; H shows them"))
        #expect(note.take() == nil)
    }
}
