/// The host of a collection's requests, and the settings that apply there: becomes one `RequestManager`.
package struct Environment: Sendable, Equatable {
    package var name: String
    /// The base URL of every path: `https://api.example.com/v2`; empty where it is inherited.
    package var host: String
    /// The name of the environment that it takes everything from that it does not set itself.
    package var inherits: String?
    /// True for one that others inherit from, and that no request goes to.
    package var isAbstract: Bool
    /// The path of a `.env` file, whose values are secrets; a relative one starts at the folder of the collection.
    package var envFile: String?
    /// True when requests with an unsafe method need the name of the environment typed.
    package var protected: Bool
    /// False for test servers with an untrusted certificate.
    package var verifyTLS: Bool
    /// Headers of every request to this host, in order.
    package var additionalHeaders: [Field]
    package var variables: [Variable]
    package var secrets: [Secret]
    /// The credentials of requests to this host that have none of their own, nor from a folder.
    @Rare package var authentication: SavedAuthentication?
    @Rare package var policy: RequestPolicy?
    @Rare package var connection: SavedConnection?
    @Rare package var objective: Objective?
    @Rare package var trace: SavedTrace?
    /// False for one whose runs are not kept in the history.
    package var isRecorded = true
    package var unknown = UnknownMembers()
    var unknownInAuthentication = UnknownMembers()
    /// True for one of `NAME.local.json`, which belongs to this machine.
    var isLocal = false
    /// The environments that this one was made of, the nearest first, where it inherits anything. No file holds them.
    var layers: [Environment] = []

    package init(
        name: String, host: String, protected: Bool = false, verifyTLS: Bool = true,
        additionalHeaders: [Field] = [], variables: [Variable] = [], secrets: [Secret] = [],
        authentication: SavedAuthentication? = nil, policy: RequestPolicy? = nil,
        connection: SavedConnection? = nil, inherits: String? = nil, isAbstract: Bool = false
    ) {
        self.name = name
        self.host = host
        self.inherits = inherits
        self.isAbstract = isAbstract
        self.protected = protected
        self.verifyTLS = verifyTLS
        self.additionalHeaders = additionalHeaders
        self.variables = variables
        self.secrets = secrets
        self.authentication = authentication
        self.policy = policy
        self.connection = connection
    }
}

extension Environment: SavedObject, SettingLevel {
    static let members = Members<Environment>(address, values, settings, [record])

    private static let address: [Member<Environment>] = [
        .name(
            "name", "The name of the environment.", isRequired: true, content: .unsent, { $0.name = $1 }, { $0.name }),
        .flag(
            "abstract", "True for an environment that others inherit from, and that no request goes to.",
            default: false,
            { $0.isAbstract = $1 }, { $0.isAbstract }),
        .name(
            "inherits", "The name of the environment that gives everything that this one does not set.",
            content: .unsent, { $0.inherits = $1 }, { $0.inherits }),
        Member(
            "host", Schema.text("The base URL of every path: https://api.example.com/v2"),
            content: .templates, read: { $0.host = $1.string($2, problem: HostText.problem) ?? "" },
            write: { $0.host.isEmpty && !$0.needsHost ? nil : .string($0.host) }),
        .name(
            "envFile",
            "The path of a .env file, whose values are secrets; a relative one starts at the folder of this file.",
            content: .unsent, { $0.envFile = $1 }, { $0.envFile }),
        .flag(
            "protected", "Unsafe methods are sent only once the name of the environment has been typed.",
            default: false,
            { $0.protected = $1 }, { $0.protected }),
        .flag(
            "verifyTLS", "False accepts untrusted certificates, for test servers.", default: true,
            { $0.verifyTLS = $1 }, { $0.verifyTLS }),
    ]

