import OmbiDocument

/// The requests that use each variable, and the variables that are used but have no value in an environment.
public struct VariableUses: Equatable, Sendable {
    /// The requests with a template of that name, in the order of the tree.
    public private(set) var requests: [String: [ItemID]] = [:]
    /// By the name of the environment, sorted.
    public private(set) var undefined: [String: [String]] = [:]
    /// The names of the requests that capture each variable, in the order of the tree.
    public private(set) var captured: [String: [String]] = [:]

    public init() {}

    public init(_ collection: Collection, overrides: Overrides = Overrides()) {
        for request in collection.requests {
            for name in Self.names(in: request) { requests[name, default: []].append(request.id) }
        }
        let used = Set(requests.keys)
        captured = CaptureIndex(collection).requests.mapValues { $0.map(\.name) }
        for environment in collection.environments {
            let undefined = Self.undefined(
                among: used, in: environment, Self.enabled(collection.variables), Self.enabled(overrides.variables))
            self.undefined[environment.name] = undefined.filter { captured[$0] == nil }
        }
    }

    private static func enabled(_ variables: [Variable]) -> [String: String] {
        Dictionary(variables.filter(\.enabled).map { ($0.name, $0.value) }) { $1 }
    }

    private static func undefined(
        among used: Set<String>, in environment: Environment, _ collection: [String: String],
        _ overrides: [String: String]
    ) -> [String] {
        let values = collection.merging(enabled(environment.variables)) { $1 }.merging(overrides) { $1 }
        let secrets = Set(environment.secrets.map(\.name)).subtracting(overrides.keys)
        let headers = environment.additionalHeaders.filter(\.enabled)
        var left = used.union(names(in: [environment.host] + headers.flatMap { [$0.name, $0.value] }))
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

    /// The names in what is sent of a request.
    private static func names(in request: SavedRequest) -> Set<String> {
        let fields = (request.pathParameters + request.query + request.headers).filter(\.enabled)
        var texts = [request.path] + fields.flatMap { [$0.name, $0.value] }
        request.authentication?.json(UnknownMembers()).collectTexts(in: &texts)
        request.body?.json(UnknownMembers()).collectTexts(in: &texts)
        return names(in: texts)
    }

    private static func names(in texts: [String]) -> Set<String> {
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
