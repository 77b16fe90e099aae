/// The one way from a saved request to its result, of the explorer and of headless runs:
///
///     prepare ─► authenticate ─► send ─► capture ─► verdict ─► fallback ─► record
///
/// It holds one `RequestManager` for each environment, and lives as long as the program. `SessionSteps` has the steps that
/// a program adds.
package final class Session: Sendable {
    /// Returns the reader for a collection's folder.
    package typealias Secrets = @Sendable (_ folder: String) -> SecretReader

    private let transport: any Transport
    let overrides: Overrides
    let secrets: Secrets
    let steps: SessionSteps
    let captures = Lock(CaptureStore())
    let secretStore = SecretStore()
    let tunnels = SSHTunnels()
    let dependencies = Lock(DependencyRuns())
    let pageMarks = Lock<[RequestPlace: PageMark]>([:])
    let clock: @Sendable () -> ContinuousClock.Instant
    private let managers = Lock<[(key: ManagerKey, manager: RequestManager)]>([])
    /// The servers of all environments, for breakers and budgets of retries.
    private let origins = OriginRegistry()
    package let cookies: SessionCookies
    let authenticators: SessionAuthenticators
    /// For reading secrets from files, which may block.
    let preparation = DispatchQueue(
        label: "ombi.session.prepare", qos: .userInitiated, attributes: .concurrent)

    /// Sends as many requests to one host at a time as a plan may have: those that wait for their turn look slower than their
    /// server is.
    package static var standardTransport: CurlTransport {
        let most = RunPlan.concurrencies.upperBound
        return CurlTransport(configuration: .init(maximumConnectionsPerHost: most, maximumStreamsPerHost: most))
    }

    /// The requests of an environment, and those that leave it for another host, have a manager each.
    private struct ManagerKey: Equatable {
        var file: String
        var environment: String?
        var isForeign: Bool
    }

    /// - Parameters:
    ///   - overrides: Apply to every run.
    ///   - secrets: The reader for a collection's folder.
    ///   - clock: Measures the age of captured values.
    package init(
        transport: any Transport = Session.standardTransport, overrides: Overrides = Overrides(),
        secrets: @escaping Secrets = SecretReader.system,
        steps: SessionSteps = SessionSteps(),
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.transport = transport
        authenticators = SessionAuthenticators(transport, steps)
        self.overrides = overrides
        self.secrets = secrets
        self.steps = steps
        cookies = SessionCookies(steps.cookieJar)
        self.clock = clock
    }

    /// Prepares requests without sending them. Throws for the first that cannot be sent. A secret that has yet to be obtained
    /// is no reason, nor is a grant that has yet to be given.
    package func check(_ orders: [RunOrder]) throws(ResolveError) {
        for order in orders {
            do throws(ResolveError) { _ = try plan(order) } catch
                where error.missingSecret != nil || !error.missingGrants.isEmpty
            {}
        }
    }

    /// Forgets the values captured for rows of data: another file has other rows with the same numbers.
    package func forgetRows() { captures.withLock { $0.forgetRows() } }

    /// Sends a request.
    /// - Parameters:
    ///   - queue: a serial queue.
    ///   - onEvent: gets the events in order on `queue`; `SessionEvent.ended(_:)` is the last.
    @discardableResult
    package func send(
        _ order: RunOrder, on queue: DispatchQueue, onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) -> SessionRun {
        let run = begin(order)
        start(order, as: run, on: queue, onEvent: onEvent)
        return run
    }

    /// Starts a run that was begun.
    func start(
        _ order: RunOrder, as run: SessionRun, repeated: RepeatedRequest? = nil, on queue: DispatchQueue,
        onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) {
        run.start(
            Task {
                let result = await self.runAndRecord(order, as: run, repeated: repeated, on: queue, onEvent)
                queue.async { onEvent(.ended(result)) }
            })
    }

    func runAndRecord(
        _ order: RunOrder, as run: SessionRun, repeated: RepeatedRequest?, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> SessionResult {
        defer { run.release() }
        if let first = run.sentFirst, let result = await awaitResult(of: first, on: queue, onEvent) {
            return await withFallback(result, of: order)
        }
        var chain = RunChain(order: order, start: clock(), repeated: repeated)
        chain.isAwaited = run.awaited != nil
        var (result, isUnsent) = await prepareAndSend(chain, run, on: queue) { event in
            if case .prepared = event { run.awaited?.emit(event) }
            onEvent(event)
        }
        end(run, result, on: queue)
        result = await withFallback(result, of: order)
        if !isUnsent { await steps.record?(order, result) }
        return result
    }

    private func withFallback(_ result: SessionResult, of order: RunOrder) async -> SessionResult {
        guard let fallback = order.request.fallback else { return result }
        var result = result
        result.fallback = await self.fallback(for: order, fallback.source, result)
        return result
    }

    // MARK: Steps

    /// Sends a request, and those that it needs.
    /// - Returns: The result, and true if nothing left the machine: such a run does not describe a server, and is not
    ///   recorded.
    func prepareAndSend(
        _ chain: RunChain, _ run: SessionRun, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> (SessionResult, isUnsent: Bool) {
        var chain = chain
        do throws(Unprepared) {
            let resolved = try await resolved(&chain, on: queue, onEvent)
            var result = await sendPrepared(chain, resolved, run, on: queue, onEvent)
            result.dependencies = chain.results + result.dependencies
            return (result, false)
        } catch {
            let result = SessionResult(error.ending, dependencies: error.isLate ? chain.results : [])
            // A request that failed after attempts is the reason, and that did leave.
            return (result, !result.dependencies.contains { $0.attempts > 0 })
        }
    }

    /// The end of a run whose request could not be filled in.
    struct Unprepared: Error {
        var ending: SessionResult.Ending
        /// True if the result includes the requests that were sent first.
        var isLate = false
    }

    /// Fills in a request, with all that it lacks.
    func resolved(
        _ chain: inout RunChain, on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async throws(Unprepared) -> SharedRequest {
        var met: Set<String> = []
        while true {
            let prepared: SharedRequest?
            do throws(ResolveError) { prepared = try await prepare(chain) } catch {
                if let wanted = obtainable(error, for: chain.order), met.insert(error.description).inserted {
                    switch await provide(wanted, for: chain.order, steps.askForGrants) {
                    case .obtained: continue
                    case .cancelled: throw Unprepared(ending: .cancelled)
                    case .failed where error.unset != nil: throw Unprepared(ending: .failure(error.description))
                    case .failed(let reason), .refused(let reason):
                        let failure = ResolveError(request: error.request, field: error.field, reason: reason)
                        throw Unprepared(ending: .failure(failure.description), isLate: true)
                    }
                }
                guard let name = error.missingCapture else { throw Unprepared(ending: .failure(error.description)) }
                switch await fill(name, for: &chain, on: queue, onEvent) {
                case .filled: break
                case .cancelled: throw Unprepared(ending: .cancelled)
                case .failed(let reason): throw Unprepared(ending: .failure(reason), isLate: true)
                }
                continue
            }
            guard let prepared else { throw Unprepared(ending: .cancelled) }
            return prepared
        }
    }

    /// Sends a complete request.
    private func sendPrepared(
        _ chain: RunChain, _ shown: SharedRequest, _ run: SessionRun, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> SessionResult {
        let mask = RunMask(shown.value.redactor)
        var (shared, tunnel): (SharedRequest, UsedTunnel?) = (shown, nil)
        if let host = shown.value.via {
            switch await openTunnel(to: host, of: shown.value, for: chain.order) {
            case .success(let opened):
                (shared, tunnel) = (SharedRequest(opened.carrying(shown.value), shownAs: shown.prepared), opened)
            case .failure(let error): return error.result
            }
        }
        let entry = authenticators.entry(for: shared.value, of: chain.order, steps.gate)
        let onSignIn = entry.map { _ in signInHandler(chain.order, on: queue, onEvent) }
        if let entry, let onSignIn, let ending = await signIn(entry, for: shared.value, mask, onSignIn) {
            return ending
        }
        if run.isWatched { queue.async { onEvent(.prepared(shown.prepared)) } }
        let renewed = renewal(of: chain, shared.value, mask, on: queue, onEvent)
        let inner = entry?.authenticator ?? steps.authenticator(chain.order) ?? renewed
        let parts = shown.value.guarded(by: steps.gate, file: chain.order.file)
        let exchange =
            Sending(
                session: self, order: chain.order, shared: shared,
                authenticator: inner.map { MaskedAuthenticator(inner: $0, mask: mask, parts: parts) },
                cookieJar: cookies.jar(for: chain.order, shown.value), parts: parts,
                trace: shown.value.isTraced ? TraceContext.random() : nil,
                manager: manager(for: chain.order, shared.value), run: run,
                events: RunEvents(mask: mask, queue: queue, receive: onEvent)
            ).exchange
        var outcome =
            if let entry, let onSignIn { await entry.listening(onSignIn, during: exchange.perform) } else {
                await exchange.perform()
            }
        if let tunnel { outcome.ending = tunnel.explain(outcome.ending) }
        mask.showHeaders()
        var result = capturingResult(
            of: outcome, chain.order, shown, mask, expiresAt: entry?.expiresAt, on: queue, onEvent)
        result.dependencies = renewed?.sentFirst ?? []
        return result
    }

    private func capturingResult(
        of outcome: Outcome, _ order: RunOrder, _ shown: SharedRequest, _ mask: RunMask, expiresAt: Date?,
        on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) -> SessionResult {
        let inRedirects = LiteralSecrets(inRedirectsOf: outcome.report).values
        if !inRedirects.isEmpty { mask.add(inRedirects.sorted()) }
        var result = Self.maskedResult(of: outcome, shown, mask, expiresAt: expiresAt)
        guard case .success(let response) = outcome.ending, result.passed || (response.statusCode ?? 0) < 400 else {
            return result
        }
        let (values, failures) = capture(
            order, shown.value, response, from: Self.destination(of: response, shown.value), mask.redactor)
        guard !values.isEmpty || !failures.isEmpty else { return result }
        mask.add(values.filter(\.isSecret).map(\.value))
        if values.contains(where: \.isSecret) {
            result = Self.maskedResult(of: outcome, shown, mask, expiresAt: expiresAt)
        }
        result.failures += failures.map(mask.redactor.redact(message:))
        result.captured = values.map { value in
            var value = value
            value.value = value.isSecret ? Redactor.mask : mask.redactor.redact(value.value)
            return value
        }
        if !values.isEmpty { queue.async { [result] in onEvent(.captured(result.captured)) } }
        return result
    }

    /// The destination that has sent a response, after redirects.
    private static func destination(of response: TransportResponse, _ request: ResolvedRequest) -> Destination? {
        guard let url = response.url, let own = request.url, !url.hasOrigin(of: own) else { return request.destination }
        return Destination(
            url, request.connection, via: request.via?.description, secrets: request.secrets,
            mask: { request.pathRedactor.redact($0) })
    }

    private static func maskedResult(
        of outcome: Outcome, _ shown: SharedRequest, _ mask: RunMask, expiresAt: Date?
    ) -> SessionResult {
        let redactor = mask.redactor
        let sent = SentRequest(shown, outcome.firstPage ?? outcome.report, redactor, expiresAt: expiresAt)
        var result = SessionResult(
            .init(outcome.ending, redactor, environment: shown.value.verifyingEnvironment), sent,
            expectation: shown.prepared.expectation,
            report: outcome.report.map(redactor.redact), redactor: redactor)
        if case .failure(let error) = outcome.ending { result.partial = error.response.map(redactor.redact) }
        result.pages = outcome.pages
        if let problem = outcome.problem { result.failures.append(redactor.redact(message: problem)) }
        return result
    }

    /// Returns nil if the task is cancelled meanwhile, even while a source of secrets does not answer.
    func prepare(_ chain: RunChain) async throws(ResolveError) -> SharedRequest? {
        let scope = scope(of: chain)
        let values = chain.repeated.flatMap { $0.values(scope, reader(for: chain.order)) }
        if let values, let known = chain.repeated?.request(with: values) {
            // A grant may have been revoked.
            try checkGrants(known.value, of: chain.order)
            return Task.isCancelled ? nil : known
        }
        let (results, source) = AsyncStream<Result<ResolvedRequest, ResolveError>>.makeStream()
        preparation.async { [self] in
            source.yield(Result { () throws(ResolveError) in try resolve(chain.order, scope) })
            source.finish()
        }
        for await result in results {
            let resolved = SharedRequest(try result.get())
            if let values { chain.repeated?.keep(resolved, with: values) }
            return resolved
        }
        return nil
    }

    /// Returns the request as it will be sent. Reads the secrets that it uses. Throws where a grant is missing.
    func resolve(_ order: RunOrder, _ captured: CapturedScope) throws(ResolveError) -> ResolvedRequest {
        let resolved: ResolvedRequest
        do throws(ResolveError) { resolved = try resolve(order, captured, standIn: nil) } catch {
            guard let missing = error.missingSecret else {
                try checkPipes(of: order, after: error)
                throw error
            }
            var error = error
            error.missingSecret?.flows = try flows(of: missing, for: order)
            throw error
        }
        try checkGrants(resolved, of: order)
        return resolved
    }

    /// Returns the request as it would be sent, whether it may be or not.
    /// - Parameters:
    ///   - standIn: a text for each secret that has yet to be obtained; nil throws for it.
    ///   - isLenient: true to use it for variables and files that are not there, too.
    func resolve(
        _ order: RunOrder, _ captured: CapturedScope, standIn: String?, isLenient: Bool = false
    ) throws(ResolveError) -> ResolvedRequest {
        let order = specified(order)
        var resolver = resolver(of: order, captured)
        if let standIn { resolver.secrets = resolver.secrets.standing(in: standIn, isLenient: isLenient) }
        var resolved = try resolver.resolve(order.request, order.inheritance)
        resolved.findFlows()
        try checkDocument(of: order, resolved)
        if case .connection(let scheme)? = resolved.credentials { resolved.redactor.add(tokensOf: scheme) }
        resolved.redactor.secretHeaders = order.request.secretHeaders
        resolved.redactor.hidesHeaders = order.request.capturesSecretsOfBody
        resolved.redactor.hidesEarlierResponses = resolved.redactor.hidesHeaders
        resolved.redactor.add(
            captured.unusedSecrets + unusedSecrets(of: order, besides: resolved.variables.map(\.name)))
        return resolved
    }

    func resolver(of order: RunOrder, _ captured: CapturedScope) -> Resolver {
        var resolver = Resolver(
            collection: order.collection,
            environment: order.chosenEnvironment, overrides: overrides, row: order.row, secrets: reader(for: order),
            folder: order.folder)
        (resolver.captured, resolver.files) = (captured, .system(folder: order.folder))
        return resolver
    }

    /// Returns the manager of the environment; a new one when its host has changed. Each request brings its connection.
    private func manager(for order: RunOrder, _ resolved: ResolvedRequest) -> RequestManager {
        let key = ManagerKey(file: order.file, environment: order.environment, isForeign: resolved.isForeign)
        let known = managers.withLock { $0.first { $0.key == key }?.manager }
        if let known, known.host == resolved.host { return known }
        let manager = RequestManager(host: resolved.host, transport: transport)
        manager.originRegistry = origins
        managers.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append((key, manager))
        }
        return manager
    }
}
