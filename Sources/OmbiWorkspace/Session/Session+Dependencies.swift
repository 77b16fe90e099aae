/// A run, and the requests that wait for it.
struct RunChain: Sendable {
    var order: RunOrder
    /// The requests that wait for this one, from the user's request on.
    var waiters: [SavedRequest] = []
    var start: ContinuousClock.Instant
    /// The requests that were sent for this one.
    var results: [DependencyResult] = []
    /// Nil for a request that is sent once.
    var repeated: RepeatedRequest?
    /// True if other runs may wait for a run of the user, as for those that are sent for them.
    var isAwaited = false

    /// The requests from the user's request to this one.
    var path: [SavedRequest] { waiters + [order.request] }

    func next(_ request: SavedRequest) -> RunChain {
        var next = self
        next.order = order.order(of: request)
        next.waiters.append(order.request)
        (next.results, next.repeated, next.isAwaited) = ([], nil, true)
        return next
    }

    /// Nil for a run that no other waits for.
    fileprivate var waiter: DependencyRun.Key? { isAwaited ? order.key(of: order.request) : nil }
}

extension RunOrder {
    func key(of request: SavedRequest) -> DependencyRun.Key {
        .init(file: file, environment: environment, item: request.id, row: row(of: request))
    }
}

/// The requests that are sent first, because they capture what another one needs.
extension Session {
    enum Filling {
        case filled
        case cancelled
        /// The reason, as a sentence.
        case failed(String)
    }

    /// Begins a run of the user. From now on, runs that need its captures wait for it. A run of the request that was
    /// begun for another one of the group takes its place.
    func begin(_ order: RunOrder, isWatched: Bool = true) -> SessionRun {
        guard order.request.captures.contains(where: \.enabled) else { return SessionRun(isWatched: isWatched) }
        let key = order.key(of: order.request)
        return dependencies.withLock { runs in
            if let sent = order.group?.take(key) { return SessionRun(isWatched: isWatched, sentFirst: sent) }
            return SessionRun(isWatched: isWatched, awaited: runs.begin(key))
        }
    }

