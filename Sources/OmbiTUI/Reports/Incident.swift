/// The recorded runs of a time, with the figures before it: what is handed over after an incident.
struct Incident: Equatable, Sendable {
    var range: IncidentRange
    /// The name of what was selected; nil for all that was recorded.
    var selection: String?
    var during: HistoryStatistics
    var before: HistoryStatistics
    /// The oldest first.
    var runs: [RecordedRun]
    /// The number of runs in that time, which may be more than are listed.
    var count: Int
    /// The marks of that time and of the time before it, the oldest first.
    var marks: [HistoryMark] = []

    static let maximumRuns = 500
    /// The bytes of a body of which a part is shown.
    static let maximumBody = 1 << 16
    /// The characters of it that are shown.
    static let maximumExcerpt = 600
    /// The bytes of attempts' bodies that are read for a report.
    static let maximumAttemptBodies = 32 << 20
    /// The number of attempts of a run whose responses are shown.
    static let maximumAttempts = 5
    /// The number of redirects of a run that are shown.
    static let maximumRedirects = 20
    static let maximumAddresses = 20
    /// The number of runs that are described in full.
    static let maximumDetails = 50

    /// The runs that failed or needed more than one attempt.
    var details: [RecordedRun] { runs.filter { $0.entry.outcome != .passed || $0.entry.attempts > 1 } }

    /// Reads the runs of a time. Bodies are read of runs and attempts that failed, and only small ones.
    static func find(
        _ range: IncidentRange, _ filter: HistoryFilter, selection: String?, in history: History
    ) async throws(HistoryError) -> Incident {
        let selected = filter.limited(to: range)
        var entries = try await history.entries(selected, limit: maximumRuns)
        entries.sort { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
        var runs: [RecordedRun] = []
        var room = maximumAttemptBodies
        for entry in entries {
            let isWanted = entry.outcome != .passed && entry.size ?? 0 <= maximumBody
            let run = try await history.run(
                entry.id, includesBody: isWanted, maximumAttemptBody: room > 0 ? maximumBody : 0)
            guard let run else { continue }
            runs.append(run)
            room -= (run.result.report?.attempts ?? []).reduce(0) { $0 + ($1.received?.body?.count ?? 0) }
            room -= (run.result.prepared?.redirects ?? []).reduce(0) { $0 + ($1.body?.count ?? 0) }
        }
        return Incident(
            range: range, selection: selection, during: try await history.statistics(selected),
            before: try await history.statistics(filter.limited(to: range.before)), runs: runs,
            count: try await history.count(selected),
            marks: try await history.marks(since: range.before.start, until: range.end))
    }
}

extension HistoryFilter {
    /// The runs of a time.
    func limited(to range: IncidentRange) -> HistoryFilter {
        var filter = self
        // A run at the very end belongs to the time that begins there.
        (filter.since, filter.until) = (range.start, range.end.addingTimeInterval(-0.000_001))
        return filter
    }
}

extension FileReplacement {
    /// Writes a text.
    /// - Parameter mode: the permissions of a new file; nil for those of any new file.
    static func save(
        _ text: String, to path: String, overwriting: Bool = true, mode: UInt32? = nil
    ) throws(FileError) {
        var rest: [UInt8]? = Array(text.utf8)
        try save(to: path, newFileMode: mode, overwriting: overwriting) { () throws(FileError) in rest.take() }
    }
}

/// The form in which an incident is handed over.
enum IncidentFormat: String, CaseIterable, Sendable {
    case markdown, html, har

    /// The ending of its file.
    var ending: String { self == .markdown ? "md" : rawValue }

