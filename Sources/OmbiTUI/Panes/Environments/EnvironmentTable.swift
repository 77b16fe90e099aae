/// The environments of a collection as a table: a column for each, a row for each part that one of them has.
struct EnvironmentTable: Equatable, Sendable {
    enum Row: Equatable, Sendable {
        /// A title, of the policy and the connection without a list.
        case heading(String, EnvironmentPart.List?)
        case part(EnvironmentPart)

        var part: EnvironmentPart? { if case .part(let part) = self { part } else { nil } }

        var list: EnvironmentPart.List? {
            switch self {
            case .heading(_, let list): list
            case .part(let part): part.list
            }
        }
    }

    private(set) var environments: [Environment] = []
    private(set) var rows: [Row] = []
    private(set) var uses = VariableUses()
    private(set) var active: String?
    /// Variables, policy and connection of the collection, which hold where an environment sets none.
    private var variables: [Variable] = []
    private var policy: RequestPolicy?
    private var connection: SavedConnection?
    /// The environments that each inherits from, the nearest first.
    private var ancestors: [String: [Environment]] = [:]
    /// The parts that this machine lays over them, and the sources of the secrets of each with all that it inherits.
    private var overlay = CollectionOverlay()
    private var secretSources: [String: [String: Secret.Source]] = [:]
    /// The variables that the command line sets.
    private var overrides: [String: String] = [:]

    init() {}

