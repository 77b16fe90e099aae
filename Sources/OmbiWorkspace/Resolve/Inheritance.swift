/// The levels that a request inherits from, the nearest first: its folders, the environment, the collection.
package struct Inheritance: Sendable, Equatable {
    package struct Level: Sendable, Equatable {
        package var source: Provenance
        package var settings: SharedSettings
        /// True for headers and credentials that go to the environment's host only.
        var staysAtHost = false
    }

    package var levels: [Level]
    private let host: String?
    private let folders: [Folder]

    /// - Parameter folders: The folders of the request, the outermost first; nil for a request outside the collection,
    ///   which gets the collection's headers and credentials at the environment's host only.
    package init(_ collection: Collection, folders: [Folder]?, environment: Environment?) {
        self.folders = folders ?? []
        host = environment.map { RequestTarget.host($0.host) }
        levels = self.folders.reversed().map { Level(source: .folder($0.name, $0.id), settings: $0.settings) }
        levels += environment?.ownLayers.map(Self.level) ?? []
        levels.append(Level(source: .collection, settings: collection.settings, staysAtHost: folders == nil))
    }

    /// An environment alone.
    init(_ environment: Environment?) {
        folders = []
        host = environment.map { RequestTarget.host($0.host) }
        levels = environment?.ownLayers.map(Self.level) ?? []
    }

    private static func level(of environment: Environment) -> Level {
        var settings = SharedSettings(
            variables: environment.variables, headers: environment.additionalHeaders,
            authentication: environment.authentication, policy: environment.policy,
            connection: environment.connection)
        settings.isAuthenticationLocal = environment.isLocal
        settings.objective = environment.objective
        settings.trace = environment.trace
        return Level(source: .environment(environment.name), settings: settings, staysAtHost: true)
    }

    /// The variables of the folders, the outermost folder first.
    var folderVariables: [(variables: [Variable], source: Provenance)] {
        folders.map { ($0.settings.variables, .folder($0.name, $0.id)) }
    }

    /// The policy for settings that the request omits.
    package var policy: RequestPolicy {
        levels.reversed().reduce(RequestPolicy()) { ($1.settings.policy ?? RequestPolicy()).merging(over: $0) }
    }

    /// The objective for settings that the request omits.
    package var objective: Objective {
        levels.reversed().reduce(Objective()) { ($1.settings.objective ?? Objective()).merging(over: $0) }
    }

    func policy(of request: SavedRequest) -> RequestPolicy {
        (request.policy ?? RequestPolicy()).merging(over: policy)
    }

    package func objective(of request: SavedRequest) -> Objective {
        (request.objective ?? Objective()).merging(over: objective)
    }

    /// The traces of a request on these levels. Settings of an environment apply at its host only.
    package func trace(of request: SavedRequest, isForeign: Bool = false) -> SavedTrace {
        let inherited = levels(isForeign: isForeign).reversed().reduce(SavedTrace()) { base, level in
            level.settings.trace?.merging(over: base) ?? base
        }
        return request.trace?.merging(over: inherited) ?? inherited
    }

    /// The nearest level that sets a part of the policy.
    package func source<Value>(of setting: KeyPath<RequestPolicy, Value?>) -> Provenance? {
        levels.first { $0.settings.policy?[keyPath: setting] != nil }?.source
    }

    /// The levels whose headers and credentials a request gets.
    func levels(isForeign: Bool) -> [Level] { isForeign ? levels.filter { !$0.staysAtHost } : levels }
}

/// A header or the credentials of another level that are sent with a request.
/// Without a requirement on its value: each one is looked up among all conformances of the program when the type is first used.
package struct Inherited<Value> {
    package var value: Value
    package var source: Provenance
}

extension Inherited: Sendable where Value: Sendable {}
extension Inherited: Equatable where Value: Equatable {}

extension Inheritance {
    /// Returns the inherited headers that are sent with a request, and the credentials, as `headers(sentWith:)` and
    /// `authentication(of:)` do.
    package func sent(
        with request: SavedRequest
    ) -> (headers: [Inherited<Field>], authentication: Inherited<SavedAuthentication>?) {
        var precedence = HeaderPrecedence()
        var headers: [Inherited<Field>] = []
        var credentials: Inherited<SavedAuthentication>?
        let isBound = levels.contains { $0.staysAtHost }
        for level in [request.level] + levels(isForeign: isBound && isForeign(request)) {
            let fields = precedence.take(level.settings.headers.filter(\.enabled))
            if level.source != .request { headers += fields.map { Inherited(value: $0, source: level.source) } }
            if let authentication = precedence.decide(level.settings.authentication),
                precedence.takes(authentication.headerKey)
            {
                credentials = Inherited(value: authentication, source: level.source)
            }
            if level.source == .request, request.body != nil { _ = precedence.takes(.contentType) }
        }
        return (headers, credentials)
    }

    /// Returns the inherited headers that are sent with a request, without filling in templates.
    package func headers(sentWith request: SavedRequest) -> [Inherited<Field>] { sent(with: request).headers }

