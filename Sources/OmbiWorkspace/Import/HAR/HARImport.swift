/// Reads HAR 1.2: the recordings of browsers and proxies, and single requests in its form.
enum HARImport {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object else { return false }
        return root["log"]?.kind == .object || isRequest(root)
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root else { throw file.unknown }
        var reader = HARReader(log: ImportLog(file.bytes))
        if let recording = root["log"] {
            guard let entries = recording["entries"], entries.kind == .array else {
                throw reader.log.error(recording.offset, "the recording has no list of entries")
            }
            reader.add(entries.elements, all: file.takesAll)
            reader.noteCredentials(leftOutBy: recording["creator"])
        } else {
            guard isRequest(root) else { throw file.unknown }
            reader.add(root, of: root)
        }
        var collection = Collection(name: ForeignText.name("", or: file.name))
        collection.items = reader.items
        return Imported(collection).noted(reader.log)
    }

    private static func isRequest(_ root: ForeignValue) -> Bool {
        root["method"]?.string != nil && root["url"]?.string != nil && !root.has("item") && !root.has("items")
    }
}

/// Reads the requests of a recording, each once, by their hosts.
struct HARReader {
    var log: ImportLog
    private var hosts: [(name: String, requests: [SavedRequest])] = []
    private var indices: [String: Int] = [:]
    /// The requests so far: one that comes again, all parts being the same, is left out.
    private var known: Set<JSONValue> = []

    init(log: ImportLog) { self.log = log }

    /// A folder for each host, if there are several.
    var items: [CollectionItem] {
        let lists = hosts.map { (name: $0.name, items: $0.requests.map(CollectionItem.request).withUniqueNames) }
        guard lists.count > 1 else { return lists.first?.items ?? [] }
        return lists.map { CollectionItem.folder(Folder(name: $0.name, items: $0.items)) }.withUniqueNames
    }

    /// Notes that no request has credentials, which the browser leaves out of a recording unless it is asked for them.
    mutating func noteCredentials(leftOutBy creator: ForeignValue?) {
        guard let creator, creator["name"]?.string == "WebInspector" else { return }
        let requests = hosts.flatMap(\.requests)
        let names: Set<String> = ["cookie", "authorization"]
        let hasSome = requests.contains { $0.headers.contains { names.contains($0.name.lowercased()) } }
        guard !requests.isEmpty, !hasSome else { return }
        log.remark(
            creator.offset, "creator",
            "no request has a Cookie or an Authorization: the browser left them out; export with sensitive data")
    }

    /// Adds the entries that are calls of an API; each of them if there is no such call.
    /// - Parameter all: true to add the others, too.
    mutating func add(_ entries: [ForeignValue], all: Bool) {
        let kinds = entries.map { all ? nil : HARResource.kind(of: $0) }
        let hasCalls = zip(entries, kinds).contains { $1 == nil && $0["request"]?["url"]?.string != nil }
        var left: [String] = []
        var first = 0
        for (entry, kind) in zip(entries, kinds) {
            guard hasCalls, let kind else {
                add(entry["request"], of: entry)
                continue
            }
            if left.isEmpty { first = entry.offset }
            left.append(kind)
        }
        guard !left.isEmpty else { return }
        let each = left.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let list = each.map { kind in "\(left.count { $0 == kind }) \(kind)" }.joined(separator: ", ")
        log.loss(first, "entries", "left out, as they are no calls of an API: \(list); `ombi import --all` takes them")
    }

    mutating func add(_ request: ForeignValue?, of entry: ForeignValue) {
        guard let value = request, let url = value["url"]?.string, !url.isEmpty else {
            return log.loss(entry.offset, "entry", "left out: it has no URL")
        }
        if let scheme = Self.unsent.first(where: { url.lowercased().hasPrefix($0) }) {
            return log.loss(value.offset, scheme, "left out: such a URL is not sent")
        }
        var saved = SavedRequest(name: "", path: "")
        saved.method = RequestMethod.imported(
            value["method"]?.text ?? "", &log, at: value["method"]?.offset ?? value.offset)
        saved.headers = headers(of: value, entry)
        let address = setAddress(url, value, of: &saved)
        saved.webSocket = webSocket(value, entry)
        body(value["postData"], of: &saved)
        noteMissing(value, saved)
        // Ombi writes the name of a request.
        saved.name = ForeignText.name(
            entry["_name"]?.string ?? "", or: "\(saved.method.rawValue) \(address.path.isEmpty ? "/" : address.path)")
        guard known.insert(saved.json).inserted else {
            return log.remark(value.offset, "entry", "the same request again is left out")
        }
        noteOthers(in: entry)
        let host = address.server.split(separator: "/").last.map(String.init) ?? "other"
        if let index = indices[host] {
            hosts[index].requests.append(saved)
        } else {
            indices[host] = hosts.count
            hosts.append((host, [saved]))
        }
    }

    private static let unsent = [
        "data:", "blob:", "about:", "file:", "chrome-extension:", "moz-extension:", "chrome:",
    ]

