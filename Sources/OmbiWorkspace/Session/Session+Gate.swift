// The flows of a request.
extension ResolvedRequest {
    /// The place that it is sent to; nil for a host that is no URL.
    var destination: Destination? { knownDestination ?? destination(of: host, connection) }

    /// The authorization server of its credentials; nil for others.
    private var authorizationServer: Destination? {
        guard case .oauth2(let oauth2)? = credentials else { return nil }
        return destination(of: oauth2.server, connection(to: oauth2.server))
    }

    private func destination(of server: String, _ connection: Connection) -> Destination? {
        let start = Origin.pathStart(of: server)
        return URL(string: String(server[..<start])).flatMap {
            Destination($0, connection, via: via?.description, secrets: secrets, mask: { pathRedactor.redact($0) })
        }
    }

    /// Finds every source with every destination that it goes to: the request's own, its proxy, and the authorization server.
    mutating func findFlows() {
        guard !sources.isEmpty || hasDoors || credentials?.needsPerson ?? false else { return }
        knownDestination = destination(of: host, connection)
        let found = flows(to: knownDestination ?? .undecided)
        flows = found.count < 2 ? found : found.sorted(by: Flow.isBefore)
    }

    private func flows(to own: Destination) -> [Flow] {
        var all = (sources.sent.union(doors)).map { Flow($0, to: own) }
        if let proxy = Destination(proxyOf: connection, secrets: secrets, mask: { pathRedactor.redact($0) }) {
            all += sources.way.map { Flow($0, to: proxy) }
        }
        if case .oauth2(let oauth2)? = credentials {
            let server = authorizationServer ?? .undecided
            // The server of the request gets the token, and nothing that it was had for.
            let others = sources.headers.values.reduce(sources.url.union(sources.body)) { $0.union($1) }
            all.removeAll { sources.credentials.contains($0.source) && !others.contains($0.source) }
            all += sources.credentials.map { Flow($0, to: server) }
            if let page = page(of: oauth2) { all += sources.page.map { Flow($0, to: page) } }
            if oauth2.needsGrant(sources.credentials) { all.append(Flow(.token(server), to: own)) }
        }
        all += sources.programs.subtracting(all.map(\.source)).map { Flow($0, to: own) }
        return all
    }

    /// The destinations of a token: the server of the request, and the one that renews it if it is reached by another
    /// route.
    var destinationsOfTokens: [Destination] {
        let server = authorizationServer.flatMap { $0.text.contains(", ") ? $0 : nil }
        return [destination, server].compactMap { $0 }
    }

    /// The page to sign in on; nil for other grants.
    private func page(of oauth2: PreparedCredentials.OAuth2) -> Destination? {
        guard let page = oauth2.authorizationURL else { return nil }
        return URL(string: page).flatMap { Destination($0, Connection(), secrets: secrets) } ?? .undecided
    }

    private var hasDoors: Bool {
        via != nil || connection.unixSocket != nil || connection.tls.clientCertificate != nil || proxySocket != nil
    }

    private var proxySocket: String? {
        if case .server(let server) = connection.proxy, via == nil {
            server.host.hasPrefix("/") ? server.host : nil
        } else {
            nil
        }
    }

    /// The sources that it uses on the way, without sending them.
    private var doors: Set<Source> {
        var doors: Set<Source> = []
        if let via { doors.insert(.ssh(via.description)) }
        for path in [connection.unixSocket, proxySocket].compactMap({ $0 }) {
            doors.insert(.socket(real(path)))
        }
        guard host.lowercased().hasPrefix("https:") else { return doors }
        switch connection.tls.clientCertificate {
        case .pem(let certificate, let key, _)?:
            for path in [certificate, key].compactMap({ $0 }) {
                doors.insert(.certificate(real(path)))
            }
        case .pkcs12(let path, _)?: doors.insert(.certificate(real(path)))
        case nil: break
        }
        return doors
    }

    /// The path without links and dots, and with its secrets masked.
    private func real(_ path: String) -> String {
        Words.distinct(Workspace.real(path) ?? path) { pathRedactor.redact($0) }
    }
}

extension PreparedCredentials.OAuth2 {
    /// True for tokens that the user's secrets or sign-in provide; others belong to the author of the file.
    func needsGrant(_ sources: Set<Source>) -> Bool {
        !sources.isEmpty || grant == .deviceCode || grant == .authorizationCode
    }
}

/// The gate of one request, which decides before each of its hops.
final class HopGate: RequestGate {
    private let gate: Gate
    private let file: String
    private let via: String?
    private let secrets: [String]
    private let pathRedactor: Redactor
    private let sources: [String: Source]
    /// The sources of the values that the server receives.
    private let sent: Set<Source>
    /// The start of the request's own URL with its connection: most hops go there. Nil with files that verify a server, as
    /// their content may have changed.
    private let own: (server: String, connection: Connection, destination: Destination)?

