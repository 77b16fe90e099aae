#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sources of the values of template functions. Tests use fixed ones.
public struct Generators: Sendable {
    public var uuid: @Sendable () -> String
    /// Seconds since 1970-01-01 00:00 UTC.
    public var now: @Sendable () -> Double
    public var integer: @Sendable (ClosedRange<Int>) -> Int

    public init(
        uuid: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Double,
        integer: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) {
        self.uuid = uuid
        self.now = now
        self.integer = integer
    }

    /// The clock and the random numbers of the system.
    public static let system = Generators(
        uuid: { UUID().uuidString.lowercased() }, now: { Date().timeIntervalSince1970 },
        integer: { Int.random(in: $0) })
}
