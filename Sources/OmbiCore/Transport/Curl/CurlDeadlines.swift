#if canImport(CCurl)
/// The deadlines of transfers, earliest first.
///
/// A transfer usually has one entry. Progress (a received byte) does not move the entry: at its time the transfer is
/// checked, and gets a later one. Entries of finished transfers stay until then, or until there are too many.
struct CurlDeadlines {
    struct Entry {
        let time: ContinuousClock.Instant
        let transfer: CurlTransferID
    }

    /// A binary heap.
    private var entries: [Entry] = []

    var earliest: ContinuousClock.Instant? { entries.first?.time }
    var count: Int { entries.count }

    mutating func add(_ transfer: CurlTransferID, at time: ContinuousClock.Instant) {
        entries.append(Entry(time: time, transfer: transfer))
        var position = entries.count - 1
        while position > 0, entries[position].time < entries[(position - 1) / 2].time {
            entries.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func takeDue(_ now: ContinuousClock.Instant) -> Entry? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first
    }

    /// Drops the entries that are no longer needed.
    mutating func keep(where isNeeded: (Entry) -> Bool) {
        entries = entries.filter(isNeeded).sorted { $0.time < $1.time }
    }

    private mutating func sink() {
        var position = 0
        while true {
            var smallest = position
            for child in 2 * position + 1...2 * position + 2 where child < entries.count {
                if entries[child].time < entries[smallest].time { smallest = child }
            }
            guard smallest != position else { return }
            entries.swapAt(position, smallest)
            position = smallest
        }
    }
}

// The time limits of an attempt, which the loop enforces: libcurl only has a total limit, and measures slowness in
// seconds.
extension CurlTransfer {
    private enum Limit: CaseIterable {
        case attempt
        case connecting
        case idle
    }

    /// The limit for the connection, passed to libcurl, which divides it among the addresses of a host.
    var connectLimit: Duration {
        let limit = request.settings.value.connectTimeout ?? request.idleTimeout ?? .longest
        return min(limit, request.attemptTimeout.map { $0 - now } ?? .longest)
    }

    /// The next time to check the transfer if nothing happens until then; nil without any limit.
    var nextDeadline: ContinuousClock.Instant? {
        var next: ContinuousClock.Instant?
        for limit in Limit.allCases {
            if let (time, _) = end(of: limit) { next = min(next ?? time, time) }
        }
        return next
    }

    /// The error of an exceeded limit; nil if there is none.
    var overdue: TransportError? {
        for limit in Limit.allCases {
            if let (time, length) = end(of: limit), time <= context.now { return timedOut(limit, after: length) }
        }
        return nil
    }

    private func end(of limit: Limit) -> (time: ContinuousClock.Instant, length: Duration)? {
        switch limit {
        case .attempt:
            guard !isOpenEnded || !request.liftedLimits.contains(.attemptTimeout) else { return nil }
            return request.attemptTimeout.map { (job.startedAt + min($0, .longest), $0) }
        case .connecting:
            guard handle != nil, !hasConnected else { return nil }
            return request.settings.value.connectTimeout.map { (hopStartedAt + min($0, .longest), $0) }
        case .idle:
            guard handle != nil else { return nil }
            let start = isHeldUpHere ? context.now : lastActivity
            return request.idleTimeout.map { (start + min($0, .longest), $0) }
        }
    }

    /// True if this side is responsible for the delay: a reader has paused the response, or has nothing to send.
    private var isHeldUpHere: Bool { job.pause?.isOn == true || isHeldBack || upload.isWaiting }

    /// The error for libcurl's own limit, which is `connectLimit`.
    var connectTimedOut: TransportError {
        let settings = request.settings.value
        let length = settings.connectTimeout ?? request.idleTimeout ?? request.attemptTimeout
        return timedOut(.connecting, after: length ?? .zero)
    }

    private func timedOut(_ limit: Limit, after length: Duration) -> TransportError {
        TransportError(code: .timedOut, message: sentence(limit, hop.url.server, length.text))
    }

    private func sentence(_ limit: Limit, _ server: String, _ length: String) -> String {
        if handle == nil { return "no connection to \(server) became free within \(length)" }
        if head.isComplete {
            return limit == .idle
                ? "the response from \(server) stalled for \(length) (\(received))"
                : "the response from \(server) was not complete within \(length) (\(received))"
        }
        switch phases.phase {
        case .resolve: return "could not look up the address of \(server) within \(length)"
        case .tls: return "could not negotiate TLS with \(server) within \(length)"
        case .send where !upload.isComplete:
            return limit == .idle
                ? "\(server) took nothing more of the request for \(length) (\(upload.progress) sent)"
                : "the request to \(server) was not sent within \(length) (\(upload.progress) sent)"
        case .send, .wait, .receive:
            return head.statusCode >= 200
                ? "the header of the response from \(server) was not complete within \(length)"
                : "no response from \(server) within \(length)"
        case .queue, .connect, nil: return "could not connect to \(server) within \(length)"
        }
    }

    /// "512 of 2048 bytes"
    var received: String { head.contentLength.map { "\(body.count) of \($0) bytes" } ?? "\(body.count) bytes" }
}
#endif
