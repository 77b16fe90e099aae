/// Reads exports of Insomnia in its formats 4 and 5, as JSON or YAML.
enum InsomniaImport {
    /// Returns true for an export of any version, which may be one that is refused.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object else { return false }
        return root["_type"]?.string == "export" && root.has("__export_format") || InsomniaFive.type(of: root) != nil
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root.kind == .object else { throw file.unknown }
        var reader = InsomniaReader(log: ImportLog(file.bytes))
        if let (kind, version) = InsomniaFive.type(of: root) {
            guard version.hasPrefix("5."), ["collection", "spec", "environment"].contains(kind) else {
                throw reader.log.error(
                    root["type"]?.offset ?? root.offset,
                    "\(kind.excerpted) \(version.excerpted) of Insomnia is not read; export it as v4 or v5")
            }
            let resources = try InsomniaFive.resources(of: root, &reader.log).value(reader.log)
            return try reader.collection(resources.elements, named: file.name)
        }
        let format = root["__export_format"]
        guard format?.text == "4", let list = root["resources"], list.kind == .array else {
            let number = format?.text.excerpted ?? "unknown"
            throw reader.log.error(
                format?.offset ?? root.offset, "format \(number) of Insomnia is not read; export it as v4 or v5")
        }
        return try reader.collection(list.elements, named: file.name)
    }
}

/// Reads the resources of an export, which name their parents, and notes what has no counterpart.
struct InsomniaReader {
    var log: ImportLog
    /// Fixed values in place of computed ones.
    var samples: [Variable] = []
    /// Secrets that no file has.
    var prompts: Set<String> = []
    /// The IDs of the requests in the file by those that are made of them.
    var sources: [ItemID: String] = [:]
    /// The names of variables that say that they are secret.
    var secretNames: Set<String> = []
    /// The parts of responses that other requests name, by the identifiers of the requests.
    var captures: [String: [Capture]] = [:]
    /// The places of the first templates with those, by their names.
    var responses: [String: Int] = [:]
    /// The messages of WebSockets, by the identifiers of these.
    var payloads: [String: [ForeignValue]] = [:]
    /// The names in templates, of which some are those of whole objects.
    var used: Set<String> = []

    /// The beginning of the names of secrets that are on the machine of their author only.
    static let vault = "vault."

    /// A request or a folder, with its number in the file.
    private typealias Part = (offset: Int, element: ForeignValue)

    private var children: [String: [Part]] = [:]
    /// The identities of the requests, by their identifiers in the file.
    private var identities: [String: ItemID] = [:]
    /// The numbers of the parts so far: several may have one identifier, or none.
    private var visited: Set<Int> = []

    init(log: ImportLog) { self.log = log }

    /// Those of resources that are requests and folders.
    private static let types: Set<String> = ["request", "websocket_request", "request_group"]

    /// - Parameter name: the name for a file that has none.
    mutating func collection(_ resources: [ForeignValue], named name: String) throws(ImportError) -> Imported {
        let parts = resources.filter { Self.types.contains($0["_type"]?.string ?? "") }
        let messages = resources.filter { $0["_type"]?.string == "websocket_payload" }
        payloads = Dictionary(grouping: messages) { $0["parentId"]?.string ?? "" }
        for part in parts.enumerated().sorted(by: { Self.isBefore($0, $1) }) {
            children[part.element["parentId"]?.string ?? "", default: []].append(part)
        }
        let workspaces = resources.filter { $0["_type"]?.string == "workspace" }
        let main = workspaces.first
        var collection = Collection(name: ForeignText.name(main?["name"]?.text ?? "", or: name))
        collection.description = main?["description"]?.string ?? ""
        for workspace in workspaces {
            let items = try self.items(of: workspace["_id"]?.string ?? "", depth: 0)
            if workspaces.count == 1 {
                collection.items = items
            } else if !items.isEmpty {
                let name = ForeignText.name(workspace["name"]?.text ?? "", or: "Workspace")
                collection.items.append(.folder(Folder(name: name, items: items)))
            }
        }
        for part in parts.enumerated() where !visited.contains(part.offset) {
            log.remark(part.element.offset, "parentId", "put at the top: its folder is not in the file")
            collection.items += try item(part, depth: 0)
        }
        collection.items = collection.items.withUniqueNames
        collection.environments = environments(resources)
        var tests: [ItemID: [Test]] = [:]
        for resource in resources where !takeTest(resource, into: &tests) { noteOther(resource) }
        let known = identities
        let found = Dictionary(
            captures.compactMap { id, list in known[id].map { ($0, list) } }, uniquingKeysWith: { first, _ in first })
        collection.items.changeRequests { request in
            for test in tests[request.id] ?? [] { request.take(test.script, &log, at: test.offset) }
            request.captures += found[request.id] ?? []
        }
        collection.variables = samples + missingResponses(besides: known)
        let hasCookies = resources.contains { resource in
            resource["_type"]?.string == "cookie_jar" && !(resource["cookies"]?.elements.isEmpty ?? true)
        }
        if hasCookies || collection.sendsCookies { collection.connection = SavedConnection { $0.cookies = true } }
        return Imported(collection, prompts: prompts, secretNames: secretNames, sources: sources).noted(log)
    }

