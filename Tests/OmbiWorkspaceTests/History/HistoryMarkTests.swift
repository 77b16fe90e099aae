import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Moments with a name.
@Suite struct HistoryMarkTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a mark is kept in a history without runs, listed by its time, and removed`() async throws {
        let sample = try HistorySample()
        #expect(try await sample.history.marks().isEmpty)
        let deploy = try await sample.history.mark("deploy 1.4.2", at: Self.date)
        _ = try await sample.history.mark("before", at: Self.date.addingTimeInterval(-60))
        let marks = try await sample.again().marks()
        #expect(marks.map(\.name) == ["before", "deploy 1.4.2"] && marks.last == deploy)
        #expect(try await sample.history.marks(since: Self.date).map(\.name) == ["deploy 1.4.2"])
        #expect(try await sample.history.removeMark(deploy.id))
        #expect(try await !sample.history.removeMark(deploy.id))
        #expect(try await sample.history.marks().map(\.name) == ["before"])
    }

    @Test func `the newest mark has its name`() async throws {
        let sample = try HistorySample()
        for offset in [0.0, 60, 30] {
            _ = try await sample.history.mark("deploy", at: Self.date.addingTimeInterval(offset))
        }
        #expect(try await sample.history.mark(named: "deploy")?.date == Self.date.addingTimeInterval(60))
        #expect(try await sample.history.mark(named: "deplo") == nil)
    }

    @Test func `a name is cut, and credentials in it are masked`() async throws {
        let sample = try HistorySample()
        let mark = try await sample.history.mark("https://u:hunter2@ci.test/?token=hunter2", at: Self.date)
        let long = try await sample.history.mark(String(repeating: "x", count: 900), at: Self.date)
        #expect(!mark.name.contains("hunter2") && long.name.count == HistoryMark.maximumName)
        #expect(!sample.files.contains { $0.bytes.range(of: Data("hunter2".utf8)) != nil })
    }
}
