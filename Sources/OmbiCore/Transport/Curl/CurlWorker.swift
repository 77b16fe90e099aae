#if canImport(CCurl)
internal import CCurl

/// The transfers of a loop, and libcurl's handles.
final class CurlWorker {
    private let context: CurlContext
    private let scheduler: CurlScheduler
    private let pool: CurlPool
    /// By their slots.
    private var transfers: [CurlTransfer?] = []
    /// The numbers of transfers within libcurl, and of those that wait for their turn.
    private var active = 0
    private var waiting = 0
    private var deadlines = CurlDeadlines()
    private var ends: [CurlEnd] = []
    /// True when the queue may have jobs.
    private var hasMoved = false
    private var lastStart = ContinuousClock.now
    private var lastUse = ContinuousClock.now
    private var hasSwept = false

    init(configuration: CurlTransport.Configuration, scheduler: CurlScheduler) {
        context = CurlContext(configuration: configuration)
        self.scheduler = scheduler
        pool = CurlPool(configuration: configuration)
    }

    var isOpen: Bool { pool.multi != nil }
    var isBusy: Bool { active + waiting > 0 }

    /// True when the loop has events to deliver before it sleeps.
    var hasNews: Bool { hasMoved || !ends.isEmpty || !context.news.isEmpty }

    func takeNews() -> CurlScheduler.News {
        hasMoved = false
        guard !context.news.isEmpty else { return CurlScheduler.News() }
        return exchange(&context.news, with: CurlScheduler.News())
    }

    /// Exchanges the transfers that have ended since the last time for an empty array, whose memory is used again.
    func takeEnds(_ taken: inout [CurlEnd]) { swap(&taken, &ends) }

    /// One round: the jobs, what the network has brought, and the limits that are over.
    func work(_ jobs: [CurlScheduler.Job]) {
        context.now = .now
        for job in jobs { perform(job) }
        if active > 0 { step() }
        checkDeadlines()
    }

    private func perform(_ job: CurlScheduler.Job) {
        switch job {
        case .start(let job): start(job)
        case .go(let id):
            guard let transfer = transfer(id), !transfer.turn.isHeld else { return }
            waiting -= 1
            transfer.turn.isHeld = true
            begin(transfer)
        case .cancel(let id): if let transfer = transfer(id) { stop(transfer) { $0.cancel() } }
        case .resume(let id): if let transfer = transfer(id), transfer.resumeReceiving() { goOn(transfer) }
        case .send(let id): if let transfer = transfer(id), transfer.resumeSending() { goOn(transfer) }
        }
    }

    private func transfer(_ id: CurlTransferID) -> CurlTransfer? {
        let slot = Int(id.slot)
        guard slot < transfers.count, let transfer = transfers[slot], transfer.job.id == id else { return nil }
        return transfer
    }

    private func step() {
        guard let multi = pool.multi else { return }
        do throws(TransportError) {
            try multi.perform()
            while let (handle, result) = multi.nextEnd() { ended(handle, result) }
        } catch {
            failAll(error)
        }
    }
}

// The way of a transfer.
extension CurlWorker {
    private func start(_ job: CurlJob) {
        let transfer = CurlTransfer(job, context: context)
        let slot = Int(job.id.slot)
        while transfers.count <= slot { transfers.append(nil) }
        transfers[slot] = transfer
        if job.turn.isHeld { begin(transfer) } else { wait(transfer) }
    }

    /// - Parameter handle: The one that the transfer has already; nil takes a free one.
    private func begin(_ transfer: CurlTransfer, on handle: CurlHandle? = nil) {
        var handle = handle
        lastStart = context.now
        noteUse()
        do throws(TransportError) {
            let multi = try pool.open()
            let taken: CurlHandle = if let handle { handle } else { try pool.take() }
            handle = taken
            taken.transfer = transfer
            try transfer.begin(on: taken)
            pool.limitConnections(for: transfer)
            try multi.add(taken)
            active += 1
            watch(transfer)
        } catch {
            if let handle { pool.giveBack(handle) }
            if error.code == .noDescriptors { return lacksDescriptors(transfer) }
            close(transfer, transfer.fail(error))
        }
    }

    private func ended(_ handle: CurlHandle, _ result: CURLcode) {
        guard let transfer = handle.transfer else { return }
        transfer.leaveConnection(result)
        let isReusable = remove(handle)
        switch transfer.finish(result) {
        case .end(let end):
            if isReusable { pool.giveBack(handle) }
            close(transfer, end)
        case .goOn: move(transfer, on: isReusable ? handle : nil)
        case .noDescriptors:
            if isReusable { pool.giveBack(handle) }
            lacksDescriptors(transfer)
        }
    }

    /// To the origin of its next hop.
    private func move(_ transfer: CurlTransfer, on handle: CurlHandle?) {
        let origin = CurlOrigin(transfer.hop.url, transfer.request.settings)
        let old = transfer.turn.slot
        transfer.turn = scheduler.move(
            transfer.job.id, from: old, to: origin, limit: transfer.connectionsPerHost)
        hasMoved = true
        guard !transfer.turn.isHeld else { return begin(transfer, on: handle) }
        if let handle { pool.giveBack(handle) }
        wait(transfer)
    }

