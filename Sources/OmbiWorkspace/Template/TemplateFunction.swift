#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A function that templates call by a name with a `$`. A new function is one more entry in `all`.
public struct TemplateFunction: Sendable {
    /// With the `$`.
    public var name: String
    /// One line for the help.
    public var summary: String
    /// The same in Swift.
    let swift: String
    var value: @Sendable (Generators) -> String

    public static let all: [TemplateFunction] = [
        TemplateFunction(
            name: "$uuid", summary: "a new random UUID (version 4)", swift: "UUID().uuidString.lowercased()"
        ) { $0.uuid() },
        TemplateFunction(
            name: "$timestamp", summary: "the seconds since 1970-01-01 UTC",
            swift: "String(Int(Date().timeIntervalSince1970))"
        ) {
            String(Int64(exactly: $0.now().rounded(.down)) ?? 0)
        },
        TemplateFunction(
            name: "$isoTimestamp", summary: "the time in UTC: 2026-01-31T12:00:00Z", swift: "Date().ISO8601Format()"
        ) {
            Date(timeIntervalSince1970: $0.now()).ISO8601Format()
        },
        TemplateFunction(
            name: "$randomInt", summary: "a random whole number from 0 to 999", swift: "String(Int.random(in: 0...999))"
        ) {
            String($0.integer(0...999))
        },
    ]

    static func named(_ name: String) -> TemplateFunction? { all.first { $0.name == name } }
}