    /// Waits for the run that was sent first; nil if it was cancelled together with the runs that needed it.
    func awaitResult(
        of run: DependencyRun, on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> SessionResult? {
        let result = await run.result { event in
            if case .ended = event { return }
            queue.async { onEvent(event) }
        } onAbandoned: { [self] in
            dependencies.withLock { $0.remove(run) }
        }
        guard let result else { return SessionResult(.cancelled) }
        return result.ending == .cancelled && !Task.isCancelled ? nil : result
    }

    /// Ends a run.
    /// - Parameter queue: The queue of its events, the last of which is the result.
    func end(_ run: SessionRun, _ result: SessionResult, on queue: DispatchQueue) {
        if let awaited = run.awaited { end(awaited, result, on: queue) }
    }

    private func end(_ run: DependencyRun, _ result: SessionResult, on queue: DispatchQueue) {
        dependencies.withLock { $0.remove(run) }
        queue.async {
            run.emit(.ended(result))
            run.end(result)
        }
    }

    /// Sends the request that captures a variable, or waits for it where it is being sent.
    func fill(
        _ name: String, for chain: inout RunChain, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> Filling {
        let index = captures.withLock { $0.index(for: chain.order) }
        guard let next = index.request(capturing: name, for: chain.path) else {
            return .failed(index.cycle(name, chain.path).description)
        }
        guard chain.path.count <= CaptureIndex.maximumDepth else {
            return .failed(index.tooDeep(name, chain.path).description)
        }
        let dependency = Dependency(next, variable: name)
        let (key, waiter) = (chain.order.key(of: next), chain.waiter)
        let wasSent = chain.results.contains { $0.request == next.name && $0.variable == name }
        let (run, new): (DependencyRun, SessionRun?)
        switch wasSent ? .cycle : join(key, of: chain, waiter, capturing: name) {
        case .run(let joined, let handle): (run, new) = (joined, handle)
        case .captured: return .filled
        case .cycle: return .failed(index.cycle(name, chain.path + [next]).description)
        }
        if let new { start(run, new, chain.next(next)) }
        let result = await run.result { event in
            // One that the request itself needs is passed on as it is.
            let passed: SessionEvent =
                if case .dependency = event { event } else {
                    .dependency(DependencyEvent(request: next.name, item: next.id, variable: name, event: event))
                }
            queue.async { onEvent(passed) }
        } onAbandoned: { [self] in
            dependencies.withLock { $0.remove(run) }
        }
        dependencies.withLock { $0.stopWaiting(waiter) }
        guard let result else { return .cancelled }
        let results = result.dependencies + [DependencyResult(dependency, result)]
        chain.results += results.map { $0.shared(new == nil) }
        guard result.passed else {
            let reasons = result.failures.joined(separator: "; ")
            return .failed("{{\(name)}} comes from \"\(next.name)\", which failed: \(reasons)")
        }
        return .filled
    }

    private enum Joining {
        case run(DependencyRun, new: SessionRun?)
        /// The value has come since it was missed.
        case captured
        case cycle
    }

    /// Finds or begins the run that captures a variable.
    private func join(
        _ key: DependencyRun.Key, of chain: RunChain, _ waiter: DependencyRun.Key?, capturing name: String
    ) -> Joining {
        let now = clock()
        return dependencies.withLock { runs in
            // A run keeps its values before it leaves, so that nobody else sends the request in between.
            if !runs.contains(key) {
                let scope = captures.withLock {
                    $0.scope(for: chain.order, chain.waiters, since: chain.start, now: now)
                }
                if scope.values[name] != nil { return .captured }
            }
            guard let (run, new) = runs.join(key, waiter: waiter) else { return .cycle }
            if new != nil { chain.order.group?.add(run) }
            return .run(run, new: new)
        }
    }

    private func start(_ run: DependencyRun, _ handle: SessionRun, _ chain: RunChain) {
        let queue = DispatchQueue(label: "ombi.session.dependency")
        handle.start(
            Task {
                let (result, isUnsent) = await self.prepareAndSend(chain, handle, on: queue) { run.emit($0) }
                if !isUnsent { await steps.record?(chain.order, result) }
                handle.release()
                self.end(run, result, on: queue)
            })
    }

    /// Returns the requests to be sent before another one, in order and each once, without sending anything.
    /// - Parameter isGated: False to omit values that are missing or not granted.
    package func plan(_ order: RunOrder, isGated: Bool = true) throws(ResolveError) -> [Dependency] {
        let index = captures.withLock { $0.index(for: order) }
        return try index.plan(order.request, scope(of: order)) {
            (request, scope) throws(ResolveError) in
            let order = order.order(of: request)
            _ = isGated ? try resolve(order, scope) : try resolve(order, scope, standIn: "{{secret}}")
        }
    }

    func scope(of order: RunOrder) -> CapturedScope { scope(of: RunChain(order: order, start: clock())) }

    func scope(of chain: RunChain) -> CapturedScope {
        let now = clock()
        return captures.withLock { $0.scope(for: chain.order, chain.waiters, since: chain.start, now: now) }
    }

    /// The captured values for a request that is not sent, with stand-ins for missing ones.
    func sampleScope(of order: RunOrder) -> CapturedScope {
        var scope = scope(of: order)
        let index = captures.withLock { $0.index(for: order) }
        scope.values.merge(index.samples) { known, _ in known }
        return scope
    }

    /// Takes the values from a response, and keeps them for other requests. A status that is a failure has none.
    /// - Returns: the values unmasked, and a sentence for each that was not found.
    func capture(
        _ order: RunOrder, _ sent: ResolvedRequest, _ response: TransportResponse,
        from destination: @autoclosure () -> Destination?, _ redactor: Redactor
    ) -> (values: [CapturedValue], failures: [String]) {
        let wanted = order.request.captures.filter(\.enabled)
        guard !wanted.isEmpty else { return ([], []) }
        var reader = CaptureReader(response)
        var masked: CaptureReader?
        var found: [(Capture, CapturedValue)] = []
        var failures: [String] = []
        for capture in wanted {
            do throws(CaptureReader.Failure) {
                let value = try reader.value(of: capture.source)
                // A value that holds a secret is one, and so is a piece of one.
                var isSecret = capture.isSecret || redactor.redact(value) != value || sent.hasSecret(around: value)
                if !isSecret, case .regex = capture.source, !redactor.isEmpty {
                    var hidden = masked ?? CaptureReader(response.masked(by: redactor))
                    isSecret = (try? hidden.value(of: capture.source)) != value
                    masked = hidden
                }
                var captured = CapturedValue(
                    name: capture.name, value: value, isSecret: isSecret, request: order.request.name,
                    source: capture.source.text)
                if isSecret || sent.sources.hasFile {
                    captured.provenance = .captured(capture.name, from: destination())
                }
                found.append((capture, captured))
            } catch {
                failures.append("could not capture \(capture.name): \(error.reason)")
            }
        }
        let time = clock()
        captures.withLock { $0.add(found, of: order, at: time) }
        return (found.map(\.1), failures)
    }
}

extension ResolvedRequest {
    /// True for a piece of a secret, which a server that reads JSON or forms returns by itself.
    fileprivate func hasSecret(around text: String) -> Bool {
        // A capture may be megabytes long, and most requests have no secret around it.
        let longer = secrets.filter { $0.utf8.count > text.utf8.count }
        guard text.utf8.count >= SecretPattern.minimumInAnyCase, !longer.isEmpty else { return false }
        var pattern = SecretPatterns()
        pattern.add(SecretPattern(text))
        return longer.contains { secret in
            Array(secret.utf8).withUnsafeBufferPointer { pattern.masked($0, by: "") } != nil
        }
    }
}

extension TransportResponse {
    /// The response without the secrets that its body repeats.
    fileprivate func masked(by redactor: Redactor) -> TransportResponse {
        var response = self
        response.body = body.map { redactor.redact($0) }
        return response
    }
}

extension SavedRequest {
    /// True if a secret is captured from the body of the response.
    var capturesSecretsOfBody: Bool {
        captures.contains { capture in
            guard capture.isSecret, capture.enabled else { return false }
            return switch capture.source {
            case .path, .regex: true
            case .header, .cookie, .status: false
            }
        }
    }

    var secretHeaders: Set<RequestHeaders.Key> {
        Set(
            captures.filter { $0.isSecret && $0.enabled }.compactMap { capture -> RequestHeaders.Key? in
                switch capture.source {
                case .header(let name): .init(name)
                case .cookie: .init("Set-Cookie")
                case .path, .status, .regex: nil
                }
            })
    }
}
