/// The last run of each request.
struct Runs: Equatable, Sendable {
    private var byItem: [ItemID: RunState] = [:]
    private var items: [RunID: ItemID] = [:]
    private(set) var lastID: RunID = 0
    /// The last runs of requests that are being prepared: they come back where that is cancelled.
    private var held: [RunID: RunState] = [:]
    /// The runs that have not ended, in the order of their beginnings.
    private var running: [RunID] = []
    /// The runs that Ctrl+C has cancelled and that may not have ended yet.
    var interrupted: [RunID] = []
    /// The requests of a folder that were run last.
    @Rare var batch: Batch?
    /// The request that was sent to several environments last.
    var environments: EnvironmentRuns?
    /// True while an event is due at which the screen follows the runs.
    private var isTicking = false
    var viewerSettings = ViewerSettings()
    var cookies: [CookieHome: [KeptCookie]] = [:]
    /// The history of the request that a tab showed last, and the request that it was last asked for.
    @Rare var history: RequestHistory?
    var askedHistory: ItemPath?
    /// The objective of that request when it was asked for, and the environment whose runs count against it.
    var askedObjective: Objective?
    var askedEnvironment: String?
    var historyItem: ItemID?
    /// The only address that requests to its server are sent to; nil for any.
    var onlyAddress: OnlyAddress?
    /// The runs of a request that Statistics sums up.
    var statisticsRange = StatisticsRange.all
    /// True once that request has runs that came after it was asked.
    var isHistoryStale = false
    /// The number of runs that have ended: the history has as many more.
    var ended = 0
    /// The request whose answer is awaited.
    var awaitedHistory: ItemPath?
    /// The request whose last recorded run was queried most recently.
    var askedLast: ItemID?
    /// True until that query is answered.
    var awaitsLast = false
    /// The last runs of each request that the history has, and the files for which they were asked for.
    var recent: [ItemID: [RecentRun]] = [:]
    var recentFiles: [String] = []
    /// The request that is sent again and again, and the number of the last such watch.
    @Rare var watch: Watch?
    var lastWatch = 0
    /// The message that was typed while the WebSocket was closed.
    var unsentMessage = ""
    /// The request in whose body a text is typed. Nothing sends it again until that is done: with the body gone, the
    /// next keys would be commands.
    private(set) var prompted: ItemID?
    /// The run of the history that was marked last.
    @Rare var markedRun: RecordedBody?

    static let tickInterval = Duration.milliseconds(100)

    // MARK: Finding

    subscript(item: ItemID?) -> RunState? { item.flatMap { byItem[$0] } }

    subscript(id id: RunID) -> RunState? { items[id].flatMap { byItem[$0] } }

    /// The mark, the status and the time of the last run of a request, for its row in the tree.
    func summary(of item: ItemID?) -> RunSummary? {
        // A whole run is some kilobytes, too large to be copied for each row.
        guard !byItem.isEmpty, let item, let index = byItem.index(forKey: item) else { return nil }
        let run = byItem.values[index]
        guard !run.isExampleOnly else { return nil }
        return run.recorded.map { $0.latest } ?? run.summary
    }

    func hasRun(of item: ItemID) -> Bool { byItem.index(forKey: item) != nil }

    var active: [RunState] { running.compactMap { self[id: $0] } }

    /// The number of runs that have not ended, with those of a batch in whose place another run of the request shows.
    var activeCount: Int { running.count { batch?.row(of: $0) == nil } + (batch?.counts.running ?? 0) }

    /// The requests that run by themselves.
    var itemsOutsideBatch: Set<ItemID> {
        Set(running.filter { batch?.row(of: $0) == nil }.compactMap { items[$0] })
    }

    var activeItems: [ItemID] { running.compactMap { items[$0] } }

    // MARK: The life of a run

    /// Begins the run of an order, whose identity is the one after `lastID`, in place of the last one of its request.
    mutating func begin(_ order: RunOrder, at time: Duration) -> [Effect] {
        var (order, run) = (
            order, RunState(id: order.id, item: order.request.id, name: order.request.name, startedAt: time)
        )
        (run.environment, run.isKept) = (order.environment, order.isRecorded)
        order.keepsPlace = order.request.pages != nil
        // A body that is watched can be read on, although it comes again every few seconds.
        let staysInPlace = order.continuesPages || watch?.item == order.request.id
        let last = self[order.request.id]
        if staysInPlace { run.place = last?.viewer?.place ?? last?.place }
        let forgetting = replace(with: run)
        running.append(order.id)
        guard let last, !last.isRunning, batch?.row(of: order.id) == nil else {
            return [.send(order)] + tick() + forgetting
        }
        held[order.id] = last
        return [.send(order)] + tick()
    }

    /// Lets go of the run before the one that is sent now.
    private mutating func release(_ id: RunID) -> [Effect] {
        guard !held.isEmpty, let viewer = held.removeValue(forKey: id)?.viewer else { return [] }
        return [.view(viewer.id, .forget)]
    }

