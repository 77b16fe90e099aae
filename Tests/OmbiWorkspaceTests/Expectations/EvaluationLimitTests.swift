import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Expressions that would never come to an end over a body.
@Suite struct EvaluationLimitTests {
    private static let deep =
        String(repeating: "{\"a\":", count: 120) + "1" + String(repeating: "}", count: 120)
    private static let slow = "$..a..a..a..a"

    private static func time() -> EvaluationTime { EvaluationTime(.zero) }

    private static func results(
        _ expectation: OmbiWorkspace.Expectation, _ body: String = deep, _ time: EvaluationTime = time()
    ) -> [String] {
        expectation.results(Observation(body: Data(body.utf8), time: time)).map(\.found)
    }

    @Test(
        arguments: [
            .count(NumberComparison(">0")!), .equals(.number("2")), .type([.object]), .contains(.string("x")),
            .exists(false),
            .matches("^a+$"), .less(.number("5")),
        ] as [ValueCondition])
    func `an expectation has no verdict after its time`(condition: ValueCondition) {
        let path = condition == .exists(false) ? "$..[?count($..a..a..a)<0]" : "$..[?count($..a..a..a)>0]"
        #expect(
            Self.results(OmbiWorkspace.Expectation(body: [BodyExpectation(path, [condition])])) == [
                "no result within 10 s"
            ])
    }

    @Test func `all expectations of a response share the time`() {
        let expectation = OmbiWorkspace.Expectation(
            body: Array(repeating: BodyExpectation(Self.slow, [.count(NumberComparison("1")!)]), count: 50))
        #expect(Set(Self.results(expectation)) == ["no result within 10 s"])
        let cancelled = EvaluationTime { true }
        #expect(Set(Self.results(expectation, Self.deep, cancelled)) == ["cancelled"])
    }

    @Test func `values are counted without being kept`() {
        let text = "[" + Array(repeating: "[[1]]", count: 100).joined(separator: ",") + "]"
        let expectation = OmbiWorkspace.Expectation(body: [
            BodyExpectation("$..*", [.count(NumberComparison("300")!), .type([.array, .number])])
        ])
        #expect(expectation.results(Observation(body: Data(text.utf8))).map(\.isMet) == [true, true])
    }

    @Test(
        arguments: [
            .path(slow), .path("$..[?count($..*..*)<0]"), .path("$.b[?count($..a..a..a)<0]"), .path("$..*..*..*"),
            .path("$.none[0]..a"), .regex("(?:a|[^a])*\"[a:{\"]{900}q"),
        ] as [Capture.Source])
    func `a capture is given up after its time, or finds nothing`(source: Capture.Source) {
        var response = TransportResponse(statusCode: 200)
        response.body = Data(Self.deep.utf8)
        var reader = CaptureReader(response, within: Self.time())
        let failure = #expect(throws: CaptureReader.Failure.self) { try reader.value(of: source) }
        let reasons = ["no result within 10 s", "selects nothing", "selects 1000 or more", "matches nothing"]
        #expect(reasons.contains { failure?.reason.contains($0) ?? false }, "\(failure?.reason ?? "")")
    }

    @Test(arguments: ["(a+)+$", "(a|a)*$b", "(.*)*x", "token=(.+);$", "((a?){20}){5}!"])
    func `a capture by a pattern takes one pass`(pattern: String) {
        for body in [String(repeating: "a", count: 2000) + "!", String(repeating: "token=", count: 7000)] {
            var response = TransportResponse(statusCode: 200)
            response.body = Data(body.utf8)
            var reader = CaptureReader(response)
            _ = try? reader.value(of: .regex(pattern))
            #expect(reader.time.interruption == nil)
        }
    }

    @Test func `pages end with the reason`() throws {
        var response = TransportResponse(statusCode: 200)
        response.body = Data(Self.deep.utf8)
        let pages = SavedPages(
            .url(path: "$.next"), items: Self.slow + "..a", total: "$..[?count($..a..a..a)<0]")
        let reader = PageReader(response, pages, within: Self.time())
        let counted = #expect(throws: PageReader.Failure.self) { try reader.total() }
        #expect(counted?.reason.hasSuffix(": no result within 10 s") == true)
        // The same page, whose time is over.
        let joined = #expect(throws: PageReader.Failure.self) { try PageJoiner(reader) }
        #expect(joined?.reason.hasSuffix(": no result within 10 s") == true, "\(joined?.reason ?? "")")
    }

    @Test(arguments: ["$..[?count($..a..a..a)<0]", "$..[?count($..a..a..a..a)<0]"])
    func `a value of the history is given up with the reason`(path: String) throws {
        var response = TransportResponse(statusCode: 200)
        response.body = Data(Self.deep.utf8)
        var reader = CaptureReader(response, within: Self.time())
        let failure = #expect(throws: DatabaseError.self) { try reader.recordedValue(at: path) }
        #expect(failure == DatabaseError(.interrupted, "\(path): no result within 10 s"))
    }

    @Test func `a condition on an event has a reason, too`() throws {
        let condition = try EventCondition("$..[?count($..a..a..a)<0] absent")
        #expect(try condition.isMet(by: "{\"a\":{\"a\":2}}"))
        #expect(throws: EvaluationTime.Interruption.tooLong) {
            try condition.isMet(by: Self.deep, within: Self.time())
        }
        #expect(throws: EvaluationTime.Interruption.cancelled) {
            try condition.isMet(by: Self.deep, within: EvaluationTime { true })
        }
    }
}
