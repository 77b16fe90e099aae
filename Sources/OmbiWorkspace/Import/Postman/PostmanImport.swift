/// Reads collections of Postman 2.0 and 2.1, dumps of all data, and the files of 3.
enum PostmanImport {
    /// Returns true for a collection of any version, which may be one that is refused.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root.map(content), root.kind == .object, !root.has("openapi") else { return false }
        let schema = root["info"]?["schema"]?.string ?? ""
        return isThird(root) || isFirst(root) || isDump(root) || schema.contains("/collection/v")
            || root["item"]?.kind == .array || root["info"]?.kind == .object && root.has("item")
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root.map(content) else { throw file.unknown }
        if isThird(root) { return try PostmanFolder.read(root, of: file) }
        if isDump(root) { return try PostmanDump.read(root, ImportLog(file.bytes), named: file.name) }
        var reader = PostmanReader(log: ImportLog(file.bytes))
        if isFirst(root) {
            throw reader.log.error(
                root.offset, "this is a collection of Postman 1; export it as \"Collection v2.1\" and import that")
        }
        guard root.kind == .object, root.has("info") || root.has("item") else { throw file.unknown }
        let schema = root["info"]?["schema"]?.text ?? ""
        if schema.contains("/collection/v"),
            // Before there was a 2.1, 2.0 was called 2.
            !["v2/", "v2.0", "v2.1"].contains(where: { schema.contains("/collection/" + $0) })
        {
            let version = schema.split(separator: "/").first { $0.hasPrefix("v") } ?? "unknown"
            throw reader.log.error(
                root["info"]?["schema"]?.offset ?? root.offset,
                "version \(version) of Postman's format is not read; export the collection as v2.1")
        }
        return try reader.collection(root, named: file.name)
    }

    /// The collection in an answer of Postman's API, or the value itself.
    private static func content(_ root: ForeignValue) -> ForeignValue {
        if let inner = root["collection"], inner["info"] != nil { inner } else { root }
    }

    private static func isDump(_ root: ForeignValue) -> Bool {
        root["collections"]?.kind == .array && root["version"]?.kind == .number && !root.has("info")
    }

    /// A file of a collection of Postman 3.
    private static func isThird(_ root: ForeignValue) -> Bool {
        let kind = root["$kind"]?.string ?? ""
        return kind == "collection" || kind.hasSuffix("-request")
    }

    private static func isFirst(_ root: ForeignValue) -> Bool {
        root["requests"]?.kind == .array && (root.has("order") || root.has("folders")) && !root.has("item")
    }
}

/// Reads the items of a collection, and notes what has no counterpart.
struct PostmanReader {
    var log: ImportLog
    /// Fixed values in place of random ones.
    var samples: [Variable] = []
    /// The names of variables that say that they are secret.
    var secretNames: Set<String> = []
    /// Secrets that no file has.
    var prompts: Set<String> = []
    /// The IDs of the items by the requests that are made of them.
    var sources: [ItemID: String] = [:]
    /// True for a collection that works with cookies, which Postman keeps between requests.
    var usesCookies = false
    /// The settings of the folders around.
    var behavior = PostmanBehavior()
    /// The credentials of the folders around.
    private var inherited: SavedAuthentication?
    /// The tests of the folders around, which run with each request in them.
    var tests: [(script: PostmanScript, offset: Int)] = []
    /// The expectations that those may still add: a long test of a large folder must not fill the memory.
    var testEffort = 1 << 19

    init(log: ImportLog) { self.log = log }

    /// - Parameter name: the name for a collection that has none.
    mutating func collection(_ root: ForeignValue, named name: String) throws(ImportError) -> Imported {
        let info = root["info"] ?? root
        var collection = Collection(name: ForeignText.name(info["name"]?.text ?? "", or: name))
        collection.description = info["description"]?.description ?? ""
        collection.settings = settings(root, description: collection.description)
        collection.items = try items(root["item"], depth: 0)
        if let item = root["item"], item.kind != .array { log.loss(item.offset, "item", "left out: it is no list") }
        let own = Set(collection.variables.map(\.name))
        collection.variables += samples.filter { !own.contains($0.name) }
        if usesCookies {
            collection.connection = SavedConnection { $0.cookies = true }.merging(over: collection.connection)
            log.remark(root.offset, "cookies", "kept between the requests, as Postman does")
        }
        collection.variables = takingPrompts(from: collection.variables)
        return Imported(collection, prompts: prompts, secretNames: secretNames, sources: sources).noted(log)
    }

    /// The settings of the collection or of a folder.
    private mutating func settings(_ value: ForeignValue, description: String) -> SharedSettings {
        takeTests(value["event"])
        behavior = behavior.overridden(by: value["protocolProfileBehavior"])
        let authentication = authentication(value["auth"])
        inherited = authentication ?? inherited
        return SharedSettings(
            description: description, variables: variables(value["variable"]), authentication: authentication,
            connection: connection(value["protocolProfileBehavior"]))
    }