    init(_ gate: Gate, file: String, _ request: ResolvedRequest) {
        self.gate = gate
        self.file = file
        via = request.via?.description
        (secrets, pathRedactor) = (request.secrets, request.pathRedactor)
        own =
            request.connection.tls.caFile == nil
            ? request.knownDestination.map {
                (String(request.host[..<Origin.pathStart(of: request.host)]), request.connection, $0)
            } : nil
        sent = request.sources.sent
        let all = request.flows.map(\.source) + Array(sent)
        sources = Dictionary(all.map { ($0.text, $0) }) { first, _ in first }
    }

    func decide(_ hop: RequestHop) -> GateDecision {
        guard let destination = destination(of: hop) else {
            return .refuse("a request with secrets goes to no server that could be told")
        }
        func missing(_ names: Set<String>) -> [Source] {
            names.sorted().compactMap { sources[$0] }
                .filter { !gate.isGranted(Flow($0, to: destination), to: file) }
        }
        var fixed = missing(hop.provenance.url.union(hop.provenance.body))
        if fixed.isEmpty, hop.isRedirect, destination != own?.destination,
            SecretForms.isAny(of: secrets, in: hop.url.absoluteString)
        {
            fixed = missing(Set(sent.filter(\.isSecret).map(\.text)))
        }
        guard fixed.isEmpty else {
            let question = GateQuestion(file: file, flows: fixed.map { Flow($0, to: destination) })
            guard hop.isRedirect else { return .refuse("not sent: " + question.refusal) }
            return .refuse(
                "not sent: it was redirected to \(destination.text), and \(question.refusalOfRedirect)")
        }
        let withheld = hop.provenance.headers.filter { !missing($0.value).isEmpty }.keys
        return withheld.isEmpty ? .send : .withhold(Set(withheld))
    }

    private func destination(of hop: RequestHop) -> Destination? {
        if let own, hop.connection == own.connection {
            let url = hop.url.absoluteString.utf8
            let next = url.dropFirst(own.server.utf8.count).first
            let isWhole = next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
            if isWhole, url.starts(with: own.server.utf8) { return own.destination }
        }
        return Destination(hop.url, hop.connection, via: via, secrets: secrets, mask: { pathRedactor.redact($0) })
    }
}

extension GateQuestion {
    /// The reason why the request was not sent, with the remedy, as a sentence.
    var refusal: String {
        let lasting = trusting.map { "\($0) shows what the file sends where and allows it, " } ?? ""
        return "\(refused); \(lasting)\(options) allows it for one run"
    }

    /// The same for a redirect: the file does not say where it leads.
    var refusalOfRedirect: String {
        let grants = flows.map { "--grant " + ShellQuotes.word($0.pattern) }.joined(separator: " ")
        return "\(refused); \(grants) allows it for one run\(trusting.map { ", with \($0) for all" } ?? "")"
    }

    /// The command that allows it for good; nil without a file, for which grants are kept.
    private var trusting: String? {
        PipedFile.isName(file) || file == Self.noFile ? nil : "`ombi trust \(ShellQuotes.word(file))`"
    }

    private var refused: String {
        let groups = flows.reduce(into: [(destination: Destination, sources: [String])]()) { groups, flow in
            if let index = groups.firstIndex(where: { $0.destination == flow.destination }) {
                groups[index].sources.append(flow.source.text)
            } else {
                groups.append((flow.destination, [flow.source.text]))
            }
        }
        let shown = groups.prefix(2).map { group in
            let rest = group.sources.count > 3 ? " and \(group.sources.count - 3) more" : ""
            return group.sources.prefix(3).joined(separator: ", ") + rest + " to " + group.destination.text
        }.joined(separator: ", nor ")
        let rest = groups.count > 2 ? ", nor to \(groups.count - 2) more destinations" : ""
        return "\(name) may not send \(shown)\(rest)"
    }

    /// The options of a command line that allow it: those of each flow where they are few.
    private var options: String {
        let isKnown = flows.allSatisfy { $0.destination != .undecided }
        guard isKnown, flows.count <= 2 else { return "--trust" }
        return flows.map { "--grant " + ShellQuotes.word($0.pattern) }.joined(separator: " ") + " or --trust"
    }
}

extension ResolvedRequest {
    /// Lets each hop of the request pass the gate with the sources of its parts.
    func guarded(by gate: Gate, file: String) -> GuardedParts? {
        let isTold = sources.isEmpty && !(credentials?.needsPerson ?? false)
        return isTold ? nil : GuardedParts(gate: HopGate(gate, file: file, self), request: self)
    }
}

