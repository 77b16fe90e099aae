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
    public var secrets: SecretReader
    public var generators: Generators
    public var captured = CapturedScope()
    public var files = TemplateFiles.sample("")

    public init(
        collection: Collection, environment: Environment?, overrides: Overrides = Overrides(),
        secrets: SecretReader, generators: Generators = .system
    ) {
        self.collection = collection
        self.environment = environment
        self.overrides = overrides
        self.secrets = secrets
        self.generators = generators
    }

    /// Returns the request with everything filled in.
    func resolve(_ request: SavedRequest) throws(ResolveError) -> ResolvedRequest {
        var resolution = Resolution(request: request, environment: environment, scope: scope)
        do throws(ResolveError) {
            let address = try resolution.address()
            let environmentHeaders = address.isForeign ? [:] : try resolution.additionalHeaders()
            let body = try resolution.body()
            let credentials = try resolution.credentials()
            let headers = try resolution.headers(credentials, contentType: body?.contentType)
            // A manager's additional headers would win over those of a request.
            let additionalHeaders = RequestHeaders(environmentHeaders.fields.filter { headers[$0.key] == nil })
            var query = try address.query + resolution.query()
            if case .apiKey(let name, let value, .query) = credentials {
                query.append(URLQueryItem(name: name, value: value))
            }
            let policy = policy(for: request)
            let redactor = resolution.redactor
            let used = resolution.scope.used.values.sorted { $0.name < $1.name }
            return ResolvedRequest(
                name: request.name, method: request.method, host: address.host, hostSource: address.hostSource,
                path: address.path, query: query,
                writtenQuery: query == address.query ? address.writtenQuery : nil, headers: headers,
                additionalHeaders: additionalHeaders,
                body: body?.data, isForeign: address.isForeign,
                verifyTLS: address.isForeign || environment?.verifyTLS ?? true,
                attemptTimeout: policy.timeout ?? Self.defaultTimeout,
                sla: .init(policy.sla ?? Self.defaultSLA, source(of: \.sla, for: request)), retry: policy.retryPolicy,
                retriesSource: source(of: \.retries, for: request), variables: used, expectation: request.expect,
                inherited: inherited(by: request, headers, isForeign: address.isForeign, resolution.scope),
                redactor: redactor)
        } catch {
            throw error.redacted(by: resolution.redactor)
        }
    }

    /// Returns the request's own policy merged over the inherited ones.
    public func policy(for request: SavedRequest) -> RequestPolicy {
        policies(for: request).reversed().reduce(RequestPolicy()) { base, level in level.policy.merging(over: base) }
    }

    private func source<Value>(
        of setting: KeyPath<RequestPolicy, Value?>, for request: SavedRequest
    ) -> Provenance {
        policies(for: request).first { $0.policy[keyPath: setting] != nil }?.source ?? .ombi
    }

    /// The strongest first: overrides, request, environment, collection.
    private func policies(
        for request: SavedRequest
    ) -> [(policy: RequestPolicy, source: Provenance)] {
        let levels: [(RequestPolicy?, Provenance)] = [
            (overrides.policy, .commandLine), (request.policy, .request),
            (environment?.policy, .environment(environment?.name ?? "")), (collection.policy, .collection),
        ]
        return levels.compactMap { policy, source in policy.map { ($0, source) } }
    }

    /// Returns a text with its templates filled in and its secrets masked.
    public func preview(_ text: String) throws(TemplateError) -> String { try Self.preview(text, scope) }

    private static func preview(_ text: String, _ scope: VariableScope) throws(TemplateError) -> String {
        var scope = scope
        let filled = try scope.fill(text)
        return Redactor(scope.revealed).redact(filled)
    }

    /// Returns the headers that the environment adds to a request, masked, even when the request cannot be resolved.
    public func inheritedHeaders(for request: SavedRequest) -> [InheritedHeader] {
        var resolution = Resolution(request: request, environment: environment, scope: scope)
        let isForeign = (try? resolution.address().isForeign) ?? false
        let credentials = (try? resolution.credentials()) ?? nil
        let headers = (try? resolution.headers(credentials, contentType: nil)) ?? [:]
        return inherited(by: request, headers, isForeign: isForeign, resolution.scope)
    }

    private func inherited(
        by request: SavedRequest, _ headers: RequestHeaders, isForeign: Bool, _ scope: VariableScope
    ) -> [InheritedHeader] {
        guard let environment else { return [] }
        return environment.additionalHeaders.filter(\.enabled).map { field in
            InheritedHeader(
                name: field.name, value: (try? Self.preview(field.value, scope)) ?? field.value,
                environment: environment.name,
                isSent: request.takes(.init(field.name), isForeign: isForeign) { headers[$0] != nil })
        }
    }

    /// The names that a template may use here: variables and secrets, then functions.
    public var templateNames: [String] { scope.knownNames + TemplateFunction.all.map(\.name) }

    var scope: VariableScope {
        var scope = VariableScope(
            collection: collection.variables, environment: environment?.variables ?? [],
            name: environment?.name ?? "", secrets: environment?.secrets ?? [], overrides: overrides.variables,
            reader: secrets,
            generators: generators)
        (scope.captured, scope.files) = (captured, files)
        return scope
    }
}
