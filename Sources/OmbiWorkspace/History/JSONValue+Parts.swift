import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONValue {
    /// Nil for what is not a whole number.
    var integerValue: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
    // Numbers of a file that may be damaged: nil beyond what is recorded.
    var storedCount: Int? { integerValue.flatMap { StoredRange.count.contains($0) ? $0 : nil } }
    var storedStatus: Int? { integerValue.flatMap { StoredRange.status.contains($0) ? $0 : nil } }
    var storedDuration: Duration? {
        integerValue.flatMap { StoredRange.duration.contains($0) ? .microseconds($0) : nil }
    }
    var storedDate: Date? { integerValue.flatMap { StoredRange.date.contains($0) ? Date(microseconds: $0) : nil } }
}

extension Duration {
    /// The number of microseconds that have passed entirely, in the range of an integer.
    var wholeMicroseconds: Int {
        let seconds = min(max(components.seconds, -Self.maximumSeconds), Self.maximumSeconds)
        return Int(seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }

    private static let maximumSeconds: Int64 = 9_000_000_000_000
}