    private static let values: [Member<Environment>] = [
        Member(
            "additionalHeaders", Schema.reference("namedValues", "Headers of every request to this host."),
            content: .headers, read: { $0.additionalHeaders = $1.fields($2) },
            write: { JSONValue.named($0.additionalHeaders) }),
        Member(
            "variables",
            Schema.reference(
                "namedValues", "The values of {{name}} in this environment; they override those of the collection."),
            content: .variables, read: { $0.variables = $1.fields($2) }, write: { JSONValue.named($0.variables) }),
        Member(
            "secrets", Schema.reference("secrets"), content: .unsent,
            read: { $0.secrets = $1.named($2, of: Secret.self) },
            write: { JSONValue.named($0.secrets) }),
        .authentication(),
    ]

    private static let settings = Member<Environment>.settings(
        policy: "Retries and time limits of requests to this host.", connection: "The way to this host.",
        objective: "The success that is promised at this host.", traced: "requests to this host")

    private static let record = Member<Environment>.flag(
        "record", "False leaves the runs in this environment out of the history.", default: true,
        { $0.isRecorded = $1 }, { $0.isRecorded })

    /// The JSON Schema of one that stands by itself: something gives it a host.
    static var schema: JSONValue {
        members.schema(
            "A host, and the settings of requests to it.",
            rules: [
                "anyOf": [
                    ["required": ["host"]], ["required": ["inherits"]],
                    ["required": ["abstract"], "properties": ["abstract": ["const": true]]],
                ]
            ])
    }

    /// True where nothing else can give it a host.
    var needsHost: Bool { inherits == nil && !isAbstract }

    init(reading object: ObjectReader) { self.init(reading: object, isPart: false) }

    /// - Parameter isPart: true for what is laid over an environment of the same name.
    init(reading object: ObjectReader, isPart: Bool) {
        self.init(name: "", host: "")
        unknown = object.read(Self.members, into: &self)
        if !isPart, needsHost, !object.has("host") { object.missing("host") }
    }
}

/// The credentials of an environment as rows of a table.
extension Environment {
    /// The kind, and the fields of all kinds.
    static let authenticationFields: [FieldDescriptor<Environment>] =
        [
            FieldDescriptor("authentication", choices: SavedAuthentication.choices) {
                $0.authentication?.kind.rawValue ?? "inherit"
            } write: { environment, name in
                let kind = SavedAuthentication.Kind(rawValue: name)
                if kind != environment.authentication?.kind {
                    environment.authentication = kind.map(SavedAuthentication.init)
                }
            }
        ]
        + SavedAuthentication.Kind.allCases.flatMap { kind in
            kind.descriptors.map { field in
                field.nested(label: "\(kind.rawValue) \(field.label)") {
                    $0.authentication
                } set: {
                    $0.authentication = $1
                }
            }
        }

    /// The indices of the fields of authentication that any of these environments has.
    package static func authenticationRows(of environments: [Environment]) -> [Int] {
        let start = fields.count - authenticationFields.count - originFields.count
        let kinds = Set(environments.compactMap { $0.authentication?.kind })
        let owners = SavedAuthentication.Kind.allCases.flatMap { kind in kind.descriptors.map { _ in kind } }
        return [start] + owners.indices.filter { kinds.contains(owners[$0]) }.map { start + 1 + $0 }
    }
}

/// The connection of an environment as rows of a table.
extension Environment {
    static let connectionFields = SavedConnection.fields.map { field in
        FieldDescriptor<Environment>(
            field.label, choices: field.choices, isPath: field.isPath, isSecret: field.isSecret
        ) {
            field.read($0.connection ?? SavedConnection())
        } write: { environment, text throws(FieldError) in
            var connection = environment.connection ?? SavedConnection()
            try field.write(&connection, text)
            environment.connection = connection == SavedConnection() ? nil : connection
        }
    }

    package static let connectionRows: Range<Int> = {
        let start = ownFieldCount + RequestPolicy.fields.count
        return start..<start + connectionFields.count
    }()
}

