/// A program that sends a load.
package enum LoadEngine: String, CaseIterable, Sendable {
    case k6, locust
}

extension LoadEngine {
    /// The parts of a request that its scripts express.
    var abilities: ExportAbilities {
        switch self {
        case .k6: [.timeout, .unverifiedTLS, .redirects, .redirectLimit, .escaping]
        case .locust: [.digest, .proxy, .timeout, .unverifiedTLS, .redirects, .escaping]
        }
    }
}

package struct LoadPlan: Sendable, Equatable {
    package static let users = 1...1_000_000

    /// The users who send the requests, one after the other, again and again.
    package var users: Int
    package var duration: Duration
    /// The number of requests that are to begin in a second, of all users together; nil for as fast as they can.
    package var rate: Double?
    package var percentiles: [Double] = [50, 90, 95, 99]

    package init(users: Int, duration: Duration, rate: Double? = nil) {
        (self.users, self.duration, self.rate) = (users, duration, rate)
    }

    static let exported = LoadPlan(users: 10, duration: .seconds(30))

    /// The length as an engine reads it. Locust has whole seconds.
    package func length(for engine: LoadEngine) -> String {
        switch engine {
        case .k6: max(duration, .milliseconds(1)).text
        case .locust: "\(max(1, Int((duration / .seconds(1)).rounded(.up))))s"
        }
    }

    /// The variables of the process that a script takes its size from, by name.
    package func variables(for engine: LoadEngine) -> [String: String] {
        ["OMBI_USERS": "\(users)", "OMBI_DURATION": length(for: engine), "OMBI_RATE": "\(rate ?? 0)"]
    }
}

/// A script for a load engine. No secret is in it: they are variables of the process.
package struct LoadScript: Sendable {
    package var text: String
    /// The values of the variables that the script reads, by name. Never shown.
    package var environment: [String: String] = [:]
    package var requests: [String] = []
    /// A sentence for each part that the engine does without.
    package var losses: [String] = []

    /// Returns a text of the engine with the values of the variables masked.
    package func masked(_ text: String) -> String { Redactor(environment.values.sorted()).redact(text) }

    /// The variable with the path of the file for the results.
    package static let resultVariable = "OMBI_RESULT"
    /// The variable with the path of the rows of data, a JSON array of objects.
    package static let rowsVariable = "OMBI_ROWS"

    /// - Parameter omissions: a sentence for each request that is left out.
    init(_ steps: [LoadStep], _ plan: LoadPlan, for engine: LoadEngine, omissions: [String] = []) {
        requests = steps.map(\.request.name)
        losses = omissions + Self.losses(of: steps)
        text =
            switch engine {
            case .k6: K6Script.text(of: steps, losses, plan)
            case .locust: LocustScript.text(of: steps, losses, plan)
            }
    }

    /// Names a loss that several requests share once, with all their names.
    private static func losses(of steps: [LoadStep]) -> [String] {
        var (losses, names): ([String], [String: [String]]) = ([], [:])
        for step in steps {
            for loss in step.losses {
                if names[loss] == nil { losses.append(loss) }
                names[loss, default: []].append(step.request.name)
            }
        }
        return losses.map { loss in "\((names[loss] ?? []).joined(separator: ", ")): \(loss)" }
    }
}

extension Session {
    /// Writes requests as a script. Captured values that a request needs are obtained first; the values of a row stay
    /// variables. Reads the secrets, which have been obtained before.
    /// - Parameter row: the first row of data; nil without data.
    package func loadScript(
        _ orders: [RunOrder], row: DataRow?, _ plan: LoadPlan, for engine: LoadEngine
    ) throws(ResolveError) -> LoadScript {
        var values = LoadValues(columns: Set((row?.variables ?? []).map(\.name)))
        let sequence = try LoadSequence(orders) { order throws(ResolveError) in
            var first = order
            first.row = row
            return try self.plan(first).map(\.request)
        }
        let steps = try sequence.steps { order throws(ResolveError) in try loadStep(order, &values, for: engine) }
        // k6 has one setting for all.
        if engine == .k6, Set(steps.map(\.request.verifiesTLS)).count > 1 {
            throw ResolveError(
                request: steps.first { !$0.request.verifiesTLS }?.request.name ?? "", field: "verifyTLS",
                reason: "k6 verifies the certificates of all servers or of none; use Locust")
        }
        var script = LoadScript(steps, plan, for: engine)
        script.environment = values.environment
        return script
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
        if let problem = order.loadProblem(request, engine) {
            throw ResolveError(request: request.name, field: "load script", reason: problem)
        }
        let resolver = resolver(of: order, scope)
        var filler = LoadFiller(order: order, resolver: resolver, scope: scope, host: resolved.host)
        try request.forEachText { text throws(ResolveError) in try filler.fill(&text, &values) }
        try filler.checkHost(request.url)
        try filler.findFiles(&request)
        var losses = request.loadLosses(for: engine).filter { !$0.hasPrefix("paths of files ") }
        if !resolved.isRepeatable {
            losses.append("times, random values and files are those of the moment at which the script was written")
        }
        let limit = min(resolved.sla.value, resolved.attemptTimeout ?? resolved.sla.value)
        var step = LoadStep(request, of: order, limit: limit, losses: losses)
        values.captured.take(&step, of: order, origin: filler.origin)
        return step
    }
}

extension RunOrder {
    /// The reason why an engine cannot send a request as Ombi does; nil if it can.
    fileprivate func loadProblem(_ exported: ExportedRequest, _ engine: LoadEngine) -> String? {
        if request.isWebSocket { return "a WebSocket is not part of a load; leave it out of the selection" }
        let connection = inheritance.connection(of: request)
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
        if case .digest? = exported.credentials { return "Digest is not written for k6; use Locust" }
        if case .multipart? = exported.body { return "forms with parts are not written for k6; use Locust" }
        return exported.proxy == .environment ? nil : "k6 has no proxy of its own for a request; use Locust"
    }

}

