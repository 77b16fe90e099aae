/// Makes requests of the operations of a document, and notes what has no counterpart.
struct OpenAPIReader {
    var log: ImportLog
    let root: ForeignValue
    let bundle: OpenAPIBundle.Content
    let version: OpenAPIVersion
    var schemas: OpenAPISchemas
    let responseSchemas: ConvertedSchemas
    let requestSchemas: ConvertedSchemas
    /// Secrets that are typed in.
    var prompts: Set<String> = []
    /// The variable in front of each path, which becomes the host of the environments.
    private(set) var base = "baseUrl"
    /// The URL of the first server.
    private(set) var server = ""
    /// The URL that the document was read from, or the path of a file.
    var documentURL = ""
    /// True for operations that requests are based on: their hosts and credentials are those of a collection.
    var isLiving = false
    /// True for a document that is opened as it is, and judges the responses.
    var isOpened = false
    /// The IDs of the operations by the requests that are made of them.
    private(set) var sources: [ItemID: String] = [:]
    /// The responses that the document describes, by the requests.
    private var responses: [ItemID: [DocumentedResponse]] = [:]
    /// The operations by their IDs, each as `GET /users`.
    private var addresses: [String: String] = [:]
    /// The parts that references lead to: thousands of operations share them.
    private var targets: [String: ForeignValue] = [:]

    /// True for a document that says which credentials its operations need, if only that they need none.
    private var hasSecurity = false
    /// True for a request whose credentials are a header among its parameters.
    private(set) var takesAuthorization = false
    /// The keys beside the credentials of the collection, which only the requests with these credentials send.
    private var sharedKeys: [APIKeyAuthentication] = []

    /// The cost that the examples of all requests may still have, in bytes: many operations may refer to one response.
    var exampleEffort = 64 << 20

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    private static let maximumReferences = 32

    init(_ bundle: OpenAPIBundle.Content, _ version: OpenAPIVersion, _ log: ImportLog) {
        (self.bundle, root, self.version, self.log) = (bundle, bundle.root, version, log)
        schemas = OpenAPISchemas(bundle.root.json, version)
        let digest = ConvertedSchemas.digest(of: log.content)
        responseSchemas = ConvertedSchemas(schemas, digest: digest)
        var sent = schemas
        sent.absentKey = "readOnly"
        requestSchemas = ConvertedSchemas(sent, digest: digest)
    }

    /// Returns true for a variable that an environment has, or that its host names.
    private static func has(_ variable: String, _ environment: Environment) -> Bool {
        environment.variables.contains { $0.name == variable } || environment.host.contains("{{\(variable)}}")
    }

    mutating func imported(name: String) -> Imported {
        if !isOpened { schemas.comparing = EvaluationTime() }
        let info = root["info"]
        var collection = Collection(name: ForeignText.name(info?["title"]?.text ?? "", or: name))
        collection.description = description(of: info)
        collection.environments = environments()
        server = collection.environments.first?.host ?? ""
        while collection.environments.contains(where: { Self.has(base, $0) }) { base += "_" }
        for index in collection.environments.indices {
            // Their hosts were put there.
            let environment = collection.environments[index]
            collection.environments[index].variables.append(Field(base, environment.host))
            collection.environments[index].host = ""
        }
        (collection.authentication, sharedKeys) = credentials(root["security"])
        collection.items = items()
        if collection.items.isEmpty { collection.environments = [] }
        noteOutgoing()
        noteUnasked()
        if let interruption = schemas.comparing?.interruption {
            log.loss(0, "samples", "not all are compared with their schemas: \(interruption.reason)")
        }
        var imported = Imported(collection, prompts: prompts, sources: sources)
        imported.responses = responses
        imported.files = bundle.files
        imported.hasSamples = true
        return imported.noted(log)
    }

    /// Notes what the API sends by itself.
    private mutating func noteOutgoing() {
        for webhook in (root["webhooks"] ?? root["x-webhooks"])?.members ?? [] {
            log.loss(webhook.value.offset, "webhooks", "left out, as the server sends them")
        }
    }

    /// Notes credentials that the document describes, and nothing asks for.
    private mutating func noteUnasked() {
        let schemes = root["components"]?["securitySchemes"] ?? root["securityDefinitions"]
        guard let schemes, !schemes.members.isEmpty, !hasSecurity, root["security"] == nil else { return }
        let names = schemes.members.map { $0.key }.joined(separator: ", ")
        log.remark(schemes.offset, names.excerpted, "no operation asks for these credentials; they are not sent")
    }

    // MARK: Folders

    private mutating func items() -> [CollectionItem] {
        var order: [String] = []
        var descriptions: [String: String] = [:]
        for tag in root["tags"]?.elements ?? [] {
            let name = ForeignText.line(tag["name"]?.text ?? "").trimmed
            guard !name.isEmpty, descriptions[name] == nil else { continue }
            order.append(name)
            descriptions[name] = description(of: tag)
        }
        var requests: [String: [CollectionItem]] = [:]
        for (tag, request) in operations() {
            if requests[tag] == nil, !tag.isEmpty, !order.contains(tag) { order.append(tag) }
            requests[tag, default: []].append(.request(request))
        }
        var folders = OpenAPITags(root, descriptions)
        for name in order + [""] { folders.add(requests[name] ?? [], of: name) }
        return folders.items
    }

