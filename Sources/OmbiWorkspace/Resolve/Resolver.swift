/// Resolves saved requests for one environment. Pure but for the sources of secrets and generated values.
package struct Resolver: Sendable {
    package var collection: Collection
    /// Nil resolves only requests with a whole URL.
    package var environment: Environment?
    package var overrides = Overrides()
    /// The values of a row in a file of data; nil for none.
    package var row: DataRow?
    package var secrets: SecretReader
    package var generators = Generators.system
    /// The folder of the collection file, at which relative paths start.
    package var folder = ""
    package var captured = CapturedScope()
    package var files = TemplateFiles.sample("")

    /// The levels that a request inherits from, by its place in the collection.
    package func inheritance(of request: SavedRequest) -> Inheritance {
        Inheritance(collection, folders: collection.folders(of: request.id), environment: environment)
    }

    /// Returns the request with everything filled in.
    /// - Parameter inheritance: nil looks it up.
    func resolve(
        _ request: SavedRequest, _ inheritance: Inheritance? = nil
    ) throws(ResolveError) -> ResolvedRequest {
        try checkEnvironment(of: request)
        let inheritance = inheritance ?? self.inheritance(of: request)
        var resolution = Resolution(
            request: request, environment: environment, folder: folder,
            scope: scope(inheritance, of: request.variables))
        do throws(ResolveError) {
            try resolution.operation()
            let address = try resolution.address()
            let body = try resolution.body()
            let plan = try resolution.plan(address)
            let headers = try resolution.headers(
                inheritance, isForeign: address.isForeign, of: body)
            var query = address.query
            try resolution.addRows(to: &query)
            if case .plain(.apiKey(let name, let value, .query)) = headers.credentials { query.append(name, value) }
            let expectation = try resolution.expectation()
            let policy = policy(for: request, inheritance)
            let connections = inheritance.connections(of: request, isForeign: address.isForeign)
            let connection = try resolution.connection(connections.merged)
            let via = try resolution.via(connections.merged)
            let settings = resolution.settings(of: connections)
            let used = resolution.scope.used.values.sorted { $0.name < $1.name }
            var resolved = ResolvedRequest(
                name: request.name, method: request.method, host: address.host, hostSource: address.hostSource,
                path: address.path, query: query, headers: headers.headers,
                additionalHeaders: headers.additional, headerSources: headers.sources,
                credentials: headers.credentials, credentialsSource: headers.credentialsSource ?? .request,
                body: body, isForeign: address.isForeign,
                verifyTLS: address.isForeign || environment?.verifyTLS ?? true,
                attemptTimeout: policy.effectiveTimeout,
                sla: .init(policy.effectiveSLA, source(of: \.sla, for: request, inheritance)),
                retry: policy.retryPolicy(expecting: expectation?.status ?? []),
                retriesSource: source(of: \.retries, for: request, inheritance), variables: used,
                expectation: expectation, redactor: resolution.redactor)
            resolved.take(connection, connections.merged)
            resolved.take(resolution, host: address.host)
            (resolved.via, resolved.connectionSettings, resolved.plan) = (via, settings, plan)
            resolved.take(inheritance.trace(of: request, isForeign: address.isForeign))
            // The trust in a program that it needs may end.
            resolved.isRepeatable = resolution.isRepeatable && via == nil
            resolved.liftedLimits = policy.liftedLimits
            return resolved
        } catch {
            throw error.redacted(by: resolution.redactor)
        }
    }

    /// Throws for a request of a foreign file while no environment is chosen: every way to send passes here.
    private func checkEnvironment(of request: SavedRequest) throws(ResolveError) {
        guard environment == nil, collection.overlay.awaitsEnvironment else { return }
        let names = collection.choosableEnvironments.map(\.name).joined(separator: ", ")
        throw ResolveError(
            request: request.name, field: "environment",
            reason: "not sent: no environment is chosen; E or --environment chooses one: \(names)")
    }

    /// Returns the policy of a request merged over the inherited one, and the session's policy over both.
    private func policy(for request: SavedRequest, _ inheritance: Inheritance) -> RequestPolicy {
        overrides.policy.merging(over: inheritance.policy(of: request))
    }

    private func source<Value>(
        of setting: KeyPath<RequestPolicy, Value?>, for request: SavedRequest, _ inheritance: Inheritance
    ) -> Provenance {
        if overrides.policy[keyPath: setting] != nil { return .commandLine }
        if request.policy?[keyPath: setting] != nil { return .request }
        return inheritance.source(of: setting) ?? .ombi
    }

    /// The values of names for a request.
    /// - Parameter own: the variables of the request itself.
    func scope(_ inheritance: Inheritance?, of own: [Variable] = []) -> VariableScope {
        let layers = environment?.ownLayers ?? []
        var scope = VariableScope(
            collection: collection.allVariables, environment: layers.first?.variables ?? [],
            name: environment?.name ?? "", secrets: layers.first?.secrets ?? [],
            inherited: Array(layers.dropFirst()), folders: inheritance?.folderVariables ?? [],
            own: own, row: row, overrides: overrides.variables, reader: secrets,
            generators: generators)
        (scope.captured, scope.files) = (captured, files)
        return scope
    }
}

