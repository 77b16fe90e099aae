/// A run in the row of its request: as much as a list shows of it.
public struct RecentRun: Equatable, Sendable {
    public var duration: Duration
    public var passed: Bool
    public var status: Int?

    public init(duration: Duration, passed: Bool, status: Int? = nil) {
        self.duration = duration
        self.passed = passed
        self.status = status
    }
}

extension HistoryReader {
    /// The last runs of every request of some files, the oldest first; cancelled ones do not count.
    func recent(files: [String], limit: Int) throws(DatabaseError) -> [ItemPath: [RecentRun]] {
        var runs: [ItemPath: [RecentRun]] = [:]
        for file in files {
            // The index of the runs of a request has them in order: no more rows are read than are shown.
            let rows = try database.rows(
                """
                SELECT request.path, run.duration, run.outcome, run.status FROM request JOIN run ON run.id IN (
                    SELECT id FROM run AS newest WHERE newest.request = request.id AND newest.outcome != 3
                    ORDER BY id DESC LIMIT ?)
                WHERE request.file = ? ORDER BY request.id, run.id
                """, [.integer(limit), .text(file)]
            ) { ($0.text(0), RecentRun(duration: $0.duration(1), passed: $0.integer(2) == 0, status: $0.status(3))) }
            for (path, run) in rows {
                runs[ItemPath(file: file, path: HistoryPath.names(path)), default: []].append(run)
            }
        }
        return runs
    }
}