    /// The parts of responses to requests that are not in the file, as variables without a value.
    private mutating func missingResponses(besides known: [String: ItemID]) -> [Variable] {
        let missing = captures.filter { known[$0.key] == nil }.values.flatMap { $0 }.map(\.name).sorted()
        for name in missing {
            log.loss(
                responses[name] ?? 0, name,
                "the request whose response has it is not in the file; give the variable a value")
        }
        return missing.map { Field($0, "") }
    }

    private static func isBefore(_ first: Part, _ second: Part) -> Bool {
        let keys = [first, second].map { Double($0.element["metaSortKey"]?.text ?? "") ?? 0 }
        return keys[0] == keys[1] ? first.offset < second.offset : keys[0] < keys[1]
    }

    // MARK: Items

    private mutating func items(of parent: String, depth: Int) throws(ImportError) -> [CollectionItem] {
        var items: [CollectionItem] = []
        for part in children[parent] ?? [] { items += try item(part, depth: depth) }
        return items.withUniqueNames
    }

    /// None for one that was there already.
    private mutating func item(_ place: Part, depth: Int) throws(ImportError) -> [CollectionItem] {
        guard visited.insert(place.offset).inserted else { return [] }
        let part = place.element
        let id = part["_id"]?.string ?? ""
        guard part["_type"]?.string == "request_group" else {
            let saved = request(part)
            identities[id] = saved.id
            return [.request(saved)]
        }
        try log.checkDepth(depth, at: part.offset)
        let items = try self.items(of: id, depth: depth + 1)
        var settings = SharedSettings(description: part["description"]?.string ?? "")
        if let data = part["environment"] { settings.variables = variables(data) }
        settings.headers = headers(part["headers"])
        settings.authentication = authentication(part["authentication"])
        for key in ["preRequestScript", "afterResponseScript"] where !(part[key]?.text ?? "").isEmpty {
            log.loss(part[key]?.offset ?? part.offset, key, "that of a folder is left out: scripts are not run")
        }
        let name = ForeignText.name(part["name"]?.text ?? "", or: "Folder")
        return [.folder(Folder(name: name, settings: settings, items: items))]
    }

    private typealias Test = (script: PostmanScript, offset: Int)

    /// Takes a unit test of one request as what its response is expected to be; false for any other resource.
    private func takeTest(_ resource: ForeignValue, into tests: inout [ItemID: [Test]]) -> Bool {
        guard resource["_type"]?.string == "unit_test", let id = identities[resource["requestId"]?.string ?? ""],
            let script = InsomniaTest.script(of: resource["code"]?.string ?? "")
        else { return false }
        tests[id, default: []].append((script, resource.offset))
        return true
    }

    private mutating func noteOther(_ resource: ForeignValue) {
        let type = resource["_type"]?.string ?? "resource"
        switch type {
        case "request", "websocket_request", "request_group", "workspace", "environment": break
        case "websocket_payload":
            guard identities[resource["parentId"]?.string ?? ""] == nil else { return }
            log.loss(resource.offset, type, "left out: its WebSocket is not in the file")
        case "cookie_jar":
            if !(resource["cookies"]?.elements.isEmpty ?? true) {
                log.remark(resource.offset, type, "stored cookies are left out")
            }
        case "api_spec":
            guard !(resource["contents"]?.text ?? "").isEmpty else { return }
            log.loss(resource.offset, type, "left out: save the OpenAPI document as a file, and import that")
        case "client_certificate", "ca_certificate":
            log.loss(resource.offset, type, "left out: name it in the connection of the environment")
        case "unit_test_suite": break
        case "unit_test": log.loss(resource.offset, type, "left out: unit tests are not run")
        default: log.loss(resource.offset, type.excerpted, "left out: it is no request over HTTP")
        }
    }

    // MARK: Environments

    /// Each sub environment with the values of its base; the base alone, if it has none.
    private mutating func environments(_ resources: [ForeignValue]) -> [Environment] {
        let all = resources.filter { $0["_type"]?.string == "environment" }
        let ids = Set(all.compactMap { $0["_id"]?.string })
        var environments: [Environment] = []
        for base in all where !ids.contains(base["parentId"]?.string ?? "") {
            let shared = variables(of: base)
            let parts = all.filter { $0["parentId"]?.string == base["_id"]?.string && base["_id"] != nil }
            for part in parts {
                let own = Self.filledIn(variables(of: part), from: shared)
                let all = own + Self.rest(of: shared, besides: own)
                environments.append(Environment(name: name(of: part), host: "", variables: all))
            }
            if parts.isEmpty, !shared.isEmpty {
                environments.append(Environment(name: name(of: base), host: "", variables: shared))
            }
        }
        return environments.uniquelyNamed(\.name)
    }

