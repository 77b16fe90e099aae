import OmbiCore
import OmbiDocument

/// Makes requests of the recipes of slumber, and notes what has no counterpart.
struct SlumberReader {
    var log: ImportLog
    let root: ForeignValue
    /// Variables with fixed values in place of computed ones.
    var samples: [Variable] = []
    var prompts: Set<String> = []
    var secretNames: Set<String> = []
    /// The sources of values that programs and the process environment have, by their names.
    var sources: [String: Secret.Source] = [:]
    /// The parts of responses that other requests name, by the identifiers of the requests.
    var captures: [String: [Capture]] = [:]
    /// The kinds of variables that are no texts.
    private(set) var kinds: [String: String] = [:]
    /// The names of variables that profiles have.
    private(set) var taken: Set<String> = []
    /// The chains of slumber 3, by their names.
    private(set) var chains: [String: ForeignValue] = [:]

    private var identities: [String: ItemID] = [:]

    init(_ root: ForeignValue, _ log: ImportLog) {
        (self.root, self.log) = (root, log)
        chains = Dictionary(
            (root["chains"]?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        for (_, profile) in root["profiles"]?.members ?? [] {
            for (name, value) in profile["data"]?.members ?? [] {
                taken.insert(name)
                if kinds[name] == nil { kinds[name] = Self.kind(of: value) }
            }
        }
    }

    private static func kind(of value: ForeignValue) -> String? {
        switch value.kind {
        case .number: "number"
        case .true, .false: "boolean"
        case .null, .object, .array: "json"
        case .string: nil
        }
    }

    mutating func imported(named name: String) throws(ImportError) -> Imported {
        var collection = Collection(name: ForeignText.name(root["name"]?.text ?? "", or: name))
        collection.environments = environments()
        collection.items = try items(root["requests"], depth: 0)
        let known = identities
        for (id, list) in captures.sorted(by: { $0.key < $1.key }) where known[id] == nil {
            log.loss(
                root.offset, "response('\(id)')".excerpted,
                "no request of the file has this name; \(list.map(\.name).joined(separator: ", ")) has no value")
            samples += list.map { Field($0.name, "") }
        }
        let found = Dictionary(
            captures.compactMap { id, list in known[id].map { ($0, list) } }, uniquingKeysWith: { first, _ in first })
        collection.items.changeRequests { request in request.captures += found[request.id] ?? [] }
        collection.variables = samples
        let handled: Set<String> = ["name", "profiles", "requests", "chains", "_ignore", "$schema"]
        for (key, value) in root.members where !handled.contains(key) {
            log.loss(value.offset, key.excerpted, "left out: it has no counterpart")
        }
        var imported = Imported(collection)
        imported.prompts = prompts.sorted()
        imported.secretNames = secretNames
        imported.processSecrets = sources.sorted { $0.key < $1.key }.map { Secret($0.key, $0.value) }
        return imported.noted(log)
    }

    // MARK: Profiles

    /// The profiles, of which the default one comes first.
    private mutating func environments() -> [Environment] {
        let profiles = root["profiles"]?.members ?? []
        let first = profiles.filter { $0.value["default"]?.bool == true }
        let rest = profiles.filter { $0.value["default"]?.bool != true }
        var environments: [Environment] = []
        for (id, profile) in first + rest {
            var name = ForeignText.name(profile["name"]?.text ?? "", or: id)
            while environments.contains(where: { $0.name == name }) { name += " " + ForeignText.line(id) }
            let variables = profile["data"].map { self.variables($0, prefix: "", depth: 0) } ?? []
            environments.append(Environment(name: name, host: "", variables: variables))
        }
        return environments
    }

    /// The values of an object; those in others have their whole names, such as `fish.name`.
    private mutating func variables(_ value: ForeignValue, prefix: String, depth: Int) -> [Variable] {
        var variables: [Variable] = []
        for (key, inner) in value.members {
            let path = prefix + key
            if inner.kind == .object, depth < ImportLog.maximumDepth {
                variables += self.variables(inner, prefix: path + ".", depth: depth + 1)
            }
            let name = log.variableName(path, at: inner.offset)
            let text = template(inner.text, at: inner.offset)
            // A prompt or a program of the same name has the value.
            if text != "{{\(name)}}" { variables.append(Field(name, text)) }
        }
        return variables
    }

    // MARK: Items

    private mutating func items(_ list: ForeignValue?, depth: Int) throws(ImportError) -> [CollectionItem] {
        var items: [CollectionItem] = []
        for (id, value) in list?.members ?? [] where value.kind == .object {
            guard value.has("requests") else {
                let saved = request(value, id: id)
                identities[id] = saved.id
                items.append(.request(saved))
                continue
            }
            try log.checkDepth(depth, at: value.offset)
            var folder = Folder(name: ForeignText.name(value["name"]?.text ?? "", or: id))
            folder.items = try self.items(value["requests"], depth: depth + 1)
            items.append(.folder(folder))
        }
        return items.withUniqueNames
    }
}