    /// The variables of a collection, a folder or an environment; of several with one name the last that is enabled.
    mutating func variables(_ list: ForeignValue?) -> [Variable] {
        var variables = ForeignVariables()
        for row in list?.elements ?? [] {
            let key = (row["key"] ?? row["id"] ?? row["name"])?.text ?? ""
            guard !key.isEmpty else { continue }
            let isEnabled = row["enabled"]?.bool ?? !(row["disabled"]?.bool ?? false)
            let field = Field(
                log.variableName(key, at: row.offset), template(row["value"]?.text ?? "", at: row.offset),
                enabled: isEnabled
            ).described(description(of: row))
            if row["type"]?.string == "secret" || row["secret"]?.bool == true { secretNames.insert(field.name) }
            variables.add(field)
        }
        return variables.all
    }

    /// Returns the variables without the secret ones that have no value, which is typed in.
    mutating func takingPrompts(from variables: [Variable]) -> [Variable] {
        let isMissing = { [secretNames] (variable: Variable) in
            variable.enabled && variable.value.isEmpty && secretNames.contains(variable.name)
        }
        prompts.formUnion(variables.filter(isMissing).map(\.name))
        return variables.filter { !isMissing($0) }
    }

    // MARK: Items

    private mutating func items(_ list: ForeignValue?, depth: Int) throws(ImportError) -> [CollectionItem] {
        var items: [CollectionItem] = []
        for item in list?.elements ?? [] {
            if item["item"]?.kind == .array {
                try log.checkDepth(depth, at: item.offset)
                let outer = (behavior: behavior, inherited: inherited, tests: tests)
                defer { (behavior, inherited, tests) = (outer.behavior, outer.inherited, outer.tests) }
                let settings = settings(item, description: item["description"]?.description ?? "")
                let name = ForeignText.name(item["name"]?.text ?? "", or: "Folder")
                let inner = try self.items(item["item"], depth: depth + 1)
                items.append(.folder(Folder(name: name, settings: settings, items: inner)))
            } else if let request = item["request"] {
                items.append(.request(savedRequest(request, item)))
            } else {
                log.loss(
                    item.offset, item["name"]?.text.excerpted ?? "item", "left out: it is no request and no folder")
            }
        }
        return items.withUniqueNames
    }

    private mutating func savedRequest(_ value: ForeignValue, _ item: ForeignValue) -> SavedRequest {
        let outer = behavior
        defer { behavior = outer }
        behavior = behavior.overridden(by: item["protocolProfileBehavior"])
        var request = SavedRequest(name: "", path: "")
        if let id = (item["id"] ?? item["_postman_id"] ?? item["uid"])?.string { sources[request.id] = id }
        address(value.string == nil ? value["url"] : value, of: &request, at: item.offset)
        request.method = RequestMethod.imported(
            value["method"]?.text ?? "", &log, at: value["method"]?.offset ?? value.offset)
        request.setName((item["name"] ?? value["name"])?.text ?? "")
        let description = value["description"]?.description ?? ""
        request.description = description.isEmpty ? item["description"]?.description ?? "" : description
        request.headers = headers(value["header"])
        body(value["body"], of: &request)
        notePruning(value["body"], of: request)
        request.authentication = authentication(value["auth"])
        request.connection = connection(item["protocolProfileBehavior"])
        addCertificate(of: value, to: &request)
        scripts(item["event"], of: &request)
        if obtainsInherited(request) {
            request.authentication = .noAuthentication
            log.remark(item.offset, "Authorization", "sent as it is written: it obtains the token that is inherited")
        }
        // That of a folder, too, takes the place of what is written.
        if let helper = request.authentication ?? inherited { request.silence(besides: helper, &log, at: item.offset) }
        addTests(to: &request)
        if let messages = item[PostmanTree.messages] { request.webSocket = webSocket(messages) }
        let saved = item["response"]?.elements ?? []
        if saved.contains(where: Self.setsCookie) { usesCookies = true }
        let examples = saved.compactMap { SavedExample($0) }
        if !examples.isEmpty { request.examples = examples }
        if examples.count < saved.count {
            log.loss(item["response"]?.offset ?? item.offset, "response", SavedExample.lost)
        }
        return request
    }

    /// True for a request that captures the inherited token, and has credentials of its own to obtain it: Postman sends
    /// no empty token.
    private func obtainsInherited(_ request: SavedRequest) -> Bool {
        guard request.authentication == nil, case .bearer(let bearer)? = inherited else { return false }
        return request.captures.contains { bearer.token == "{{\($0.name)}}" }
            && request.headers.contains { $0.enabled && $0.name.lowercased() == "authorization" }
    }