extension ResolvedRequest {
    /// Gives each request to the authorization server the sources of the credentials: all of it is made of them.
    func tokenRequestGuard(by gate: Gate, file: String) -> RequestInterceptor {
        let hopGate = HopGate(gate, file: file, self)
        var sources = Set(sources.credentials.map(\.text))
        for flow in flows { if case .token = flow.source { sources.insert(flow.source.text) } }
        guard !sources.isEmpty else { return RequestInterceptor { $0 } }
        return RequestInterceptor { [sources] request in
            var request = request
            let hasCredentials = request.headers[.authorization] != nil
            request.provenance = RequestProvenance(
                headers: hasCredentials ? [.authorization: sources] : [:], body: sources)
            request.gate = hopGate
            return request
        }
    }
}

/// The provenance of a request for OmbiCore, and its gate.
struct GuardedParts: Sendable {
    let gate: HopGate
    let provenance: RequestProvenance
    /// The sources of what an authenticator adds.
    let credentials: Set<String>

    init(gate: HopGate, request: ResolvedRequest) {
        self.gate = gate
        let sources = request.sources
        func names(_ sources: Set<Source>) -> Set<String> { Set(sources.map(\.text)) }
        var headers = sources.headers.mapValues(names)
        // The transport adds this header.
        if case .connection? = request.credentials, !sources.credentials.isEmpty {
            headers[.authorization, default: []].formUnion(names(sources.credentials))
        }
        provenance = RequestProvenance(url: names(sources.url), headers: headers, body: names(sources.body))
        if case .oauth2? = request.credentials {
            credentials = Set(
                request.flows.compactMap { if case .token = $0.source { $0.source.text } else { nil } })
        } else {
            credentials = names(sources.credentials)
        }
    }

    func apply(to request: inout TransportRequest) {
        (request.provenance, request.gate) = (provenance, gate)
    }

    /// Gives the fields that an authenticator has set the sources of the credentials.
    func apply(_ changed: TransportRequest, since old: TransportRequest) -> TransportRequest {
        guard !credentials.isEmpty else { return changed }
        var changed = changed
        var provenance = changed.provenance
        for field in changed.headers.fields where old.headers[field.key] != field.value {
            provenance.headers[field.key, default: []].formUnion(credentials)
        }
        if changed.url != old.url { provenance.url.formUnion(credentials) }
        if changed.body != old.body { provenance.body.formUnion(credentials) }
        (changed.provenance, changed.gate) = (provenance, gate)
        return changed
    }
}

// Questions about grants.
extension Session {
    /// Throws for a request that would send something without a grant.
    func checkGrants(_ resolved: ResolvedRequest, of order: RunOrder) throws(ResolveError) {
        try checkGrants(resolved.flows, of: order, resolved.name)
    }

    private func checkGrants(_ flows: [Flow], of order: RunOrder, _ request: String) throws(ResolveError) {
        guard let question = steps.gate.question(about: flows, of: order.file) else { return }
        var error = ResolveError(request: request, field: "trust", reason: question.refusal)
        error.missingGrants = question.flows
        throw error
    }

    /// Throws for a request that could not be filled in because it has a pipe that is not read without a grant.
    func checkPipes(of order: RunOrder, after error: ResolveError) throws(ResolveError) {
        guard error.missingCapture == nil, let flows = flowsOfPipes(in: order) else { return }
        try checkGrants(flows, of: order, order.request.name)
    }

    /// Returns the flows of a request with a pipe that has no grant; nil for other requests.
    func flowsOfPipes(in order: RunOrder) -> [Flow]? {
        let reader = reader(for: order)
        guard reader.readsPipes else { return nil }
        // A text is no `.netrc`: the user of one that is a pipe is known once it is read.
        let all = (try? outline(order, of: "pipe")) ?? (try? outline(order, of: "pipe", isLenient: true))
        guard let flows = all else { return nil }
        return flows.contains { reader.withholds($0.source) } ? flows : nil
    }

    /// Returns an order whose operation is read from a document outside the workspace, if that has had its grant since the
    /// collection was loaded.
    func specified(_ order: RunOrder) -> RunOrder {
        guard order.request.operation?.isWithheld ?? false else { return order }
        var order = order
        let file = order.file
        order.request.rebase(
            on: SpecifiedOperations(of: [order.request], file: file, PosixFileSystem()) { [steps] source in
                steps.gate.isGranted(source, to: file)
            })
        return order
    }

    /// Throws for a request whose document was not read yet. The grants for its known parts allow reading it.
    func checkDocument(of order: RunOrder, _ resolved: ResolvedRequest) throws(ResolveError) {
        guard let operation = order.request.operation, operation.isWithheld, let failure = operation.failure else {
            return
        }
        var error = ResolveError(request: resolved.name, field: "operation", reason: failure)
        error.missingGrants = resolved.flows
        throw error
    }

