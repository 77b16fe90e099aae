import OmbiTerminal
import OmbiWorkspace

/// One request of a headless run.
struct Job: Equatable, Sendable {
    /// `demo/users/user by id`
    var name: String
    var order: RunOrder

    var request: SavedRequest { order.request }

    /// True for a request to a protected environment.
    var isProtected: Bool { order.environment.flatMap(order.collection.environment(named:))?.protected ?? false }

    /// The same request with the values of a row.
    fileprivate func with(_ row: DataRow) -> Job {
        var job = self
        job.name += " (row \(row.number))"
        job.order.row = row
        return job
    }
}

/// The requests of a headless run, or all of them for each row of a file of data. They are made when they are asked for, as there may
/// be millions.
struct JobList: RandomAccessCollection, Sendable {
    /// The requests without the values of a row.
    let selected: [Job]
    private let rows: DataRows?

    init(_ selected: [Job], rows: DataRows? = nil) { (self.selected, self.rows) = (selected, rows) }

    var startIndex: Int { 0 }
    var endIndex: Int { selected.count * (rows?.count ?? 1) }

    subscript(index: Int) -> Job {
        guard let rows else { return selected[index] }
        return selected[index % selected.count].with(rows[index / selected.count])
    }

    /// Those with the longest names.
    var widest: [Job] { Array(suffix(selected.count)) }

    var orders: Orders { Orders(jobs: self) }

    /// The requests as runs that are sent together.
    var group: RunGroup { RunGroup(selected.map(\.request.id)) }

    struct Orders: RandomAccessCollection, Sendable {
        fileprivate let jobs: JobList

        var startIndex: Int { jobs.startIndex }
        var endIndex: Int { jobs.endIndex }
        subscript(index: Int) -> RunOrder { jobs[index].order }
    }
}