    /// Members that hold more than a request, and what becomes of them.
    private mutating func noteOthers(in entry: ForeignValue) {
        for key in ["checks", "variables"] {
            guard let list = entry[key], !list.elements.isEmpty else { continue }
            log.loss(list.offset, key, "left out: the request alone is read")
        }
    }

    /// The WebSocket of an entry with messages, of which those of text are sent; nil for another entry.
    private mutating func webSocket(_ value: ForeignValue, _ entry: ForeignValue) -> SavedWebSocket? {
        guard let list = entry["_webSocketMessages"], !list.elements.isEmpty else { return nil }
        var messages: [SavedMessage] = []
        for message in list.elements where message["type"]?.string == "send" {
            guard let text = message["data"]?.string, message["opcode"].map({ $0.text == "1" }) ?? true else {
                log.loss(message.offset, "_webSocketMessages", "a message that is no text is left out")
                continue
            }
            let name = "message \(messages.count + 1)"
            messages.append(SavedMessage(name: name, text: TemplateText.literal(text)))
        }
        let protocols = value["headers"]?.elements.first { row in
            row["name"]?.string?.lowercased() == "sec-websocket-protocol"
        }
        let names = (protocols?["value"]?.text ?? "").split(separator: ",").map(\.trimmed)
        return SavedWebSocket(subprotocols: names.filter { HeaderCheck.isToken($0) }, messages: messages)
    }

    // MARK: Address

    /// Sets the URL. A recording has no templates and no path parameters: what looks like one is escaped.
    private mutating func setAddress(
        _ url: String, _ value: ForeignValue, of request: inout SavedRequest
    ) -> CurlAddress {
        let offset = value["url"]?.offset ?? value.offset
        var text = ForeignText.line(url).trimmed.replacing("{{", with: "%7B%7B")
        if !text.contains("://") { text = "http://" + text }
        if text.contains("#") { log.remark(offset, "#", "the fragment of a URL is not sent") }
        var address = CurlAddress(text)
        address.removeDotSegments()
        request.path = address.server + (address.path.isEmpty ? "/" : address.path.replacing("/:", with: "/%3A"))
        if let problem = RequestTarget(address.server + "/").problem { log.loss(offset, "url", problem) }
        if let query = address.query, !query.isEmpty {
            log.noteEscapes(inQuery: query, at: offset)
            if let rows = Field.rows(ofQuery: query) {
                request.query = rows.map { Self.row($0.name, $0.value) }
            } else {
                request.path += "?" + query
            }
        } else {
            // Of the URL and the list, one is enough; tools write both.
            request.query = rows(value["queryString"])
        }
        request.authentication = address.authentication { TemplateText.literal($0) }
        return address
    }

    /// The rows of a list of names and values.
    func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            let name = row["name"]?.text ?? ""
            guard !name.isEmpty else { return nil }
            return Self.row(name, row["value"]?.text ?? "").described(row["comment"]?.string ?? "")
        }
    }

    static func row(_ name: String, _ value: String) -> Field {
        Field(TemplateText.literal(name), TemplateText.literal(value))
    }

    // MARK: Headers

    private mutating func headers(of value: ForeignValue, _ entry: ForeignValue) -> [Field] {
        if let list = value["headers"], list.kind != .array {
            log.loss(list.offset, "headers", "left out: they are no list")
        }
        let isUnchanged = entry["response"]?["status"]?.text == "304"
        var fields: [Field] = []
        for row in value["headers"]?.elements ?? [] {
            let (name, text) = (row["name"]?.text ?? "", row["value"]?.text ?? "")
            guard !Self.isOwn(name), !(isUnchanged && Self.conditions.contains(name.lowercased())) else {
                log.remark(
                    row.offset, "headers", "those of the connection and of the browser are left out, such as User-Agent"
                )
                continue
            }
            guard HeaderCheck.isToken(name), HeaderCheck.isValue(text) else {
                log.loss(row.offset, name.excerpted, "left out: no request can have this header")
                continue
            }
            fields.append(Field(name, TemplateText.literal(text)).described(row["comment"]?.string ?? ""))
        }
        // Tools write the header, the list or both.
        fields.removeAll { $0.name.lowercased() == "cookie" && $0.value.isEmpty }
        if !fields.contains(where: { $0.name.lowercased() == "cookie" }) {
            let cookies = (value["cookies"]?.elements ?? []).compactMap { row -> String? in
                guard let name = row["name"]?.text, !name.isEmpty else { return nil }
                return "\(name)=\(row["value"]?.text ?? "")"
            }
            let line = cookies.joined(separator: "; ")
            if !cookies.isEmpty, HeaderCheck.isValue(line) { fields.append(Self.row("Cookie", line)) }
        }
        return fields
    }

    private static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix(":") || name.hasPrefix("sec-") || own.contains(name)
    }

    private static let own: Set<String> = [
        "host", "content-length", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "upgrade-insecure-requests", "accept-encoding", "user-agent", "referer", "origin",
    ]
    private static let conditions: Set<String> = ["if-none-match", "if-modified-since"]
}

