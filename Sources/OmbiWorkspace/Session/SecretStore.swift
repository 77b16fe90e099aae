/// The secrets that programs wrote and people typed, in memory until the program ends, and those that are being obtained:
/// runs that need the same one wait for it together.
final class SecretStore: Sendable {
    struct Key: Hashable, Sendable {
        var file: String
        var environment: String?
        var source: Secret.Source
    }

    private struct Obtained {
        var value: String
        var at: ContinuousClock.Instant
    }

    private struct State {
        var values: [Key: Obtained] = [:]
        var obtaining: [Key: Task<Result<String, SecretError>, Never>] = [:]
        /// The open questions about grants, by file: each is asked once, and one at a time.
        var asking: [String: (question: GateQuestion, task: Task<Bool, Never>)] = [:]
    }

    private let state = Lock(State())
    /// Programs may take their time.
    private let queue = DispatchQueue(label: "ombi.session.secrets", qos: .userInitiated, attributes: .concurrent)

    typealias Clock = @Sendable () -> ContinuousClock.Instant

    /// A value that was just obtained is valid regardless of its maximum age.
    private static let minimumAge = Duration.seconds(1)
    /// A value that is refused so soon is wrong, and not too old.
    static let refusalAge = Duration.seconds(10)

    /// Returns nil for a value that is too old, too.
    func value(_ key: Key, at now: ContinuousClock.Instant) -> String? {
        state.withLock { $0.values[key].flatMap { Self.isFresh($0, key, now) ? $0.value : nil } }
    }

    private static func isFresh(_ obtained: Obtained, _ key: Key, _ now: ContinuousClock.Instant) -> Bool {
        guard case .command(_, let maximumAge?) = key.source else { return true }
        return now - obtained.at <= max(maximumAge, minimumAge)
    }

    /// Obtains a replacement for a value that a server has refused. Returns false if there is none.
    func renew(
        _ key: Key, refused value: String, at clock: @escaping Clock,
        _ operation: @escaping @Sendable () async -> Result<String, SecretError>
    ) async -> Bool {
        let now = clock()
        let isOlder = state.withLock { state in
            guard let known = state.values[key], known.value == value else { return true }
            guard now - known.at >= Self.refusalAge else { return false }
            state.values[key] = nil
            return true
        }
        guard isOlder, case .success(let new) = await obtain(key, at: clock, operation) else { return false }
        return new != value
    }

    /// Obtains a value, or waits for it. A failure is not kept, so that the next run tries again.
    func obtain(
        _ key: Key, at clock: @escaping Clock,
        _ operation: @escaping @Sendable () async -> Result<String, SecretError>
    ) async -> Result<String, SecretError> {
        let now = clock()
        let task = state.withLock { state -> Task<Result<String, SecretError>, Never> in
            if let known = state.values[key], Self.isFresh(known, key, now) { return Task { .success(known.value) } }
            if let task = state.obtaining[key] { return task }
            let task = Task { [self] in
                let result = await operation()
                self.state.withLock { state in
                    state.obtaining[key] = nil
                    if case .success(let value) = result { state.values[key] = Obtained(value: value, at: clock()) }
                }
                return result
            }
            state.obtaining[key] = task
            return task
        }
        return await task.value
    }

    /// Asks a question once for all runs that need the answer, after the open one of the file.
    func ask(about question: GateQuestion, _ operation: @escaping @Sendable () async -> Bool) async -> Bool {
        let task = state.withLock { state -> Task<Bool, Never> in
            let open = state.asking[question.file]
            if let open, open.question == question { return open.task }
            let task = Task { [self] in
                _ = await open?.task.value
                let isAllowed = await operation()
                self.state.withLock { state in
                    if state.asking[question.file]?.question == question { state.asking[question.file] = nil }
                }
                return isAllowed
            }
            state.asking[question.file] = (question, task)
            return task
        }
        return await task.value
    }

    /// Runs a program without holding up a thread of Swift's.
    func run(_ command: SecretCommand) async -> Result<String, SecretCommand.Failure> {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(SecretCommand.Failure) in try command.value() })
            }
        }
    }
}

/// Obtains the secrets of a request once more after a 401, and sends it again with the new ones: those that programs write, and
/// those that other requests capture.
final class SecretRenewal: Authenticator {
    /// The parts of a request that are other than before.
    struct Changes: Sendable {
        var headers = RequestHeaders()
        /// The URL before and now.
        var url: (old: URL, new: URL)?
        var body: EncodedBody?
        /// The requests that were sent for them.
        var sentFirst: [DependencyResult] = []

        var isEmpty: Bool { headers.fields.isEmpty && url == nil && body == nil }
    }

    /// Returns nil if the secrets are unchanged.
    typealias Renew = @Sendable () async -> Changes?

    private let renew: Renew
    private let renewed = Lock(Changes())

