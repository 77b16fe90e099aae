import OmbiWorkspace

/// The runs of one request in the history: the newest ones, and the figures of all.
struct RequestHistory: Equatable, Sendable {
    var request: ItemPath
    /// The newest first.
    var entries: [HistoryEntry]
    /// The number of all runs, which may be more than are listed.
    var count: Int
    var statistics: HistoryStatistics

    /// The number of runs that are listed.
    static let maximumEntries = 1000
}

/// A question to the history.
enum HistoryQuery: Equatable, Sendable {
    case show(ItemPath)
    /// The response of a run.
    case open(HistoryEntry.ID, of: ItemPath, for: ItemID)
    /// The response before or after that of a run; nil for the newest run.
    case step(from: HistoryEntry.ID?, isOlder: Bool, skipping: Int, of: ItemPath, for: ItemID)
    /// A value of the responses, by its path.
    case values(String, of: ItemPath)
    case delete([HistoryEntry.ID], of: ItemPath)
    /// The newest run compared with the one before, or with the newest of another environment.
    case compare(ReplayQuestion)
    /// The item was renamed or moved.
    case move(ItemPath, to: ItemPath)
}

/// An answer of the history.
enum HistoryAnswer: Equatable, Sendable {
    case shown(RequestHistory)
    indirect case opened(RecordedRun, HistoryPlace, for: ItemID)
    case values(ValueHistory)
    case compared(ReplayQuestion, ReplayVerdict)
    /// There is no older or no newer run.
    case end(isOlder: Bool)
    /// A sentence.
    case failed(String)
}

/// The place of a run that was opened from the history.
struct RecordedPlace: Equatable, Sendable {
    var entry: HistoryEntry
    var place: HistoryPlace
    /// The last run of this session, for the row of the request.
    var latest: RunSummary?
}