extension ResolvedRequest {
    fileprivate mutating func take(_ trace: SavedTrace) {
        guard trace.isOn ?? false else { return }
        (isTraced, traceURL) = (true, trace.url)
    }

    /// Takes the sources that its parts were made from.
    fileprivate mutating func take(_ resolution: Resolution, host: String) {
        sources = resolution.sources
        sources.programs = resolution.scope.programs
        if !sources.isEmpty { (secrets, pathRedactor) = (resolution.secrets(inHost: host), redactor) }
    }
}

/// Facts about a request that is still edited. No secret is read for them.
extension Resolver {
    /// The names that a template may use in these folders of a collection and an environment: variables and secrets,
    /// then functions.
    /// - Parameters:
    ///   - own: The variables of a request there.
    ///   - captures: The captures of the collection; nil looks them up.
    package static func names(
        in collection: Collection, folders: [Folder] = [], own: [Variable] = [], environment: Environment?,
        overrides: Overrides = Overrides(), captures: CaptureIndex? = nil
    ) -> [String] {
        scope(collection, folders, own, environment, overrides, captures ?? CaptureIndex(collection)).knownNames
            + TemplateFunction.all.map(\.name)
    }

    /// The names that a template may use, each with its value, in which secrets are masked; a function with its summary.
    package static func candidates(
        in collection: Collection, folders: [Folder] = [], own: [Variable] = [], environment: Environment?,
        overrides: Overrides = Overrides()
    ) -> [FieldChoice] {
        let scope = scope(collection, folders, own, environment, overrides, CaptureIndex(collection))
        let secrets = Set(environment?.secrets.map(\.name) ?? [])
        let captured = scope.captured.requests
        let names = scope.knownNames.map { name in
            if let request = captured[name] { return FieldChoice(name, note: "captured by \(request)") }
            var filling = scope
            let value = try? filling.fill("{{\(name)}}")
            let shown =
                value.map { SecretDetector.masked(variable: Variable(name, Redactor(filling.revealed).redact($0))) }
                ?? "has no value"
            return FieldChoice(name, note: secrets.contains(name) ? "secret" : shown)
        }
        return names + TemplateFunction.all.map { FieldChoice($0.example, note: $0.summary) }
    }

    /// The URL of a request, with its templates, path parameters and query filled in and its secrets masked. Functions
    /// have sample values; unknown variables and captured ones keep their names.
    /// - Parameter captures: The captures of the collection; nil looks them up.
    /// - Returns: nil if a part of it is invalid.
    package static func address(
        of request: SavedRequest, in collection: Collection, environment: Environment?,
        overrides: Overrides = Overrides(), captures: CaptureIndex? = nil
    ) -> String? {
        if let plain = plainAddress(of: request, environment) { return plain }
        let captures = captures ?? CaptureIndex(collection)
        let folders = collection.folders(of: request.id) ?? []
        var scope = scope(collection, folders, request.variables, environment, overrides, captures)
        scope.captured.values = captures.samples
        // An unknown name at the start may stand for a host.
        if case .template(let first)? = (try? Template(request.path))?.parts.first {
            guard first.names.allSatisfy({ $0.hasPrefix("$") || scope.knownNames.contains($0) }) else { return nil }
        }
        scope.keepsUnknownNames = true
        var resolution = Resolution(request: request, environment: environment, folder: "", scope: scope)
        guard let address = try? resolution.address() else { return nil }
        var query = address.query
        guard (try? resolution.addRows(to: &query)) != nil else { return nil }
        let text = resolution.redactor.redact(
            (address.isWebSocket ? "ws" + address.host.dropFirst(4) : address.host) + address.path
                + query.suffix)
        return resolution.scope.captured.namingSamples(in: SecretDetector.masked(text, named: "path"))
    }

