/// The levels that a request inherits from, the nearest first: its folders, the environment, the collection.
package struct Inheritance: Sendable, Equatable {
    /// The settings of one level.
    package struct Level: Sendable, Equatable {
        package var source: Provenance
        package var settings: SharedSettings
        /// True for headers and credentials that go to the environment's host only.
        var staysAtHost = false
    }

    package var levels: [Level]
    private let host: String?
    private let folders: [Folder]

    /// - Parameter folders: those of the request, the outermost first; nil for a request that is not in the collection. It
    ///   gets the headers and the credentials of the collection at the environment's host only, wherever else it may go.
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

    /// The policy that applies where the request sets nothing.
    package var policy: RequestPolicy {
        levels.reversed().reduce(RequestPolicy()) { ($1.settings.policy ?? RequestPolicy()).merging(over: $0) }
    }

    /// The objective that applies where the request sets nothing.
    package var objective: Objective {
        levels.reversed().reduce(Objective()) { ($1.settings.objective ?? Objective()).merging(over: $0) }
    }

    /// The objective of a request on these levels.
    package func objective(of request: SavedRequest) -> Objective {
        (request.objective ?? Objective()).merging(over: objective)
    }

    /// The traces of a request on these levels. What an environment says of them holds at its host only.
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

/// Decides which headers and credentials of several levels are sent, from the nearest level on: a name belongs to the first
/// level that has it, and credentials are those of the first level that says anything of them.
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

    /// Returns the credentials of a level if it decides on them. None at all leave no place for an `Authorization` of the
    /// levels behind it.
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
    /// Returns a part of the connection of a request that a level gives, as a text; nil where the request or none sets it.
    package func connection(_ field: FieldDescriptor<SavedConnection>, of request: SavedRequest) -> Inherited<String>? {
        let levels = connections(of: request, isForeign: isForeign(request))
        return levels.setting(field).flatMap { $0.source == .request ? nil : $0 }
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

    /// Returns a part of the merged connection with its level. What a farther level sets counts only where the merged
    /// connection has it: the key of a certificate comes from the level of the certificate.
    func setting(_ field: FieldDescriptor<SavedConnection>) -> Inherited<String>? {
        guard let text = SavedConnection.text(of: field, in: merged),
            let level = first(where: { SavedConnection.text(of: field, in: $0.value) != nil })
        else { return nil }
        return Inherited(value: text, source: level.source)
    }
}
