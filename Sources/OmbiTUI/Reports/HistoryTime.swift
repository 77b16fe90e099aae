import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times of the history on the command line.
enum HistoryTime {
    /// `2026-11-23T08:11:07Z`
    static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    /// `2026-11-23 08:11:07` by the clock of this place.
    static func local(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        return String(date.formatted(style.time(includingFractionalSeconds: false)).prefix(19))
    }

    /// Reads `2026-11-23`, `2026-11-23T14:05`, `14:05:30` of today, a time with a zone, and `2h` for a time ago. Without a
    /// zone the clock of this place counts.
    static func parse(_ text: String, now: Date, timeZone: TimeZone = .current) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let days = text.hasSuffix("d") ? Int(text.dropLast()) : nil, days >= 0 {
            return now.addingTimeInterval(-Double(days) * 86_400)
        }
        if let duration = DurationText.parse(text) { return now.addingTimeInterval(-duration.milliseconds / 1000) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = text.split(separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false).map(
            String.init)
        let hasDate = parts[0].contains("-")
        guard parts.count <= (hasDate ? 2 : 1) else { return nil }
        var components = calendar.dateComponents([.year, .month, .day], from: now)
        if hasDate {
            guard let date = numbers(parts[0], separator: "-", counts: [3]) else { return nil }
            (components.year, components.month, components.day) = (date[0], date[1], date[2])
        }
        if let time = hasDate ? (parts.count > 1 ? parts[1] : nil) : parts[0] {
            guard let clock = numbers(time, separator: ":", counts: [2, 3]), clock[0] < 24, clock[1] < 60,
                clock.count < 3 || clock[2] < 60
            else { return nil }
            (components.hour, components.minute) = (clock[0], clock[1])
            components.second = clock.count > 2 ? clock[2] : 0
        }
        let date = calendar.date(from: components)
        // February 30 would become a day in March.
        guard let date, calendar.component(.day, from: date) == components.day else { return nil }
        return date
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
