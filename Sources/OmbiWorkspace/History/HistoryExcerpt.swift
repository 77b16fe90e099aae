/// Recorded runs of a history with their attempts, their contents and the marks of their time, for transfer to another
/// history. Every secret in it is masked already.
///
/// Numbers are in the units of the database: microseconds, and the codes of `AttemptCode` and `RecordedOutcome`.
package struct HistoryExcerpt: Equatable, Sendable {
    /// A recorded run. Contents are indices into `contents`.
    struct Run: Equatable, Sendable {
        var request: ItemPath
        var environment: String?
        var startedAt = 0
        var duration = 0
        var sla: Int?
        var outcome = RecordedOutcome.passed
        var status: Int?
        var attemptCount = 0
        var method = ""
        var url: String?
        var failure: String?
        /// The bytes of the body of its response, also where the body is not kept; nil without a response.
        var size: Int?
        var body: Int?
        var prepared: Int?
        /// The JSON of `RecordedDetails`.
        var details = "{}"
        var attempts: [Attempt] = []
        var redirects: [Redirect] = []
    }

    /// The kept body of a redirect.
    struct Redirect: Equatable, Sendable {
        /// The index of the redirect within its run.
        var place: Int
        var body: Int
    }

    struct Attempt: Equatable, Sendable {
        var number = 1
        var reason = 0
        var startedAt = 0
        var duration = 0
        /// In the order of `RequestPhase`.
        var phases: [Int] = []
        var outcome = 0
        var failure: Int?
        var message: String?
        var status: Int?
        var pause: Int?
        var pauseReason: Int?
        var address: String?
        var isReused = false
        var version: String?
        var bytesReceived = 0
        var bytesSent = 0
        /// Nil for the last attempt, whose response is the run's.
        var response: Response?
    }

    /// The response to an attempt that another one followed.
    struct Response: Equatable, Sendable {
        var status: Int?
        /// The JSON of the headers.
        var headers: String?
        var isPartial = false
        var size = 0
        var body: Int?
    }

    /// The oldest first.
    var runs: [Run] = []
    /// The start of the newest run; nil without runs.
    package var newest: Date? { runs.map(\.startedAt).max().map { Date(microseconds: $0) } }
    /// Bodies, and requests as JSON; each once.
    var contents: [Data] = []
    /// The oldest first.
    package internal(set) var marks: [HistoryMark] = []

    package var runCount: Int { runs.count }

    /// The requests of the runs, each once, in the order in which they come first.
    var requests: [ItemPath] {
        var known: Set<ItemPath> = []
        return runs.map(\.request).filter { known.insert($0).inserted }
    }
}

/// The bounds of an excerpt, both when it is read from a history and when it is accepted from a file.
struct ExcerptLimits: Sendable {
    var runs = 1000
    /// All attempts of all runs.
    var attempts = 50_000
    /// The bytes of a content; a larger one is left out.
    var content = 8 << 20
    /// The bytes of all contents.
    var contents = 12 << 20
    /// In microseconds, between the first and the last run: 400 days. Axes and averages are made for that.
    var span = 400 * 86_400 * 1_000_000

    static let standard = ExcerptLimits()
}

extension History {
    /// Adds the runs and the marks of an excerpt, all of them or none.
    /// - Parameter file: the path of the file whose requests they are from now on.
    package func add(_ excerpt: HistoryExcerpt, file: String) async throws(HistoryError) {
        let file = resolved(ItemPath(file: file)).file
        _ = try await change(createsFile: true) { [self] (database) throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var writer = HistoryWriter(database: database, contents: contents(database))
                if let first = try writer.write(excerpt, file: file, needsContents: true) {
                    try HistoryTallies.add(from: first, in: database)
                }
                for mark in excerpt.marks { _ = try HistoryMarks(database: database).add(mark.name, at: mark.date) }
            }
        }
    }
}
