#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
