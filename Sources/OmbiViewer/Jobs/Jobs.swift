import OmbiCore
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

    func cancelAll(of id: ViewerID) { cancel { $0.id == id } }

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

/// One evaluation of a filter, which reports matches during the search: a screenful at once, then all so far in steps.
final class FilterJob {
    private let text: String
    private let path: JSONPath
    private let document: BodyDocument
    private let tree: JSONTree
    private let number: Int
    private let flag: CancelFlag
    private let emit: (ViewerEvent) -> Void
    private var shown: JSONTree
    private var pending: [JSONNode] = []
    private var lastReport: ContinuousClock.Instant?
    private let start = ContinuousClock.now

    /// Further matches are left out: a query can select each value many times.
    private static let maximumMatches = 1 << 24
    /// More matches than any screen has rows.
    private static let first = 256
    private static let batch = 1 << 14
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - tree: The tree to filter: a body, or the values that another filter selected from one, each separately.
    /// - Throws: The error in the path.
    init(
        _ text: String, _ document: BodyDocument, _ tree: JSONTree, _ number: Int, _ flag: CancelFlag,
        emit: @escaping (ViewerEvent) -> Void
    ) throws(JSONPathError) {
        path = try JSONPath(text)
        (self.text, self.document, self.tree, self.number) = (text, document, tree, number)
        (self.flag, self.emit) = (flag, emit)
        shown = JSONTree(tree.document, columns: 80, matches: [])
        shown.index = tree.index
    }

    func run() {
        var isCut = false
        // A query may read a hundred megabytes between two matches.
        let selection = JSONSelection(path, in: tree) {
            self.reportIfDue()
            return self.flag.isCancelled
        }
        for node in selection {
            isCut = shown.matchCount + pending.count >= Self.maximumMatches
            if isCut { break }
            pending.append(node)
            if pending.count >= (lastReport == nil ? Self.first : Self.batch) { reportIfDue() }
        }
        report(isCut: isCut, isDone: true)
    }

    private func reportIfDue() {
        let isDue = lastReport.map { .now - $0 >= Self.interval } ?? (pending.count >= Self.first)
        if isDue || lastReport == nil && .now - start >= Self.interval { return report(isCut: false, isDone: false) }
        if pending.count >= Self.batch { showPending() }
    }

    private func showPending() {
        shown.append(matches: pending)
        pending.removeAll(keepingCapacity: true)
    }

    private func report(isCut: Bool, isDone: Bool) {
        showPending()
        // Lines are counted and positions found here, and not while drawing.
        if isDone { shown.orderMatches() }
        while !flag.isCancelled, !shown.extend(limit: 1 << 20) {}
        guard !flag.isCancelled else { return }
        lastReport = .now
        var result = document
        result.shape = .json(shown)
        emit(.filtered(.matches(text, result, isCut: isCut, isDone: isDone), number: number))
    }
}

/// The values that a JSONPath selects, joined as one text: strings decoded, other values as sent.
enum JoinJob {
    /// The rest of a longer text is left out.
    private static let maximumBytes = 64 << 20

    /// - Returns: nil when it was cancelled.
    /// - Throws: the error in the path.
    static func text(_ path: String, _ tree: JSONTree, _ flag: CancelFlag) throws(JSONPathError) -> BodyDocument? {
        let selection = JSONSelection(try JSONPath(path), in: tree) { flag.isCancelled }
        var bytes: [UInt8] = []
        for node in selection {
            if let text = tree.document.text(of: node) {
                bytes += Array(text.string.utf8)
            } else if !isNull(tree.document, node) {
                bytes += tree.document.bytes(in: tree.document.range(of: node))
            }
            if bytes.count > maximumBytes || flag.isCancelled { break }
        }
        return flag.isCancelled ? nil : BodyDocument(plain: Bytes(bytes))
    }

    /// A piece of a text that is null is one without text.
    private static func isNull(_ document: JSONDocument, _ node: JSONNode) -> Bool {
        document.bytes(in: document.range(of: node)).elementsEqual("null".utf8)
    }
}