    /// Shows the run before one that was cancelled before anything was sent; false where there is none.
    private mutating func restoreLast(after id: RunID, _ ending: SessionResult.Ending) -> Bool {
        guard ending == .cancelled, !held.isEmpty, let run = self[id: id], run.dependencies.isEmpty, !run.hasSignedIn,
            let last = held.removeValue(forKey: id)
        else { return false }
        items[id] = nil
        running.removeAll { $0 == id }
        byItem[last.item] = last
        items[last.id] = last.item
        return true
    }

    /// Puts a new run in the place of the one of its request.
    mutating func replace(with run: RunState) -> [Effect] {
        var run = run
        let replaced = byItem[run.item]
        if let replaced {
            items[replaced.id] = nil
            running.removeAll { $0 == replaced.id }
        }
        let older = replaced.map { release($0.id) } ?? []
        run.previousBody = replaced?.body
        if let own = run.recorded?.entry.id, let replaced {
            run.isBeforeNewer = replaced.recorded.map { $0.entry.id > own } ?? true
            if run.isBeforeNewer { run.previousBody?.name = "\(replaced.name), the newer one" }
        }
        lastID = run.id
        byItem[run.item] = run
        items[run.id] = run.item
        return older + (replaced?.viewer.map { [.view($0.id, .forget)] } ?? [])
    }

    /// Removes the run that was opened by itself: a list may have thousands of requests.
    mutating func forgetLast() -> [Effect] {
        guard let run = self[askedLast], run.recorded?.age != nil else { return [] }
        return remove(run)
    }

    mutating func remove(_ run: RunState) -> [Effect] {
        byItem[run.item] = nil
        items[run.id] = nil
        return run.viewer.map { [.view($0.id, .forget)] } ?? []
    }

    mutating func receive(_ event: SessionEvent, of id: RunID, at time: Duration) -> [Effect] {
        switch event {
        case .prepared(let sent): change(id) { $0.prepare(sent, now: time) }
        case .step(let event): return fold(event, of: id)
        case .redirected(let redirect): change(id) { $0.add(redirect) }
        case .signIn(let signIn): change(id) { $0.take(signIn) }
        case .dependency(let step): change(id) { $0.fold(step, now: time) }
        case .captured(let values): change(id) { $0.capture(values) }
        case .page(let pages): change(id) { $0.take(pages) }
        case .ended(let result):
            if restoreLast(after: id, result.ending) { return beginNext(at: time) }
            change(id) { $0.end(result, now: time) }
            running.removeAll { $0 == id }
            let shown = result.fallback?.response == nil ? endBody(of: id, result.ending) : toggleFallbackBody(id)
            let effects = release(id) + shown
            return effects + endInBatch(id, result, at: time)
        }
        return []
    }

    /// Starts the clock of the screen when something runs and it is not ticking yet.
    private mutating func tick() -> [Effect] {
        guard !isTicking, activeCount > 0 else { return [] }
        isTicking = true
        return [.tick(after: Self.tickInterval)]
    }

    mutating func ticked() -> [Effect] {
        isTicking = false
        return tick()
    }

    mutating func change(_ id: RunID, _ change: (inout RunState) -> Void) {
        guard let item = items[id], var run = byItem[item] else { return }
        change(&run)
        byItem[item] = run
    }

    private mutating func fold(_ event: RequestEvent, of id: RunID) -> [Effect] {
        guard self[id: id] != nil else { return [] }
        change(id) { $0.fold(event) }
        switch event {
        // A page is added to the body of those before.
        case .attemptStarted where self[id: id]?.pages != nil: return release(id)
        case .attemptStarted, .fallbackUsed: return release(id) + dropViewer(of: id)
        case .bodyStarted(_, let store, _): return dropViewer(of: id) + startBody(of: id, .store(store))
        case .bodyReceived: return self[id: id]?.viewer.map { [.view($0.id, .readMore(isComplete: false))] } ?? []
        default: return []
        }
    }

    // MARK: Bodies

    mutating func follow(prompted item: ItemID?, at time: Duration) -> [Effect] {
        guard item != prompted else { return [] }
        prompted = item
        return item == nil ? beginNext(at: time) : []
    }

    mutating func startBody(of id: RunID, _ source: BodySource) -> [Effect] {
        guard batch?.row(of: id) == nil else {
            change(id) { $0.unread = source }
            return []
        }
        return showBody(of: id, source)
    }

    /// Makes the viewer of a body that nobody has looked at so far.
    mutating func showBody(of item: ItemID?) -> [Effect] {
        guard let item, let index = byItem.index(forKey: item), let source = byItem.values[index].unread else {
            return []
        }
        byItem.values[index].unread = nil
        let (id, stage) = (byItem.values[index].id, byItem.values[index].stage)
        let effects = showBody(of: id, source)
        guard case .ended(let ending) = stage else { return effects }
        if case .store = source { return effects + endBody(of: id, ending) }
        interruptBody(of: id, ending)
        return effects
    }

