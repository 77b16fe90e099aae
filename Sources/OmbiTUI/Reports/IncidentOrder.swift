import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The report of an incident as it is asked for on the screen: a range, and a form behind it.
struct IncidentOrder: Equatable, Sendable {
    var range: IncidentRange
    var format: IncidentFormat

    /// Reads `14:05..14:20`, `14:05..14:20 html`.
    init(_ text: String, now: Date, clock: LocalClock = .system) throws(IncidentRange.Failure) {
        let words = text.split(separator: " ").map(String.init)
        let formats: [String: IncidentFormat] = ["md": .markdown, "markdown": .markdown, "html": .html, "har": .har]
        format = words.last.flatMap { formats[$0] } ?? .markdown
        let hasFormat = words.last.map { formats[$0] != nil } ?? false
        let rest = words.dropLast(hasFormat ? 1 : 0).joined(separator: " ")
        range = try IncidentRange(rest, now: now, clock: clock)
    }

    /// Returns the reason why a text is not an order; `nil` for one that is. A range in the future is refused later,
    /// when its report is written.
    static func problem(with text: String) -> String? {
        do throws(IncidentRange.Failure) {
            _ = try IncidentOrder(text, now: farFuture)
        } catch { return error.reason }
        return nil
    }

    private static let farFuture = Date(timeIntervalSince1970: 32_503_680_000)

    /// Writes the report into a new file of a folder.
    /// - Returns: the message about it.
    func write(from history: History, to folder: String) async -> Notice {
        let incident: Incident
        do throws(HistoryError) {
            incident = try await Incident.find(range, HistoryFilter(), selection: nil, in: history)
        } catch { return Notice(.failure, error.description) }
        guard !incident.runs.isEmpty else { return Notice(.info, "Nothing was recorded in that time") }
        let time = ReportTime(range.start, .system)
        let name = "\(folder)/incident-\(time.day)-\(time.minute.replacing(":", with: ""))"
        for number in 1...Self.maximumFiles {
            let path = name + (number == 1 ? "" : "-\(number)") + "." + format.ending
            do throws(FileError) {
                try IncidentFile.write(format.text(incident), to: path, overwriting: false)
                let failed = incident.during.runs - incident.during.passed
                return Notice(
                    .success, "Written: \(path), \(Count.of(incident.count, "run")), \(failed) failed")
            } catch  where error.code == FileError.isThere {
                continue
            } catch { return Notice(.failure, error.description) }
        }
        return Notice(.failure, "Not written: there are \(Self.maximumFiles) reports of that time already")
    }

    private static let maximumFiles = 99
}