    /// Returns the credentials that are sent with a request and their level; nil for none, and for credentials that give
    /// way to a header.
    package func authentication(of request: SavedRequest) -> Inherited<SavedAuthentication>? {
        sent(with: request).authentication
    }

    /// True for a request that may go to another origin than the environment's.
    func isForeign(_ request: SavedRequest) -> Bool {
        let target = request.target
        guard target.isURL else { return false }
        // A template may stand for any origin.
        guard let host, let origin = Origin(target.text) else { return true }
        return origin != Origin(host)
    }
}

extension SavedRequest {
    /// The request itself as the nearest level.
    var level: Inheritance.Level {
        Inheritance.Level(
            source: .request,
            settings: SharedSettings(
                headers: sentHeaders, authentication: authentication, policy: policy, connection: connection))
    }
}

/// Decides which headers and credentials of several levels are sent, from the nearest level on: a name belongs to the
/// first level that has it, and credentials come from the first level that sets them.
struct HeaderPrecedence {
    /// Few, and before the first frame: a list does without the conformances that a set looks up.
    private var taken: [RequestHeaders.Key] = []
    private var isDecided = false

    /// Returns the fields of a level that no nearer one has.
    mutating func take(_ fields: [Field]) -> [Field] {
        let free = fields.filter { !has(.init($0.name)) }
        taken += free.map { .init($0.name) }
        return free
    }

    func has(_ key: RequestHeaders.Key) -> Bool { taken.contains(key) }

    /// Returns the credentials of a level if it decides on them. Explicitly none also excludes an `Authorization` of
    /// the levels after it.
    mutating func decide(_ authentication: SavedAuthentication?) -> SavedAuthentication? {
        guard !isDecided, let authentication else { return nil }
        isDecided = true
        guard authentication == .noAuthentication else { return authentication }
        taken.append(.authorization)
        return nil
    }

    /// Takes the header of credentials or a body; false if a header that is written out has the name. Credentials without
    /// a header are always sent.
    mutating func takes(_ key: RequestHeaders.Key?) -> Bool {
        guard let key else { return true }
        guard !has(key) else { return false }
        taken.append(key)
        return true
    }
}

extension Inheritance {
    /// Returns a part of the connection of a request that a level provides, as a text; nil if the request or no level
    /// sets it.
    package func connection(_ field: FieldDescriptor<SavedConnection>, of request: SavedRequest) -> Inherited<String>? {
        let levels = connections(of: request, isForeign: isForeign(request))
        return levels.setting(field).flatMap { $0.source == .request ? nil : $0 }
    }

    func connection(of request: SavedRequest) -> SavedConnection {
        connections(of: request, isForeign: isForeign(request)).merged
    }

    /// The connections of a request and its levels, the nearest first.
    func connections(of request: SavedRequest, isForeign: Bool) -> [Inherited<SavedConnection>] {
        let own = request.connection.map { Inherited(value: $0, source: Provenance.request) }
        return [own].compactMap { $0 } + connections(isForeign: isForeign)
    }

    private func connections(isForeign: Bool) -> [Inherited<SavedConnection>] {
        levels.compactMap { level in
            level.settings.connection.map {
                Inherited(value: isForeign && level.staysAtHost ? $0.foreign : $0, source: level.source)
            }
        }
    }
}

extension [Inherited<SavedConnection>] {
    var merged: SavedConnection { reversed().reduce(SavedConnection()) { $1.value.merging(over: $0) } }

    /// Returns a part of the merged connection with its level. A farther level counts only for parts of the merged
    /// connection: the key of a certificate comes from the level of the certificate.
    func setting(_ field: FieldDescriptor<SavedConnection>) -> Inherited<String>? {
        guard let text = SavedConnection.text(of: field, in: merged),
            let level = first(where: { SavedConnection.text(of: field, in: $0.value) != nil })
        else { return nil }
        return Inherited(value: text, source: level.source)
    }
}

/// Environments that inherit from one another.
extension Collection {
    /// The environment of that name with everything that it inherits; nil if there is none.
    package func environment(named name: String) -> Environment? {
        allEnvironments.first { $0.name == name }.map(effective)
    }

    package func effective(_ environment: Environment) -> Environment {
        let layers = layers(of: environment)
        guard layers.count > 1 || layers.first != environment else { return environment }
        var effective = Environment(layers: layers)
        (effective.name, effective.isAbstract) = (environment.name, environment.isAbstract)
        return effective
    }

    /// False if an environment, or one that it inherits from, excludes its runs from the history. It is asked of each run:
    /// nothing is merged for it.
    func isRecorded(in name: String?) -> Bool {
        let all = allEnvironments
        guard let place = all.firstIndex(where: { $0.name == name }) else { return true }
        guard !overlay.isEmpty || all[place].inherits != nil else { return all[place].isRecorded }
        return layers(of: all[place]).allSatisfy(\.isRecorded)
    }

