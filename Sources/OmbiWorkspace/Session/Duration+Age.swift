#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times since a date by the clock of the system, which may have been set meanwhile.
extension Duration {
    /// Never negative.
    package static func age(of date: Date, at now: Date) -> Duration {
        .milliseconds(Int(max(0, min(now.timeIntervalSince(date), 1e11)) * 1000))
    }

    /// `12 s`, `40 min`, `3 h`, `2 d`
    package var ageWords: String {
        let seconds = components.seconds
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
