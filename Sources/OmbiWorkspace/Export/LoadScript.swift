import OmbiCore

/// A program that sends a load.
public enum LoadEngine: String, CaseIterable, Sendable {
    case k6, locust
}

/// The size of a load.
public struct LoadPlan: Sendable, Equatable {
    /// The limits of the number of users.
    public static let users = 1...1_000_000

    /// The users who send the requests, one after the other, again and again.
    public var users: Int
    public var duration: Duration
    /// The number of requests that are to begin in a second, of all users together; nil for as fast as they can.
    public var rate: Double?
    /// The percentiles that are reported.
    public var percentiles: [Double] = [50, 90, 95, 99]

    public init(users: Int, duration: Duration, rate: Double? = nil) {
        (self.users, self.duration, self.rate) = (users, duration, rate)
    }
}

/// A script for a load engine. No secret is in it: they are variables of the process.
public struct LoadScript: Sendable {
    public var text: String
    /// The values of the variables that the script reads, by name. Never shown.
    public var environment: [String: String] = [:]
    /// The names of the requests, in the order of the results.
    public var requests: [String] = []
    /// A sentence for each part that the engine does without.
    public var losses: [String] = []

    /// Returns a text of the engine with the values of the variables masked.
    public func masked(_ text: String) -> String { Redactor(environment.values.sorted()).redact(text) }

    /// The variable with the path of the file for the results.
    public static let resultVariable = "OMBI_RESULT"
    /// The variable with the path of the rows of data, a JSON array of objects.
    public static let rowsVariable = "OMBI_ROWS"
}

extension Session {
    /// Writes requests as a script. Captured values that a request needs are obtained first; the values of a row stay
    /// variables. Reads the secrets, which have been obtained before.
    /// - Parameter row: the first row of data; nil without data.
    public func loadScript(
        _ orders: [RunOrder], row: DataRow?, _ plan: LoadPlan, for engine: LoadEngine
    ) throws(ResolveError) -> LoadScript {
        var values = LoadValues(columns: Set((row?.variables ?? []).map(\.name)))
        var (setUp, steps): ([LoadStep], [LoadStep]) = ([], [])
        var known: Set<ItemID> = []
        for order in orders {
            var first = order
            first.row = row
            for dependency in try self.plan(first) where known.insert(dependency.request.id).inserted {
                var step = try loadStep(order.order(of: dependency.request), &values, for: engine)
                step.isSetUp = true
                setUp.append(step)
            }
            steps.append(try loadStep(order, &values, for: engine))
            known.insert(order.request.id)
        }
        var all = setUp + steps
        try Self.name(&all, for: engine)
        let text =
            switch engine {
            case .k6: K6Script.text(of: all, plan)
            case .locust: LocustScript.text(of: all, plan)
            }
        let losses = all.flatMap { step in step.losses.map { "\(step.request.name): \($0)" } }
        return LoadScript(
            text: text, environment: values.environment, requests: all.map(\.request.name), losses: losses)
    }

    /// Gives each request a name of its own, by which its results are found.
    private static func name(_ steps: inout [LoadStep], for engine: LoadEngine) throws(ResolveError) {
        var used: Set<String> = []
        for index in steps.indices {
            let name = steps[index].request.name
            var (unique, number) = (name, 1)
            while !used.insert(unique).inserted {
                number += 1
                unique = "\(name) (\(number))"
            }
            steps[index].request.name = unique
        }
        // k6 has one setting for all.
        guard engine == .k6, Set(steps.map(\.request.verifiesTLS)).count > 1 else { return }
        throw ResolveError(
            request: steps.first { !$0.request.verifiesTLS }?.request.name ?? "", field: "verifyTLS",
            reason: "k6 verifies the certificates of all servers or of none; use --engine locust")
    }

    private func loadStep(
        _ order: RunOrder, _ values: inout LoadValues, for engine: LoadEngine
    ) throws(ResolveError) -> LoadStep {
        var order = order
        order.row = nil
        var scope = sampleScope(of: order)
        for column in values.columns { scope.values[column] = .sample(column) }
        let resolved = try resolve(order, scope)
        var request = ExportedRequest(order)
        let omissions = request.omissions.filter { !$0.hasPrefix("left out: ") && !$0.hasPrefix("paths of files ") }
        if let problem = order.loadProblem(request, engine) {
            throw ResolveError(request: request.name, field: "load script", reason: problem)
        }
        let resolver = resolver(of: order, scope)
        var filler = LoadFiller(order: order, resolver: resolver, scope: scope, host: resolved.host)
        try request.forEachText { text throws(ResolveError) in try filler.fill(&text, &values) }
        try filler.checkHost(request.url)
        try filler.findFiles(&request)
        let limit = min(resolved.sla.value, resolved.attemptTimeout ?? resolved.sla.value)
        var step = LoadStep(request: request, limit: limit)
        step.losses = omissions + order.loadLosses(isRepeatable: resolved.isRepeatable)
        step.add(order.request.expect)
        step.add(order.request.captures)
        if step.request.followsRedirects, step.request.texts.contains(where: { !$0.values.isEmpty }) {
            step.request.maximumRedirects = 0
            step.losses.append("redirects are not followed, as they could take its values elsewhere")
        }
        let origin = filler.origin
        for taken in step.taken {
            let isSecret = order.request.captures.contains { $0.name == taken.name && $0.isSecret }
            values.captured[taken.name] = LoadValues.Captured(origin: origin, isSecret: isSecret)
        }
        return step
    }
}

extension RunOrder {
    /// The reason why an engine cannot send a request as Ombi does; nil where it can.
    fileprivate func loadProblem(_ exported: ExportedRequest, _ engine: LoadEngine) -> String? {
        if request.isWebSocket { return "a WebSocket is not part of a load; leave it out of the selection" }
        let connection = inheritance.connections(of: request, isForeign: inheritance.isForeign(request)).merged
        let isOn = { (text: String?) in SavedConnection.isOn(text) }
        if isOn(connection.via) || isOn(connection.unixSocket) || !(connection.resolve ?? []).isEmpty {
            return "its connection takes a way that \(engine.rawValue) cannot; ombi run sends it"
        }
        if isOn(connection.caFile) || !(connection.pins ?? []).isEmpty
            || !(connection.clientCertificate?.isOff ?? true)
        {
            return "\(engine.rawValue) would verify its server otherwise; ombi run sends it"
        }
        let isIssued = { (text: String) in text.contains("AWS signature") || text.contains("access token of OAuth") }
        if exported.omissions.contains(where: isIssued) {
            return "its credentials are made anew while it is sent, which a script cannot; ombi run sends it"
        }
        guard engine == .k6 else { return nil }
        if case .digest? = exported.credentials { return "Digest is not written for k6; use --engine locust" }
        if case .multipart? = exported.body { return "forms with parts are not written for k6; use --engine locust" }
        return exported.proxy == .environment ? nil : "k6 has no proxy of its own for a request; use --engine locust"
    }

    /// A sentence for each thing that Ombi does around a request and an engine does not.
    fileprivate func loadLosses(isRepeatable: Bool) -> [String] {
        let policy = (request.policy ?? RequestPolicy()).merging(over: inheritance.policy)
        let parts: KeyValuePairs<String, Bool> = [
            "it is not retried": policy.retries ?? 0 > 0, "further pages are left out": request.pages != nil,
            "the fallback is left out": request.fallback != nil,
            "times, random values and files are those of the moment at which the script was written": !isRepeatable,
        ]
        return parts.filter { $0.value }.map { $0.key }
    }
}