    /// The environments that requests can be sent to, with everything that they inherit.
    package var choosableEnvironments: [Environment] { allEnvironments.filter { !$0.isAbstract }.map(effective) }

    /// The environment to use if none is chosen; nil if one must be.
    package var defaultEnvironment: Environment? {
        overlay.awaitsEnvironment ? nil : allEnvironments.first { !$0.isAbstract }.map(effective)
    }

    /// True for the name of an environment that requests can be sent to.
    package func canChoose(environment name: String?) -> Bool {
        allEnvironments.contains { $0.name == name && !$0.isAbstract }
    }

    /// The environments that an environment inherits from, the nearest first, without merging.
    package func ancestors(of environment: Environment) -> [Environment] {
        var found: [Environment] = []
        var next = environment.inherits
        while let name = next, name != environment.name, found.count < Self.maximumAncestors,
            !found.contains(where: { $0.name == name }),
            let parent = allEnvironments.first(where: { $0.name == name })
        {
            found.append(parent)
            next = parent.inherits
        }
        return found
    }

    /// The most environments that one inherits from.
    private static let maximumAncestors = 100

    func layers(of environment: Environment) -> [Environment] {
        overlaid([environment] + ancestors(of: environment))
    }

    /// The names of the environments that inherit from another one directly.
    package func heirs(of name: String) -> [String] { environments.filter { $0.inherits == name }.map(\.name) }

    /// Throws for an environment with invalid inheritance.
    package func checkInheritance(of name: String) throws(FieldError) {
        guard let environment = environments.first(where: { $0.name == name }),
            let problem = inheritanceProblem(of: environment)
        else { return }
        throw FieldError(problem.message)
    }

    func inheritanceProblem(of environment: Environment) -> (key: String, message: String)? {
        let layers = [environment] + ancestors(of: environment)
        if let last = layers.last, let name = last.inherits {
            // Reported as it was read.
            if name.isEmpty { return nil }
            guard allEnvironments.contains(where: { $0.name == name }) else {
                // Reported where it is written.
                if layers.count > 1 { return nil }
                let known = environments.map(\.name).filter { $0 != environment.name }
                return ("inherits", "there is no environment \"\(name)\"" + Spelling.suggestion(for: name, in: known))
            }
            let path = TemplateError.way(layers.map(\.name) + [name])
            if layers.count > Self.maximumAncestors, !layers.contains(where: { $0.name == name }) {
                return (
                    "inherits", "the environment inherits through more than \(Self.maximumAncestors) levels: \(path)"
                )
            }
            return ("inherits", "the environment inherits from itself: \(path)")
        }
        guard !environment.isAbstract, layers.allSatisfy({ $0.host.isEmpty }), environment.inherits != nil else {
            return nil
        }
        return ("host", "it is missing, and no environment that this one inherits from has one")
    }
}

extension Environment {
    /// The environments that were merged into this one, the nearest first; only itself without inheritance.
    package var ownLayers: [Environment] { layers.isEmpty ? [self] : layers }

    /// Creates an environment from itself and those that it inherits from, the nearest first. Protection, verification
    /// of certificates and exclusion from the history cannot be undone; for other settings, the nearest one decides.
    init(layers: [Environment]) {
        self = layers.first ?? Environment(name: "", host: "")
        inherits = nil
        host = layers.first { !$0.host.isEmpty }?.host ?? ""
        protected = layers.contains(where: \.protected)
        verifyTLS = layers.allSatisfy(\.verifyTLS)
        isRecorded = layers.allSatisfy(\.isRecorded)
        var precedence = HeaderPrecedence()
        additionalHeaders = layers.flatMap { precedence.take($0.additionalHeaders.filter(\.enabled)) }
        let nearest = layers.first { $0.authentication != nil }
        authentication = nearest?.authentication
        unknownInAuthentication = nearest?.unknownInAuthentication ?? UnknownMembers()
        let policies = layers.compactMap(\.policy)
        policy = policies.isEmpty ? nil : policies.reduce(RequestPolicy()) { $0.merging(over: $1) }
        let objectives = layers.compactMap(\.objective)
        objective = objectives.isEmpty ? nil : objectives.reduce(Objective()) { $0.merging(over: $1) }
        let traces = layers.compactMap(\.trace)
        trace = traces.dropFirst().reduce(traces.first) { $0?.merging(over: $1) }
        let connections = layers.compactMap(\.connection)
        connection = connections.dropFirst().reduce(connections.first) { $0?.merging(over: $1) }
        (variables, secrets) = ([], [])
        for layer in layers.reversed() { inherit(layer) }
        self.layers = layers
    }

    /// Lays the variables and secrets of a nearer environment over those so far.
    private mutating func inherit(_ layer: Environment) {
        let names = Set(layer.variables.filter(\.enabled).map(\.name) + layer.secrets.map(\.name))
        variables = variables.filter { !names.contains($0.name) } + layer.variables.filter(\.enabled)
        secrets = secrets.filter { !names.contains($0.name) } + layer.secrets
    }
}
