import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A time from which and to which an incident lasted, as it is typed: `14:05..14:20`, `2026-11-22T14:05..14:20`, `2h`.
struct IncidentRange: Equatable, Sendable {
    var start: Date
    var end: Date

    static let form = "write 14:05..14:20, 2026-11-22T14:05..14:20, or 2h for the last two hours"

    /// An invalid range.
    struct Failure: Error, Equatable {
        /// A sentence without its subject and its end.
        var reason: String
    }

    init(start: Date, end: Date) { (self.start, self.end) = (start, end) }

    /// Reads a range. An end without a date is on the day of the start, or on the day after it where that is earlier; a
    /// range of times alone that would begin later than now was yesterday. Nothing after the dots is now, and so is the end of a
    /// time ago without dots.
    init(_ text: String, now: Date, clock: LocalClock = .system) throws(Failure) {
        let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        let isLength = Self.isAgo(trimmed) && !trimmed.contains("..")
        let text = isLength ? trimmed + ".." : trimmed
        guard let dots = text.indices.first(where: { text[$0...].hasPrefix("..") }) else {
            throw Failure(reason: Self.form)
        }
        let (first, last) = (String(text[..<dots]), String(text[dots...].dropFirst(2)))
        guard !first.isEmpty, var start = HistoryTime.parse(first, now: now, clock: clock) else {
            throw Failure(reason: Self.form)
        }
        if Self.isClock(first), start > now { start = clock.date(-1, daysAfter: start) }
        var end = now
        if !last.isEmpty {
            let base = Self.isClock(last) && !Self.isAgo(first) ? start : now
            guard let date = HistoryTime.parse(last, now: base, clock: clock) else {
                throw Failure(reason: Self.form)
            }
            end = Self.isClock(last) && date <= start ? clock.date(1, daysAfter: date) : date
        }
        guard start < now else { throw Failure(reason: "it begins in the future; \(Self.form)") }
        guard start < end else { throw Failure(reason: "it ends before it begins; \(Self.form)") }
        (self.start, self.end) = (start, end)
    }

    /// A time without a date.
    private static func isClock(_ text: String) -> Bool { text.contains(":") && !text.contains("-") }

    private static func isAgo(_ text: String) -> Bool { !text.contains(":") && !text.contains("-") }

    /// The time before it that it is compared with: as long as it, one hour at least.
    var before: IncidentRange {
        IncidentRange(start: start.addingTimeInterval(-max(3600, end.timeIntervalSince(start))), end: start)
    }
}
