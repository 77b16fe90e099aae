/// The requests that use each variable, and the variables that are used but have no value in an environment.
package struct VariableUses: Equatable, Sendable {
    /// The requests with a template of that name, in the order of the tree.
    package private(set) var requests: [String: [ItemID]] = [:]
    /// By the name of the environment, sorted.
    package private(set) var undefined: [String: [String]] = [:]
    /// The names of the requests that capture each variable, in the order of the tree.
    package private(set) var captured: [String: [String]] = [:]

    package init() {}

    package init(_ collection: Collection, overrides: Overrides = Overrides()) {
        var groups = [Group(variables: [:])]
        collect(collection.items, names: Self.names(in: collection.settings), group: 0, &groups)
        captured = CaptureIndex(collection).requests.mapValues { $0.map(\.name) }
        for environment in collection.choosableEnvironments {
            let collection = Self.enabled(collection.allVariables)
            let overrides = Self.enabled(overrides.variables)
            let undefined = groups.map {
                Self.undefined(among: $0.names, in: environment, collection, folders: $0.variables, overrides)
            }
            self.undefined[environment.name] = Set(undefined.joined()).filter { captured[$0] == nil }.sorted()
        }
    }

    /// Requests with the same variables of folders.
    private struct Group {
        var variables: [String: String]
        var names: Set<String> = []
    }

    /// - Parameter names: those in the headers and the credentials that all of the items inherit.
    private mutating func collect(
        _ items: [CollectionItem], names inherited: Set<String>, group: Int, _ groups: inout [Group]
    ) {
        for item in items {
            switch item {
            case .request(let request):
                let names = Self.names(in: request).union(inherited)
                let own = Self.enabled(request.variables)
                if own.isEmpty {
                    groups[group].names.formUnion(names)
                } else {
                    let variables = groups[group].variables.merging(own) { $1 }
                    groups.append(Group(variables: variables, names: names))
                }
                for name in names { requests[name, default: []].append(request.id) }
            case .folder(let folder):
                let own = Self.enabled(folder.settings.variables)
                var inner = group
                if !own.isEmpty {
                    inner = groups.count
                    groups.append(Group(variables: groups[group].variables.merging(own) { $1 }))
                }
                collect(
                    folder.items, names: inherited.union(Self.names(in: folder.settings)), group: inner, &groups)
            }
        }
    }

    private static func enabled(_ variables: [Variable]) -> [String: String] {
        Dictionary(variables.filter(\.enabled).map { ($0.name, $0.value) }) { $1 }
    }

    private static func undefined(
        among used: Set<String>, in environment: Environment, _ collection: [String: String],
        folders: [String: String], _ overrides: [String: String]
    ) -> [String] {
        let nearest = folders.merging(overrides) { $1 }
        let values = collection.merging(enabled(environment.variables)) { $1 }.merging(nearest) { $1 }
        let secrets = Set(environment.secrets.map(\.name)).subtracting(nearest.keys)
        let headers = environment.additionalHeaders.filter(\.enabled)
        var texts = [environment.host] + headers.flatMap { [$0.name, $0.value] }
        environment.authentication?.json(UnknownMembers()).collectTexts(in: &texts)
        environment.connection?.json.collectTexts(in: &texts)
        var left = used.union(names(in: texts))
        var seen: Set<String> = []
        var undefined: [String] = []
        // The value of a variable may use others.
        while let name = left.popFirst() {
            guard seen.insert(name).inserted, !name.hasPrefix("$"), !secrets.contains(name) else { continue }
            guard let value = values[name] else {
                undefined.append(name)
                continue
            }
            left.formUnion(names(in: [value]))
        }
        return undefined.sorted()
    }

    /// The names in the parts of a request that are sent.
    static func names(in request: SavedRequest) -> Set<String> {
        let fields = (request.pathParameters + request.query + request.headers + request.cookies).filter(\.enabled)
        var texts = fields.flatMap { [$0.name, $0.value] }
        for member in templated { member.write(request)?.collectTexts(in: &texts) }
        request.authentication?.json(UnknownMembers()).collectTexts(in: &texts)
        if let body = request.body, body.mayHoldTemplates {
            body.withoutDescriptions.json(UnknownMembers()).collectTexts(in: &texts)
        }
        return names(in: texts)
    }

    /// The path, the connection and the messages of a WebSocket.
    private static let templated = SavedRequest.members.rows.filter { $0.content == .templates }

    /// The names in the headers, the credentials and the connection that a level gives.
    static func names(in settings: SharedSettings) -> Set<String> {
        var texts = settings.headers.filter(\.enabled).flatMap { [$0.name, $0.value] }
        settings.authentication?.json(UnknownMembers()).collectTexts(in: &texts)
        settings.connection?.json.collectTexts(in: &texts)
        return names(in: texts)
    }

    static func names(anywhereIn value: JSONValue) -> Set<String> {
        var texts: [String] = []
        value.collectTexts(in: &texts)
        return names(in: texts)
    }

    package static func names(in texts: [String]) -> Set<String> {
        var names: Set<String> = []
        for text in texts where text.utf8.contains(UInt8(ascii: "{")) {
            if let template = try? Template(text) { names.formUnion(template.names) }
        }
        return names
    }
}

extension JSONValue {
    fileprivate func collectTexts(in texts: inout [String]) {
        switch self {
        case .null, .bool, .number: break
        case .string(let text): texts.append(text)
        case .array(let values): for value in values { value.collectTexts(in: &texts) }
        case .object(let members):
            for member in members {
                texts.append(member.key)
                member.value.collectTexts(in: &texts)
            }
        }
    }
}
