import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The parts of a run that the history keeps as JSON.
@Suite struct RecordedDetailsTests {
    private static let expectations = [
        ExpectationResult(.status, "status", expected: "status 2xx", found: "200", isMet: true),
        ExpectationResult(.header("ETag"), "header ETag", expected: "header ETag", found: "none", isMet: false),
        ExpectationResult(.body(offset: 7), "$.id", expected: "$.id of type integer", found: "\"7\"", isMet: false),
        ExpectationResult(.body(offset: nil), "schema", expected: "the schema", found: "no JSON", isMet: false),
    ]

    @Test(arguments: ["met", "isMet"])
    func `the verdict on an expectation is read in the spelling of its file`(key: String) throws {
        let row = """
            {"expectations": [
              {"place": ["status"], "subject": "status", "expected": "status 2xx", "found": "200", "\(key)": true},
              {"place": ["header", "ETag"], "subject": "header ETag", "expected": "header ETag", "found": "none",
               "\(key)": false}]}
            """
        var result = SessionResult(.response(TransportResponse(statusCode: 200)))
        RecordedDetails.read(try JSONValue.parse(row), into: &result)
        #expect(result.expectations == Array(Self.expectations.prefix(2)))
    }

    @Test func `a captured value is masked in JSON if its name is that of a secret`() {
        let values = ["id", "accessToken"].map { CapturedValue(name: $0, value: "7", request: "r", source: "$.a") }
        #expect(values.map { $0.json["value"]?.stringValue } == ["7", LogMask.mask])
    }

    @Test func `the details of a run come back as they were kept`() throws {
        var result = SessionResult(.response(TransportResponse(statusCode: 503)))
        result.expectations = Self.expectations
        result.captured = [CapturedValue(name: "id", value: "7", request: "create", source: "$.id")]
        result.pages = PageSummary(count: 3, expected: 4, hasMore: true)
        result.fallback = .response(
            FallbackResponse(
                .run(7), date: Date(timeIntervalSince1970: 1_800_000_000), age: .seconds(60),
                response: TransportResponse(statusCode: 200)))
        var read = SessionResult(.response(TransportResponse(statusCode: 503)))
        RecordedDetails.read(try JSONValue.parse(RecordedDetails.text(result)), into: &read)
        #expect(read.expectations == result.expectations && read.captured == result.captured)
        #expect(read.pages == result.pages && read.fallback == result.fallback)
        #expect(read.failures == result.failures)
    }
}