/// The bodies of recorded requests: a text, or its parameters.
extension HARReader {
    mutating func body(_ post: ForeignValue?, of request: inout SavedRequest) {
        guard let post, post.kind == .object else { return }
        let header = request.headers.last { $0.name.lowercased() == "content-type" }?.value
        let type = header ?? post["mimeType"]?.text ?? ""
        guard let text = text(of: post) else { return }
        // Tools write the text, its parameters or both.
        if text.isEmpty {
            let parameters = post["params"]?.elements ?? []
            guard !parameters.isEmpty else { return }
            if ForeignBody.kind(of: type) == "multipart/form-data" {
                request.body = .multipart(MultipartContent(parameters.compactMap { part($0) }))
            } else {
                request.body = .form(FormContent(rows(post["params"])))
            }
        } else if let boundary = ForeignBody.parameter("boundary", of: type),
            let parts = parts(of: text, boundary, at: post.offset)
        {
            request.body = .multipart(MultipartContent(parts))
        } else {
            request.body = body(text, type, of: request)
            log.noteType(of: request, from: "the recording", at: post.offset)
        }
        request.dropContentType()
    }

    /// Notes a body that the recording does not have, or of which it has a part only.
    mutating func noteMissing(_ value: ForeignValue, _ request: SavedRequest) {
        guard let size = value["bodySize"].flatMap({ Int($0.text) }), size > 0 else { return }
        let post = value["postData"]
        let text = post?["text"]?.text ?? ""
        if text.isEmpty, post?["params"]?.elements.isEmpty ?? true {
            log.loss(value.offset, "bodySize", "the recording does not have the body of \(size) bytes")
        } else if !text.isEmpty, text.utf8.count < size {
            // Recordings leave out the content of files.
            if case .multipart? = request.body { return }
            log.loss(
                post?.offset ?? value.offset, "postData",
                "the recording has \(text.utf8.count) of the \(size) bytes of the body")
        }
    }

    /// The text; empty for none, nil for one that no body can have.
    private mutating func text(of post: ForeignValue) -> String? {
        let text = post["text"]?.text ?? ""
        guard post["encoding"]?.string == "base64", !text.isEmpty else { return text }
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        if let data, let decoded = String(validating: data, as: UTF8.self) { return decoded }
        let size = data.map { "\($0.count) bytes" } ?? "no base64"
        log.loss(post.offset, "postData", "left out: the body is no text (\(size)); choose a file for it")
        return nil
    }

    private func body(_ text: String, _ type: String, of request: SavedRequest) -> SavedBody {
        let body = ForeignBody(isLiteral: true).body(text, type.isEmpty ? nil : type)
        guard case .json(let content) = body, request.method == .post, request.path.hasSuffix("graphql"),
            case .object(let members) = content.value,
            members.allSatisfy({ ["query", "variables", "operationName"].contains($0.key) }),
            let query = content.value["query"]?.stringValue
        else { return body }
        var graphQL = GraphQLContent(query, operationName: content.value["operationName"]?.stringValue)
        switch content.value["variables"] {
        case .object?: graphQL.variables = content.value["variables"]
        case nil, .null?: break
        // It would not be sent.
        case .bool?, .number?, .string?, .array?: return body
        }
        return .graphql(graphQL)
    }

    // MARK: Parts

    private mutating func part(_ value: ForeignValue) -> MultipartPart? {
        let (name, content) = (value["name"]?.text ?? "", value["value"]?.text ?? "")
        guard !name.isEmpty else { return nil }
        let (file, type) = (value["fileName"]?.text ?? "", value["contentType"]?.text ?? "")
        return part(name, content, file: file.isEmpty ? nil : file, type: type.isEmpty ? nil : type, at: value.offset)
    }

    /// The parts of a text; nil for one that is not divided by the boundary.
    private mutating func parts(of text: String, _ boundary: String, at offset: Int) -> [MultipartPart]? {
        let found = ForeignPart.parts(of: text, boundary: boundary)
        guard !found.isEmpty, found.allSatisfy({ $0.name?.isEmpty == false }) else { return nil }
        return found.map { written in
            part(
                written.name ?? "", written.content, file: written.fileName, type: written.header("content-type"),
                at: offset)
        }
    }

    /// Recordings leave out the content of files.
    private mutating func part(
        _ name: String, _ content: String, file: String?, type: String?, at offset: Int
    ) -> MultipartPart {
        let (name, type) = (TemplateText.literal(name), type.map { TemplateText.literal($0) })
        guard let file, !file.isEmpty else {
            return MultipartPart(name, .text(TemplateText.literal(content)), contentType: type)
        }
        let path = TemplateText.literal(file)
        guard content.isEmpty else {
            return MultipartPart(name, .text(TemplateText.literal(content)), contentType: type, fileName: path)
        }
        log.loss(
            offset, file.excerpted, "the recording does not have this file; put it into the folder of the collection")
        return MultipartPart(name, .file(path), contentType: type)
    }
}
