import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Requests that were renamed or moved while nobody looked.
@Suite struct HistoryOutlinesTests {
    private static func outline(_ requests: [(String, String)]) -> CollectionOutline {
        CollectionOutline(requests.map { .init(names: $0.0.split(separator: "/").map(String.init), target: $0.1) })
    }

    private static let before = [
        ("users/list", "GET /users"), ("users/one", "GET /users/:id"), ("health", "GET /health"),
    ]

    /// A history with a run of each of the requests, seen by a program that has ended.
    private static func sample() async throws -> HistorySample {
        let sample = try HistorySample()
        sample.history.follow(file: sample.folder + "/c.json", outline(before))
        for (path, _) in before {
            var names = path.split(separator: "/").map(String.init)
            let request = SavedRequest(name: names.removeLast(), path: "/")
            await sample.send(
                sample.order(request, folders: names.map { Folder(name: $0) }),
                StubTransport { _ in .response(statusCode: 200) })
        }
        return sample
    }

    private static func count(_ history: History, _ file: String, _ path: String) async throws -> Int {
        try await history.count(
            HistoryFilter(item: ItemPath(file: file, path: path.split(separator: "/").map(String.init))))
    }

    @Test func `the next program takes the runs along where it is clear`() async throws {
        let sample = try await Self.sample()
        let (next, file) = (sample.again(), sample.folder + "/c.json")
        next.follow(
            file: file,
            Self.outline([("people/all", "GET /users"), ("users/one", "GET /users/:id"), ("up", "GET /up")]))
        #expect(try await Self.count(next, file, "people/all") == 1)
        #expect(try await Self.count(next, file, "users/list") == 0)
        #expect(try await Self.count(next, file, "users/one") == 1)
        // Another URL is another request.
        #expect(try await Self.count(next, file, "up") == 0)
        #expect(try await Self.count(next, file, "health") == 1)
    }

    @Test func `what is ambiguous stays where it was`() async throws {
        let sample = try await Self.sample()
        let (next, file) = (sample.again(), sample.folder + "/c.json")
        next.follow(file: file, Self.outline(Self.before.dropFirst() + [("a", "GET /users"), ("b", "GET /users")]))
        #expect(try await Self.count(next, file, "users/list") == 1)
    }

    @Test func `a rename that the screen has told is only noted`() async throws {
        let sample = try await Self.sample()
        let (next, file) = (sample.again(), sample.folder + "/c.json")
        let renamed = [("users/every", "GET /users")] + Self.before.dropFirst()
        next.follow(file: file, Self.outline(renamed), recognises: false)
        #expect(try await Self.count(next, file, "users/every") == 0)
        next.follow(file: file, Self.outline(renamed))
        #expect(try await Self.count(next, file, "users/list") == 1)
    }

    @Test func `a file that has another name takes its runs along, a copy does not`() async throws {
        let sample = try await Self.sample()
        let (next, file) = (sample.again(), sample.folder + "/c.json")
        let other = sample.folder + "/shop.json"
        try Data("{}".utf8).write(to: URL(filePath: file))
        try Data("{}".utf8).write(to: URL(filePath: other))
        next.follow(file: other, Self.outline(Self.before))
        #expect(try await Self.count(next, other, "health") == 0)
        let third = sample.folder + "/third.json"
        try FileManager.default.moveItem(atPath: file, toPath: third)
        try FileManager.default.removeItem(atPath: other)
        // Two files are gone that had these requests.
        next.follow(file: third, Self.outline(Self.before))
        #expect(try await Self.count(next, third, "health") == 0)
        let moved = try await Self.sample()
        let again = moved.again()
        again.follow(file: moved.folder + "/moved.json", Self.outline(Self.before))
        #expect(try await Self.count(again, moved.folder + "/moved.json", "users/one") == 1)
        #expect(try await Self.count(again, moved.folder + "/c.json", "users/one") == 0)
    }

    @Test func `no URL is in the file of the history`() async throws {
        let sample = try await Self.sample()
        sample.again().follow(
            file: sample.folder + "/d.json", Self.outline([("a", "GET /path?hidden=in-the-open")]))
        sample.history.finish()
        _ = try await sample.again().count()
        #expect(!sample.files.contains { $0.bytes.range(of: Data("in-the-open".utf8)) != nil })
    }
}
