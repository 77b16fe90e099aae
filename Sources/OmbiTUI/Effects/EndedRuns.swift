import Dispatch
import OmbiCore
import OmbiWorkspace

/// The runs that have ended, noted when they are recorded. It outlives the screen: when the terminal goes away, the runs in
/// flight are waited for here.
final class EndedRuns: Sendable {
    /// An ended run in short.
    struct Entry: Equatable, Sendable {
        var name: String
        /// Nil for a run that passed.
        var failure: String?
    }

    private let entries = Lock<[RunID: Entry]>([:])
    private let hasEnded = DispatchSemaphore(value: 0)

    /// The number that is kept: only the newest can still be asked about.
    private static let maximumEntries = 4096

    func add(_ order: RunOrder, _ result: SessionResult) {
        entries.withLock { entries in
            entries[order.id] = Entry(name: order.request.name, failure: result.failures.first)
            guard entries.count > Self.maximumEntries else { return }
            let limit = order.id - Self.maximumEntries / 2
            entries = entries.filter { $0.key >= limit }
        }
        hasEnded.signal()
    }

    /// Waits until the runs have ended, each for the time that it has left.
    /// - Returns: those that did.
    func wait(for runs: [PendingRun]) -> [Entry] {
        let start = ContinuousClock.now
        while true {
            let known = entries.withLock { $0 }
            let open = runs.filter { known[$0.id] == nil && $0.remaining > ContinuousClock.now - start }
            guard let longest = open.map(\.remaining).max() else { return runs.compactMap { known[$0.id] } }
            let left = longest - (ContinuousClock.now - start)
            _ = hasEnded.wait(timeout: .now() + .milliseconds(Int(max(1, left / .milliseconds(1)))))
        }
    }
}

extension SessionSteps {
    /// The same steps, with every run noted after it was recorded.
    func noting(in ended: EndedRuns) -> SessionSteps {
        var steps = self
        let record = steps.record
        steps.record = { order, result in
            await record(order, result)
            ended.add(order, result)
        }
        return steps
    }
}