/// Loads one body on a queue, and reports it as it arrives: the first screen at once, then in steps.
final class BodyLoader: Sendable {
    private let queue = DispatchQueue(label: "ombi.body", qos: .userInitiated)
    private let state = Lock(State())
    /// Locked by the queue alone, for a whole step: no other thread may wait for it.
    private let reading: Lock<Reading>
    private let flag: CancelFlag
    private let emit: @Sendable (ViewerEvent) -> Void

    private struct State {
        var isComplete = false
        var isScheduled = false
        /// True while another step is scheduled for later.
        var isDelayed = false
    }

    private enum Step {
        case report(BodyDocument, goesOn: Bool)
        case goOn
        /// Little has arrived: the next step follows after this delay.
        case delay(Duration)
        case wait
    }

    private struct Reading {
        let indexer: BodyIndexer
        let bytes: @Sendable () -> Bytes
        let arrivals: @Sendable () -> BodyArrivals?
        var lastReport: ContinuousClock.Instant?
    }

    /// Enough bytes to fill any screen.
    private static let first = 1 << 18
    private static let step = 8 << 20
    /// The interval at which a growing body is reported.
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - bytes: Returns all bytes so far.
    ///   - arrivals: Returns the times at which they arrived.
    init(
        contentType: String?, isComplete: Bool, bytes: @escaping @Sendable () -> Bytes,
        arrivals: @escaping @Sendable () -> BodyArrivals? = { nil },
        emit: @escaping @Sendable (ViewerEvent) -> Void
    ) {
        let flag = CancelFlag()
        self.flag = flag
        self.emit = emit
        reading = Lock(
            Reading(
                indexer: BodyIndexer(contentType: contentType) { flag.isCancelled }, bytes: bytes, arrivals: arrivals))
        state.withLock { $0.isComplete = isComplete }
    }

    /// Loads the bytes that have arrived since.
    func read(isComplete: Bool = false) {
        let wasScheduled = state.withLock { state in
            defer { state.isScheduled = true }
            if isComplete { state.isComplete = true }
            return state.isScheduled
        }
        if !wasScheduled { queue.async { self.work() } }
    }

    func cancel() { flag.cancel() }

    private func work() {
        state.withLock { $0.isScheduled = false }
        while !flag.isCancelled, step() {}
    }

    /// Performs a step. Returns true when there is more to do at once.
    private func step() -> Bool {
        switch next() {
        case .report(let document, let goesOn):
            if !flag.isCancelled { emit(.read(document)) }
            return goesOn
        case .goOn: return true
        case .delay(let delay):
            schedule(after: delay)
            return false
        case .wait: return false
        }
    }

    private func next() -> Step {
        // Read before the bytes: if the body is complete, these are all of them.
        let isComplete = state.withLock { $0.isComplete }
        return reading.withLock { reading in
            let bytes = reading.bytes()
            if bytes.isEmpty, !isComplete { return .wait }
            let delay = reading.lastReport.map { Self.interval - (.now - $0) } ?? .zero
            let isDue = delay <= .zero
            // A pipe may deliver byte by byte, and a step for each byte would be slow.
            if !isDue, !isComplete, reading.indexer.left(of: bytes) < Self.step { return .delay(delay) }
            var document = reading.indexer.read(
                bytes, isComplete: isComplete, budget: reading.lastReport == nil ? Self.first : Self.step)
            let goesOn = reading.indexer.left(of: bytes) > 0
            guard isDue || isComplete && !goesOn else { return .goOn }
            document.arrivals = reading.arrivals()
            reading.lastReport = .now
            return .report(document, goesOn: goesOn)
        }
    }

    private func schedule(after delay: Duration) {
        let isDelayed = state.withLock { state in
            defer { state.isDelayed = true }
            return state.isDelayed
        }
        guard !isDelayed else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds.rounded(.up)))) {
            self.state.withLock { $0.isDelayed = false }
            self.work()
        }
    }
}
