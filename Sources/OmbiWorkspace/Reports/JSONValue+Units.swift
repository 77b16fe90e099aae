import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times and names as all JSON of Ombi has them.
extension JSONValue {
    /// Milliseconds, rounded to the microsecond; `null` for nil.
    package static func milliseconds(_ duration: Duration?) -> JSONValue {
        guard let parts = duration?.components else { return .null }
        let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12
        return .number(microseconds.rounded() / 1000)
    }

    /// `2026-11-23T08:11:07Z`; `null` for nil.
    package static func time(_ date: Date?) -> JSONValue {
        guard let date else { return .null }
        return .string(date.formatted(.iso8601))
    }

    /// A header, or a parameter of a query.
    package static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }
}
