/// Reads collections of ATAC, in JSON or YAML.
enum ATACImport {
    static func recognizes(_ file: ForeignFile) -> Bool { file.root.map { isCollection($0) } ?? false }

    private static func isCollection(_ root: ForeignValue) -> Bool {
        guard root.kind == .object, let requests = root["requests"], requests.kind == .array,
            !root.has("order"), !root.has("folders"), !root.has("info")
        else { return false }
        // A collection without requests has a position in the list of all.
        return root.has("last_position") && root["name"] != nil
            || !requests.elements.isEmpty
                && requests.elements.allSatisfy { $0.has("url") && ($0.has("protocol") || $0.has("params")) }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root["requests"]?.kind == .array else { throw file.unknown }
        var reader = ATACReader(log: ImportLog(file.bytes))
        reader.noteFunctions()
        var collection = Collection(name: ForeignText.name(root["name"]?.text ?? "", or: file.name))
        collection.items = reader.items(root["requests"])
        collection.connection = reader.connection(of: collection)
        return Imported(collection).noted(reader.log)
    }

    // MARK: Folders

    /// Returns true for the folder of ATAC, which has its collections beside the files of its environments.
    static func recognizes(_ folder: ImportFolder) -> Bool { contents(of: folder).files.contains { isCollection($0) } }

    private static func contents(of folder: ImportFolder) -> (files: [ImportFolder.File], notes: [ImportNote]) {
        folder.contents(inner: false) { name in
            isEnvironment(name) || !name.hasPrefix(".") && [".json", ".yml", ".yaml"].contains { name.hasSuffix($0) }
        }
    }

    /// `.env.staging`
    private static func isEnvironment(_ name: String) -> Bool { name.hasPrefix(".env.") }

    private static func isCollection(_ file: ImportFolder.File) -> Bool {
        guard !isEnvironment(file.name), let foreign = try? ForeignFile(file.bytes, path: file.path) else {
            return false
        }
        return recognizes(foreign)
    }

    /// The one collection of a folder, or each as a folder, with all environments.
    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var parts: [Imported] = []
        var (files, notes) = contents(of: folder)
        files.removeAll { !isEnvironment($0.name) && !isCollection($0) }
        var environments: [Environment] = []
        for file in files {
            let isEnvironment = Self.isEnvironment(file.name)
            do throws(ImportError) {
                let foreign = try ForeignFile(file.bytes, path: file.path)
                let part = try isEnvironment ? ATACEnvironment.read(foreign) : read(foreign)
                environments += part.collection.environments
                notes += part.notes.located(in: folder.full(file.path))
                if !isEnvironment { parts.append(part) }
            } catch { throw error.located(in: folder.full(file.path)) }
        }
        guard var imported = parts.first else { throw ImportLog([]).error(0, "there is no collection in this folder") }
        if parts.count > 1 {
            imported.collection = Collection(name: ForeignText.name("", or: folder.name))
            let folders = parts.map { part in
                let settings = SharedSettings(connection: part.collection.connection)
                return CollectionItem.folder(
                    Folder(name: part.collection.name, settings: settings, items: part.collection.items))
            }
            imported.collection.items = folders.withUniqueNames
        }
        imported.collection.environments = environments
        imported.notes = ImportNote.counted(notes)
        return imported
    }
}

/// Reads `.env.staging`: an environment of ATAC.
enum ATACEnvironment {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard file.document == nil, isNamed(file.path), let read = try? EnvFile(file.bytes) else { return false }
        return !read.entries.isEmpty
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        var log = ImportLog(file.bytes)
        let entries: [EnvFile.Entry]
        do throws(EnvFile.Failure) { entries = try EnvFile(file.bytes).entries } catch {
            let lines = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            throw log.error(lines[safe: error.line - 1]?.startIndex ?? file.bytes.count, error.message)
        }
        let name = String((file.path.split(separator: "/").last ?? "").drop { $0 == "." })
        let parts = name.split(separator: ".").filter { $0 != "env" }.joined(separator: ".")
        var environment = Environment(name: ForeignText.name(parts, or: "default"), host: "")
        for entry in entries {
            let variable = log.variableName(entry.name, at: 0)
            environment.variables.append(Field(variable, TemplateText.escaped(foreign: entry.value)))
        }
        var imported = Imported(Collection(name: "imported"))
        imported.collection.environments = [environment]
        return imported.noted(log)
    }

    private static func isNamed(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix(".env") || name.hasSuffix(".env")
    }
}

