/// The runs of one request in the history: the newest ones, and the figures of all or of a range.
struct RequestHistory: Equatable, Sendable {
    var request: ItemPath
    /// The newest first.
    var entries: [HistoryEntry]
    /// The number of all runs, which may be more than are listed.
    var count: Int
    var statistics: HistoryStatistics
    var range = StatisticsRange.all
    /// The share of runs that is to succeed.
    var objective = HistoryStatistics.objective
    /// The time in which a run is to pass; nil for its SLA.
    var within: Duration?
    /// The environment with the objective, whose runs count against it; nil for all runs.
    var environment: String?
    /// The marks since the oldest listed run and the last one of the day before it, the oldest first.
    var marks: [HistoryMark] = []
    /// The time at which they were read: a filter counts `since:1h` from it.
    var readAt = Date(timeIntervalSince1970: 0)

    /// In seconds. A mark may be the cause of what comes so long after it.
    static let timeBefore = 86_400.0

    /// The listed runs that the figures are about.
    var counted: ArraySlice<HistoryEntry> {
        let end = range.isClosed ? statistics.last : nil
        let listed = entries.drop { entry in end.map { entry.startedAt > $0 } ?? false }
        return listed.prefix(statistics.runs + statistics.cancelled)
    }

    static let maximumEntries = 1000
}

/// A question to the history.
enum HistoryQuery: Equatable, Sendable {
    /// The runs of a request. `within` is the time in which one is to pass; nil for its SLA. `environment` is the one
    /// whose runs count against an objective; nil for all.
    case show(ItemPath, StatisticsRange = .all, within: Duration? = nil, environment: String? = nil)
    /// The last response of a request that was not sent in this session.
    case last(ItemPath, for: ItemID)
    /// The response of a run.
    case open(HistoryEntry.ID, of: ItemPath, for: ItemID)
    /// Runs of all requests.
    case search(RunSearch)
    /// A run whose request is not in the workspace.
    case peek(HistoryEntry.ID)
    /// The response before or after that of a run; nil for the newest run.
    case step(from: HistoryEntry.ID?, isOlder: Bool, skipping: Int, of: ItemPath, for: ItemID)
    /// The response of a run, to be compared with that of another run, or else with one that the screen has.
    case compare(HistoryEntry.ID, with: HistoryEntry.ID?, of: ItemPath, for: ItemID)
    case mark(HistoryEntry.ID)
    /// The request of a run as a command of curl.
    case curl(HistoryEntry.ID)
    /// The last runs of all requests in files, for their rows.
    case recent([String])
    /// The runs of a request, to be tried under other policies.
    case simulate(ItemPath, for: ItemID)
    /// The figures of a policy.
    indirect case `try`(PolicySimulation.Policy, on: PolicySimulation)
    /// A value of the responses, by its path.
    case values(String, of: ItemPath)
    case delete(
        [HistoryEntry.ID], of: ItemPath, StatisticsRange = .all, within: Duration? = nil, environment: String? = nil)
    case markMoment(String)
    case objectives([ObjectiveEndpoint])
    /// The runs of files before and after the newest mark.
    case aroundMark([String])
    /// A result compared with the run before, or with the newest of another environment.
    indirect case judge(ReplayQuestion)
    /// The paths that differ from run to run of a request in one environment.
    case volatile(VolatileQuestion)
    case move(ItemPath, to: ItemPath)
}

