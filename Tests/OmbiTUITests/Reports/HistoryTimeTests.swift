import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Times as they are written on the command line.
@Suite struct HistoryTimeTests {
    private static let clock = LocalClock(offset: 3600)
    /// 2027-01-15, 09:00 in that zone.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        ("2027-01-14", "2027-01-13T23:00:00Z"), ("2027-01-14T14:05", "2027-01-14T13:05:00Z"),
        ("2027-01-14 14:05:09", "2027-01-14T13:05:09Z"), ("2027-01-14T14:05:00Z", "2027-01-14T14:05:00Z"),
        ("08:30", "2027-01-15T07:30:00Z"), ("2h", "2027-01-15T06:00:00Z"), ("90s", "2027-01-15T07:58:30Z"),
        ("3d", "2027-01-12T08:00:00Z"), ("48h", "2027-01-13T08:00:00Z"), ("2028-02-29", "2028-02-28T23:00:00Z"),
        ("2027-01-14T14:05Z", "2027-01-14T14:05:00Z"), ("2027-01-14T14:05+02:00", "2027-01-14T12:05:00Z"),
        ("2027-01-14T14:05:09-02:00", "2027-01-14T16:05:09Z"), ("09:00", "2027-01-15T08:00:00Z"),
        ("09:01", "2027-01-14T08:01:00Z"), ("23:50", "2027-01-14T22:50:00Z"),
    ])
    func `a time is read`(_ text: String, _ expected: String) {
        #expect(HistoryTime.parse(text, now: Self.now, clock: Self.clock)?.formatted(.iso8601) == expected)
    }

    @Test(arguments: [
        ("09:00", "2027-01-15T08:00:00Z"), ("09:05", "2027-01-15T08:05:00Z"), ("09:06", "2027-01-14T08:06:00Z"),
        ("23:50", "2027-01-14T22:50:00Z"),
    ])
    func `a time of day may lie minutes ahead`(_ text: String, _ expected: String) {
        let date = HistoryTime.parse(text, now: Self.now, ahead: 300, clock: Self.clock)
        #expect(date?.formatted(.iso8601) == expected)
    }

    @Test func `a time of day minutes ahead may be after midnight`() {
        // 23:58 in that zone.
        let now = Self.now.addingTimeInterval(53_880)
        let date = HistoryTime.parse("00:01", now: now, ahead: 300, clock: Self.clock)
        #expect(date?.formatted(.iso8601) == "2027-01-15T23:01:00Z")
    }

    @Test(arguments: [
        "", "yesterday", "25:00", "2027-02-30", "2027-02-29", "2027-13-01", "2027-00-01", "2027-01-00", "14", "-1d",
        "-1h", "2027-01-14T", "1:2:3:4", "2027-01-14T14Z", "2027-01-14T14:Z",
    ])
    func `what is no time is refused`(_ text: String) {
        #expect(HistoryTime.parse(text, now: Self.now, clock: Self.clock) == nil)
    }
}