/// Reads the requests of a collection of ATAC, and notes what has no counterpart.
struct ATACReader {
    private(set) var log: ImportLog
    private var keepsCookies = false

    init(log: ImportLog) { self.log = log }

    mutating func items(_ list: ForeignValue?) -> [CollectionItem] {
        let items = (list?.elements ?? []).compactMap { value -> CollectionItem? in
            if value.kind == .object { return .request(request(value)) }
            log.loss(value.offset, "requests", "left out: it is no request")
            return nil
        }
        return items.withUniqueNames
    }

    /// Cookies are kept where any request says so and one is sent.
    func connection(of collection: Collection) -> SavedConnection? {
        keepsCookies && collection.sendsCookies ? SavedConnection { $0.cookies = true } : nil
    }

    private mutating func request(_ value: ForeignValue) -> SavedRequest {
        // Before there were protocols, the members of this one stood in the request.
        let part = value["protocol"]?.kind == .object ? value["protocol"] ?? value : value
        var request = SavedRequest(name: "", path: "")
        let method = part["method"]
        request.method = RequestMethod.imported(method?.text ?? "", &log, at: method?.offset ?? value.offset)
        setAddress(value, of: &request)
        request.setName(value["name"]?.text ?? "")
        for row in rows(value["headers"]) { add(row, to: &request) }
        request.authentication = authentication(value["auth"])
        if let auth = value["auth"] { log.noteEmptyParts(of: request.authentication, "auth", at: auth.offset) }
        setBody(part["body"], of: &request)
        setSettings(value["settings"], of: &request)
        for (key, script) in value["scripts"]?.members ?? [] where !(script.string ?? "").isEmpty {
            log.loss(script.offset, key.excerpted, "left out: scripts are not run")
        }
        return request
    }

    // MARK: Rows

    /// A pair that can be disabled: `{"enabled": true, "data": ["name", "value"]}`.
    private typealias Row = (name: String, value: String, isEnabled: Bool, offset: Int)

    private func rows(_ list: ForeignValue?) -> [Row] {
        (list?.elements ?? []).compactMap { value in
            let data = value["data"]?.elements ?? value.elements
            guard data.count == 2 else { return nil }
            return (data[0].text, data[1].text, value["enabled"]?.bool ?? true, value.offset)
        }
    }

    /// The headers that ATAC sends by itself.
    private static let own: Set<String> = ["accept-encoding", "connection", "host", "content-length"]

    private mutating func add(_ row: Row, to request: inout SavedRequest) {
        let name = Self.template(row.name.trimmed)
        let lowercased = name.lowercased()
        if name.isEmpty || Self.own.contains(lowercased) { return }
        if lowercased == "user-agent", row.value.hasPrefix("ATAC/") { return }
        guard log.isHeader(name, at: row.offset) else { return }
        request.headers.append(Field(name, Self.template(ForeignText.line(row.value)), enabled: row.isEnabled))
    }

    // MARK: Templates

    /// The values that ATAC has in any environment.
    private static let functions = [
        "NOW": "$now('%Y-%m-%d %H:%M:%S UTC')", "TIMESTAMP": "$timestamp", "UUIDv4": "$uuid", "UUIDv7": "$uuid",
    ]

