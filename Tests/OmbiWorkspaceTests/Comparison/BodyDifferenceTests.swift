import Foundation
import OmbiCore
import Testing

@testable import OmbiDocument
@testable import OmbiWorkspace

/// Bodies of two responses, and what differs from run to run.
@Suite struct BodyDifferenceTests {
    private static func difference(_ old: String?, _ new: String?, _ ignored: String...) throws -> BodyDifference {
        BodyDifference(
            from: old.map { Data($0.utf8) }, to: new.map { Data($0.utf8) },
            ignoring: try ignored.map { try JSONPath($0) })
    }

    @Test func `JSON is compared by its values`() throws {
        #expect(try Self.difference("{\"a\":1,\"b\":2}", "{ \"b\": 2, \"a\": 1 }") == .same)
        #expect(
            try Self.difference("{\"a\":1}", "{\"a\":2}")
                == .values([JSONValueChange(kind: .changed, path: "$.a", old: "1", new: "2")], isCut: false))
        #expect(try Self.difference("{\"a\":1}", "{\"a\":2}", "$.a") == .same)
    }

    @Test func `other bodies are compared by their bytes`() throws {
        #expect(try Self.difference(nil, "") == .same)
        #expect(try Self.difference("abc", "abd") == .other("not both JSON; byte 2 is the first that differs"))
        #expect(try Self.difference("{\"a\":1}", "{\"a\"") == .other("not both JSON; byte 4 is the first that differs"))
        #expect(try Self.difference("", "{}") == .other("there was no body"))
        #expect(try Self.difference("[]", nil) == .other("there is no body"))
    }

    @Test func `the list of changes has an end`() throws {
        let old = "[" + (0..<3000).map { "\($0)" }.joined(separator: ",") + "]"
        let new = "[" + (0..<3000).map { "\($0 + 10_000)" }.joined(separator: ",") + "]"
        guard case .values(let changes, let isCut) = try Self.difference(old, new) else {
            Issue.record("they differ by values")
            return
        }
        #expect(changes.count == BodyDifference.maximumChanges && isCut)
    }

    @Test func `the paths that differ from run to run are found, positions as wildcards`() {
        let bodies = (0..<4).map { number in
            Data(
                "{\"time\":\(number),\"items\":[{\"id\":\(number * 2)},{\"id\":\(number * 2 + 1)}],\"once\":\(number / 3)}"
                    .utf8)
        }
        #expect(
            VolatilePath.paths(in: bodies) == [
                VolatilePath(path: "$.items[*].id", changes: 3, comparisons: 3),
                VolatilePath(path: "$.time", changes: 3, comparisons: 3),
                VolatilePath(path: "$.once", changes: 1, comparisons: 3),
            ])
        #expect(VolatilePath.paths(in: Array(bodies.prefix(1))) == [])
    }
}

/// Two runs side by side.
@Suite struct RunComparisonTests {
    private static func answer(_ status: Int, _ body: String) -> SessionResult {
        SessionResult(.response(TransportResponse(statusCode: status, body: Data(body.utf8))))
    }

    private static func compare(_ old: SessionResult, _ new: SessionResult) -> RunComparison {
        RunComparison(
            ItemPath(file: "a.json", path: ["r"]), from: .init(old, environment: "a"), to: .init(new, environment: "b"))
    }

    @Test func `the same status and values are the same, whatever the time`() {
        #expect(Self.compare(Self.answer(200, "{\"a\":1}"), Self.answer(200, "{\"a\": 1}")).isSame)
        #expect(!Self.compare(Self.answer(200, "{}"), Self.answer(201, "{}")).isSame)
        #expect(!Self.compare(Self.answer(200, "{\"a\":1}"), Self.answer(200, "{\"a\":2}")).isSame)
        #expect(Self.compare(Self.answer(404, "{}"), Self.answer(404, "{}")).isSame)
    }

    @Test func `without a response nothing is the same`() {
        let failure = SessionResult(.failure("no connection"))
        #expect(!Self.compare(failure, failure).isSame)
        #expect(!Self.compare(Self.answer(200, "{}"), failure).isSame)
    }

    @Test func `values whose names are secret are masked before they are compared`() {
        let comparison = Self.compare(
            Self.answer(200, "{\"access_token\":\"one\",\"a\":1}"),
            Self.answer(200, "{\"access_token\":\"two\",\"a\":2}"))
        #expect(comparison.body.changes.map(\.path) == ["$.a"])
    }
}