    init(_ renew: @escaping Renew) { self.renew = renew }

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let changes = renewed.withLock { $0 }
        var request = request
        for field in changes.headers.fields where request.headers[field.key] != nil {
            request.headers[field.key] = field.value
        }
        if let url = changes.url, request.url == url.old { request.url = url.new }
        if let body = changes.body { (request.body, request.bodyStream) = (body.data, body.stream) }
        return request
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request), let changes = await renew() else { return false }
        return renewed.withLock { known in
            let sent = known.sentFirst + changes.sentFirst
            if !changes.isEmpty { known = changes }
            known.sentFirst = sent
            return !changes.isEmpty
        }
    }

    /// The requests that were sent meanwhile.
    var sentFirst: [DependencyResult] { renewed.withLock { $0.sentFirst } }
}

extension Session {
    /// Returns nil for a request that has neither a secret of a command nor a captured value, or that expects the 401,
    /// such as after a logout.
    func renewal(
        of chain: RunChain, _ resolved: ResolvedRequest, _ mask: RunMask, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) -> SecretRenewal? {
        let (order, programs) = (chain.order, resolved.sources.programs)
        let secrets = resolved.variables.compactMap { used -> (secret: Secret, value: String)? in
            guard let secret = order.chosenEnvironment?.secrets.last(where: { $0.name == used.name }),
                case .command = secret.source
            else { return nil }
            return (secret, used.value)
        }
        let captured = resolved.variables.filter { if case .captured = $0.source { true } else { false } }
        let expectsRefusal = resolved.expectation?.status.contains { $0.matches(401) } ?? false
        guard !expectsRefusal, !secrets.isEmpty || !captured.isEmpty else { return nil }
        let names = Set(secrets.map(\.secret.name) + captured.map(\.name))
        return SecretRenewal { [self] in
            var isNew = false
            // Something else may stand in for it, or its file be another one: then nobody has allowed the program.
            for (secret, value) in secrets where programs.contains(reader(for: order).source(of: secret)) {
                if await renew(secret, refused: value, for: order) { isNew = true }
            }
            for used in captured where forget(used, of: chain) { isNew = true }
            guard isNew else { return nil }
            var again = chain
            // Requests that were sent first for this run may be sent once more.
            again.results = []
            let prepared = try? await self.resolved(&again, on: queue, onEvent)
            let used = (prepared?.value.variables ?? []).filter { names.contains($0.name) }
            mask.add(used.map(\.value))
            var changes = SecretRenewal.Changes()
            // Generated values are others each time: with the same secrets, the answer would be the same.
            if let prepared, !used.allSatisfy({ resolved.variables.contains($0) }) {
                changes = SecretRenewal.Changes(from: resolved, to: prepared.value)
            }
            changes.sentFirst = again.results
            return changes
        }
    }

    /// Forgets a captured secret that a server has refused, where its request can be sent again.
    private func forget(_ used: UsedVariable, of chain: RunChain) -> Bool {
        let now = clock()
        return captures.withLock { store in
            guard store.index(for: chain.order).request(capturing: used.name, for: chain.path) != nil else {
                return false
            }
            return store.forget(used.name, refused: used.value, of: chain.order, at: now)
        }
    }
}

extension SecretRenewal.Changes {
    fileprivate init(from old: ResolvedRequest, to new: ResolvedRequest) {
        headers = new.headers.changes(since: old.headers)
            .merged(with: new.additionalHeaders.changes(since: old.additionalHeaders))
        if let before = old.url, let now = new.url, before != now { url = (before, now) }
        if old.body?.encoded != new.body?.encoded { body = new.body?.encoded }
    }
}

extension RequestHeaders {
    /// The fields whose value is another than that in older headers.
    fileprivate func changes(since old: RequestHeaders) -> RequestHeaders {
        var changes = RequestHeaders()
        for field in fields where old[field.key] != field.value { changes[field.key] = field.value }
        return changes
    }

    fileprivate func merged(with others: RequestHeaders) -> RequestHeaders {
        var all = self
        for field in others.fields where all[field.key] == nil { all[field.key] = field.value }
        return all
    }
}

/// Grants for secrets that were moved from a collection into its local file, for the same destinations as before.
package enum MovedSecrets {
    /// Lets secrets go to the destinations that the collection sent them to when they were written in it. Where grants cannot be
    /// kept, the next run asks.
    package static func grant(
        _ secrets: [PlainSecret], in file: String, store: GrantStore? = .standard
    ) {
        let loaded = CollectionFile.load(file).specified()
        guard let store, let collection = loaded.collection else { return }
        // The templates may not have been saved yet.
        var changed =
            PlainSecrets(of: collection, file: file)?.collection(without: secrets, of: collection) ?? collection
        changed.takeOverlay(from: collection)
        let names = Set(secrets.map(\.name))
        let flows = Session().flows(of: changed, file: file).filter { flow in
            if case .local(let name, _) = flow.source { names.contains(name) } else { false }
        }
        if !flows.isEmpty { try? store.add(flows, of: file) }
    }
}
