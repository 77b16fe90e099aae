import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The runs of a request that its statistics are about.
enum StatisticsRange: Equatable, Sendable {
    case all
    /// So many of the newest.
    case last(Int)
    /// Those from a time on, as `ombi history --since` takes it.
    case since(String)

    /// The forms of a range.
    static let form = "write last 20, since 14:05, since 2h or all"

    /// Reads `last 20`, `since 14:05` and `all`, the first two also without their word; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        let range: StatisticsRange? =
            switch words.first?.lowercased() {
            case nil, "all": rest.isEmpty ? .all : nil
            case "last": Self.newest(rest)
            case "since": Self.later(rest)
            default: Self.newest(text) ?? Self.later(text)
            }
        guard let range else { return nil }
        self = range
    }

    private static func newest(_ text: String) -> StatisticsRange? {
        Int(text).flatMap { $0 >= 1 ? StatisticsRange.last($0) : nil }
    }

    /// Only the form counts here: the time is read when the history is asked.
    private static func later(_ text: String) -> StatisticsRange? {
        HistoryTime.parse(text, now: Date(timeIntervalSince1970: 0)).map { _ in StatisticsRange.since(text) }
    }

    /// The range as it is typed.
    var text: String {
        switch self {
        case .all: "all"
        case .last(let count): "last \(count)"
        case .since(let time): "since \(time)"
        }
    }

    /// The runs of a selection in the range.
    func limiting(_ filter: HistoryFilter, now: Date) -> HistoryFilter {
        var filter = filter
        switch self {
        case .all: break
        case .last(let count): filter.last = count
        case .since(let time): filter.since = HistoryTime.parse(time, now: now)
        }
        return filter
    }
}
