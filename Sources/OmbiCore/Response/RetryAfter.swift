/// A parser for the `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of §5.6.7.
package enum RetryAfter {
    /// Returns the wait from now; zero for a date in the past, nil for text in neither form.
    package static func wait(_ text: String, now: Int) -> Duration? {
        let text = text.split(separator: " ").joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
            return Duration(clampingSeconds: Double(text) ?? 0)
        }
        return date(text).map { Duration(clampingSeconds: Double($0 - now)) }
    }

    /// Returns the seconds since 1970.
    package static func date(_ text: String) -> Int? {
        var words = text.split { " ,-".contains($0) }.map(String.init)
        guard words.count >= 5 else { return nil }
        words.removeFirst()
        // asctime: "Nov 6 08:49:37 1994"; the others: "06 Nov 1994 08:49:37 GMT", "06 Nov 94 08:49:37 GMT"
        if months.contains(words[0]) { words = [words[1], words[0], words[3], words[2]] }
        guard let day = number(words[0], in: 1...31), let month = months.firstIndex(of: words[1]),
            var year = number(words[2], in: 0...9999), let seconds = timeOfDay(words[3])
        else { return nil }
        if words[2].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
        return daysSince1970(year: year, month: month + 1, day: day) * 86_400 + seconds
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func timeOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hour = number(parts[0], in: 0...23), let minute = number(parts[1], in: 0...59),
            let second = number(parts[2], in: 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the days of the proleptic Gregorian calendar. Years start in March, so that a leap day comes last.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + dayOfYear - 719_468
    }
}
