#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A parser for the dates in `Expires`, in any order and form (RFC 6265bis §5.1.1).
enum CookieDate {
    private struct Fields {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
    }

    /// Returns nil for text without a date, and for dates that do not exist.
    static func parse(_ text: some StringProtocol) -> Date? {
        var fields = Fields()
        for token in text.utf8.split(whereSeparator: isDelimiter) { read(token, into: &fields) }
        guard let time = fields.time, let day = fields.day, let month = fields.month, var year = fields.year else {
            return nil
        }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        guard year >= 1601, (1...daysInMonth(month, year)).contains(day), time.hour < 24, time.minute < 60,
            time.second < 60
        else { return nil }
        let days = RetryAfter.daysSince1970(year: year, month: month, day: day)
        return Date(
            timeIntervalSince1970: Double(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second))
    }

    /// Assigns a token to the first missing field of time, day, month and year that it matches.
    private static func read(_ token: some Collection<UInt8>, into fields: inout Fields) {
        if fields.time == nil, let time = time(token) {
            fields.time = time
        } else if fields.day == nil, let day = number(token, digits: 1...2) {
            fields.day = day
        } else if fields.month == nil, let month = month(token) {
            fields.month = month
        } else if fields.year == nil, let year = number(token, digits: 2...4) {
            fields.year = year
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the number at the start of a token if it has a permitted count of digits.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let text = token.prefix(while: isDigit)
        guard digits.contains(text.count) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    /// Parses "8:49:37"; any non-digit may follow.
    private static func time(_ token: some Collection<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let name = token.prefix(3).map { $0 | 0x20 }
        return months.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