    /// The variables with the values of the base where they refer to themselves.
    private static func filledIn(_ own: [Variable], from base: [Variable]) -> [Variable] {
        let values = Dictionary(base.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        return own.map { variable in
            let template = "{{\(variable.name)}}"
            guard variable.value.contains(template), let known = values[variable.name] else { return variable }
            var variable = variable
            variable.value = variable.value.replacing(template, with: known)
            return variable
        }
    }

    /// The variables of a base that others do not replace: objects are merged, and any other value takes the place of
    /// what has its name.
    private static func rest(of base: [Variable], besides own: [Variable]) -> [Variable] {
        let names = Set(own.map(\.name))
        let parents = Set(own.flatMap { objects(around: $0.name) })
        // An object as a whole is its JSON next to its parts.
        let values = Set(own.filter { !parents.contains($0.name) || !$0.value.hasPrefix("{") }.map(\.name))
        return base.filter { variable in
            !names.contains(variable.name) && !parents.contains(variable.name)
                && !objects(around: variable.name).contains { values.contains($0) }
        }
    }

    /// `a` and `a.b` for `a.b.c`.
    private static func objects(around name: String) -> [String] {
        name.indices.filter { name[$0] == "." }.map { String(name[..<$0]) }
    }

    private func name(of environment: ForeignValue) -> String {
        ForeignText.name(environment["name"]?.text ?? "", or: "default")
    }

    private mutating func variables(of environment: ForeignValue) -> [Variable] {
        var variables = environment["data"].map { self.variables($0) } ?? []
        variables += rows(of: environment, besides: variables)
        if environment["isPrivate"]?.bool == true { secretNames.formUnion(variables.map(\.name)) }
        let missing = variables.filter { $0.value.isEmpty && secretNames.contains($0.name) }.map(\.name)
        prompts.formUnion(missing)
        variables.removeAll { missing.contains($0.name) }
        return variables
    }

    /// The variables that an environment has as rows only. Its secrets are encrypted, and are typed in.
    private mutating func rows(of environment: ForeignValue, besides known: [Variable]) -> [Variable] {
        var rows: [Variable] = []
        for row in environment["kvPairData"]?.elements ?? [] {
            guard let written = row["name"]?.text, !written.isEmpty else { continue }
            let name = log.variableName(written, at: row.offset)
            guard row["type"]?.string != "secret" else {
                secretNames.insert(name)
                if !known.contains(where: { $0.name == name }) {
                    prompts.insert(log.variableName(Self.vault + written, at: row.offset))
                }
                continue
            }
            guard !known.contains(where: { $0.name == name || $0.name.hasPrefix(name + ".") }) else { continue }
            let value = template(row["value"]?.text ?? "", at: row.offset)
            rows.append(Field(name, value, enabled: row["enabled"]?.bool ?? true))
        }
        return rows
    }

    /// The values of an object; those in others have their whole names, such as `user.name` and `roles.0`.
    private mutating func variables(_ value: ForeignValue, _ prefix: String = "", depth: Int = 0) -> [Variable] {
        var variables: [Variable] = []
        let members =
            value.kind == .object
            ? value.members : value.elements.enumerated().map { (key: "\($0.offset)", value: $0.element) }
        for (name, inner) in members {
            let path = prefix + name
            guard path != "__insomnia_vault" else { continue }
            let isNested = inner.kind == .object || inner.kind == .array
            if isNested, depth < ImportLog.maximumDepth {
                variables += self.variables(inner, path + ".", depth: depth + 1)
            }
            // An object as a whole is its JSON.
            guard inner.kind != .object || used.contains(path) else { continue }
            variables.append(Field(log.variableName(path, at: inner.offset), template(inner.text, at: inner.offset)))
        }
        return variables
    }
}

/// The folder `.insomnia` of a Git repository, in which each resource of format 4 is a file.
enum InsomniaFolder {
    private static let subfolder = ".insomnia"

    static func recognizes(_ folder: ImportFolder) -> Bool {
        folder.hasFolder(subfolder) || folder.name == subfolder && folder.hasFolder("Workspace")
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        guard let root = folder.name == subfolder ? folder : folder.folder(subfolder) else {
            throw ImportLog([]).error(0, "the folder .insomnia is outside of this one")
        }
        var files = ForeignFiles()
        files.read(root) { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
        guard !files.values.isEmpty else { throw files.failure("there is no resource of Insomnia in this folder") }
        let resources = files.values.map { file in
            var resource = ForeignTree(file.value)
            let type = file.value["type"]?.string ?? file.path.split(separator: "/").first.map(String.init) ?? ""
            resource["_type"] = ForeignTree(Self.types[type] ?? type.lowercased(), at: file.value.offset)
            return resource
        }
        let list = try ForeignTree(.list(resources), at: 0).value(files.log)
        var reader = InsomniaReader(log: files.log)
        return try reader.collection(list.elements, named: folder.name)
    }

    private static let types = [
        "Workspace": "workspace", "RequestGroup": "request_group", "Request": "request", "Environment": "environment",
        "CookieJar": "cookie_jar", "GrpcRequest": "grpc_request", "WebSocketRequest": "websocket_request",
        "ApiSpec": "api_spec", "UnitTest": "unit_test", "UnitTestSuite": "unit_test_suite", "ProtoFile": "proto_file",
    ]
}
