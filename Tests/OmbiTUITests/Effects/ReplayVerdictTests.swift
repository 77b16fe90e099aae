import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The comparison of a result with the run of the history before it.
@Suite struct ReplayVerdictTests {
    private static let path = ItemPath(file: "/demo.json", path: ["users"])

    private static func result(_ body: String) -> SessionResult {
        SessionResult(
            .response(SampleRun.response(200, body)), prepared: SampleRun.sent, report: SampleRun.report)
    }

    /// A history with a run of each body in `local`.
    private static func withHistory(of bodies: [String], _ check: (History) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let history = History(path: folder + "/history.sqlite")
        let request = SavedRequest(name: "users", path: "/users")
        let collection = Collection(name: "c", environments: [Environment(name: "local", host: "http://api.test")])
        let order = RunOrder(
            id: 1, request: request, collection: collection, environment: "local", file: path.file, folders: nil)
        for body in bodies { await history.record(order, result(body)) }
        try await check(history)
        history.finish()
    }

    private static func verdict(
        on body: String, to environment: String, isRecorded: Bool, in history: History
    ) async -> ReplayVerdict? {
        let question = ReplayQuestion(
            batch: 1, row: 0, request: path, result: result(body),
            target: ReplayTarget(environment: environment, baseline: "local"), ignored: [], isRecorded: isRecorded)
        guard case .judged(_, let verdict)? = await history.answer(.judge(question)) else { return nil }
        return verdict
    }

    @Test func `a result whose run is not kept is compared with the newest recorded run`() async throws {
        try await Self.withHistory(of: ["{\"a\": 1}", "{\"a\": 2}"]) { history in
            for environment in ["local", "live"] {
                let verdict = await Self.verdict(
                    on: "{\"a\": 3}", to: environment, isRecorded: false, in: history)
                let comparison = try #require(verdict?.comparison)
                #expect(comparison.new.environment == environment && !comparison.isSame)
                #expect(comparison.body.changes.map(\.old) == ["2"] && comparison.body.changes.map(\.new) == ["3"])
            }
        }
    }

    @Test func `a result whose run is kept is compared with the run before it`() async throws {
        try await Self.withHistory(of: ["{\"a\": 1}", "{\"a\": 1}"]) { history in
            let same = await Self.verdict(on: "{\"a\": 1}", to: "local", isRecorded: true, in: history)
            #expect(same?.isSame == true)
        }
        try await Self.withHistory(of: ["{\"a\": 1}"]) { history in
            let first = await Self.verdict(on: "{\"a\": 1}", to: "local", isRecorded: true, in: history)
            #expect(first == ReplayVerdict.none("no run in local"))
        }
    }
}
