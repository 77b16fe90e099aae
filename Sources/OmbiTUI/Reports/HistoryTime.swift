import OmbiBase

/// Times of the history on the command line.
enum HistoryTime {
    /// `2026-11-23 08:11:07` by the clock of this place.
    static func local(_ date: Date) -> String { LocalClock.system.text(date) }

    /// Reads `2026-11-23`, `2026-11-23T14:05`, `14:05:30` of today, a time with a zone, and `2h` for a time ago. Without a
    /// zone the clock of this place counts.
    static func parse(_ text: String, now: Date, clock: LocalClock = .system) -> Date? {
        if let date = try? Date(withSeconds(text), strategy: .iso8601) { return date }
        // Settings end at 24 hours, a history does not.
        for (unit, seconds) in [("d", 86_400.0), ("h", 3600.0)] where text.hasSuffix(unit) {
            if let count = Int(text.dropLast()), count >= 0 { return now.addingTimeInterval(-Double(count) * seconds) }
        }
        if let duration = DurationText.parse(text) { return now.addingTimeInterval(-duration.inSeconds) }
        let parts = text.split(separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false).map(
            String.init)
        let hasDate = parts[0].contains("-")
        guard parts.count <= (hasDate ? 2 : 1) else { return nil }
        let today = clock.reading(at: now)
        var reading = LocalClock.Reading(year: today.year, month: today.month, day: today.day)
        if hasDate {
            guard let date = numbers(parts[0], separator: "-", counts: [3]), (1...9999).contains(date[0]), date[2] >= 1,
                date[2] <= days(inMonth: date[1], of: date[0])
            else { return nil }
            (reading.year, reading.month, reading.day) = (date[0], date[1], date[2])
        }
        if let time = hasDate ? (parts.count > 1 ? parts[1] : nil) : parts[0] {
            guard let parts = numbers(time, separator: ":", counts: [2, 3]), parts[0] < 24, parts[1] < 60,
                parts.count < 3 || parts[2] < 60
            else { return nil }
            (reading.hour, reading.minute) = (parts[0], parts[1])
            reading.second = parts.count > 2 ? parts[2] : 0
        }
        return clock.date(of: reading)
    }

    /// Returns a time with a zone and without seconds as `2026-11-23T14:05:00Z`; any other text as it is.
    private static func withSeconds(_ text: String) -> String {
        guard let time = text.firstIndex(of: "T"), let zone = text[time...].firstIndex(where: { "Z+-".contains($0) }),
            text[time..<zone].split(separator: ":").count == 2
        else { return text }
        return text[..<zone] + ":00" + text[zone...]
    }

    /// Zero for what is no month. February 30 would else become a day in March.
    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return days.indices.contains(month - 1) ? days[month - 1] : 0
    }

    private static func numbers(_ text: String, separator: Character, counts: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        return numbers.count == parts.count && counts.contains(numbers.count) ? numbers : nil
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