    /// Notes the functions that give another text.
    mutating func noteFunctions() {
        for (name, message) in [("{{NOW}}", "without the fraction of a second"), ("{{UUIDv7}}", "a UUID of version 4")]
        {
            if let range = log.content.firstRange(of: name.utf8) { log.remark(range.lowerBound, name, message) }
        }
    }

    /// ATAC has names between braces alone.
    private static func template(_ text: String) -> String { TemplateText.escaped(foreign: renamed(text)) }

    private static func renamed(_ text: String) -> String {
        TemplateText.replacing(text) { inner in functions[String(inner)].map { "{{\($0)}}" } }
    }

    // MARK: URLs

    /// In bytes: values may have the names of others in them.
    private static let maximumURL = 4096

    /// A parameter whose name stands between braces is one of the path: `/users/{id}`.
    private mutating func setAddress(_ value: ForeignValue, of request: inout SavedRequest) {
        let offset = value["url"]?.offset ?? value.offset
        var url = ForeignText.line(value["url"]?.text ?? "").trimmed.replacing("/:", with: "/%3A")
        var parameters: [Field] = []
        var query: [Row] = []
        for row in rows(value["params"]) {
            guard row.name.hasPrefix("{"), row.name.hasSuffix("}"), !row.name.hasPrefix("{{") else {
                query.append(row)
                continue
            }
            let name = String(row.name.dropFirst().dropLast())
            let word = ForeignText.word(name)
            // ATAC inserts a value as it is, wherever the name stands; a parameter of Ombi has marks of URLs encoded.
            let isPlain = !row.value.contains { "/?#%".contains($0) }
            if row.isEnabled, !word.isEmpty, isPlain, Self.isParameter(row.name, in: url) {
                let fits = url.utf8.count + row.value.utf8.count <= Self.maximumURL
                let path = String(url.prefix { !"?#".contains($0) })
                let filled = { (text: String) in fits ? text.replacing(row.name, with: row.value) : text }
                let rest = filled(String(url.dropFirst(path.count)))
                url = filled(path.replacing("/" + row.name, with: "/:" + word)) + rest
                parameters.append(Field(word, Self.template(row.value)))
                if word != name { log.remark(row.offset, name.excerpted, "named :\(word), as a path can name it") }
            } else if row.isEnabled, url.utf8.count + row.value.utf8.count <= Self.maximumURL {
                url = url.replacing(row.name, with: row.value)
            }
        }
        request.setAddress(Self.renamed(url), hasParameters: true, &log, at: offset)
        for row in query where !row.name.isEmpty {
            request.query.append(Field(Self.template(row.name), Self.template(row.value), enabled: row.isEnabled))
        }
        request.pathParameters = request.pathParameterNames.map { name in
            parameters.first { $0.name == name } ?? Field(name, "")
        }
    }

    /// Returns true for a name that begins segments of a URL, and that nothing follows which could belong to it.
    private static func isParameter(_ name: String, in url: String) -> Bool {
        var rest = url.prefix { !"?#".contains($0) }
        var isFound = false
        while let range = rest.firstRange(of: "/" + name) {
            rest = rest[range.upperBound...]
            if let next = rest.first, next.isLetter || next.isNumber || "_{".contains(next) { return false }
            isFound = true
        }
        return isFound
    }

    // MARK: Bodies