    /// - Parameters:
    ///   - overrides: the variables that the command line sets.
    ///   - draft: a row that no environment has yet.
    init(
        _ collection: Collection, uses: VariableUses, active: String?, overrides: [String: String] = [:],
        draft: EnvironmentPart?
    ) {
        self.overrides = overrides
        environments = collection.environments
        self.uses = uses
        self.active = active
        variables = collection.allVariables.filter(\.enabled)
        policy = collection.policy
        connection = collection.connection
        overlay = collection.overlay
        let sources = collection.environments.map { environment in
            let secrets = collection.effective(environment).secrets.map { ($0.name, $0.source) }
            return (environment.name, Dictionary(secrets) { $1 })
        }
        secretSources = Dictionary(sources) { first, _ in first }
        ancestors = Dictionary(
            collection.environments.map { ($0.name, collection.ancestors(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        let fields = Environment.fields.indices.map { Row.part(.field($0)) }
        let lists = EnvironmentPart.List.allCases.flatMap { list -> [Row] in
            let rows = Self.rows(of: list, in: collection, uses, draft).map(Row.part)
            return [.heading(list.noun.asSentence + "s", list)] + rows
        }
        rows =
            Array(fields.prefix(Environment.ownFieldCount)) + lists + [.heading("Policy", nil)]
            + Array(fields.dropFirst(Environment.ownFieldCount).prefix(RequestPolicy.fields.count))
            + Environment.authenticationRows(of: collection.environments).map { fields[$0] }
            + Array(fields[Environment.originRows])
            + [.heading("Connection", nil)] + Array(fields[Environment.connectionRows])
    }

    /// Variables include those of the collection, and those that requests use and no environment has.
    private static func rows(
        of list: EnvironmentPart.List, in collection: Collection, _ uses: VariableUses, _ draft: EnvironmentPart?
    ) -> [EnvironmentPart] {
        var rows = collection.environmentRows(of: list)
        if list == .variables {
            let secrets = Set(collection.environments.flatMap(\.secrets).map(\.name))
            let missing = Set(uses.undefined.values.joined()).subtracting(secrets).sorted()
            let captured = uses.captured.keys.sorted()
            let others = collection.variables.filter(\.enabled).map(\.name) + missing + captured
            for name in others where !rows.contains(.row(list, name: name)) { rows.append(.row(list, name: name)) }
        }
        if list == .secrets, !collection.overlay.isEmpty {
            let names = collection.environments.flatMap { collection.effective($0).secrets.map(\.name) }
            for name in names where !rows.contains(.row(list, name: name)) { rows.append(.row(list, name: name)) }
        }
        if let draft, draft.list == list, !rows.contains(draft) { rows.append(draft) }
        return rows
    }

    // MARK: Cells

    struct Cell: Equatable {
        var spans: [Span]
        var text: String { spans.map(\.text).joined() }

        init(_ text: String, _ role: Role = .plain) { spans = text.isEmpty ? [] : [Span(text: text, role: role)] }
        init(spans: [Span]) { self.spans = spans }
    }

    /// - Parameter problem: returns the reason why a source of a secret has no value, "" for one that has, and nil before
    ///   that is known.
    func cell(_ part: EnvironmentPart, of environment: Environment, problem: (Secret.Source) -> String?) -> Cell {
        if part.list == .variables, let value = overrides[part.label] {
            // That of a secret may be one.
            let isSecret = secretSources.values.contains { $0[part.label] != nil }
            return Cell(spans: [
                Span(text: isSecret ? LogMask.mask : value, role: .plain), Span(text: " --set", role: .dim),
            ])
        }
        if let mine = overlay.environments.first(where: { $0.name == environment.name }), mine.sets(part) {
            return Cell(spans: own(part, of: mine, problem).spans + [Span(text: " local file", role: .dim)])
        }
        if let (parent, cell) = inherited(part, by: environment, problem) {
            return Cell(
                spans: [Span(text: "↑ ", role: .inherited)]
                    + cell.spans.map { Span(text: $0.text, role: $0.role == .plain ? .inherited : $0.role) }
                    + [Span(text: " \(parent)", role: .dim)])
        }
        return own(part, of: environment, problem)
    }

    /// The name of the environment from which another one has a part, and its cell there; nil for a part of its own.
    private func inherited(
        _ part: EnvironmentPart, by environment: Environment, _ problem: (Secret.Source) -> String?
    ) -> (name: String, cell: Cell)? {
        guard let ancestors = ancestors[environment.name], !ancestors.isEmpty, !environment.sets(part) else {
            return nil
        }
        // A secret and a variable of one name are the same to those who use them.
        if part.list == .variables || part.list == .secrets, environment.defines(part.label) { return nil }
        guard let parent = ancestors.first(where: { $0.sets(part) }) else { return nil }
        return (parent.name, own(part, of: parent, problem))
    }

    /// The environment from which another one has a part; nil for a part of its own.
    func source(of part: EnvironmentPart, for environment: Environment) -> String? {
        inherited(part, by: environment) { _ in nil }?.name
    }

    private func own(
        _ part: EnvironmentPart, of environment: Environment, _ problem: (Secret.Source) -> String?
    ) -> Cell {
        switch part {
        case .field(let index): field(index, of: environment)
        case .row(.headers, _, _):
            environment.field(part).map { row($0, shown: Credentials.masked($0)) } ?? Cell("")
        case .row(.variables, let name, _):
            environment.field(part).map { row($0, shown: Credentials.masked(variable: $0)) }
                ?? missing(name, in: environment)
        case .row(.secrets, let name, _):
            environment.secret(part).map { secret($0.source, problem) } ?? beside(name, environment)
        }
    }

    private func field(_ index: Int, of environment: Environment) -> Cell {
        guard Environment.fields.indices.contains(index) else { return Cell("") }
        let field = Environment.fields[index]
        if Environment.connectionRows.contains(index) {
            return connection(SavedConnection.fields[index - Environment.connectionRows.lowerBound], of: environment)
        }
        let written = field.read(environment)
        let text =
            field.isSecret && !written.isEmpty && !written.contains("{{")
            ? LogMask.mask : Credentials.masked(url: written)
        if !field.choices.isEmpty {
            return Cell(text, field.read(Self.usual) == text ? .dim : .warning)
        }
        guard text.isEmpty, index >= Environment.ownFieldCount,
            index - Environment.ownFieldCount < RequestPolicy.fields.count, let policy
        else {
            return Cell(spans: TemplateSpans.spans(of: text, plain: .plain))
        }
        let inherited = RequestPolicy.fields[index - Environment.ownFieldCount].read(policy)
        return inherited.isEmpty ? Cell("") : Cell("↑ " + inherited, .inherited)
    }

    private func connection(_ field: FieldDescriptor<SavedConnection>, of environment: Environment) -> Cell {
        if let own = SavedConnection.text(of: field, in: environment.connection) {
            return Cell(spans: TemplateSpans.spans(of: SavedConnection.shown(field, own), plain: .plain))
        }
        guard let inherited = SavedConnection.text(of: field, in: connection) else { return Cell("") }
        return Cell("↑ " + SavedConnection.shown(field, inherited), .inherited)
    }

    /// An environment with nothing of note.
    private static let usual = Environment(name: "", host: "")

    private func row(_ field: Field, shown: String) -> Cell {
        let note = field.descriptionLine
        let spans =
            TemplateSpans.spans(of: shown, plain: field.enabled ? .plain : .dim)
            + (note.isEmpty ? [] : [Span(text: "  " + note, role: .dim)])
        return Cell(spans: field.enabled ? spans : [Span(text: "· ", role: .dim)] + spans)
    }

    /// A variable that the environment does not set.
    private func missing(_ name: String, in environment: Environment) -> Cell {
        if secretSources[environment.name]?[name] != nil { return Cell("a secret", .dim) }
        if let request = uses.captured[name]?.first { return Cell("captured by \(request)", .dim) }
        if let inherited = variables.last(where: { $0.name == name }) {
            return Cell("↑ " + Credentials.masked(variable: inherited), .inherited)
        }
        return isUndefined(name, in: environment) ? Cell("✗ undefined", .failure) : Cell("")
    }

    /// A secret of this machine: its value is in no environment of the file.
    private func beside(_ name: String, _ environment: Environment) -> Cell {
        secretSources[environment.name]?[name].map { Cell("↑ " + $0.text, .inherited) } ?? Cell("")
    }

    private func secret(_ source: Secret.Source, _ problem: (Secret.Source) -> String?) -> Cell {
        if source.isObtained { return Cell(source.text) }
        let name = Span(text: source.text, role: .plain)
        // In front, since columns are narrow.
        return switch problem(source) {
        case nil: Cell(spans: [Span(text: "… ", role: .dim), name])
        case "": Cell(spans: [Span(text: "✓ ", role: .success), name])
        case let reason?:
            Cell(spans: [Span(text: "✗ ", role: .failure), name, Span(text: " " + reason, role: .failure)])
        }
    }

    // MARK: Facts

    func isUndefined(_ name: String, in environment: Environment) -> Bool {
        uses.undefined[environment.name]?.contains(name) ?? false
    }

    func environments(lacking name: String) -> [String] {
        environments.filter { isUndefined(name, in: $0) }.map(\.name)
    }

    func places(using name: String) -> [(environment: Int, part: EnvironmentPart)] {
        environments.indices.flatMap { index in
            rows.compactMap(\.part).filter { part in
                guard part.list != .secrets, let text = environments[index].text(of: part) else { return false }
                return TemplateScanner.templates(in: Array(text.utf8)[...]).contains {
                    $0.names?.contains(name) ?? false
                }
            }.map { (index, $0) }
        }
    }
}

extension EnvironmentTable {
    /// Returns the cell that differs from that of an earlier table: of several the one in a column, or else the first.
    /// A row that is gone is where it was; the row is nil where an environment came, went or has another name.
    func change(since old: EnvironmentTable, near column: Int) -> (column: Int, row: Int?)? {
        let (names, oldNames) = (environments.map(\.name), old.environments.map(\.name))
        guard names == oldNames else { return (zip(names, oldNames).prefix { $0 == $1 }.count, nil) }
        for table in [self, old] {
            for (index, row) in table.rows.enumerated() {
                let columns = [column] + environments.indices
                if let part = row.part, let column = columns.first(where: { differs(part, from: old, in: $0) }) {
                    return (column, index)
                }
            }
        }
        return nil
    }

    private func differs(_ part: EnvironmentPart, from old: EnvironmentTable, in column: Int) -> Bool {
        environments[safe: column]?.text(of: part) != old.environments[safe: column]?.text(of: part)
    }
}
