import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The runs that go on without a terminal.
@Suite struct EndedRunsTests {
    private static func order(_ id: Int) -> RunOrder {
        RunOrder(
            id: id, request: SavedRequest(name: "r\(id)", path: "/"), collection: Collection(name: "c"),
            environment: nil, file: "c.json", folders: nil)
    }

    @Test func `those that have ended are known at once, and those that end are waited for`() {
        let ended = EndedRuns()
        ended.add(Self.order(1), SessionResult(.failure("no route")))
        #expect(
            ended.wait(for: [PendingRun(id: 1, remaining: .seconds(60))]) == [.init(name: "r1", failure: "no route")])
        Thread.detachNewThread {
            ended.add(Self.order(3), SessionResult(.response(TransportResponse(statusCode: 200))))
            ended.add(Self.order(2), SessionResult(.response(TransportResponse(statusCode: 200))))
        }
        let runs = ended.wait(for: [2, 3].map { PendingRun(id: $0, remaining: .seconds(60)) })
        #expect(runs == [.init(name: "r2", failure: nil), .init(name: "r3", failure: nil)])
    }

    @Test func `a run that takes longer than it may is given up`() {
        #expect(EndedRuns().wait(for: [PendingRun(id: 1, remaining: .milliseconds(5))]) == [])
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
                    "while the terminal was away, 2 runs ended, 1 failed: b: 503 Service Unavailable; H shows them"))
        #expect(note.take() == nil)
    }

    @Test func `only what has a time limit and needs nobody is waited for`() {
        var story = Story()
        story.choose("user by id")
        story.press("s")
        guard case .send(let order)? = story.takeEffects().first else { return }
        // Nothing is known about its limit before it is prepared.
        #expect(story.state.pendingRuns(at: .zero) == [])
        story.receive(.run(order.id, .prepared(SampleRun.sent)))
        let pending = story.state.pendingRuns(at: .milliseconds(500))
        #expect(pending.map(\.id) == [order.id])
        #expect(pending.first?.remaining ?? .zero > .zero)
        story.pass(order.id)
        #expect(story.state.pendingRuns(at: .seconds(1)) == [])
    }
}