    /// The URL of a request without templates and escapes, as most are: it is the written text. nil for others.
    private static func plainAddress(of request: SavedRequest, _ environment: Environment?) -> String? {
        guard request.query.isEmpty, isPlain(request.path) else { return nil }
        let target = request.target
        var written = target.text
        if target.problem != nil || Origin.isWebSocket(written) { return nil }
        if !target.isURL {
            guard let host = environment?.host, isPlain(host), host.utf8.last != UInt8(ascii: "/"),
                written.utf8.first ?? UInt8(ascii: "/") == UInt8(ascii: "/")
            else { return nil }
            written = host + written
        }
        return Origin(written) == nil || RequestTarget.hasDotSegments(written) ? nil : written
    }

    /// True for text without templates, path parameters, a query and anything to escape.
    private static func isPlain(_ text: String) -> Bool {
        var previous: UInt8 = 0
        return text.utf8.allSatisfy { byte in
            defer { previous = byte }
            switch byte {
            case UInt8(ascii: ":"): return previous != UInt8(ascii: "/")
            default: return byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
            }
        }
    }

    /// The host of an environment with its templates filled in and its secrets masked; nil if one has no value.
    package static func host(
        of environment: Environment, in collection: Collection, overrides: Overrides = Overrides()
    ) -> String? {
        var scope = scope(collection, [], [], environment, overrides, CaptureIndex(collection))
        guard let host = try? scope.fill(environment.host) else { return nil }
        return Redactor(scope.revealed).redact(host)
    }

    private static func scope(
        _ collection: Collection, _ folders: [Folder], _ own: [Variable], _ environment: Environment?,
        _ overrides: Overrides, _ captures: CaptureIndex
    ) -> VariableScope {
        preview(collection, environment, overrides, captures)
            .scope(Inheritance(collection, folders: folders, environment: environment), of: own)
    }

    static func preview(
        _ collection: Collection, _ environment: Environment?, _ overrides: Overrides, _ captures: CaptureIndex? = nil
    ) -> Resolver {
        var secrets = SecretReader(environment: { _ in Redactor.mask }, file: { _ in Array(Redactor.mask.utf8) })
        secrets.obtained = { _ in Redactor.mask }
        secrets.standIn = Redactor.mask
        let samples = Generators(uuid: { "uuid" }, now: { 0 }, integer: { $0.lowerBound })
        var resolver = Resolver(
            collection: collection, environment: environment, overrides: overrides, secrets: secrets,
            generators: samples)
        resolver.captured = (captures ?? CaptureIndex(collection)).scope(for: [])
        resolver.files = .sample("file")
        return resolver
    }
}

extension RequestPolicy {
    /// The limits that are the usual ones: an open-ended response ends them.
    fileprivate var liftedLimits: LiftedLimits {
        var limits: LiftedLimits = []
        if timeout == nil { limits.insert(.attemptTimeout) }
        if sla == nil { limits.insert(.sla) }
        return limits
    }
}

/// The settings of a session that are not saved: `--set NAME=VALUE`, `--retries`, `--sla`, `--timeout`.
package struct Overrides: Sendable, Equatable {
    /// Override any variable or secret of the same name.
    package var variables: [Variable]
    /// Overrides the policy of the request.
    package var policy: RequestPolicy

    package init(variables: [Variable] = [], policy: RequestPolicy = RequestPolicy()) {
        self.variables = variables
        self.policy = policy
    }
}
