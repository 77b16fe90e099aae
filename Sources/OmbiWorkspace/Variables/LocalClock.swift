#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The clock of a place, with its zone and its daylight saving time.
///
/// The C library knows the zone of the machine; `TimeZone.current` is always UTC without the data of the full
/// Foundation.
public struct LocalClock: Sendable {
    /// A date and a time of day, as the clock shows them.
    public struct Reading: Equatable, Sendable {
        public var year, month, day: Int
        public var hour = 0
        public var minute = 0
        public var second = 0
        /// Seconds east of UTC; ignored by `date(of:)`.
        public var offset = 0

        public init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

        /// `2026-11-23`
        public var dayText: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

        /// `14:05:09`
        public var clockText: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

        /// `+0100`
        public var offsetText: String {
            let minutes = abs(offset) / 60
            return (offset < 0 ? "-" : "+") + Self.padded(minutes / 60) + Self.padded(minutes % 60)
        }

        private static func padded(_ number: Int, _ digits: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
    }

    private let read: @Sendable (time_t) -> tm
    private let find: @Sendable (tm) -> time_t

    /// The clock of this machine: that of `TZ`, or of the system.
    public static let system = LocalClock { seconds in
        // POSIX does not have localtime_r look at TZ.
        tzset()
        var (time, parts) = (seconds, tm())
        localtime_r(&time, &parts)
        return parts
    } find: { parts in
        var parts = parts
        return mktime(&parts)
    }

    /// A clock of a fixed zone.
    /// - Parameter offset: seconds east of UTC.
    public init(offset: Int) {
        self.init { seconds in
            var (time, parts) = (seconds + offset, tm())
            gmtime_r(&time, &parts)
            parts.tm_gmtoff = offset
            return parts
        } find: { parts in
            var parts = parts
            return timegm(&parts) - offset
        }
    }

    /// - Parameter find: takes parts out of their ranges, and finds out by itself whether daylight saving time is in
    ///   effect.
    private init(_ read: @escaping @Sendable (time_t) -> tm, find: @escaping @Sendable (tm) -> time_t) {
        (self.read, self.find) = (read, find)
    }

    public func reading(at date: Date) -> Reading {
        let parts = read(time_t(clamping: Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0))
        var reading = Reading(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        (reading.hour, reading.minute) = (Int(parts.tm_hour), Int(parts.tm_min))
        (reading.second, reading.offset) = (Int(parts.tm_sec), parts.tm_gmtoff)
        return reading
    }

    /// The time at which the clock shows a reading; a day 32 is in the next month. A time that daylight saving leaves
    /// out is moved, one that it repeats is one of both.
    public func date(of reading: Reading) -> Date {
        var parts = tm()
        parts.tm_year = Int32(clamping: reading.year - 1900)
        (parts.tm_mon, parts.tm_mday) = (Int32(clamping: reading.month - 1), Int32(clamping: reading.day))
        (parts.tm_hour, parts.tm_min) = (Int32(clamping: reading.hour), Int32(clamping: reading.minute))
        (parts.tm_sec, parts.tm_isdst) = (Int32(clamping: reading.second), -1)
        return Date(timeIntervalSince1970: TimeInterval(find(parts)))
    }

    /// The same time of day some days later.
    public func date(_ days: Int, daysAfter date: Date) -> Date {
        var reading = reading(at: date)
        reading.day += days
        return self.date(of: reading)
    }

    /// `2026-11-23 08:11:07`
    public func text(_ date: Date) -> String {
        let reading = reading(at: date)
        return reading.dayText + " " + reading.clockText
    }

    /// `UTC`, `UTC+02:00`
    public func zone(at date: Date) -> String {
        let reading = reading(at: date)
        guard reading.offset / 60 != 0 else { return "UTC" }
        let digits = reading.offsetText.dropFirst()
        return "UTC" + (reading.offset < 0 ? "−" : "+") + digits.prefix(2) + ":" + digits.suffix(2)
    }
}

/// A point in time on the clock of this machine.
public struct LocalTime: Sendable, Equatable {
    /// "14:03:21"; with the date in front on another day than a reference.
    public var clock: String
    /// "2026-11-23T14:03:21+0100"
    public var text: String

    public init(clock: String, text: String) {
        self.clock = clock
        self.text = text
    }

    /// - Parameter reference: the time at which it is read.
    init(_ date: Date, reference: Date, on clock: LocalClock = .system) {
        let reading = clock.reading(at: date)
        let isSameDay = reading.dayText == clock.reading(at: reference).dayText
        self.clock = (isSameDay ? "" : reading.dayText + " ") + reading.clockText
        text = reading.dayText + "T" + reading.clockText + reading.offsetText
    }

    /// The time that a limit which begins now ends at.
    init(after limit: Duration) {
        let now = Date()
        self.init(now.addingTimeInterval(TimeInterval(limit.components.seconds)), reference: now)
    }
}