    /// An operation, and the path that it is at.
    struct Place {
        let operation: ForeignValue
        /// As written, in letters of either case.
        let method: String
        let path: String
        let item: ForeignValue
    }

    private mutating func operations() -> [(tag: String, request: SavedRequest)] {
        places().map { place in
            let tag = ForeignText.line(place.operation["tags"]?.elements.first?.text ?? "").trimmed
            let made = request(place)
            responses[made.id] = documented(place)
            sources[made.id] = id(of: place) ?? "\(made.method.rawValue) \(place.path)"
            return (tag, made)
        }
    }

    /// The `operationId`; nil for an operation without, and for one whose ID an operation before it has.
    mutating func id(of place: Place) -> String? {
        let id = ForeignText.line(place.operation["operationId"]?.string ?? "").trimmed
        guard !id.isEmpty else { return nil }
        let address = "\(place.method.uppercased()) \(place.path)"
        guard let known = addresses.updateValue(addresses[id] ?? address, forKey: id), known != address else {
            return id
        }
        log.remark(place.operation.offset, id.excerpted, "of several operations; it is that of \(known.excerpted)")
        return nil
    }

    /// All operations in the order of the document.
    mutating func places() -> [Place] {
        var found: [Place] = []
        let paths = root["paths"].flatMap { resolved($0) }
        for (written, value) in paths?.members ?? [] where !written.hasPrefix("x-") {
            let path = written.hasPrefix("/") ? written : "/" + written
            if path != written { log.remark(value.offset, written.excerpted, "read as \(path.excerpted)") }
            guard let item = resolved(value) else { continue }
            if value.has("$ref"), let method = Self.methods.first(where: { value.has($0) }) {
                log.loss(value.offset, path.excerpted, "left out: the operation \(method) beside a $ref")
            }
            if item.kind != .object, item.kind != .null {
                log.loss(value.offset, path.excerpted, "left out: it is no object of operations")
            }
            let known = Self.methods.map { ($0, item[$0] ?? item[$0.uppercased()]) }
            let others = (item["additionalOperations"]?.members ?? []).map { ($0.key, Optional($0.value)) }
            for (method, operation) in known + others {
                // No version has references here, and large documents do. One that leads nowhere costs what it describes.
                guard let operation = operation.flatMap({ resolved($0) ?? $0 }), operation.kind == .object else {
                    continue
                }
                found.append(Place(operation: operation, method: method, path: path, item: item))
            }
        }
        return found
    }

    /// Returns a URL that a document has beside its operations: a relative one starts at the server (RFC 3986, section
    /// 5.2), and not below its path as those of operations.
    static func absoluteURL(_ text: String, at server: String) -> String {
        guard !text.isEmpty, !text.contains("://") else { return text }
        if text.hasPrefix("//") {
            return (server.firstRange(of: "//").map { String(server[..<$0.lowerBound]) } ?? "https:") + text
        }
        let start = server.firstRange(of: "://")?.upperBound ?? server.startIndex
        guard let slash = server[start...].firstIndex(of: "/"), let last = server.lastIndex(of: "/") else {
            return text.hasPrefix("/") ? text : "/" + text
        }
        let folder = text.hasPrefix("/") ? "" : String(server[slash...last])
        return String(server[..<slash]) + folder + text
    }

    // MARK: Operations

    mutating func request(_ place: Place) -> SavedRequest {
        let (operation, method, path, item) = (place.operation, place.method, place.path, place.item)
        var request = SavedRequest(name: "", path: "")
        let isKnown = Self.methods.contains(method)
        request.method = RequestMethod.imported(isKnown ? method.uppercased() : method, &log, at: operation.offset)
        let title = [operation["summary"], operation["operationId"]].lazy.compactMap { $0?.string }
            .map { String($0.trimmed.prefix { !$0.isNewline }.prefix(Self.maximumName)) }.first { !$0.isEmpty }
        request.name = ForeignText.name(title ?? "", or: "\(method.uppercased()) \(path)")
        request.description = description(of: operation)
        if operation["deprecated"]?.bool == true {
            request.tags = ["deprecated"]
            request.description = ["Deprecated.", request.description].filter { !$0.isEmpty }.joined(separator: "\n\n")
        }
        let parameters = parameters(of: operation, and: item)
        address(path, parameters, of: &request, at: operation.offset)
        if let server = (operation["servers"] ?? item["servers"])?.elements.first {
            request.path = address(of: server) + request.path
            request.variables += serverVariables(server)
        } else if !isLiving {
            request.path = formerAddress(of: operation) + request.path
        }
        // OpenAPI 2.0 has no word against the credentials as a parameter.
        let security = (operation["security"] ?? root["security"])?.elements ?? []
        takesAuthorization = version == .two && security.isEmpty
        rows(parameters, of: &request)
        accept(in: &request, place)
        body(of: operation, parameters, in: &request)
        authenticate(&request, by: operation["security"])
        expectations(operation["responses"], of: &request)
        let examples = examples(of: place)
        if !examples.isEmpty { request.examples = examples }
        if let callbacks = operation["callbacks"] {
            log.loss(callbacks.offset, "callbacks", "left out, as the server sends them")
        }
        return request
    }

