import OmbiTerminal

/// The messages of the status line, which the next key wipes there.
struct MessageLog: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var notice: Notice
        /// The time of the last occurrence, on the clock of the program.
        var time: Duration
        /// The number of times it came in a row.
        var count = 1
    }

    static let maximumEntries = 500

    /// Oldest first.
    private(set) var entries: [Entry] = []

    mutating func add(_ notice: Notice, at time: Duration) {
        var entry = Entry(notice: notice, time: time)
        if let last = entries.last, last.notice == notice { entry.count += entries.removeLast().count }
        if entries.count == Self.maximumEntries { entries.removeFirst() }
        entries.append(entry)
    }
}

extension String {
    /// The text with a capital at its start.
    var asSentence: String { prefix(1).uppercased() + dropFirst() }
}
