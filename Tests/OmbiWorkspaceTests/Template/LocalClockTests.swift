import Foundation
import Testing

@testable import OmbiWorkspace

/// The clock of a place.
@Suite struct LocalClockTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        (0, "2027-01-15 08:00:00", "UTC"), (32_400, "2027-01-15 17:00:00", "UTC+09:00"),
        (-34_200, "2027-01-14 22:30:00", "UTC−09:30"), (57_600, "2027-01-16 00:00:00", "UTC+16:00"),
    ])
    func `it shows the time of its zone`(offset: Int, text: String, zone: String) {
        let clock = LocalClock(offset: offset)
        #expect(clock.text(Self.date) == text)
        #expect(clock.zone(at: Self.date) == zone)
        #expect(clock.date(of: clock.reading(at: Self.date)) == Self.date)
        let time = LocalTime(Self.date, reference: Self.date, on: clock)
        #expect(time.clock == text.suffix(8) && time.text.hasPrefix(text.replacing(" ", with: "T")))
    }

    @Test func `days are counted over the ends of months`() {
        let clock = LocalClock(offset: 3600)
        #expect(clock.text(clock.date(17, daysAfter: Self.date)) == "2027-02-01 09:00:00")
        #expect(clock.text(clock.date(-15, daysAfter: Self.date)) == "2026-12-31 09:00:00")
    }

    @Test(arguments: [0, 1_800_000_000, 1_782_000_000]) func `that of this machine goes there and back`(seconds: Int) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        #expect(LocalClock.system.date(of: LocalClock.system.reading(at: date)) == date)
        #expect(LocalClock.system.reading(at: date).offset == TimeZone.current.secondsFromGMT(for: date))
    }
}