/// The environments of a collection as a table, and its changes.
extension Collection {
    /// The rows of a list that any environment has, in the order in which they come first.
    package func environmentRows(of list: EnvironmentPart.List) -> [EnvironmentPart] {
        var rows: [EnvironmentPart] = []
        for environment in environments {
            var seen: [String] = []
            for name in environment.names(in: list) {
                let place = seen.count { EnvironmentPart.isSame($0, name, in: list) }
                seen.append(name)
                let isKnown = rows.contains { row in
                    guard case .row(_, let other, let otherPlace) = row else { return false }
                    return place == otherPlace && EnvironmentPart.isSame(name, other, in: list)
                }
                if !isKnown { rows.append(.row(list, name: name, place: place)) }
            }
        }
        return rows
    }

    /// Throws for a name that a new row of the list cannot have.
    package func checkRowName(_ name: String, in list: EnvironmentPart.List) throws(FieldError) {
        switch list {
        case .headers: try Field.checkHeaderName(name)
        case .variables, .secrets: try Field.checkVariableName(name)
        }
    }

    /// Renames a row in every environment that has it.
    package mutating func rename(_ part: EnvironmentPart, to name: String) throws(FieldError) {
        guard case .row(let list, let old, _) = part else { return }
        try checkRowName(name, in: list)
        let isTaken =
            !EnvironmentPart.isSame(name, old, in: list)
            && environments.contains { $0.names(in: list).contains { EnvironmentPart.isSame($0, name, in: list) } }
        if isTaken { throw FieldError("there is a \(list.noun) \(name) already") }
        for index in environments.indices { environments[index].rename(part, to: name) }
    }

    /// Throws for a name that an environment cannot have: an empty one, or that of another environment.
    package func checkEnvironmentName(_ name: String, besides old: String? = nil) throws(FieldError) {
        if name.allSatisfy({ $0 == " " }) { throw FieldError("an environment needs a name") }
        if name != old, environment(named: name) != nil { throw FieldError("there is an environment \(name) already") }
    }

    package func copyName(ofEnvironment name: String) -> String {
        var names = UniqueNames(Set(allEnvironments.map(\.name)), separator: " ")
        return names.take("\(name) copy")
    }

    /// The name of the environment that takes the place of one of an earlier version of the collection: itself, or its
    /// new name. That of one that is gone stays: no other is chosen in its place. Without a name it is the first, where
    /// one is chosen by itself.
    package func environmentName(following name: String?, in earlier: Collection) -> String? {
        guard let name else {
            return overlay.awaitsEnvironment ? nil : allEnvironments.first { !$0.isAbstract }?.name
        }
        return canChoose(environment: name) ? name : newName(ofEnvironment: name, in: earlier) ?? name
    }

    /// The new name of an environment of which nothing else has changed; nil where there is none.
    private func newName(ofEnvironment name: String, in earlier: Collection) -> String? {
        guard environments.count == earlier.environments.count,
            let index = earlier.environments.firstIndex(where: { $0.name == name }), !environments[index].isAbstract
        else { return nil }
        var renamed = earlier.environments[index]
        renamed.name = environments[index].name
        return renamed == environments[index] ? renamed.name : nil
    }
}

extension Collection {
    /// Logs the errors between environments: names that occur twice, and parents that cannot be.
    func checkEnvironments(in object: ObjectReader) {
        guard let values = object.value("environments")?.elements, values.count == environments.count else { return }
        for (index, value) in values.enumerated() {
            let environment = environments[index]
            // A few: the first set of a program costs a start more than looking through them.
            guard !environments[..<index].contains(where: { $0.name == environment.name }) else {
                let name = JSONValue.quoted(environment.name)
                object.log.error(at: value.offset, "there are two environments named \(name)")
                continue
            }
            if let problem = inheritanceProblem(of: environment) {
                ObjectReader(value)?.error(problem.key, problem.message)
            }
        }
    }
}
