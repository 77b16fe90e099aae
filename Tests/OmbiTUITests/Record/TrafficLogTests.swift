import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The lines and the files of a recording proxy.
@Suite struct TrafficLogTests {
    private static func exchange(_ target: String, _ headers: RequestHeaders = [:]) -> ProxiedExchange {
        ProxiedExchange(
            method: "GET", url: "http://127.0.0.1:8080" + target, headers: headers,
            response: TransportResponse(statusCode: 200, body: Data("{\"access_token\":\"s3cr3t-two\"}".utf8)),
            responseSize: 29, duration: .milliseconds(12))
    }

    @Test func `each exchange is a line, a run and at most one request, all without secrets`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (path, lines) = (folder.appending(path: "c.json").path, Lock<[String]>([]))
        let history = History(path: folder.appending(path: "history.sqlite").path)
        let recorder = try TrafficRecorder(path: path, origin: "http://127.0.0.1:8080")
        let log = TrafficLog(recorder, history: history) { line in
            lines.withLock { $0.append(line) }
        } onProblem: { problem in
            lines.withLock { $0.append("problem: \(problem)") }
        }
        let credentials: RequestHeaders = ["Authorization": "Bearer s3cr3t-one"]
        log.add(.passed(Self.exchange("/users/42?token=s3cr3t-three", credentials)))
        log.add(.passed(Self.exchange("/users/43", credentials)))
        log.add(.refused(status: 400, reason: "x\u{1B}[2J"))
        // Not on one of the threads that the history needs.
        let added = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: log.finish()) }
        }
        #expect(added == 1)
        let told = lines.withLock { $0 }
        #expect(told.count == 3, "\(told)")
        #expect(told.first == "GET /users/42?token=••••••  200 OK, 29 B, 12 ms, new: GET /users/:userId")
        let last = try #require(told.last)
        #expect(last.hasPrefix("? refused with 400: x") && !last.contains("\u{1B}"))
        let entries = try await history.entries()
        #expect(entries.map(\.request.path) == [["GET /users/:userId"], ["GET /users/:userId"]])
        var texts = told + [try String(contentsOfFile: path, encoding: .utf8)]
        for entry in entries {
            let run = try #require(try await history.run(entry.id))
            texts.append("\(run)")
            texts.append(String(decoding: run.result.response?.body ?? Data(), as: UTF8.self))
        }
        for text in texts { #expect(!text.contains("s3cr3t"), "\(text)") }
    }
}
