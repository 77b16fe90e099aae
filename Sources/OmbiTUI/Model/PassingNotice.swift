import OmbiTerminal

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
