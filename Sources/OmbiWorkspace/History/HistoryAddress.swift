/// The attempts that reached one address, and their results.
package struct HistoryAddress: Equatable, Sendable {
    /// The attempts over new connections, or those over reused ones.
    package struct Connections: Equatable, Sendable {
        package var attempts: Int
        /// Of attempts that ended by themselves; nil without any.
        package var times: HistoryStatistics.Percentiles?

        package init(attempts: Int = 0, times: HistoryStatistics.Percentiles? = nil) {
            (self.attempts, self.times) = (attempts, times)
        }
    }

    /// As recorded, such as `10.0.3.7:443`; nil for attempts that reached none.
    package var address: String?
    /// Without attempts that were cancelled or abandoned.
    package var attempts: Int
    /// Why attempts failed, the most frequent first, but for failures that the runs expect.
    package var failures: [HistoryStatistics.Count]
    /// Of attempts that ended by themselves; nil without any.
    package var times: HistoryStatistics.Percentiles?
    package var new: Connections
    package var reused: Connections
    package var phases: [HistoryStatistics.PhaseTimes]
    /// The number of the address in its file; 0 for none.
    var id = 0

    package init(
        _ address: String?, attempts: Int, failures: [HistoryStatistics.Count] = [],
        times: HistoryStatistics.Percentiles? = nil, new: Connections = Connections(),
        reused: Connections = Connections(), phases: [HistoryStatistics.PhaseTimes] = []
    ) {
        (self.address, self.attempts, self.failures, self.times) = (address, attempts, failures, times)
        (self.new, self.reused, self.phases) = (new, reused, phases)
    }

    package var failed: Int { failures.reduce(0) { $0 + $1.count } }
    /// From 0 to 1.
    package var failedShare: Double { attempts > 0 ? Double(failed) / Double(attempts) : 0 }

    /// - Parameter counts: The counts of one address, the shortest time first.
    init(id: Int, _ address: String?, _ counts: [AttemptCount]) {
        func connections(_ counts: [AttemptCount]) -> Connections {
            let times = counts.filter(\.endedByItself).map { HistoryStatistics.Bar(upTo: $0.upTo, count: $0.count) }
            return Connections(
                attempts: counts.reduce(0) { $0 + $1.count },
                times: HistoryStatistics.Percentiles(times, longest: nil))
        }
        let all = connections(counts)
        let failures = counts.compactMap { count in
            count.failure.map { HistoryStatistics.Count($0, count.count) }
        }
        self.init(
            address, attempts: all.attempts, failures: HistoryStatistics.Count.joined(failures), times: all.times,
            new: connections(counts.filter { !$0.isReused }), reused: connections(counts.filter(\.isReused)))
        self.id = id
    }
}

/// Attempts of one address that are counted together.
struct AttemptCount: Sendable {
    /// The number of the address in its file; 0 for none.
    var address: Int
    var isReused: Bool
    /// False for attempts that were stopped, whose time does not describe the server.
    var endedByItself: Bool
    /// The name of the failure; nil for a success, and for a failure that the run expects.
    var failure: String?
    /// Their duration, or the limit of its step.
    var upTo: Duration
    var count: Int
}

/// The times of the phases of an attempt, in the order of `RequestPhase.allCases`.
struct AttemptPhases: Sendable {
    /// The number of the address in its file; 0 for none.
    var address: Int
    var times: [Duration]
}

extension HistoryStatistics {
    /// Adds the percentiles of phases, of all attempts and for each address.
    mutating func add(_ attempts: [AttemptPhases]) {
        phases = Self.phases(attempts)
        guard !addresses.isEmpty else { return }
        let byAddress = Dictionary(grouping: attempts, by: \.address)
        for index in addresses.indices { addresses[index].phases = Self.phases(byAddress[addresses[index].id] ?? []) }
    }

    private static func phases(_ attempts: [AttemptPhases]) -> [PhaseTimes] {
        RequestPhase.allCases.enumerated().compactMap { index, phase in
            let durations = attempts.map { $0.times[index] }.filter { $0 > .zero }
            guard let times = Percentiles(durations) else { return nil }
            return PhaseTimes(phase, attempts: durations.count, times: times)
        }
    }
}

extension HistoryReader {
    /// The attempts of a selection by their addresses, the one with the largest share of failures first.
    func addresses(
        _ attempts: Attempts, _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryAddress] {
        let table = attempts.name
        // One number for four: SQLite sorts all rows, and compares what it sorts by. A status and a failure are below 4,095.
        let kind = """
            ((\(table).reused * 8 + \(table).outcome) * 4096 + coalesce(\(table).failure, -1)) * 4096
                + coalesce(\(table).status, -1)
            """
        let counts = try database.rows(
            """
            SELECT coalesce(\(table).address, 0), \(table).reused, \(table).outcome, coalesce(\(table).failure, -1),
                \(table).status, \(attempts.time), \(attempts.count) AS number, \(kind) AS kind
            FROM \(attempts.tablesWithAddress) WHERE \(condition) AND \(table).outcome IN (0, 1, 2, 5)
            GROUP BY 6, 1, 8 HAVING number > 0 ORDER BY 6, 1, 8
            """, values
        ) { row in
            let (outcome, failure) = (row.integer(2), row.integer(3))
            return AttemptCount(
                address: row.integer(0), isReused: row.integer(1) != 0, endedByItself: outcome <= 1,
                failure: AttemptCode.isFailure(outcome: outcome, failure: failure)
                    ? AttemptCode.name(ofOutcome: outcome, failure: failure, status: row.optionalInteger(4)) : nil,
                upTo: row.duration(5), count: row.count(6))
        }
        var addresses: [HistoryAddress] = []
        for (id, counts) in Dictionary(grouping: counts, by: \.address) {
            let name = try database.first("SELECT value FROM text WHERE id = ?", .integer(id)) { $0.text(0) }
            addresses.append(HistoryAddress(id: id, name, counts))
        }
        return addresses.sorted {
            ($0.failedShare, $0.attempts, $1.id) > ($1.failedShare, $1.attempts, $0.id)
        }
    }
}
