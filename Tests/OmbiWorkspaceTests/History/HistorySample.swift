import Foundation
import OmbiCore
import TestSupport

@testable import OmbiWorkspace

/// A history in a folder of its own, with a clock by hand, and a session that records in it.
final class HistorySample: Sendable {
    let folder: String
    let history: History
    let time: Lock<Date>
    let problems = Lock<[String]>([])

    var path: String { folder + "/state/history.sqlite" }

    init(limits: HistoryLimits = HistoryLimits(), at date: Date = Date(timeIntervalSince1970: 1_800_000_000)) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let time = Lock(date)
        self.time = time
        history = History(path: folder + "/state/history.sqlite", limits: limits, now: { time.withLock { $0 } })
        history.onProblem { [problems] problem in problems.withLock { $0.append(problem) } }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Another program on the same file.
    func again(limits: HistoryLimits = HistoryLimits()) -> History {
        History(path: path, limits: limits, now: { [time] in time.withLock { $0 } })
    }

    func pass(_ seconds: Double) { time.withLock { $0.addTimeInterval(seconds) } }

    static let environment = Environment(
        name: "local", host: "http://api.test/v1", additionalHeaders: [Field("X-Custom", "{{key}}")],
        secrets: [Secret("key", .environment("KEY"))])

    func order(
        _ request: SavedRequest = SavedRequest(name: "r", path: "/p"),
        in environment: Environment = HistorySample.environment, folders: [Folder] = []
    ) -> RunOrder {
        RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: environment.name, file: folder + "/c.json", folders: folders)
    }

    static let secret = "s3cr3t/with+odd=chars \"quoted\""

    /// Sends an order through a session, and waits until it is recorded.
    @discardableResult
    func send(_ order: RunOrder, _ transport: any Transport) async -> SessionResult {
        let history = history
        let session = Session(
            transport: transport,
            secrets: { _ in SecretReader(environment: { _ in Self.secret }, file: { _ in [] }) },
            steps: SessionSteps(record: { await history.record($0, $1) }))
        let events = await session.events(of: order)
        history.finish()
        guard case .ended(let result)? = events.last else { return SessionResult(.cancelled) }
        return result
    }

    /// The file, with all runs in their tables.
    func database() async throws -> Database {
        _ = try await history.count()
        return try Database(path: path)
    }

    /// The bytes of all files below the folder.
    var files: [(path: String, bytes: Data)] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.compactMap { path in
            FileManager.default.contents(atPath: folder + "/" + path).map { (path, $0) }
        }
    }
}

extension ExcerptBytes {
    /// The excerpt that they are read back as.
    var excerpt: HistoryExcerpt {
        get throws { try HistoryExcerpt(bytes: bytes { request, _ in request }) }
    }
}
