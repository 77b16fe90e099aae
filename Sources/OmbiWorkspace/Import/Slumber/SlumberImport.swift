/// Reads collections of slumber: a file of YAML.
enum SlumberImport {
    private static let names = ["slumber.yml", "slumber.yaml"]

    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, let requests = root["requests"], requests.kind == .object, !root.has("info") else {
            return false
        }
        let isNamed = names.contains { file.path == $0 || file.path.hasSuffix("/" + $0) }
        let isKnown = isNamed || root.has("profiles") || root.has("chains")
        return isKnown || requests.members.contains { $0.value.has("url") || $0.value.has("requests") }
    }

    static func recognizes(_ folder: ImportFolder) -> Bool { folder.names().contains { names.contains($0) } }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        guard let name = folder.names().first(where: { names.contains($0) }) else {
            throw ImportLog([]).error(0, "there is no slumber.yml in this folder")
        }
        let content: [UInt8]
        do throws(ImportError) { content = try folder.content(name) } catch {
            throw ImportLog([], file: folder.full(name)).error(0, "the file cannot be read: \(error.message)")
        }
        return try read(try ForeignFile(content, path: name), log: folder.full(name))
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported { try read(file, log: nil) }

    private static func read(_ file: ForeignFile, log name: String?) throws(ImportError) -> Imported {
        guard let root = file.tagged, root.kind == .object else { throw file.unknown }
        var tree = SlumberTree(root, ImportLog(file.bytes, file: name))
        let value = try tree.document()
        var reader = SlumberReader(value, tree.log)
        return try reader.imported(named: file.name)
    }
}

/// A file of slumber with its references and its tags written out.
struct SlumberTree {
    private(set) var log: ImportLog
    private let root: ForeignValue
    private var spent = 0

    private static let maximumDepth = 100
    private static let maximumReferences = 20
    private static let maximumSpent = 200_000

    init(_ root: ForeignValue, _ log: ImportLog) { (self.root, self.log) = (root, log) }

    /// The document in the form of slumber 4.
    mutating func document() throws(ImportError) -> ForeignValue {
        var members: [ForeignTree.Member] = []
        // The parts that others refer to are written where they are named.
        for (key, value) in root.members where !key.hasPrefix(".") {
            members.append(ForeignTree.Member(key, try expanded(value, depth: 0, references: 0)))
        }
        return try ForeignTree(.object(members), at: root.offset).value(log)
    }

    private mutating func expanded(
        _ value: ForeignValue, depth: Int, references: Int
    ) throws(ImportError) -> ForeignTree {
        spent += 1
        guard depth < Self.maximumDepth, spent < Self.maximumSpent else {
            throw log.error(value.offset, "the file is too large with its references written out")
        }
        switch value.kind {
        case .array:
            let elements = try value.elements.map { element throws(ImportError) in
                try expanded(element, depth: depth + 1, references: references)
            }
            return ForeignTree(.list(elements), at: value.offset)
        case .object: return try expandedObject(value, depth: depth, references: references)
        default: return ForeignTree(value)
        }
    }

    private mutating func expandedObject(
        _ value: ForeignValue, depth: Int, references: Int
    ) throws(ImportError) -> ForeignTree {
        let members = value.members
        // The source of a chain has the tag, too, and says by it what it is.
        let isNode = members.count == 1 && ["!request", "!folder"].contains(members[0].key)
        if isNode, !members[0].value.has("recipe") {
            return try expanded(members[0].value, depth: depth + 1, references: references)
        }
        var result: [ForeignTree.Member] = []
        if let reference = value["$ref"]?.string {
            if references < Self.maximumReferences, let target = target(reference) {
                let inner = try expanded(target, depth: depth + 1, references: references + 1)
                guard case .object(let members) = inner.content else { return inner }
                result = members
            } else {
                let isHere = reference.hasPrefix("#")
                log.loss(
                    value.offset, reference.excerpted,
                    isHere ? "left out: there is no such part" : "left out: other files and URLs are not read")
            }
        }
        // Its own members win.
        var indices = Dictionary(
            result.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for (key, member) in members where key != "$ref" || member.string == nil {
            let own = ForeignTree.Member(key, try expanded(member, depth: depth + 1, references: references))
            if let index = indices[key] {
                result[index] = own
            } else {
                indices[key] = result.count
                result.append(own)
            }
        }
        return ForeignTree(.object(result), at: value.offset)
    }

    private func target(_ reference: String) -> ForeignValue? {
        guard let tokens = OpenAPISchemas.tokens(of: reference), !tokens.isEmpty else { return nil }
        var value = root
        for token in tokens {
            let elements = value.elements
            guard let next = value[token] ?? Int(token).flatMap({ elements[safe: $0] }) else { return nil }
            value = next
        }
        return value
    }
}

/// Makes requests of the recipes of slumber, and notes what has no counterpart.
struct SlumberReader {
    var log: ImportLog
    let root: ForeignValue
    /// Variables with fixed values in place of computed ones.
    var samples: [Variable] = []
    /// The names of the variables for prompts with a default, by the names of the prompts and these values.
    var promptNames: [String: [String: String]] = [:]
    var prompts: Set<String> = []
    var secretNames: Set<String> = []
    /// The sources of values that programs and the process environment have, by their names.
    var sources: [String: Secret.Source] = [:]
    /// The parts of responses that other requests name, by the identifiers of the requests.
    var captures: [String: [Capture]] = [:]
    /// The kinds of variables that are no texts.
    private(set) var kinds: [String: String] = [:]
    /// The names of variables that are lists or objects.
    private(set) var composites: Set<String> = []
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
                if value.kind == .object || value.kind == .array { composites.insert(name) }
            }
        }
    }

    private static func kind(of value: ForeignValue) -> String? {
        switch value.kind {
        case .number: "number"
        case .true, .false: "boolean"
        case .null, .object, .array: "json"
        case .string: Self.expression(value.text).flatMap { kind(of: $0) }
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
        log.loseMembers(of: root, besides: handled, withNull: true)
        var imported = Imported(collection, prompts: prompts, secretNames: secretNames)
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
            let text = template(Self.text(inner), at: inner.offset)
            // A prompt or a program of the same name has the value.
            if text != "{{\(name)}}" { variables.append(Field(name, text)) }
        }
        return variables
    }

    // MARK: Items

    private mutating func items(_ list: ForeignValue?, depth: Int) throws(ImportError) -> [CollectionItem] {
        var items: [CollectionItem] = []
        for (id, value) in list?.members ?? [] {
            guard value.kind == .object else {
                log.loss(value.offset, id.excerpted, "left out: it is no request")
                continue
            }
            guard value.has("requests") else {
                let saved = request(value, id: id)
                identities[id] = saved.id
                items.append(.request(saved))
                continue
            }
            try log.checkDepth(depth, at: value.offset)
            let inner = try self.items(value["requests"], depth: depth + 1)
            items.append(.folder(Folder(name: ForeignText.name(value["name"]?.text ?? "", or: id), items: inner)))
        }
        return items.withUniqueNames
    }
}
