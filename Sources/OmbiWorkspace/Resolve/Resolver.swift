import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Resolves saved requests for one environment. Pure but for the sources of secrets and generated values.
public struct Resolver: Sendable {
    public static let defaultTimeout: Duration = .seconds(30)
    public static let defaultSLA: Duration = .seconds(60)

    public var collection: Collection
    /// Nil resolves only requests with a whole URL.
    public var environment: Environment?
    public var overrides: Overrides
    /// The values of a row in a file of data; nil for none.
    public var row: DataRow?
    public var secrets: SecretReader
    public var generators: Generators
    /// The folder of the collection file, at which relative paths start.
    public var folder: String
    public var captured = CapturedScope()
    public var files = TemplateFiles.sample("")

    public init(
        collection: Collection, environment: Environment?, overrides: Overrides = Overrides(),
        row: DataRow? = nil, secrets: SecretReader, generators: Generators = .system, folder: String = ""
    ) {
        self.collection = collection
        self.environment = environment
        self.overrides = overrides
        self.row = row
        self.secrets = secrets
        self.generators = generators
        self.folder = folder
    }

    /// The levels that a request inherits from, by its place in the collection.
    public func inheritance(of request: SavedRequest) -> Inheritance {
        Inheritance(collection, folders: collection.folders(of: request.id), environment: environment)
    }

    /// Returns the request with everything filled in.
    /// - Parameter inheritance: nil looks it up.
    func resolve(
        _ request: SavedRequest, _ inheritance: Inheritance? = nil
    ) throws(ResolveError) -> ResolvedRequest {
        let inheritance = inheritance ?? self.inheritance(of: request)
        var resolution = Resolution(
            request: request, environment: environment, folder: folder, scope: scope(inheritance))
        do throws(ResolveError) {
            let address = try resolution.address()
            let body = try resolution.body()
            let webSocket = try resolution.webSocket(address)
            let headers = try resolution.headers(
                inheritance, isForeign: address.isForeign, contentType: body?.encoded.contentType)
            var query = address.query
            try resolution.addRows(to: &query)
            if case .plain(.apiKey(let name, let value, .query)) = headers.credentials { query.append(name, value) }
            let expectation = try resolution.expectation()
            let policy = policy(for: request, inheritance)
            let connections = inheritance.connections(of: request, isForeign: address.isForeign)
            let connection = try resolution.connection(connections.merged)
            let via = try resolution.via(connections.merged)
            let settings = resolution.settings(of: connections)
            let redactor = resolution.redactor
            let used = resolution.scope.used.values.sorted { $0.name < $1.name }
            var resolved = ResolvedRequest(
                name: request.name, method: request.method, host: address.host, hostSource: address.hostSource,
                path: address.path, query: query, headers: headers.headers,
                additionalHeaders: headers.additional, headerSources: headers.sources,
                credentials: headers.credentials, credentialsSource: headers.credentialsSource ?? .request,
                body: body, isForeign: address.isForeign,
                verifyTLS: address.isForeign || environment?.verifyTLS ?? true,
                attemptTimeout: policy.timeout ?? Self.defaultTimeout,
                sla: .init(policy.sla ?? Self.defaultSLA, source(of: \.sla, for: request, inheritance)),
                retry: policy.retryPolicy,
                retriesSource: source(of: \.retries, for: request, inheritance), variables: used,
                expectation: expectation,
                redactor: redactor)
            resolved.take(connection, connections.merged)
            resolved.take(resolution, host: address.host)
            (resolved.via, resolved.connectionSettings, resolved.webSocket) = (via, settings, webSocket)
            resolved.pages = webSocket == nil ? request.pages : nil
            // The trust in a program that it needs may end.
            resolved.isRepeatable = resolution.isRepeatable && via == nil
            if policy.timeout == nil { resolved.liftedLimits.insert(.attemptTimeout) }
            if policy.sla == nil { resolved.liftedLimits.insert(.sla) }
            return resolved
        } catch {
            throw error.redacted(by: resolution.redactor)
        }
    }

    /// Returns the policy of a request merged over the inherited one, and that of the session over both.
    private func policy(for request: SavedRequest, _ inheritance: Inheritance) -> RequestPolicy {
        overrides.policy.merging(over: (request.policy ?? RequestPolicy()).merging(over: inheritance.policy))
    }

    private func source<Value>(
        of setting: KeyPath<RequestPolicy, Value?>, for request: SavedRequest, _ inheritance: Inheritance
    ) -> Provenance {
        if overrides.policy[keyPath: setting] != nil { return .commandLine }
        if request.policy?[keyPath: setting] != nil { return .request }
        return inheritance.source(of: setting) ?? .ombi
    }

    /// The values of names for a request.
    func scope(_ inheritance: Inheritance?) -> VariableScope {
        let layers = environment?.ownLayers ?? []
        var scope = VariableScope(
            collection: collection.allVariables, environment: layers.first?.variables ?? [],
            name: environment?.name ?? "", secrets: layers.first?.secrets ?? [],
            inherited: Array(layers.dropFirst()), folders: inheritance?.folderVariables ?? [],
            row: row, overrides: overrides.variables, reader: secrets,
            generators: generators)
        (scope.captured, scope.files) = (captured, files)
        return scope
    }
}

extension ResolvedRequest {
    /// Takes the sources that its parts were made from.
    fileprivate mutating func take(_ resolution: Resolution, host: String) {
        sources = resolution.sources
        if !sources.isEmpty { secrets = resolution.secrets(inHost: host) }
    }
}
