/// The requests of a folder or a collection, sent in the order that their queue has. It is the list of what is to come,
/// what runs and what came of it; each of its runs is one of `Runs`, begun like any other.
struct Batch: Equatable, Sendable {
    /// One turn of a request, with the result that it had in this batch.
    struct Row: Equatable, Sendable {
        let item: ItemID
        let name: String
        let method: RequestMethod
        let path: String
        /// The names of the folders between the one that runs and the request.
        let parents: String
        /// The index of its row of data; nil without data.
        fileprivate(set) var dataRow: Int?
        /// The name of the request with the number of its row and its time: `user by id (row 2, 1 of 5)`.
        fileprivate(set) var label: String
        fileprivate(set) var state = State.waiting
        fileprivate(set) var comparison: ReplayVerdict?
    }

    enum State: Equatable, Sendable {
        case waiting
        case running(RunID)
        case ended(BatchResult)
    }

    struct Counts: Equatable, Sendable {
        var waiting = 0
        var running = 0
        var passed = 0
        var failed = 0
        var cancelled = 0

        var ended: Int { passed + failed + cancelled }
    }

    /// The next thing to do.
    enum Next: Equatable, Sendable {
        case begin(RunOrder)
        /// Asks again after that time.
        case wait(Duration)
    }

    /// The maximum number of rows; `ombi run` sends more.
    static let maximumRows = 100_000

    /// Tells it from the batch before.
    var id = 0
    let plan: BatchPlan
    let file: String
    /// The names from the collection down to the folder.
    let names: [String]
    /// The environment that all of it goes to, whichever is chosen later.
    let environment: String?
    /// The requests that a replay leaves out, as they may change something.
    let left: Int
    /// The requests that are left out as they are disabled.
    let disabled: Int
    /// The columns that the longest name and the longest `parents` take.
    let nameWidth: Int
    let parentsWidth: Int
    private(set) var rows: [Row]
    private(set) var counts: Counts
    private(set) var startedAt: Duration
    private(set) var endedAt: Duration?
    /// The number of times that what failed was run again.
    private(set) var restarts = 0
    /// The row begun last.
    private(set) var latest: Int?
    /// The longest delay of a request behind the schedule of the rate.
    private(set) var lateness = Duration.zero
    /// The rows that changed, in order, for lists that follow them.
    private(set) var changes: [Int] = []
    /// The collection as it was when the batch began; edits made since do not change what is sent.
    private(set) var collection: Collection
    /// The runs of the present pass: what one of them sends first counts as the run of another.
    private var group: RunGroup
    /// The turns of the rows, by their indices.
    private var queue: RunQueue
    /// The number of rows of the present pass.
    private var rowsOfPass: Int
    private var turns: [RunID: RunTurn] = [:]
    private let items: [ItemID]
    /// The time for which a clock has been asked, at which the next request may be sent.
    private var wakesAt: Duration?
    /// The requests that the servers allow.
    private var pace = RatePace()

    /// The requests of a node of that file; nil for a file that could not be read. A replay has those that only read.
    init?(_ plan: BatchPlan, in file: OpenFile, at time: Duration) {
        guard let collection = file.collection else { return nil }
        self.plan = plan
        self.file = file.path
        let path = plan.node.item.map(collection.path) ?? []
        names = [file.name] + path
        environment = plan.replay?.environment ?? file.chosenEnvironment?.name
        var (requests, left, disabled): ([Row], Int, Int) = ([], 0, 0)
        collection.forEachRequest(in: plan.node) { request, folders in
            guard !request.isDisabled || plan.node == .request(request.id) else { return disabled += 1 }
            guard plan.replay == nil || request.isReplayable else { return left += 1 }
            requests.append(
                Row(
                    item: request.id, name: request.name, method: request.method, path: request.path,
                    parents: folders.dropFirst(path.count).map(\.name).joined(separator: " › "),
                    label: request.name))
        }
        rows = Self.rows(of: requests, plan)
        (self.left, self.disabled) = (left, disabled)
        nameWidth = rows.map { TextWidth.of($0.label) }.max() ?? 0
        parentsWidth = requests.map { TextWidth.of($0.parents) }.max() ?? 0
        counts = Counts(waiting: rows.count)
        startedAt = time
        self.collection = collection
        items = rows.map(\.item)
        group = RunGroup(requests.map(\.item))
        queue = RunQueue(rows.count, plan.pace, at: time)
        rowsOfPass = rows.count
    }