    /// `no_body`, or an object with one member: the kind. In YAML, a tag may be the kind, which is not read.
    private mutating func setBody(_ value: ForeignValue?, of request: inout SavedRequest) {
        defer { request.dropContentType() }
        guard let value, !["no_body", "NoBody"].contains(value.string) else { return }
        let (kind, content) = value.members.first.map { ($0.key, $0.value) } ?? ("", value)
        let type = request.sentContentType
        switch kind {
        case "multipart": request.body = .multipart(MultipartContent(parts(content)))
        case "form":
            let rows = rows(content).filter { !$0.name.isEmpty }
            request.body = .form(
                FormContent(rows.map { Field(Self.template($0.name), Self.template($0.value), enabled: $0.isEnabled) }))
        case "file":
            guard !content.text.isEmpty else {
                return log.noteMissingFile(at: content.offset)
            }
            log.notePath(of: "ATAC", at: content.offset)
            request.body = .file(FileContent(Self.template(content.text), contentType: type))
        case "" where content.kind == .array: request.body = .multipart(MultipartContent(parts(content)))
        default:
            if content.text.isEmpty { return }
            let isJSON = kind.isEmpty && (try? JSONValue.parse(content.text)) != nil
            request.body = ForeignBody().body(
                Self.renamed(content.text), type ?? (isJSON ? "application/json" : Self.types[kind]))
        }
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "raw": "text/plain",
        "javascript": "application/javascript",
    ]

    /// A value behind `!!` is the path of a file.
    private mutating func parts(_ list: ForeignValue) -> [MultipartPart] {
        rows(list).filter { !$0.name.isEmpty }.map { row in
            let path = row.value.hasPrefix("!!") ? String(row.value.dropFirst(2)) : ""
            if !path.isEmpty { log.notePath(of: "ATAC", at: row.offset) }
            let content: MultipartPart.Content =
                path.isEmpty ? .text(Self.template(row.value)) : .file(Self.template(path))
            return MultipartPart(Self.template(row.name), content, enabled: row.isEnabled)
        }
    }

    // MARK: Settings and credentials

    private mutating func setSettings(_ value: ForeignValue?, of request: inout SavedRequest) {
        guard let value else { return }
        keepsCookies = keepsCookies || value["store_received_cookies"]?.bool == true
        if value["allow_redirects"]?.bool == false {
            request.connection = SavedConnection { $0.maximumRedirects = 0 }
        }
        if let limit = value["timeout"].flatMap({ Int($0.text) }), (1...86_400_000).contains(limit) {
            request.policy = RequestPolicy(timeout: .milliseconds(limit))
        }
        for key in ["accept_invalid_certs", "accept_invalid_hostnames"] where value[key]?.bool == true {
            log.noteUnchecked(key, at: value.offset)
        }
    }

    /// The credentials of earlier versions, `{"basic_auth": ["ada", "s3cr3t"]}` and `{"bearer_token": "…"}`; nil for
    /// others.
    private static func former(_ kind: String, _ value: ForeignValue) -> SavedAuthentication? {
        let texts = value.elements.map { template(ForeignText.line($0.text)) }
        if kind == "basic_auth", texts.count == 2 {
            return .basic(BasicAuthentication(username: texts[0], password: texts[1]))
        }
        guard kind == "bearer_token", let token = value.string else { return nil }
        return .bearer(BearerAuthentication(token: template(ForeignText.line(token))))
    }

    /// `no_auth`, or an object with one member: the kind. In YAML, a tag may be the kind, which is not read.
    private mutating func authentication(_ value: ForeignValue?) -> SavedAuthentication? {
        guard let value, !["no_auth", "NoAuth"].contains(value.string) else { return nil }
        let first = value.members.first
        if let first, let former = Self.former(first.key, first.value) { return former }
        let isNamed = first?.value.kind == .object
        let parts = isNamed ? first?.value ?? value : value
        let text = { (key: String) in Self.template(ForeignText.line(parts[key]?.text ?? "")) }
        let isDigest = parts.has("qop") || parts.has("nonce")
        let kind = isNamed ? first?.key ?? "" : ""
        let kinds = ["basic_auth": "basic", "digest": "digest", "bearer_token": "bearer"]
        let unnamed = parts.has("username") ? (isDigest ? "digest" : "basic") : parts.has("token") ? "bearer" : ""
        return SavedAuthentication(foreign: kind.isEmpty ? unnamed : kinds[kind] ?? "", text)
            ?? log.unknownAuthentication(kind.isEmpty ? "auth" : kind, at: value.offset)
    }
}