    /// True for a saved response whose cookies Postman sends from then on.
    private static func setsCookie(_ response: ForeignValue) -> Bool {
        if !(response["cookie"]?.elements.isEmpty ?? true) { return true }
        return (response["header"]?.elements ?? []).contains { $0["key"]?.string?.lowercased() == "set-cookie" }
    }

    /// The WebSocket with messages of Postman 3.
    private mutating func webSocket(_ messages: ForeignValue) -> SavedWebSocket {
        let saved = messages.elements.map { message in
            let name = ForeignText.name(message["name"]?.text ?? "", or: "message")
            return SavedMessage(name: name, text: template(message["text"]?.text ?? "", at: message.offset))
        }
        return SavedWebSocket(messages: saved)
    }

    /// The rows of a list, or the lines of one text.
    private mutating func headers(_ value: ForeignValue?) -> [Field] {
        guard let value else { return [] }
        if let text = value.string {
            return text.split(whereSeparator: \.isNewline).compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                // A comment is a disabled row.
                let isOff = parts[0].hasPrefix("//")
                let name = isOff ? parts[0].dropFirst(2).trimmed : parts[0].trimmed
                return header(name, parts.count > 1 ? parts[1].trimmed : "", enabled: !isOff, at: value.offset)
            }
        }
        return value.elements.compactMap { row in
            let field = header(
                row["key"]?.text ?? "", row["value"]?.text ?? "", enabled: !(row["disabled"]?.bool ?? false),
                at: row.offset)
            return field?.described(description(of: row))
        }
    }

    private mutating func header(_ name: String, _ value: String, enabled: Bool, at offset: Int) -> Field? {
        let name = template(name.trimmed, at: offset)
        guard !name.isEmpty, log.isHeader(name, at: offset) else { return nil }
        if name.lowercased() == "cookie" { usesCookies = true }
        return Field(name, template(ForeignText.line(value), at: offset), enabled: enabled)
    }

    /// Empty for a row without one.
    func description(of row: ForeignValue) -> String { row["description"]?.description ?? "" }
}

/// Reads the environments and the globals that Postman exports.
enum PostmanEnvironment {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root.map(content), root.kind == .object, !root.has("item"), !root.has("info") else {
            return false
        }
        if root["_postman_variable_scope"] != nil { return true }
        guard let values = root["values"], values.kind == .array else { return false }
        return values.elements.allSatisfy { $0["key"] != nil }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root.map(content), root.kind == .object else { throw file.unknown }
        var reader = PostmanReader(log: ImportLog(file.bytes))
        let name = ForeignText.name(root["name"]?.text ?? "", or: file.name)
        var imported = Imported(Collection(name: name))
        var environment = Self.environment(root, named: name, &reader)
        imported.secretNames = reader.secretNames
        if root["_postman_variable_scope"]?.string == "globals" || file.path.hasSuffix(".globals.yaml") {
            imported.globals = environment.variables
            imported.prompts = reader.prompts.sorted()
            return imported.noted(reader.log)
        }
        environment.secrets = reader.prompts.sorted().map { Secret($0, .prompt("")) }
        imported.collection.environments = [environment]
        return imported.noted(reader.log)
    }

    /// The environment in an answer of Postman's API, or the value itself.
    private static func content(_ root: ForeignValue) -> ForeignValue {
        if let inner = root["environment"], inner["values"]?.kind == .array { inner } else { root }
    }

    /// The environment that an object has, without its secrets that are typed in.
    /// - Parameter name: the name for one that has none.
    static func environment(
        _ root: ForeignValue, named name: String, _ reader: inout PostmanReader
    ) -> Environment {
        let known = Set(reader.samples.map(\.name))
        let variables = reader.takingPrompts(from: reader.variables(root["values"]))
        let samples = reader.samples.filter { !known.contains($0.name) }
        return Environment(
            name: ForeignText.name(root["name"]?.text ?? "", or: name), host: "", variables: variables + samples)
    }
}

/// The settings of a `protocolProfileBehavior` that change what is sent: folders and requests inherit each on its own.
struct PostmanBehavior {
    /// False for URLs that are sent as they are written.
    var encodesURLs = true
    /// True for bodies that are sent with any method.
    var keepsBodies = false
    /// True for bodies whose type is not sent.
    var omitsContentType = false

    /// Returns the settings of a collection, a folder or a request in which these hold.
    func overridden(by value: ForeignValue?) -> PostmanBehavior {
        var behavior = self
        if let isOff = value?["disableUrlEncoding"]?.bool { behavior.encodesURLs = !isOff }
        if let isOff = value?["disableBodyPruning"]?.bool { behavior.keepsBodies = isOff }
        if let headers = value?["disabledSystemHeaders"], headers.kind == .object {
            behavior.omitsContentType = headers["content-type"]?.bool ?? false
        }
        return behavior
    }

    /// The methods with which Postman sends no body by itself.
    static let methodsWithoutBody: Set<String> = ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"]
}