    /// Until it is its turn.
    private func wait(_ transfer: CurlTransfer) {
        do throws(TransportError) {
            // In which the loop can sleep.
            _ = try pool.open()
            waiting += 1
            transfer.wait()
            watch(transfer)
        } catch {
            close(transfer, transfer.fail(error))
        }
    }

    /// The end of another transfer frees a descriptor. Where there is none under way, kept connections may have some.
    private func lacksDescriptors(_ transfer: CurlTransfer) {
        if scheduler.goBack(transfer.job.id, at: transfer.turn.slot, limit: transfer.connectionsPerHost) {
            hasMoved = true
            return wait(transfer)
        }
        if active == 0, pool.multi != nil, !transfer.hasTriedWithoutOthers {
            transfer.hasTriedWithoutOthers = true
            pool.shut()
            return begin(transfer)
        }
        close(transfer, transfer.fail(.noDescriptors("could not connect to \(transfer.hop.url.server)")))
    }

    /// Resumes a paused transfer. libcurl may deliver the kept bytes at once.
    private func goOn(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle else { return }
        let result = handle.library.easyPause(handle.pointer, transfer.pauseBits)
        // Without a connection, as when a request is being sent again, nothing is held back.
        if result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT { ended(handle, result) }
    }

    /// Ends a transfer before libcurl does.
    private func stop(_ transfer: CurlTransfer, _ end: (CurlTransfer) -> CurlEnd) {
        guard let handle = transfer.handle else {
            waiting -= 1
            return close(transfer, end(transfer))
        }
        let isReusable = remove(handle)
        close(transfer, end(transfer))
        if isReusable { pool.giveBack(handle) }
    }

    /// Says that it has ended, and makes room for others.
    private func close(_ transfer: CurlTransfer, _ end: CurlEnd) {
        let id = transfer.job.id
        transfers[Int(id.slot)] = nil
        context.news.ended.append(.init(id: id, turn: transfer.turn))
        ends.append(end)
        noteUse()
    }

    /// Removes a handle from the multi handle. Returns true if it can be used again.
    private func remove(_ handle: CurlHandle) -> Bool {
        active -= 1
        return (try? pool.multi?.remove(handle)) != nil
    }

    private func failAll(_ error: TransportError, where isConcerned: (CurlTransfer) -> Bool = { $0.handle != nil }) {
        for case let transfer? in transfers where isConcerned(transfer) { stop(transfer) { $0.fail(error) } }
        if active == 0 { pool.shut() }
    }
}

// Rest, and time.
extension CurlWorker {
    /// The multi handle to sleep in. Without one, every transfer fails.
    var bed: CurlMulti? {
        do throws(TransportError) {
            return try pool.open()
        } catch {
            failAll(error) { _ in true }
            return nil
        }
    }

    func shut() { pool.shut() }

    private func noteUse() {
        lastUse = context.now
        hasSwept = false
    }

    private func watch(_ transfer: CurlTransfer) {
        guard let time = transfer.nextDeadline, time < transfer.nextLook ?? .now + .longest else { return }
        transfer.nextLook = time
        deadlines.add(transfer.job.id, at: time)
        guard deadlines.count > 2 * (active + waiting) + 256 else { return }
        deadlines.keep { entry in self.transfer(entry.transfer)?.nextLook == entry.time }
    }

    private func checkDeadlines() {
        while let entry = deadlines.takeDue(context.now) {
            guard let transfer = transfer(entry.transfer), transfer.nextLook == entry.time else { continue }
            transfer.nextLook = nil
            guard let error = transfer.overdue else {
                watch(transfer)
                continue
            }
            stop(transfer) { $0.fail(error) }
        }
        if !hasSwept, context.now > sweepTime { sweep() }
    }

    /// Closes connections that have been idle for too long while others are in use. libcurl does so only when it makes a
    /// connection; so it is made to begin with one, which gets no socket.
    private func sweep() {
        hasSwept = true
        guard active > 0, let multi = pool.multi, let handle = try? pool.take() else { return }
        defer { pool.giveBack(handle) }
        guard (try? CurlSetup(handle: handle).applySweep()) != nil, (try? multi.add(handle)) != nil else { return }
        step()
        try? multi.remove(handle)
    }

    /// libcurl counts whole seconds, and checks at most once a second.
    private var sweepTime: ContinuousClock.Instant {
        lastUse + context.configuration.idleConnectionLifetime + .seconds(2)
    }

    /// A server nearby answers a lone request within microseconds. To sleep and to be woken takes as long again, so the
    /// loop looks a few more times first.
    var expectsNewsSoon: Bool { active == 1 && ContinuousClock.now - lastStart < .microseconds(60) }

    /// Until then connections are kept although nothing goes on.
    var idleEnd: ContinuousClock.Instant { lastUse + context.configuration.idleConnectionLifetime }

    /// The longest sleep without an event.
    var sleepLimit: Duration {
        var end = context.now + .seconds(60)
        if !isBusy { end = min(end, idleEnd) }
        if active > 0, !hasSwept { end = min(end, sweepTime) }
        if let earliest = deadlines.earliest { end = min(end, earliest) }
        return max(end - .now, .zero)
    }

    /// Sleeps until there is network activity, a wake-up of the multi handle, or a timeout.
    func sleep(_ limit: Duration) {
        do throws(TransportError) {
            try pool.multi?.wait(limit)
        } catch {
            failAll(error)
        }
    }
}
#endif
