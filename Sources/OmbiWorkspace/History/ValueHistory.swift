import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One value of the responses of a request, over time.
public struct ValueHistory: Equatable, Sendable {
    /// A value, and the runs in a row that answered with it.
    public struct Period: Equatable, Sendable {
        /// As in a capture: a string without quotes. Nil where the response had no such value.
        public var value: String?
        public var runs: Int
        /// The number of the first of these runs.
        public var firstRun: HistoryEntry.ID
        public var first: Date
        public var last: Date

        public init(value: String?, runs: Int, firstRun: HistoryEntry.ID, first: Date, last: Date) {
            self.value = value
            self.runs = runs
            self.firstRun = firstRun
            self.first = first
            self.last = last
        }
    }

    /// A normalized path (RFC 9535).
    public var path: String
    /// The newest first.
    public var periods: [Period]
    /// The runs that were looked at.
    public var runs: Int
    /// True where there are older responses that were not looked at.
    public var isCut: Bool

    public init(path: String, periods: [Period], runs: Int, isCut: Bool) {
        self.path = path
        self.periods = periods
        self.runs = runs
        self.isCut = isCut
    }

    /// The values as numbers, the oldest first; empty where one is none.
    public var numbers: [Double] {
        let numbers = periods.reversed().compactMap { period in
            period.value.flatMap(Double.init).map { Array(repeating: $0, count: period.runs) }
        }
        return numbers.count == periods.count ? numbers.flatMap { $0 } : []
    }
}

extension HistoryReader {
    private static let maximumRuns = 1000
    /// The bytes of bodies that are read, so that a request with large ones is answered soon, too.
    private static let maximumBytes = 256 << 20

    /// Looks at a value in the kept responses of a selection. Each different body is read once.
    func values(at path: String, _ filter: HistoryFilter) throws(DatabaseError) -> ValueHistory {
        let (condition, values) = try withoutIntrospections(filter).condition
        let runs = try database.rows(
            """
            SELECT id, started, body, size FROM run
            WHERE \(condition) AND body IS NOT NULL AND outcome IN (0, 1) ORDER BY id DESC LIMIT ?
            """, values + [.integer(Self.maximumRuns + 1)]
        ) { (id: $0.integer(0), date: $0.date(1), body: $0.integer(2), size: $0.count(3)) }
        var known: [Int: String?] = [:]
        var (left, count) = (Self.maximumBytes, 0)
        var periods: [ValueHistory.Period] = []
        for run in runs.prefix(Self.maximumRuns) {
            if known[run.body] == nil {
                left -= run.size
                guard left >= 0 else { break }
                let body = try contents.content(run.body)
                var reader = CaptureReader(TransportResponse(body: body))
                known[run.body] = .some(try reader.recordedValue(at: path))
            }
            count += 1
            let value = known[run.body] ?? nil
            if let last = periods.indices.last, periods[last].value == value {
                periods[last].runs += 1
                (periods[last].first, periods[last].firstRun) = (run.date, run.id)
            } else {
                periods.append(.init(value: value, runs: 1, firstRun: run.id, first: run.date, last: run.date))
            }
        }
        return ValueHistory(path: path, periods: periods, runs: count, isCut: count < runs.count)
    }
}
