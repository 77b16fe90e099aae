import Dispatch
import Synchronization

/// Work off the main thread, with one job of each kind per viewer. A newer job cancels the previous one.
@MainActor
package final class Jobs<Kind: Hashable & Sendable> {
    private struct Key: Hashable {
        var kind: Kind
        var id: ViewerID
    }

    private let queue = DispatchQueue(label: "ombi.viewer", qos: .userInitiated, attributes: .concurrent)
    private var flags: [Key: CancelFlag] = [:]

    package init() {}

    package func start(_ kind: Kind, of id: ViewerID, _ job: @escaping @Sendable (CancelFlag) -> Void) {
        cancel(kind, of: id)
        let flag = CancelFlag()
        flags[Key(kind: kind, id: id)] = flag
        queue.async { job(flag) }
    }

    package func cancel(_ kind: Kind, of id: ViewerID) { flags.removeValue(forKey: Key(kind: kind, id: id))?.cancel() }

    /// Cancels the jobs of a viewer.
    func cancelAll(of id: ViewerID) { cancel { $0.id == id } }

    /// Cancels the jobs of a kind.
    package func cancelAll(_ kind: Kind) { cancel { $0.kind == kind } }

    private func cancel(where matches: (Key) -> Bool) {
        for key in flags.keys.filter(matches) { flags.removeValue(forKey: key)?.cancel() }
    }
}

/// A cancellation flag for work on another thread.
package final class CancelFlag: Sendable {
    private let isRaised = Atomic(false)

    package init() {}

    package var isCancelled: Bool { isRaised.load(ordering: .relaxed) }

    package func cancel() { isRaised.store(true, ordering: .relaxed) }
}