    func text(_ incident: Incident) -> String {
        switch self {
        case .markdown: MarkdownReport.text(incident.blocks())
        case .html: HTMLReport.text(incident.blocks(), title: incident.title())
        case .har:
            ArchiveJSON.start + incident.runs.flatMap(ArchiveJSON.entries).joined(separator: ",\n") + ArchiveJSON.end
                + "\n"
        }
    }
}

/// The report of an incident as it is asked for on the screen: a range, and a form behind it.
struct IncidentOrder: Equatable, Sendable {
    var range: IncidentRange
    var format: IncidentFormat
    /// True for a file that the explorer opens, instead of a report.
    var isBundle: Bool

    private static let formats: [String: IncidentFormat] = [
        "md": .markdown, "markdown": .markdown, "html": .html, "har": .har,
    ]

    /// Returns an order with the range that was proposed where somebody has typed a form alone in its place.
    static func text(_ text: String, proposed range: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        return words.count == 1 && isForm(words[0]) ? "\(range) \(words[0])" : text
    }

    private static func isForm(_ word: String) -> Bool { formats[word] != nil || word == "bundle" }

    /// Reads `14:05..14:20`, `14:05..14:20 html`, `14:05..14:20 bundle`.
    init(_ text: String, now: Date, clock: LocalClock = .system) throws(IncidentRange.Failure) {
        let words = text.split(separator: " ").map(String.init)
        format = words.last.flatMap { Self.formats[$0] } ?? .markdown
        isBundle = words.last == "bundle"
        let hasFormat = words.last.map(Self.isForm) ?? false
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

    fileprivate static let farFuture = Date(timeIntervalSince1970: 32_503_680_000)

    /// Writes the report into a new file of a folder.
    /// - Parameter files: those with the requests that it is about; none for all that was recorded.
    /// - Returns: the message about it.
    func write(from history: History, of files: [String], to folder: String) async -> Notice {
        var filter = HistoryFilter()
        filter.files = files.map { history.resolved(ItemPath(file: $0)).file }
        guard isBundle else {
            let incident: Incident
            do throws(HistoryError) {
                incident = try await Incident.find(range, filter, selection: nil, in: history)
            } catch { return Notice(.failure, error.description) }
            guard !incident.runs.isEmpty else { return Self.nothing }
            let failed = incident.during.runs - incident.during.passed
            let summary = "\(Count.of(incident.count, "run")), \(failed) failed"
            return write(format.text(incident), format.ending, summary, to: folder)
        }
        let bundle: (text: String, runs: Int)?
        do throws(BundleFailure) {
            bundle = try await Incident.bundle(range, filter, in: history)
        } catch { return Notice(.failure, "Not written: \(error.description)") }
        guard let bundle else { return Self.nothing }
        return write(bundle.text, "json", Count.of(bundle.runs, "run") + " to open with ombi FILE", to: folder)
    }

    private static let nothing = Notice(.info, "Nothing was recorded in that time")

    private func write(_ text: String, _ ending: String, _ summary: String, to folder: String) -> Notice {
        let time = ReportTime(range.start, .system)
        let name = "\(folder)/incident-\(time.day)-\(time.minute.replacing(":", with: ""))"
        for number in 1...Self.maximumFiles {
            let path = name + (number == 1 ? "" : "-\(number)") + "." + ending
            do throws(FileError) {
                try FileReplacement.save(text, to: path, overwriting: false, mode: 0o600)
                return Notice(.success, "Written: \(path), \(summary)")
            } catch  where error.code == FileError.isThere {
                continue
            } catch { return Notice(.failure, error.description) }
        }
        return Notice(.failure, "Not written: there are \(Self.maximumFiles) reports of that time already")
    }

    private static let maximumFiles = 99
}

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
        guard !first.isEmpty, let start = HistoryTime.parse(first, now: now, clock: clock) else {
            throw Failure(reason: Self.form)
        }
        var end = now
        if !last.isEmpty {
            let base = Self.isClock(last) && !Self.isAgo(first) ? start : now
            guard let date = HistoryTime.parse(last, now: base, after: start, clock: clock) else {
                throw Failure(reason: Self.form)
            }
            end = date
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

/// The runs of a request that its statistics are about.
enum StatisticsRange: Equatable, Sendable {
    case all
    /// So many of the newest.
    case last(Int)
    /// Those from a time on, as `ombi history --since` takes it.
    case since(String)
    /// Those of a time with an end, as the report of an incident takes it.
    case between(String)

    /// The forms of a range.
    static let form = "write last 20, since 14:05, 14:05..14:20, since 2h or all"

    /// Reads `last 20`, `since 14:05`, `14:05..14:20` and `all`, the first two also without their word; nil for anything
    /// else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        let range: StatisticsRange? =
            switch words.first?.lowercased() {
            case nil, "all": rest.isEmpty ? .all : nil
            case "last": Self.newest(rest)
            case "since": Self.later(rest)
            default: Self.newest(text) ?? Self.later(text) ?? Self.inside(text)
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

    private static func inside(_ text: String) -> StatisticsRange? {
        guard text.contains(".."), (try? IncidentRange(text, now: IncidentOrder.farFuture)) != nil else { return nil }
        return .between(text)
    }

    /// True for runs that need not be the newest.
    var isClosed: Bool { if case .between = self { true } else { false } }

    /// The range as it is typed.
    var text: String {
        switch self {
        case .all: "all"
        case .last(let count): "last \(count)"
        case .since(let time): "since \(time)"
        case .between(let time): time
        }
    }

    /// The runs of a selection in the range.
    func limiting(_ filter: HistoryFilter, now: Date) -> HistoryFilter {
        var filter = filter
        switch self {
        case .all: break
        case .last(let count): filter.last = count
        case .since(let time): filter.since = HistoryTime.parse(time, now: now)
        case .between(let time):
            let range = try? IncidentRange(time, now: now)
            // One that has yet to come has no runs.
            filter = filter.limited(to: range ?? IncidentRange(start: .distantFuture, end: .distantFuture))
        }
        return filter.ending(at: now)
    }
}

/// The reason why a bundle could not be written.
struct BundleFailure: Error, CustomStringConvertible {
    let description: String
}

/// An incident as a file that the explorer opens, instead of a report.
extension Incident {
    /// Returns the text of the file and the number of its runs; nil where nothing was recorded.
    static func bundle(
        _ range: IncidentRange, _ filter: HistoryFilter, in history: History
    ) async throws(BundleFailure) -> (text: String, runs: Int)? {
        let (excerpt, facts) = try await recorded(range, filter, in: history)
        guard excerpt.runCount > 0 else { return nil }
        do throws(ImportError) {
            return (try IncidentBundle(of: excerpt).text(facts), excerpt.runCount)
        } catch { throw BundleFailure(description: error.message) }
    }

    private static func recorded(
        _ range: IncidentRange, _ filter: HistoryFilter, in history: History
    ) async throws(BundleFailure) -> (HistoryExcerpt, IncidentBundle.Facts) {
        do throws(HistoryError) {
            let selected = filter.limited(to: range)
            let excerpt = try await history.excerpt(selected, marksSince: range.before.start, until: range.end)
            let during = try await history.statistics(selected)
            let before = try await history.statistics(filter.limited(to: range.before))
            let facts = IncidentBundle.Facts(
                start: range.start, end: range.end, count: try await history.count(selected),
                statistics: ["during": figures(during), "before": figures(before)])
            return (excerpt, facts)
        } catch { throw BundleFailure(description: error.description) }
    }

    private static func figures(_ statistics: HistoryStatistics) -> JSONValue {
        let times = statistics.ofRuns
        return [
            "runs": JSONValue.number(statistics.runs), "passed": JSONValue.number(statistics.passed),
            "passedAtOnce": JSONValue.number(statistics.passedAtOnce), "p50Ms": JSONValue.milliseconds(times?.p50),
            "p95Ms": JSONValue.milliseconds(times?.p95), "p99Ms": JSONValue.milliseconds(times?.p99),
        ]
    }
}
