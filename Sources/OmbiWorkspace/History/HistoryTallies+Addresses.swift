/// Counts of attempts by the address that they reached, so that a million attempts are told apart as fast as a hundred.
extension HistoryTallies {
    /// The table, the counts of what is there, and the triggers.
    static var addresses: String {
        """
        CREATE TABLE address_tally (
            request INTEGER NOT NULL REFERENCES request ON DELETE CASCADE, environment INTEGER NOT NULL,
            address INTEGER NOT NULL, reused INTEGER NOT NULL, outcome INTEGER NOT NULL, failure INTEGER NOT NULL,
            status INTEGER NOT NULL, upTo INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (request, environment, address, reused, outcome, failure, status, upTo)) WITHOUT ROWID;
        \(addAddresses("WHERE true", sign: "+"));
        CREATE TRIGGER address_added AFTER INSERT ON attempt BEGIN
            \(addAddresses("WHERE attempt.run = NEW.run AND attempt.number = NEW.number", sign: "+"));
        END;
        CREATE TRIGGER address_removed BEFORE DELETE ON run BEGIN
            \(addAddresses("WHERE run.id = OLD.id", sign: "-"));
        END;
        """
    }

    /// The columns of `address_tally` but for the request.
    static let columnsOfAddresses = [
        "environment", "address", "reused", "outcome", "failure", "status", "upTo", "count",
    ]

    /// Attempts that were cancelled or abandoned say nothing about the address. A number of 0 stands for no connection.
    private static func addAddresses(_ condition: String, sign: String) -> String {
        """
        INSERT INTO address_tally (request, \(columnsOfAddresses.joined(separator: ", ")))
        SELECT run.request, coalesce(run.environment, 0), coalesce(attempt.address, 0), attempt.reused, attempt.outcome,
            coalesce(attempt.failure, -1), coalesce(attempt.status, -1),
            CASE WHEN attempt.outcome IN (0, 1) THEN \(step("attempt.duration")) ELSE 0 END AS step, \(sign)count(*)
        FROM attempt JOIN run ON run.id = attempt.run \(condition) AND attempt.outcome IN (0, 1, 2, 5)
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
