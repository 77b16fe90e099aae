import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct CookieDateTests {
    /// Seconds since 1970; nil for what is no date.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777),
            ("06 nov 1994 8:49:37", 784_111_777), ("08:49:37 06 NOVEMBER 1994", 784_111_777),
            ("1994 Nov 6 08:49:37", 784_111_777), ("Nov 6 1994 08:49:37", 784_111_777),
            ("06 Nov 94 08:49:37", 784_111_777),
            ("6/Nov/1994/08:49:37", 784_111_777), ("06th Nov 1994 08:49:37", 784_111_777),
            ("06 Nov 1994 08:49:37.5 GMT+0100", 784_111_777), ("06 Nov 1994 08:49:37am", 784_111_777),
            ("Sun, 06 Nov 1994 8:9:7 GMT", 784_109_347), ("\"Sun, 06 Nov 1994 08:49:37 GMT\"", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 01-Jan-70 00:00:00 GMT", 0),
            ("01 Jan 00 00:00:00", 946_684_800),
            ("01 Jan 69 00:00:00", 3_124_224_000), ("01 Jan 1601 00:00:00", -11_644_473_600),
            ("31 Dec 9999 23:59:59", 253_402_300_799), ("29 Feb 2000 00:00:00", 951_782_400),
            ("29 Feb 2024 12:00:00", 1_709_208_000), ("01 Jan 1600 00:00:00", nil), ("29 Feb 2023 00:00:00", nil),
            ("29 Feb 1900 00:00:00", nil), ("31 Apr 2024 00:00:00", nil), ("32 Jan 2024 00:00:00", nil),
            ("00 Jan 2024 00:00:00", nil), ("01 Jan 2024 24:00:00", nil), ("01 Jan 2024 00:60:00", nil),
            ("01 Jan 2024 00:00:60", nil), ("01 Jan 2024 00:00", nil), ("01 Jan 2024", nil), ("Jan 2024 00:00:00", nil),
            ("01 2024 00:00:00", nil), ("01 Jan 00:00:00", nil), ("01 Jan 20245 00:00:00", nil),
            ("01 Jan 2024 000:00:00", nil), ("001 Jan 2024 00:00:00", nil), ("01 J\u{E4}n 2024 00:00:00", nil),
            ("1704067200", nil), ("2024-01-01T00:00:00Z", nil), ("", nil), ("0", nil), ("::", nil), ("never", nil),
            ("-1 Jan 2024 00:00:00", 1_704_067_200), ("01 Jan 2024 -1:00:00", 1_704_070_800),
        ] as [(String, Int?)])
    func `a date is read in every form`(text: String, seconds: Int?) {
        #expect(CookieDate.parse(text)?.timeIntervalSince1970 == seconds.map(Double.init))
    }

    @Test func `no text stops the parser`() {
        var random = SeededRandom(seed: 4)
        let pieces = ["1", "09", "31", "1994", "Feb", "jan", ":", ":", " ", "-", ",", "\u{E4}", "x", "\u{0}", "99999"]
        for _ in 0..<20_000 {
            let text = random.pick(Int(random.next() % 16), of: pieces).joined()
            guard let date = CookieDate.parse(text) else { continue }
            #expect((-11_644_473_600..<253_402_300_800).contains(date.timeIntervalSince1970), "\(text)")
        }
    }
}