/// The values that a load script takes from its process, from responses and from rows of data.
struct LoadValues {
    /// The names of the columns of a file of data.
    let columns: Set<String>
    /// The values that earlier requests capture.
    var captured: CapturedValues
    /// The values of the variables of the process, by name.
    private(set) var environment: [String: String] = [:]

    init(columns: Set<String>) {
        self.columns = columns
        captured = CapturedValues(besides: columns)
    }

    /// Returns a value as a variable of the process, prefixed with Ombi's name, so that no collection sets a variable
    /// with a meaning for the engine.
    mutating func variable(_ text: String, named name: String) -> String {
        let plain = name.unicodeScalars.map { scalar -> String in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? "\(scalar)" : "_"
        }
        let wanted = "OMBI_VALUE_" + plain.joined().uppercased()
        var (unique, number) = (wanted, 1)
        while let known = environment[unique], known != text {
            number += 1
            unique = "\(wanted)_\(number)"
        }
        environment[unique] = text
        return unique
    }
}

/// Fills in the texts of one request for a script: known values as text, secrets as variables of the process, captured
/// values and values of a row as variables of the script.
struct LoadFiller {
    /// Scheme, host and port.
    let origin: String
    private let order: RunOrder
    private let scope: CapturedScope
    private let overridden: Set<String>
    private var resolution: Resolution

    init(order: RunOrder, resolver: Resolver, scope: CapturedScope, host: String) {
        (self.order, self.scope) = (order, scope)
        overridden = Set(resolver.overrides.variables.map(\.name))
        resolution = Resolution(order, by: resolver)
        let parts = host.lowercased().split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        origin = parts.prefix(3).joined(separator: "/")
    }

    private func isDynamic(_ name: String) -> Bool {
        (scope.values[name]?.isSample ?? false) && !overridden.contains(name)
    }

    private func error(_ field: String, _ reason: String) -> ResolveError {
        ResolveError(request: order.request.name, field: field, reason: reason)
    }

    mutating func fill(_ text: inout ExportText, _ values: inout LoadValues) throws(ResolveError) {
        try text.replaceValues { value throws(ResolveError) in try piece(of: value, &values) }
    }

    private mutating func piece(
        of value: ExportValue, _ values: inout LoadValues
    ) throws(ResolveError) -> ExportText.Piece {
        let expression: TemplateExpression
        switch value.source {
        case .secret(let text): return try secret(text, value, &values)
        case .template(let template): expression = template
        }
        if case .variable(let name) = expression.value, isDynamic(name) {
            var value = value
            value.name = try scriptName(of: name, values)
            return .value(value)
        }
        let filled = try resolution.fill(expression.description, "load script")
        let isComputed = expression.names.contains(where: isDynamic)
        if isComputed || scope.values.keys.contains(where: { isDynamic($0) && filled.contains("{{\($0)}}") }) {
            throw error(
                value.template,
                "it is computed from a captured value or a row of data, which a script cannot; "
                    + "write the value itself, or send it with ombi run")
        }
        let isSecret =
            resolution.redactor.redact(filled) != filled
            || !SecretDetector.find(in: filled, named: value.name).isEmpty
        return isSecret ? try secret(filled, value, &values) : .text(filled)
    }

    private func secret(
        _ text: String, _ value: ExportValue, _ values: inout LoadValues
    ) throws(ResolveError) -> ExportText.Piece {
        guard !text.utf8.contains(0) else {
            throw error(value.braces, "it has a byte 0, which no variable of a process can have")
        }
        var variable = ExportValue(secret: "", named: values.variable(text, named: value.name))
        variable.encoding = value.encoding
        return .value(variable)
    }

    /// Returns the name of a captured value or a column in the script.
    private func scriptName(of name: String, _ values: LoadValues) throws(ResolveError) -> String {
        guard !values.columns.contains(name) else { return name }
        guard let captured = values.captured.value(named: name, for: order) else {
            throw error("{{\(name)}}", "a script cannot capture it from the response; ombi run can")
        }
        guard !captured.isSecret || captured.origin == origin else {
            throw error("{{\(name)}}", "it is a secret of another server, which a script does not send elsewhere")
        }
        return captured.name
    }

    /// Throws for an address whose host is not known before.
    func checkHost(_ url: ExportText) throws(ResolveError) {
        var slashes = 0
        for piece in url.pieces {
            switch piece {
            case .text(let text): slashes += text.count { $0 == "/" }
            case .value(let value):
                guard slashes < 3, case .template = value.source else { break }
                throw error("path", "\(value.braces) would decide the host; ombi run sends it")
            }
            if slashes >= 3 { return }
        }
    }

    /// Makes the paths of files absolute.
    func findFiles(_ request: inout ExportedRequest) throws(ResolveError) {
        switch request.body {
        case .file(let path): request.body = .file(try absolute(path))
        case .multipart(var parts):
            for index in parts.indices {
                if let file = parts[index].file { parts[index].file = try absolute(file) }
            }
            request.body = .multipart(parts)
        case .text, .form, nil: break
        }
    }

    private func absolute(_ path: ExportText) throws(ResolveError) -> ExportText {
        guard let plain = path.plain else { throw error("body", "the path of a file is not known before it is sent") }
        let place = RelativePath.resolve(plain, folder: order.folder)
        return ExportText(plain: Workspace.real(place) ?? place)
    }
}