    /// Asks once for what several runs wait for. Returns false without a yes.
    func ask(_ flows: [Flow], for order: RunOrder, _ asking: @escaping Asking) async -> Bool {
        guard let question = steps.gate.question(about: flows, of: order.file) else { return true }
        return await secretStore.ask(about: question) { [steps] in
            // Somebody may have answered it while this run waited for its turn.
            guard let open = steps.gate.question(about: flows, of: order.file) else { return true }
            let answer = await asking(order, open)
            do throws(FileError) { try steps.gate.grant(open, answer) } catch { return false }
            return answer != .refused
        }
    }

    /// Answers for what has no grant.
    package typealias Asking = @Sendable (RunOrder, GateQuestion) async -> GateAnswer

    /// Returns the flows of the requests of a collection, in each of its environments, without running anything.
    package func flows(of collection: Collection, file: String) -> [Flow] {
        let names = collection.choosableEnvironments.map(\.name)
        var found: Set<Flow> = []
        for environment in names.isEmpty ? [nil] : names.map(Optional.some) {
            var captured: [String: Source]?
            for request in collection.requests {
                let order = RunOrder(
                    id: 0, request: request, collection: collection, environment: environment, file: file)
                let sources = captured ?? sourcesOfCaptures(for: order)
                captured = sources
                found.formUnion(knownFlows(of: order, sources))
            }
        }
        return found.sorted(by: Flow.isBefore)
    }

    /// Returns the flows of a request as if its secrets were known; none for one that cannot be sent.
    /// - Parameter captured: The sources of captured secrets, which are the same for all requests of an environment.
    func knownFlows(of order: RunOrder, _ captured: [String: Source]? = nil) -> [Flow] {
        (try? outline(order, of: "secret", isLenient: true, captured)) ?? []
    }

    /// Returns the flows of a request that lacks a secret, including the secret's program wherever its value goes: no
    /// program runs without a grant.
    func flows(of missing: MissingSecret, for order: RunOrder) throws(ResolveError) -> [Flow] {
        let flows = try outline(order, of: missing.name, isLenient: missing.isUnset)
        guard let secret = order.chosenEnvironment?.secrets.last(where: { $0.name == missing.name }) else {
            return flows
        }
        let source = reader(for: order).source(of: secret)
        guard source.isActive, !flows.contains(where: { $0.source == source }) else { return flows }
        return flows + [Flow(source, to: .undecided)]
    }

    /// Returns the flows of a request as if its missing secrets were known, without running a program or a prompt.
    /// Throws for a request that cannot be sent whatever they are.
    func outline(
        _ order: RunOrder, of secret: String, isLenient: Bool = false, _ captured: [String: Source]? = nil
    ) throws(ResolveError) -> [Flow] {
        var scope = sampleScope(of: order)
        // A variable that is captured in a circle has the value of the file.
        for name in scope.circular where scope.values[name]?.isSample ?? false { scope.values[name] = nil }
        let sources = isLenient ? captured ?? sourcesOfCaptures(for: order) : [:]
        for (name, source) in sources where scope.values[name]?.isSample ?? false {
            scope.values[name]?.provenance = source
        }
        // A template is no host: with it a destination that a secret decides cannot be told.
        let template = "{{\(secret)}}"
        do throws(ResolveError) {
            return try resolve(order, scope, standIn: template, isLenient: isLenient).flows
        } catch {
            // Those that let its document be read.
            if !error.missingGrants.isEmpty { return error.missingGrants }
        }
        do throws(ResolveError) {
            let resolved = try resolve(order, scope, standIn: "1", isLenient: isLenient)
            guard resolved.sources.url.contains(where: { isLenient || $0.isObtained }) else { return resolved.flows }
            return resolved.flows.map { Flow($0.source, to: .undecided) }
        } catch {
            guard !error.missingGrants.isEmpty else { throw error }
            return error.missingGrants.map { Flow($0.source, to: .undecided) }
        }
    }

    /// Returns the sources of captured secrets, and of what servers return of a file, by their names: the servers that
    /// will send them, but for redirects.
    private func sourcesOfCaptures(for order: RunOrder) -> [String: Source] {
        let index = captures.withLock { $0.index(for: order) }
        var sources: [String: Source] = [:]
        for (name, requests) in index.requests {
            guard let request = requests.first else { continue }
            let isSecret = request.captures.contains { $0.name == name && $0.isSecret }
            guard isSecret || request.body?.namesFiles ?? false else { continue }
            let other = order.order(of: request)
            let sender = try? resolve(other, sampleScope(of: other), standIn: "1", isLenient: true)
            guard let sender, isSecret || sender.sources.hasFile else { continue }
            sources[name] = .captured(name, from: sender.destination)
        }
        return sources
    }
}

extension Source {
    /// True for a value that takes a program or a person.
    fileprivate var isObtained: Bool {
        switch self {
        case .command, .keyring, .typed: true
        default: false
        }
    }
}