/// An answer of the history.
enum HistoryAnswer: Equatable, Sendable {
    case shown(RequestHistory)
    /// The last run with its age; nil where there is none.
    indirect case last(RecordedRun?, HistoryPlace, age: Duration, for: ItemID)
    /// A run, with its age where it was chosen from a list.
    indirect case opened(RecordedRun, HistoryPlace, age: Duration? = nil, for: ItemID)
    indirect case found(HistoryPage, RunSearch)
    /// The reason why a search found nothing, as a sentence.
    case notFound(String, RunSearch)
    indirect case peeked(RecordedRun, age: Duration)
    /// A run with the body that it is compared with; nil for one that the screen has.
    indirect case compared(RecordedRun, HistoryPlace, with: RecordedBody?, for: ItemID)
    case marked(RecordedBody)
    case curl(String)
    /// The last runs of the requests in files, by their paths as they were asked for.
    case recent([ItemPath: [RecentRun]], in: [String])
    indirect case simulation(PolicySimulation, of: ItemPath, for: ItemID)
    indirect case tried(PolicySimulation.Policy, PolicySimulation.Figures)
    case values(ValueHistory)
    indirect case judged(ReplayQuestion, ReplayVerdict)
    case volatile([VolatilePath], VolatileQuestion)
    case markedMoment(HistoryMark)
    /// Lines to read, under a title.
    case report(String, [String])
    /// The rows of a table of error budgets, what burns first.
    case budgets(heading: String, [BudgetRow])
    /// There is no older or no newer run.
    case end(isOlder: Bool)
    /// A sentence.
    case failed(String)
}

/// A search for runs of all requests of the workspace, a page at a time.
struct RunSearch: Equatable, Sendable {
    var text: String
    /// The files of the workspace; none for all that was recorded.
    var files: [String]
    /// The run before which the page begins; nil for the newest runs.
    var before: HistoryEntry.ID?

    /// The number of runs in a page.
    static let page = 100
}

/// The body of a run in the history, to compare others with.
struct RecordedBody: Equatable, Sendable {
    var entry: HistoryEntry
    var body: NamedBody
}

/// The place of a run that was opened from the history.
struct RecordedPlace: Equatable, Sendable {
    var entry: HistoryEntry
    var place: HistoryPlace
    /// The last run of this session, for the row of the request.
    var latest: RunSummary?
    /// The age when it was opened by itself, as the last run of a request that was not sent in this session; nil for a
    /// run that the user has opened.
    var age: Duration?
    /// The age when the user opened it from a list of runs.
    var openedAge: Duration?
}

extension HistoryEntry {
    /// The URL without its scheme and host; the names of a request that could not be prepared.
    var target: String {
        guard !url.isEmpty else { return request.path.joined(separator: "/") }
        guard let parts = urlParts else { return url }
        return "/" + (parts.count > 3 ? String(parts[3]) : "")
    }

    /// The scheme and the host of the URL; empty for one without.
    var origin: String { urlParts.map { $0.prefix(3).joined(separator: "/") } ?? "" }

    /// The scheme, nothing, the host and what follows it; nil for a URL without a host.
    private var urlParts: [Substring]? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0].hasSuffix(":") && parts[1].isEmpty ? parts : nil
    }
}

/// A saved example of a request in the form of a response, which shows as one does. No server sent it.
struct OpenedExample: Equatable, Sendable {
    var name: String
    var response: TransportResponse

    /// - Parameter body: the content of the file that has the body; nil for a text.
    init(_ example: SavedExample, body: Data? = nil) {
        name = example.name
        let fields = example.headers.filter(\.enabled).map { header in
            RequestHeaders.Field(RequestHeaders.Key(header.name), RequestHeaders.Value(header.value))
        }
        response = TransportResponse(
            headers: RequestHeaders(fields), statusCode: example.status, body: body ?? Data(example.body.utf8))
    }
}

/// A saved example whose body is in a file, as it is read.
struct ExampleFile: Equatable, Sendable {
    var example: SavedExample
    var item: ItemID
    var name: String
    var collection: String
}

extension Runs {
    /// Shows an example in place of the response of a request, also of one that was not sent.
    mutating func open(
        _ example: OpenedExample, of item: ItemID, named name: String, at time: Duration
    ) -> [Effect] {
        if self[item] == nil {
            var run = RunState(id: lastID + 1, item: item, name: name, startedAt: time)
            run.end(SessionResult(.cancelled), now: time)
            run.isExampleOnly = true
            _ = replace(with: run)
        }
        guard let id = self[item]?.id else { return [] }
        change(id) { $0.open(example) }
        return dropViewer(of: id) + showBody(of: id, .data(example.response.body ?? Data()))
    }
}