    mutating func showBody(of id: RunID, _ source: BodySource) -> [Effect] {
        guard let run = self[id: id] else { return [] }
        let head = run.shownResponse.map { $0[.contentType] } ?? run.head?.headers[.contentType]
        var viewer = Viewer(id: ViewerID(id, number: run.viewerNumber), settings: viewerSettings)
        viewer.start = run.hasOpened ? nil : run.place
        viewer.hasMorePages = !run.isRunning && run.pages?.hasMore ?? false
        viewer.name = run.openedName ?? run.finalName
        viewer.before = run.hasOpened ? run.finalBody : run.previousBody
        if run.hasOpened { viewer.before?.name = "the final response" }
        viewer.isBeforeNewer = run.isBeforeNewer || run.hasOpened
        viewer.caution = run.caution
        viewer.isConversation = run.isConversation
        change(id) { $0.viewer = viewer }
        // The messages of a WebSocket are kept as events.
        let type = head?.text ?? (run.head?.statusCode == 101 ? "text/event-stream" : nil)
        return [.view(viewer.id, .read(source, contentType: type))]
    }

    /// Shows the body of a response, or keeps the part of it that arrived.
    mutating func endBody(of id: RunID, _ ending: SessionResult.Ending) -> [Effect] {
        guard let run = self[id: id], run.unread == nil else { return [] }
        defer { interruptBody(of: id, ending) }
        guard let viewer = run.viewer else {
            let body = run.receivedResponse?.body ?? Data()
            guard run.response != nil || !body.isEmpty else { return [] }
            return startBody(of: id, .data(body))
        }
        return [.view(viewer.id, .readMore(isComplete: true))]
    }

    /// Says above the body why it is not all, or not as the server meant it.
    private mutating func interruptBody(of id: RunID, _ ending: SessionResult.Ending) {
        let isWhole = self[id: id]?.finished.last?.failedWithWholeResponse ?? false
        let interruption: String? =
            switch ending {
            case .response: nil
            case .failure(let message) where isWhole: message
            case .cancelled: "cancelled: only this part arrived"
            case .failure(let message): "\(message); only this part arrived"
            }
        change(id) { run in
            guard !run.showsFallback else { return }
            let caution = run.caution
            run.viewer?.interruption = interruption
            run.viewer?.caution = caution
        }
    }

    mutating func dropViewer(of id: RunID) -> [Effect] {
        guard let run = self[id: id] else { return [] }
        if run.unread != nil { change(id) { $0.unread = nil } }
        guard let viewer = run.viewer else { return [] }
        change(id) { $0.viewer = nil }
        return [.view(viewer.id, .forget)]
    }

    /// Changes the viewer of the request's run, which hands its settings on to the next.
    mutating func withViewer<Result>(of item: ItemID?, _ change: (inout Viewer) -> Result) -> Result? {
        guard let item, var viewer = byItem[item]?.viewer else { return nil }
        // The mark may have been set in another body.
        viewer.settings.mark = viewerSettings.mark
        let result = change(&viewer)
        viewerSettings = viewer.settings
        byItem[item]?.viewer = viewer
        return result
    }

    mutating func resizeViewer(of item: ItemID?, to size: Size) {
        // Looked up first: the assignment alone would grow an empty dictionary.
        guard let item, let index = byItem.index(forKey: item) else { return }
        byItem.values[index].viewer?.resize(to: size)
    }

    /// Takes in an event of a viewer, which may have been replaced meanwhile.
    mutating func receive(_ event: ViewerEvent, of id: ViewerID) -> [ViewerEffect] {
        guard var viewer = self[id: id.owner]?.viewer, viewer.id == id else { return [] }
        let effects = viewer.receive(event)
        change(id.owner) { $0.viewer = viewer }
        return effects
    }
}

/// One of the addresses of a server, to which requests are sent alone: is it the one that fails? It lasts as long as the
/// program, and is in no file.
struct OnlyAddress: Equatable, Sendable {
    /// As `resolve` of a connection has it: `api.example.com:443:10.0.3.7`.
    let text: String
    let host: String
    /// `10.0.3.7`
    let address: String
    /// `api.example.com:443`
    var server: String { String(text.dropLast(address.count + 1)) }

    /// - Parameters:
    ///   - remote: an address with its port, as it was recorded.
    ///   - url: one of a request that reached it.
    /// - Returns: nil where the URL is masked, or names the address itself, and for the address of a proxy or of a socket.
    init?(_ remote: String, of url: String) {
        guard !url.contains(LogMask.mask), !remote.hasPrefix("/"), let url = URL(string: url), let host = url.host(),
            !host.isEmpty, !host.contains(":"), let colon = remote.lastIndex(of: ":")
        else { return nil }
        let isSecure = ["https", "wss"].contains(url.scheme?.lowercased() ?? "")
        let port = String(url.port ?? (isSecure ? 443 : 80))
        let address = String(remote[..<colon])
        guard remote[remote.index(after: colon)...] == port, address != host else { return nil }
        (self.host, self.address, text) = (host, address, "\(host):\(port):\(address)")
    }
}