    /// All requests for each row of data, and each as often as the plan says.
    private static func rows(of requests: [Row], _ plan: BatchPlan) -> [Row] {
        guard plan.data != nil || plan.times > 1 else { return requests }
        var rows: [Row] = []
        for number in 0..<(plan.data?.rows.count ?? 1) {
            for request in requests {
                for time in 1...plan.times {
                    var row = request
                    var words: [String] = []
                    if plan.data != nil { words.append("row \(number + 1)") }
                    if plan.times > 1 { words.append("\(time) of \(plan.times)") }
                    row.label += " (\(words.joined(separator: ", ")))"
                    row.dataRow = plan.data == nil ? nil : number
                    rows.append(row)
                }
            }
        }
        return rows
    }

    var node: TreeNode { plan.node }
    /// The runs to compare with; nil for a run without comparisons.
    var replay: ReplayTarget? { plan.replay }

    var isEnded: Bool { endedAt != nil }
    var isProtected: Bool { collection.environment(named: environment)?.protected ?? false }

    /// The number of requests that were run again last; nil where the present times are of all requests.
    var again: Int? { restarts > 0 && rowsOfPass < rows.count ? rowsOfPass : nil }

    /// The first request that failed; nil where there is none, or only cancelled ones.
    var firstFailure: Int? { rows.firstIndex { $0.state.isFailure } }

    /// The duration so far, or in the end; of what is run again that alone.
    func elapsed(now: Duration) -> Duration { max(.zero, (endedAt ?? now) - startedAt) }

    func row(of run: RunID) -> Int? { turns[run]?.order }

    /// The runs that have not ended, in the order of their beginnings.
    var running: [RunID] { turns.keys.sorted() }

    /// The request of a run; nil for one of another batch.
    func item(of run: RunID) -> ItemID? { row(of: run).map { rows[$0].item } }

    // MARK: Changes

    /// Takes the next order, if its time has come. A request that runs by itself holds up those after it.
    /// - Parameter busy: the requests that do.
    /// - Returns: nil where an end has to come first, or a clock that has been asked for.
    mutating func takeNext(id: RunID, busy: Set<ItemID>, at time: Duration) -> Next? {
        let items = items
        while true {
            let starts = earliestStarts
            switch queue.next(at: time, isBusy: { busy.contains(items[$0]) }, earliest: { starts?($0) ?? .zero }) {
            case .begin(let turn):
                if let order = begin(turn, id) { return .begin(order) }
                queue.finished(turn, passed: true, at: time)
            case .wait(let start):
                guard start != wakesAt else { return nil }
                wakesAt = start
                return .wait(start - time)
            case .blocked, .ended: return nil
            }
        }
    }

    /// Returns the time before which a row should not start, for the limit of its server; nil where none is known.
    private var earliestStarts: ((Int) -> Duration?)? {
        guard !self.pace.isEmpty, !plan.run.ignoresRateLimits else { return nil }
        let (pace, items, waiting) = (pace, items, queue.waiting)
        let (collection, environment, file) = (collection, environment, file)
        return { index in
            guard let request = collection.request(items[index]) else { return nil }
            let order = RunOrder(
                id: 0, request: request, collection: collection, environment: environment, file: file)
            return pace.earliest(order, waiting: waiting)
        }
    }

    /// The order of a row as it is, without what a run of it adds.
    private func order(of index: Int, id: RunID = 0) -> RunOrder? {
        collection.request(rows[index].item).map {
            RunOrder(id: id, request: $0, collection: collection, environment: environment, file: file)
        }
    }

    /// The tightest limit of a server that still holds: `api.example.com 3 left, 20 s`; nil for none.
    func limitText(now: Duration) -> String? {
        pace.limits(at: now).first.map { $0.limit.words(of: $0.host) }
    }

    /// Takes note that the clock has called which was asked for.
    mutating func wake() { wakesAt = nil }

    private mutating func begin(_ turn: RunTurn, _ id: RunID) -> RunOrder? {
        let index = turn.order
        guard rows[index].state == .waiting, var order = self.order(of: index, id: id) else { return nil }
        latest = index
        lateness = max(lateness, turn.lateness ?? .zero)
        turns[id] = turn
        set(index, .running(id))
        pace.begin(turn, order)
        order.sendsMessages = true
        order.group = group
        order.row = rows[index].dataRow.flatMap { plan.data?.rows[$0] }
        return order
    }

    /// The orders of these requests, each once, as they are in a collection and with the first row of data.
    func orders(of items: [ItemID], in collection: Collection) -> [RunOrder] {
        var known: Set<ItemID> = []
        let requests = items.filter { known.insert($0).inserted }.compactMap(collection.request)
        return requests.map { request in
            var order = RunOrder(
                id: 0, request: request, collection: collection, environment: environment, file: file)
            order.row = plan.data?.rows.first
            return order
        }
    }

