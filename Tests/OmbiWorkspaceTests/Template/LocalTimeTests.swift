import Foundation
import Testing

@testable import OmbiWorkspace

/// Points in time on the clock of this machine.
@Suite struct LocalTimeTests {
    private static func local(_ seconds: Int, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(arguments: [0, 1_800_000_000, 1_763_906_601]) func `it is the time of the wall`(seconds: Int) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let time = LocalTime(date, reference: date)
        #expect(time.clock == Self.local(seconds, "HH:mm:ss"))
        #expect(time.text == Self.local(seconds, "yyyy-MM-dd'T'HH:mm:ssZ"))
    }

    @Test func `another day has its date`() {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let time = LocalTime(date, reference: date.addingTimeInterval(-200_000))
        #expect(time.clock == Self.local(1_800_000_000, "yyyy-MM-dd HH:mm:ss"))
    }
}
