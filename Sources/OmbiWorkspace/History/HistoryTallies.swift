/// Counts of runs and attempts next to their rows, so that a request with a million runs is summed up as fast as one
/// with a hundred.
///
/// Runs are counted in their transaction, a batch at a time: to count each by itself costs as much as to write it. Triggers take
/// off what is removed. SQLite would rather go through all runs in the order of an index than sort those of a batch, so it gets none
/// (`NOT INDEXED`). Durations are counted in steps, 32 to each doubling, so a percentile is at most 2.2 % too long.
enum HistoryTallies {
    /// In microseconds. Runs are counted by the time of their start.
    static let period = 300_000_000

    /// The ratio of a step to the one before: the 32nd root of 2.
    private static let ratio = 1.021_897_148_654_117

    /// The limits of the steps in microseconds; those from 1 ms on include each doubling of it.
    static let steps: [Int] = {
        var limits: Set<Int> = []
        var base = 1000.0 / 1024
        // To more than a day.
        while base < 1e11 {
            var limit = base
            for _ in 0..<32 {
                limits.insert(max(1, Int(limit.rounded())))
                limit *= ratio
            }
            base *= 2
        }
        return limits.sorted()
    }()

    /// The tables, the counts of existing rows, and the trigger.
    static var schema: String {
        """
        CREATE TABLE step (upTo INTEGER PRIMARY KEY);
        INSERT INTO step VALUES \(steps.map { "(\($0))" }.joined(separator: ","));
        CREATE TABLE period (
            request INTEGER NOT NULL REFERENCES request ON DELETE CASCADE, environment INTEGER NOT NULL,
            start INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, longest INTEGER NOT NULL,
            runs INTEGER NOT NULL, cancelled INTEGER NOT NULL, passed INTEGER NOT NULL,
            passedAtOnce INTEGER NOT NULL, met INTEGER NOT NULL,
            PRIMARY KEY (request, environment, start)) WITHOUT ROWID;
        CREATE TABLE run_tally (
            request INTEGER NOT NULL REFERENCES request ON DELETE CASCADE, environment INTEGER NOT NULL,
            upTo INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (request, environment, upTo)) WITHOUT ROWID;
        CREATE TABLE attempt_tally (
            request INTEGER NOT NULL REFERENCES request ON DELETE CASCADE, environment INTEGER NOT NULL,
            isRepeat INTEGER NOT NULL, reason INTEGER NOT NULL, outcome INTEGER NOT NULL, failure INTEGER NOT NULL,
            status INTEGER NOT NULL, upTo INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (request, environment, isRepeat, reason, outcome, failure, status, upTo)) WITHOUT ROWID;
        \(addPeriods("true", sign: "+"));
        \(addRuns("true", sign: "+"));
        \(addAttempts("true", sign: "+"));
        CREATE TRIGGER run_removed BEFORE DELETE ON run BEGIN
            \(addPeriods("run.id = OLD.id", sign: "-"));
            \(addRuns("run.id = OLD.id", sign: "-"));
            \(addAttempts("run.id = OLD.id", sign: "-"));
        END;
        """
    }

    /// Counts the runs from one on, which are new.
    static func add(from first: Int, in database: Database) throws(DatabaseError) {
        for statement in statements { try database.run(statement, .integer(first)) }
    }

    /// Each has the number of the first run to count as its value.
    static let statements: [String] = {
        let isNew = "run.id >= ?"
        return [
            addPeriods(isNew, sign: "+"), addRuns(isNew, sign: "+"), addAttempts(isNew, sign: "+"),
            addAddresses(isNew, sign: "+"),
        ]
    }()

    /// The triggers of earlier versions, which counted each new row.
    static let dropTriggers = """
        DROP TRIGGER IF EXISTS run_added;
        DROP TRIGGER IF EXISTS attempt_added;
        DROP TRIGGER IF EXISTS address_added;
        """

    private static let counts = ["runs", "cancelled", "passed", "passedAtOnce", "met"]

    /// - Parameter sign: `-` takes the runs away from their periods.
    private static func addPeriods(_ condition: String, sign: String) -> String {
        """
        INSERT INTO period (request, environment, start, first, last, longest, runs, cancelled, passed, passedAtOnce, met)
        SELECT request, coalesce(environment, 0), started - started % \(period) AS slot, min(started), max(started),
            max(CASE outcome WHEN 3 THEN 0 ELSE duration END), \(sign)sum(outcome != 3), \(sign)sum(outcome = 3),
            \(sign)sum(outcome = 0), \(sign)sum(outcome = 0 AND attempts <= 1),
            \(sign)sum(outcome = 0 AND (sla IS NULL OR duration <= sla))
        FROM run NOT INDEXED WHERE \(condition) GROUP BY request, environment, slot
        \(onConflictOfPeriods)
        """
    }

    private static let onConflictOfPeriods = """
        ON CONFLICT (request, environment, start) DO UPDATE SET first = min(first, excluded.first),
            last = max(last, excluded.last), longest = max(longest, excluded.longest),
            \(counts.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "))
        """

