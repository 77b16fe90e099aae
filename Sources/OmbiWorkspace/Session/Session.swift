import Dispatch
import OmbiCore

/// The one way from a saved request to its result, of the explorer and of headless runs:
///
///     prepare ─► authenticate ─► send ─► capture ─► verdict ─► record
///
/// It holds one `RequestManager` for each environment, and lives as long as the program. `SessionSteps` has the steps that
/// a program adds.
public final class Session: Sendable {
    private let transport: any Transport
    private let overrides: Overrides
    private let secrets: @Sendable (_ folder: String) -> SecretReader
    private let steps: SessionSteps
    private let managers = Lock<[Entry]>([])
    private let authenticators: SessionAuthenticators
    /// For reading secrets from files, which may block.
    private let preparation = DispatchQueue(
        label: "ombi.session.prepare", qos: .userInitiated, attributes: .concurrent)

    /// The requests of an environment, and those that leave it for another host, have a manager each.
    private struct Destination: Equatable {
        var file: String
        var environment: String?
        var isForeign: Bool
    }

    private struct Entry {
        var destination: Destination
        var manager: RequestManager
        var verifyTLS: Bool
    }

    /// - Parameters:
    ///   - overrides: apply to every run.
    ///   - secrets: the reader for a collection's folder.
    public init(
        transport: any Transport = CurlTransport(), overrides: Overrides = Overrides(),
        secrets: @escaping @Sendable (_ folder: String) -> SecretReader = SecretReader.system,
        steps: SessionSteps = SessionSteps()
    ) {
        self.transport = transport
        authenticators = SessionAuthenticators(transport)
        self.overrides = overrides
        self.secrets = secrets
        self.steps = steps
    }

    /// Prepares requests without sending them. Throws for the first that cannot be sent.
    public func check(_ orders: [RunOrder]) throws(ResolveError) {
        for order in orders { _ = try resolve(order) }
    }

    /// Sends a request.
    /// - Parameters:
    ///   - queue: a serial queue.
    ///   - onEvent: gets the events in order on `queue`; `SessionEvent.ended(_:)` is the last.
    @discardableResult
    public func send(
        _ order: RunOrder, on queue: DispatchQueue, onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) -> SessionRun {
        let run = SessionRun()
        run.start(
            Task {
                let result = await self.result(of: order, run, on: queue, onEvent)
                await steps.record(order, result)
                queue.async { onEvent(.ended(result)) }
            })
        return run
    }

    // MARK: Steps

    private func result(
        of order: RunOrder, _ run: SessionRun, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> SessionResult {
        let resolved: ResolvedRequest
        do throws(ResolveError) {
            guard let prepared = try await prepare(order) else { return SessionResult(.cancelled) }
            resolved = prepared
        } catch {
            return SessionResult(.failure(error.description))
        }
        var prepared = PreparedRequest(resolved)
        queue.async { [prepared] in onEvent(.prepared(prepared)) }
        let mask = RunMask(resolved.redactor)
        let entry = authenticators.entry(for: resolved, of: order)
        let inner = entry?.authenticator ?? steps.authenticator(order)
        let authenticator = inner.map { MaskedAuthenticator(inner: $0, mask: mask) }
        let request = WireRequest(resolved: resolved, authenticator: authenticator)
        let manager = manager(for: order, resolved)
        let sending = { await self.send(request, through: manager, run, mask, on: queue, onEvent) }
        let onSignIn = { @Sendable [steps] (signIn: SignIn) in
            steps.signIn(order, signIn)
            queue.async { onEvent(.signIn(signIn)) }
        }
        let (ending, report) =
            if let entry { await entry.listening(onSignIn, during: sending) } else { await sending() }
        prepared.update(from: report, mask.redactor, expiresAt: entry?.expiresAt)
        if case .response(let response) = ending {
            let names = await steps.capture(order, response)
            if !names.isEmpty { queue.async { onEvent(.captured(names)) } }
        }
        return SessionResult(
            ending, prepared: prepared, report: report.map(mask.redactor.redact), redactor: mask.redactor)
    }

    /// Returns nil if the task is cancelled meanwhile, even while a source of secrets does not answer.
    private func prepare(_ order: RunOrder) async throws(ResolveError) -> ResolvedRequest? {
        let (results, source) = AsyncStream<Result<ResolvedRequest, ResolveError>>.makeStream()
        preparation.async { [self] in
            source.yield(Result { () throws(ResolveError) in try resolve(order) })
            source.finish()
        }
        for await result in results { return try result.get() }
        return nil
    }

    /// Returns the request as it will be sent. Reads the secrets that it uses.
    func resolve(_ order: RunOrder) throws(ResolveError) -> ResolvedRequest {
        let resolver = Resolver(
            collection: order.collection,
            environment: order.chosenEnvironment, overrides: overrides, secrets: secrets(order.folder),
            folder: order.folder)
        return try resolver.resolve(order.request, order.inheritance)
    }

    private func send(
        _ request: WireRequest, through manager: RequestManager, _ run: SessionRun, _ mask: RunMask,
        on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) async -> (SessionResult.Ending, RequestReport?) {
        let resolved = request.resolved
        let report = Lock<RequestReport?>(nil)
        let ending = await withCheckedContinuation { continuation in
            let handle = manager.send(
                request, retry: resolved.retry, sla: resolved.sla.value, on: queue
            ) {
                continuation.resume(returning: SessionResult.Ending($0, mask.redactor))
            } onEvent: { event in
                if case .finished(let finished) = event { report.withLock { $0 = finished } }
                if let event = mask.redactor.redact(event) { onEvent(.step(event)) }
            }
            run.attach(handle)
        }
        return (ending, report.withLock { $0 })
    }

    /// Returns the manager of the environment; a new one when its host or its trust has changed.
    private func manager(for order: RunOrder, _ resolved: ResolvedRequest) -> RequestManager {
        let destination = Destination(
            file: order.file, environment: order.environment, isForeign: resolved.isForeign)
        let known = managers.withLock { $0.first { $0.destination == destination } }
        if let known, known.manager.host == resolved.host, known.verifyTLS == resolved.verifyTLS {
            return known.manager
        }
        let manager = RequestManager(host: resolved.host, transport: transport)
        if !resolved.verifyTLS { manager.connection.tls.verifiesServer = false }
        manager.cookieJar = known?.manager.cookieJar ?? steps.cookieJar(order)
        managers.withLock { entries in
            entries.removeAll { $0.destination == destination }
            entries.append(Entry(destination: destination, manager: manager, verifyTLS: resolved.verifyTLS))
        }
        return manager
    }
}