    /// Takes in the end of a run. A failure ends a batch that fails fast.
    /// - Returns: the runs to cancel for that; nil for a run that is not of this batch.
    mutating func end(_ id: RunID, _ result: SessionResult, at time: Duration) -> [RunID]? {
        guard let turn = turns.removeValue(forKey: id) else { return nil }
        if !pace.isEmpty || result.rateLimit != nil, let order = self.order(of: turn.order) {
            pace.end(turn, order, result, at: time)
        }
        set(turn.order, .ended(BatchResult(result)))
        // A request that was cancelled by itself has not failed.
        let passed = !rows[turn.order].state.isFailure
        queue.finished(turn, passed: passed, at: time)
        finishIfEmpty(at: time)
        return plan.run.failsFast && !passed ? cancelAll(at: time) : []
    }

    /// The question that a replay has about the result of a row; nil without one. A request that could not be prepared
    /// was not recorded: the newest run is an earlier one.
    func question(about index: Int, _ result: SessionResult) -> ReplayQuestion? {
        guard let replay, result.ending != .cancelled, let order = order(of: index) else { return nil }
        return ReplayQuestion(
            batch: id, row: index, request: order.itemPath, result: result, target: replay,
            ignored: order.request.ignoredPaths, isRecorded: order.isRecorded && result.prepared != nil)
    }

    /// Takes in the answer to a question; one of an earlier batch comes too late.
    mutating func take(_ verdict: ReplayVerdict, on question: ReplayQuestion) {
        guard question.batch == id, rows.indices.contains(question.row) else { return }
        rows[question.row].comparison = verdict
        changes.append(question.row)
    }

    /// The number of responses that are not the same.
    var differing: Int { rows.count { $0.comparison?.comparison.map { !$0.isSame } ?? false } }

    /// The responses that there is nothing to compare with.
    var incomparable: Int { rows.count { $0.comparison.map { $0.comparison == nil } ?? false } }

    /// Takes a waiting request out; false for one that does not wait.
    mutating func cancelWaiting(_ index: Int, at time: Duration) -> Bool {
        guard rows[index].state == .waiting else { return false }
        _ = queue.cancel(index)
        set(index, .ended(.cancelled))
        finishIfEmpty(at: time)
        return true
    }

    /// Takes all waiting requests out, and returns the runs that have not ended.
    mutating func cancelAll(at time: Duration) -> [RunID] {
        queue.cancelAll()
        if counts.waiting > 0 {
            for index in rows.indices where rows[index].state == .waiting { set(index, .ended(.cancelled)) }
            finishIfEmpty(at: time)
        }
        return running
    }

    /// The requests to be sent again: those that failed or were cancelled and still exist, as they are in a collection.
    func failed(in collection: Collection) -> [SavedRequest] {
        rows.compactMap { $0.state.hasFailed ? collection.request($0.item) : nil }
    }

    /// Sends those requests again, as they are in the collection now, to the same environment.
    mutating func restartFailed(in collection: Collection, at time: Duration) {
        self.collection = collection
        group = RunGroup(Set(items))
        let failed = rows.indices.filter { rows[$0].state.hasFailed && collection.contains(rows[$0].item) }
        queue.restart(failed, at: time)
        pace.restart()
        for index in failed { set(index, .waiting) }
        (startedAt, endedAt, latest, wakesAt, lateness) = (time, nil, nil, nil, .zero)
        rowsOfPass = failed.count
        restarts += 1
        finishIfEmpty(at: time)
    }

    private mutating func set(_ index: Int, _ state: State) {
        counts[keyPath: rows[index].state.count] -= 1
        rows[index].state = state
        if state == .waiting { rows[index].comparison = nil }
        counts[keyPath: state.count] += 1
        changes.append(index)
    }

    private mutating func finishIfEmpty(at time: Duration) {
        if counts.waiting + counts.running == 0 { endedAt = time }
    }
}

extension Batch.State {
    /// True for what failed or was cancelled.
    fileprivate var hasFailed: Bool {
        if case .ended(let result) = self { !result.failures.isEmpty } else { false }
    }

    fileprivate var isFailure: Bool { count == \Batch.Counts.failed }

    fileprivate var count: WritableKeyPath<Batch.Counts, Int> {
        switch self {
        case .waiting: \.waiting
        case .running: \.running
        case .ended(let result): result.isCancelled ? \.cancelled : result.failures.isEmpty ? \.passed : \.failed
        }
    }
}

extension Collection {
    /// Calls `body` with each request of a node in their order, and with the folders that it is in.
    fileprivate func forEachRequest(in node: TreeNode, _ body: (SavedRequest, _ folders: [Folder]) -> Void) {
        switch node {
        case .file: forEachRequest(body)
        case .folder(let id): forEachRequest(in: id, body)
        case .request(let id): if let request = request(id) { body(request, folders(to: id)) }
        }
    }

    func environment(named name: String?) -> Environment? { name.flatMap { name in environment(named: name) } }
}
