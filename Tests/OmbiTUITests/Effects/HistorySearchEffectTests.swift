import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The answers of a history to a search over all requests.
@Suite struct HistorySearchEffectTests {
    private static func order(_ name: String, _ file: String) -> RunOrder {
        let request = SavedRequest(name: name, path: "/\(name)")
        let collection = Collection(name: "c", environments: [Environment(name: "local", host: "http://api.test")])
        return RunOrder(
            id: 1, request: request, collection: collection, environment: "local", file: file, folders: nil)
    }

    /// A history with runs of two requests in `a.json` and of one in `b.json`, in a folder of its own.
    private static func withHistory(_ check: (History, _ folder: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["a.json", "b.json"] { try Data("{}".utf8).write(to: URL(filePath: folder + "/" + name)) }
        let history = History(path: folder + "/history.sqlite")
        let result = SessionResult(
            .response(SampleRun.response(200, "{}")), prepared: SampleRun.sent, report: SampleRun.report)
        for (name, file) in [("users", "a.json"), ("orders", "a.json"), ("other", "b.json"), ("users", "a.json")] {
            await history.record(order(name, folder + "/" + file), result)
        }
        history.finish()
        try await check(history, folder)
    }

    private static func page(_ search: RunSearch, in history: History) async throws -> HistoryPage {
        guard case .found(let page, let answered)? = await history.answer(.search(search)) else {
            throw CancellationError()
        }
        #expect(answered == search)
        return page
    }

    @Test func `runs of the files of the workspace are found, the newest first, under the names of the files there`()
        async throws
    {
        try await Self.withHistory { history, folder in
            let link = folder + "/link.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/a.json")
            let page = try await Self.page(RunSearch(text: "", files: [link]), in: history)
            #expect(page.entries.map(\.request.path) == [["users"], ["orders"], ["users"]] && page.next == nil)
            #expect(page.entries.allSatisfy { $0.request.file == link })
            let all = try await Self.page(RunSearch(text: "", files: []), in: history)
            #expect(all.entries.map(\.id) == [4, 3, 2, 1])
        }
    }

    @Test func `an incident that the screen writes is about the requests of the workspace alone`() async throws {
        let cases: [(String, [String], String)] = [
            ("2h", ["a.json"], "3 runs"), ("2h bundle", ["a.json"], "3 runs"), ("2h", [], "4 runs"),
        ]
        try await Self.withHistory { history, folder in
            for (form, files, count) in cases {
                let order = try IncidentOrder(form, now: Date())
                let notice = await order.write(from: history, of: files.map { folder + "/" + $0 }, to: folder)
                #expect(notice.text.contains(count), "\(notice.text)")
            }
        }
    }

    @Test func `the filter and the run before which a page begins hold`() async throws {
        try await Self.withHistory { history, folder in
            let files = [folder + "/a.json", folder + "/b.json"]
            let users = try await Self.page(RunSearch(text: "\"users\" status:2xx since:1h", files: files), in: history)
            // The URL of all of these runs has the word, too.
            #expect(users.entries.map(\.id).starts(with: [4]))
            let older = try await Self.page(RunSearch(text: "", files: files, before: 3), in: history)
            #expect(older.entries.map(\.id) == [2, 1])
            let none = try await Self.page(RunSearch(text: "is:failed", files: files), in: history)
            #expect(none == HistoryPage())
        }
    }

    @Test func `a filter that is not understood is answered with the reason`() async throws {
        try await Self.withHistory { history, _ in
            let search = RunSearch(text: "status:9", files: [])
            let answer = await history.answer(.search(search))
            #expect(answer == .notFound("status:9: write a status such as 503, or 5xx", search))
        }
    }

    @Test func `a search that was cancelled for a newer one has no answer`() async throws {
        try await Self.withHistory { history, _ in
            let answer = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await history.answer(.search(RunSearch(text: "", files: [])))
            }.value
            #expect(answer == nil)
        }
    }

    @Test func `a history that cannot be read says so`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A database of a later Ombi, which this one leaves alone.
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        try database.execute("PRAGMA user_version = 999")
        let search = RunSearch(text: "", files: [])
        let answer = await History(path: folder + "/history.sqlite").answer(.search(search))
        guard case .notFound(let reason, search)? = answer else {
            Issue.record("answered \(String(describing: answer))")
            return
        }
        #expect(reason.hasPrefix("Cannot read the history ") && reason.contains("a newer Ombi wrote it"), "\(reason)")
    }

    @Test func `a run whose request is gone is read with its age`() async throws {
        try await Self.withHistory { history, _ in
            guard case .peeked(let run, let age)? = await history.answer(.peek(3)) else {
                Issue.record("nothing was read")
                return
            }
            #expect(run.entry.id == 3 && age < .seconds(3600))
            #expect(await history.answer(.peek(99)) == .failed("This run is no longer in the history"))
        }
    }
}
