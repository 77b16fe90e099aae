import OmbiPlatform

/// A time in UTC, formatted as `strftime` does.
struct TemplateTime {
    private let milliseconds: Int64

    init(_ secondsSince1970: Double) {
        milliseconds = Int64(exactly: (secondsSince1970 * 1000).rounded(.down)) ?? 0
    }

    var seconds: Int64 { Self.floored(milliseconds, 1000).quotient }

    func adding(_ offset: Double) -> TemplateTime { TemplateTime(Double(milliseconds) / 1000 + offset) }

    /// Reads an offset in seconds: a sign, then numbers with a unit, such as `+1d12h`. Nil for any other text, and beyond
    /// 1000 years.
    static func offset(_ text: String) -> Double? {
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let sign = text.first, sign == "+" || sign == "-", text.count > 1 else { return nil }
        var rest = text.dropFirst()
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            let name = rest[digits.endIndex...].prefix { !("0"..."9").contains($0) }
            guard let count = Double(digits), let unit = units[name] else { return nil }
            sum += count * unit
            rest = rest[name.endIndex...]
        }
        return sum <= 1000 * 366 * 86_400 ? (sign == "-" ? -sum : sum) : nil
    }

    /// Reads `2026-11-28T12:30:00Z`: the seconds since 1970 of a time in UTC, whatever follows its seconds. Nil for any other
    /// text.
    static func seconds(of text: String) -> Int64? {
        let parts = text.prefix(19).split(omittingEmptySubsequences: false) { "-T:".contains($0) }
        let numbers = parts.compactMap { part in part.allSatisfy(\.isWholeNumber) ? Int64(part) : nil }
        guard parts.map(\.count) == [4, 2, 2, 2, 2, 2], numbers.count == parts.count else { return nil }
        return days(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    }

    /// Throws for a directive that is unknown.
    func text(_ format: String) throws(TemplateCall.Failure) -> String {
        var text = ""
        var iterator = format.makeIterator()
        while let character = iterator.next() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let directive = iterator.next() else {
                throw .init("the format ends with %; write %% for a percent sign")
            }
            text += try self.text(directive)
        }
        return text
    }

    private func text(_ directive: Character) throws(TemplateCall.Failure) -> String {
        let (days, second) = Self.floored(seconds, 86_400)
        let date = Self.date(days)
        switch directive {
        case "Y": return Self.padded(date.year, 4)
        case "y": return Self.padded(Self.floored(date.year, 100).rest, 2)
        case "m": return Self.padded(date.month, 2)
        case "d": return Self.padded(date.day, 2)
        case "e": return "\(date.day)"
        case "j": return Self.padded(days - Self.days(date.year, 1, 1) + 1, 3)
        case "H": return Self.padded(second / 3600, 2)
        case "I": return Self.padded((second / 3600 + 11) % 12 + 1, 2)
        case "p": return second < 43_200 ? "AM" : "PM"
        case "M": return Self.padded(second / 60 % 60, 2)
        case "S": return Self.padded(second % 60, 2)
        case "L": return Self.padded(Self.floored(milliseconds, 1000).rest, 3)
        case "s": return "\(seconds)"
        case "A": return Self.weekdays[Int(Self.floored(days + 4, 7).rest)]
        case "a": return String(Self.weekdays[Int(Self.floored(days + 4, 7).rest)].prefix(3))
        case "B": return Self.months[Int(date.month) - 1]
        case "b": return String(Self.months[Int(date.month) - 1].prefix(3))
        case "F": return try text("%Y-%m-%d")
        case "T": return try text("%H:%M:%S")
        case "z": return "+0000"
        case "Z": return "UTC"
        case "%": return "%"
        default:
            throw .init(
                "the format has the unknown %\(directive); known: %Y %m %d %H %M %S %L (milliseconds) and %s")
        }
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        (number < 0 ? "-" : "") + abs(number).digits(digits)
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let rest = (number % divisor + divisor) % divisor
        return ((number - rest) / divisor, rest)
    }

    /// The day of the proleptic Gregorian calendar, from the days since 1970-01-01. Its years begin in March here, so that
    /// the leap day is the last.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, day) = floored(days + 719_468, 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            year + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// The days from 1970-01-01 to a day.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, ofEra) = floored(month <= 2 ? year - 1 : year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + dayOfYear - 719_468
    }
}

/// The clock of a place, with its zone and its daylight saving time.
///
/// The C library knows the zone of the machine; `TimeZone.current` is always UTC without the data of the full
/// Foundation.
package struct LocalClock: Sendable {
    /// A date and a time of day, as the clock shows them.
    package struct Reading: Equatable, Sendable {
        package var year, month, day: Int
        package var hour = 0
        package var minute = 0
        package var second = 0
        /// Seconds east of UTC; ignored by `date(of:)`.
        package var offset = 0

        package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

        /// `2026-11-23`
        package var dayText: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }

        /// `14:05:09`
        package var clockText: String { "\(hour.digits(2)):\(minute.digits(2)):\(second.digits(2))" }

        /// `+0100`
        package var offsetText: String {
            let minutes = abs(offset) / 60
            return (offset < 0 ? "-" : "+") + (minutes / 60).digits(2) + (minutes % 60).digits(2)
        }
    }

    private let read: @Sendable (time_t) -> tm
    private let find: @Sendable (tm) -> time_t

    /// The clock of this machine, by `TZ` or the system's zone.
    package static let system = LocalClock { seconds in
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
    package init(offset: Int) {
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

    package func reading(at date: Date) -> Reading {
        let parts = read(time_t(clamping: Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0))
        var reading = Reading(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        (reading.hour, reading.minute) = (Int(parts.tm_hour), Int(parts.tm_min))
        (reading.second, reading.offset) = (Int(parts.tm_sec), parts.tm_gmtoff)
        return reading
    }

    /// The time at which the clock shows a reading; day 32 is in the next month. A time that daylight saving skips is
    /// moved, and of a repeated one, either is returned.
    package func date(of reading: Reading) -> Date {
        var parts = tm()
        parts.tm_year = Int32(clamping: reading.year - 1900)
        (parts.tm_mon, parts.tm_mday) = (Int32(clamping: reading.month - 1), Int32(clamping: reading.day))
        (parts.tm_hour, parts.tm_min) = (Int32(clamping: reading.hour), Int32(clamping: reading.minute))
        (parts.tm_sec, parts.tm_isdst) = (Int32(clamping: reading.second), -1)
        return Date(timeIntervalSince1970: TimeInterval(find(parts)))
    }

    /// The same time of day some days later.
    package func date(_ days: Int, daysAfter date: Date) -> Date {
        var reading = reading(at: date)
        reading.day += days
        return self.date(of: reading)
    }

    /// `2026-11-23 08:11:07`
    package func text(_ date: Date) -> String {
        let reading = reading(at: date)
        return reading.dayText + " " + reading.clockText
    }

    /// `UTC`, `UTC+02:00`
    package func zone(at date: Date) -> String {
        let reading = reading(at: date)
        guard reading.offset / 60 != 0 else { return "UTC" }
        let digits = reading.offsetText.dropFirst()
        return "UTC" + (reading.offset < 0 ? "−" : "+") + digits.prefix(2) + ":" + digits.suffix(2)
    }
}

/// A point in time on the clock of this machine.
package struct LocalTime: Sendable, Equatable {
    /// "14:03:21"; with the date in front on another day than a reference.
    package var clock: String
    /// "2026-11-23T14:03:21+0100"
    package var text: String
}

extension LocalTime {
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
