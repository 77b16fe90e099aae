import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Times of an incident as they are typed.
@Suite struct IncidentRangeTests {
    private static let clock = LocalClock(offset: 3600)
    /// 2027-01-15, 09:00 in that zone.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func text(_ range: IncidentRange) -> String {
        range.start.formatted(.iso8601) + " " + range.end.formatted(.iso8601)
    }

    @Test(arguments: [
        ("08:05..08:20", "2027-01-15T07:05:00Z 2027-01-15T07:20:00Z"),
        (" 08:05..08:20 ", "2027-01-15T07:05:00Z 2027-01-15T07:20:00Z"),
        ("2027-01-14T14:05..14:20", "2027-01-14T13:05:00Z 2027-01-14T13:20:00Z"),
        ("2027-01-13T23:50..00:20", "2027-01-13T22:50:00Z 2027-01-13T23:20:00Z"),
        ("2027-01-13T23:50..2027-01-14T02:00", "2027-01-13T22:50:00Z 2027-01-14T01:00:00Z"),
        ("23:50..00:20", "2027-01-14T22:50:00Z 2027-01-14T23:20:00Z"),
        ("14:05..14:20", "2027-01-14T13:05:00Z 2027-01-14T13:20:00Z"),
        ("2h..", "2027-01-15T06:00:00Z 2027-01-15T08:00:00Z"), ("2h", "2027-01-15T06:00:00Z 2027-01-15T08:00:00Z"),
        ("90m", "2027-01-15T06:30:00Z 2027-01-15T08:00:00Z"),
        ("2h..1h", "2027-01-15T06:00:00Z 2027-01-15T07:00:00Z"),
        ("2h..08:30", "2027-01-15T06:00:00Z 2027-01-15T07:30:00Z"),
        ("2027-01-13..2027-01-14", "2027-01-12T23:00:00Z 2027-01-13T23:00:00Z"),
        ("2027-01-14T14:05:00Z..2027-01-14T14:20:00Z", "2027-01-14T14:05:00Z 2027-01-14T14:20:00Z"),
    ])
    func `a range is read`(_ text: String, _ expected: String) throws {
        #expect(Self.text(try IncidentRange(text, now: Self.now, clock: Self.clock)) == expected)
    }

    @Test(arguments: [
        ("", "write 14:05..14:20"), ("14:05", "write 14:05..14:20"), ("..14:20", "write 14:05..14:20"),
        ("14:05...14:20", "write 14:05..14:20"), ("25:00..26:00", "write 14:05..14:20"),
        ("2027-02-01T10:00..11:00", "it begins in the future"), ("1h..2h", "it ends before it begins"),
        ("2027-01-14T14:00..2027-01-13T14:00", "it ends before it begins"),
    ])
    func `what is no range is refused with what to write`(_ text: String, _ reason: String) {
        do throws(IncidentRange.Failure) {
            _ = try IncidentRange(text, now: Self.now, clock: Self.clock)
            Issue.record("\(text) was read")
        } catch { #expect(error.reason.hasPrefix(reason) && error.reason.contains("write 14:05..14:20"), "\(error)") }
    }

    @Test func `it is compared with the time before it, an hour at least`() throws {
        let short = try IncidentRange("08:05..08:20", now: Self.now, clock: Self.clock)
        #expect(Self.text(short.before) == "2027-01-15T06:05:00Z 2027-01-15T07:05:00Z")
        let long = try IncidentRange("3h..1h", now: Self.now, clock: Self.clock)
        #expect(Self.text(long.before) == "2027-01-15T03:00:00Z 2027-01-15T05:00:00Z")
    }
}