    private static func addRuns(_ condition: String, sign: String) -> String {
        """
        INSERT INTO run_tally (request, environment, upTo, count)
        SELECT request, coalesce(environment, 0), \(step("duration")) AS step, \(sign)count(*)
        FROM run NOT INDEXED WHERE outcome != 3 AND \(condition) GROUP BY request, environment, step
        \(onConflictOfRuns)
        """
    }

    private static let onConflictOfRuns =
        "ON CONFLICT (request, environment, upTo) DO UPDATE SET count = count + excluded.count"

    /// Counts the times of attempts that ended by themselves; others do not describe the server.
    private static func addAttempts(_ condition: String, sign: String) -> String {
        """
        INSERT INTO attempt_tally (request, environment, isRepeat, reason, outcome, failure, status, upTo, count)
        SELECT run.request, coalesce(run.environment, 0), attempt.number > 1 AS isRepeat, attempt.reason, attempt.outcome,
            coalesce(attempt.failure, -1), coalesce(attempt.status, -1),
            CASE WHEN attempt.outcome IN (0, 1) THEN \(step("attempt.duration")) ELSE 0 END AS step, \(sign)count(*)
        FROM attempt JOIN run ON run.id = attempt.run WHERE \(condition)
        GROUP BY run.request, run.environment, isRepeat, attempt.reason, attempt.outcome, attempt.failure, attempt.status,
            step
        \(onConflictOfAttempts)
        """
    }

    private static let onConflictOfAttempts = """
        ON CONFLICT (request, environment, isRepeat, reason, outcome, failure, status, upTo)
        DO UPDATE SET count = count + excluded.count
        """

    private static func step(_ duration: String) -> String {
        "coalesce((SELECT min(upTo) FROM step WHERE upTo >= \(duration)), \(duration))"
    }

    /// Gives the counts of a request to another one, which may have some.
    static func join(_ request: Int, to other: Int, in database: Database) throws(DatabaseError) {
        let tables = [
            ("period", ["environment", "start", "first", "last", "longest"] + counts, onConflictOfPeriods),
            ("run_tally", ["environment", "upTo", "count"], onConflictOfRuns),
            (
                "attempt_tally",
                ["environment", "isRepeat", "reason", "outcome", "failure", "status", "upTo", "count"],
                onConflictOfAttempts
            ),
            ("address_tally", columnsOfAddresses, onConflictOfAddresses),
        ]
        for (table, columns, onConflict) in tables {
            let names = columns.joined(separator: ", ")
            try database.run(
                """
                INSERT INTO \(table) (request, \(names)) SELECT ?, \(names) FROM \(table) WHERE request = ? \(onConflict)
                """, .integer(other), .integer(request))
            try database.run("DELETE FROM \(table) WHERE request = ?", .integer(request))
        }
    }

    /// Removes the counts that have reached zero.
    static func removeEmpty(from database: Database) throws(DatabaseError) {
        try database.execute(
            """
            DELETE FROM period WHERE runs = 0 AND cancelled = 0;
            DELETE FROM run_tally WHERE count = 0;
            DELETE FROM attempt_tally WHERE count = 0;
            DELETE FROM address_tally WHERE count = 0
            """)
    }
}

/// Counts of attempts by address, so that a million attempts are distinguished as fast as a hundred.
extension HistoryTallies {
    /// The table, the counts of existing rows, and the trigger.
    static var addresses: String {
        """
        CREATE TABLE address_tally (
            request INTEGER NOT NULL REFERENCES request ON DELETE CASCADE, environment INTEGER NOT NULL,
            address INTEGER NOT NULL, reused INTEGER NOT NULL, outcome INTEGER NOT NULL, failure INTEGER NOT NULL,
            status INTEGER NOT NULL, upTo INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (request, environment, address, reused, outcome, failure, status, upTo)) WITHOUT ROWID;
        \(addAddresses("true", sign: "+"));
        CREATE TRIGGER address_removed BEFORE DELETE ON run BEGIN
            \(addAddresses("run.id = OLD.id", sign: "-"));
        END;
        """
    }

    /// The columns of `address_tally` but for the request.
    static let columnsOfAddresses = [
        "environment", "address", "reused", "outcome", "failure", "status", "upTo", "count",
    ]

    /// Leaves out cancelled and abandoned attempts, which do not describe the address. Address 0 means no connection.
    private static func addAddresses(_ condition: String, sign: String) -> String {
        """
        INSERT INTO address_tally (request, \(columnsOfAddresses.joined(separator: ", ")))
        SELECT run.request, coalesce(run.environment, 0), coalesce(attempt.address, 0), attempt.reused, attempt.outcome,
            coalesce(attempt.failure, -1), coalesce(attempt.status, -1),
            CASE WHEN attempt.outcome IN (0, 1) THEN \(step("attempt.duration")) ELSE 0 END AS step, \(sign)count(*)
        FROM attempt JOIN run ON run.id = attempt.run WHERE \(condition) AND attempt.outcome IN (0, 1, 2, 5)
        GROUP BY run.request, run.environment, attempt.address, attempt.reused, attempt.outcome, attempt.failure,
            attempt.status, step
        \(onConflictOfAddresses)
        """
    }

    static let onConflictOfAddresses = """
        ON CONFLICT (request, environment, address, reused, outcome, failure, status, upTo)
        DO UPDATE SET count = count + excluded.count
        """
}
