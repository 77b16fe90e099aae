#if canImport(Glibc)
import Glibc
#else
import Darwin
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

    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - reference: the seconds of the time at which it is read.
    init(seconds: Int, reference: Int) {
        let day = Self.format(seconds, "%Y-%m-%d ")
        let time = Self.format(seconds, "%H:%M:%S")
        clock = day == Self.format(reference, "%Y-%m-%d ") ? time : day + time
        text = Self.format(seconds, "%Y-%m-%dT%H:%M:%S%z")
    }

    /// The time that a limit which begins now ends at.
    init(after limit: Duration) {
        let now = time(nil)
        self.init(seconds: Int(now) + Int(limit.components.seconds), reference: Int(now))
    }

    private static func format(_ seconds: Int, _ format: String) -> String {
        var (time, parts) = (time_t(seconds), tm())
        localtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
