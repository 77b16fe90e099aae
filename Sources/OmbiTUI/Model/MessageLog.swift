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

/// A message about a run, a folder's run or a sign-in, which is removed from the screen when that ends.
struct PassingNotice: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        case run(RunID)
        /// The sign-in that a run waits for.
        case signIn(RunID)
        case batch(Int)
    }

    var notice: Notice
    var subject: Subject
}

extension Runs {
    func isUnderWay(_ subject: PassingNotice.Subject) -> Bool {
        switch subject {
        case .run(let id): self[id: id]?.isRunning ?? false
        case .signIn(let id): self[id: id].map { $0.isRunning && $0.signIn != nil } ?? false
        case .batch(let id): batch.map { $0.id == id && !$0.isEnded } ?? false
        }
    }
}