    /// The URL of a server of one operation; a relative one starts at the first server of the document.
    private mutating func address(of server: ForeignValue) -> String {
        let url = serverURL(server)
        guard !isLiving, !url.contains("://"), !url.hasPrefix("{{") else { return url }
        let isRoot = server["url"]?.text.hasPrefix("/") ?? false
        guard isRoot || !url.isEmpty else { return "{{\(base)}}" }
        log.remark(server.offset, "servers", "relative; it starts at the first server of the document")
        return isRoot && url.isEmpty ? Self.origin(of: self.server) : Self.absoluteURL(url, at: self.server)
    }

    /// `https://api.test` for `https://api.test/v1/openapi.yaml`
    static func origin(of url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return String(url[..<(url[start...].firstIndex(of: "/") ?? url.endIndex)])
    }

    /// The start of the URL of an operation, which has other schemes than its document in some of OpenAPI 2.0.
    private func formerAddress(of operation: ForeignValue) -> String {
        let schemes = version == .two ? operation["schemes"]?.elements.compactMap(\.string) ?? [] : []
        guard let scheme = ["https", "http"].first(where: { schemes.contains($0) }),
            let end = server.firstRange(of: "://"), !schemes.contains(String(server[..<end.lowerBound]))
        else { return "{{\(base)}}" }
        return scheme + String(server[end.lowerBound...])
    }

    private mutating func authenticate(_ request: inout SavedRequest, by security: ForeignValue?) {
        hasSecurity = hasSecurity || security != nil
        guard !isLiving else {
            // The credentials are those of the collection, but for an operation that is open.
            let isOpen = security?.kind == .array && security?.elements.allSatisfy { $0.members.isEmpty } ?? false
            if isOpen { request.authentication = .noAuthentication }
            return
        }
        let (authentication, keys) = credentials(security)
        request.authentication = authentication
        let isOwn = security?.kind == .array
        for key in isOwn ? keys : sharedKeys { request.add(key) }
    }

    /// In characters.
    private static let maximumName = 120

    /// The text of a description and the address of further documents.
    func description(of value: ForeignValue?) -> String {
        let written = value?["description"]
        let description = written?["$ref"]?.string.flatMap { target($0) } ?? written
        let texts = [description?.string, value?["externalDocs"]?["url"]?.string]
        return texts.compactMap { $0?.trimmed }.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    // MARK: References

    /// Follows references in the document; nil, with a loss, for one that leads nowhere.
    mutating func resolved(_ value: ForeignValue) -> ForeignValue? {
        var value = value
        for _ in 0..<Self.maximumReferences {
            guard let reference = value["$ref"]?.string else { return value }
            guard let target = targets[reference] ?? self.target(reference) else {
                if bundle.noted.contains(value.offset) { return nil }
                let isHere = reference.hasPrefix("#")
                log.loss(
                    value.offset, reference.excerpted,
                    isHere ? "left out: there is no such part" : "left out: other files and URLs are not read")
                return nil
            }
            targets[reference] = target
            value = target
        }
        log.loss(value.offset, "$ref", "left out: it refers to itself")
        return nil
    }

    /// - Parameter nesting: the number of references on the way of others.
    func target(_ reference: String, nesting: Int = 0) -> ForeignValue? {
        guard nesting < Self.maximumReferences, let tokens = OpenAPISchemas.tokens(of: reference) else { return nil }
        var value = root
        for token in tokens {
            // All of a part may be in another file.
            if !value.has(token), let inner = value["$ref"]?.string {
                guard let target = self.target(inner, nesting: nesting + 1) else { return nil }
                value = target
            }
            let elements = value.elements
            let member = { value.members.first { OpenAPISchemas.isEscaped($0.key, as: token) }?.value }
            guard let next = value[token] ?? Int(token).flatMap({ elements[safe: $0] }) ?? member() else { return nil }
            value = next
        }
        return value
    }

    /// A name for a variable; other characters than letters, digits, `_`, `-` and `.` become `_`.
    static func variableName(_ text: String) -> String {
        let name = String(text.map { $0.isLetter || $0.isNumber || "_-.".contains($0) ? $0 : "_" })
        return (try? Field.checkVariableName(name)) == nil ? "value" : name
    }

    /// A template that gives the text: braces of a document are no templates.
    static func literal(_ text: String) -> String { TemplateText.literal(text) }

    static func literal(_ value: JSONValue) -> JSONValue { TemplateText.literal(value) }

    /// The text of a value in a row.
    static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .null: ""
        case .bool, .number, .array, .object: value.compact
        }
    }
}
