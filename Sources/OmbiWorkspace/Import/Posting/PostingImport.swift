/// Reads collections of posting: folders in which each request is a file of YAML, and the files of environments.
enum PostingImport {
    private static let ending = ".posting.yaml"
    private static let environment = ".env"

    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object, file.path.hasSuffix(ending) else { return false }
        return root.has("url") || root.has("name")
    }

    static func recognizes(_ folder: ImportFolder) -> Bool {
        let names = folder.names()
        if names.contains(where: { $0.hasSuffix(ending) }) { return true }
        return names.contains { name in folder.names(in: name).contains { $0.hasSuffix(ending) } }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root.kind == .object else { throw file.unknown }
        var reader = PostingReader(log: ImportLog(file.bytes))
        let request = reader.request(root, named: file.name)
        var collection = Collection(name: file.name)
        collection.items = [.request(request)]
        return reader.imported(collection, [])
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var files = ForeignFiles()
        files.read(folder) { $0.hasSuffix(ending) }
        guard !files.values.isEmpty else { throw files.failure("there is no request of posting in this folder") }
        let environments = environments(of: folder, &files)
        var reader = PostingReader(log: files.log)
        var items: [(folders: ArraySlice<String>, item: CollectionItem)] = []
        for file in files.values {
            let parts = file.path.split(separator: "/").map(String.init)
            let stem = String((parts.last ?? "").dropLast(ending.count))
            items.append((parts.dropLast(), .request(reader.request(file.value, named: stem))))
        }
        var collection = Collection(name: ForeignText.name(folder.name, or: "imported"))
        collection.items = .nested(items) { ForeignText.name($0, or: "Folder") }
        return reader.imported(collection, environments)
    }

    /// Returns a template for a value of an environment, in which `${NAME}` and `${NAME:-default}` are other values.
    private static func interpolated(
        _ entry: EnvFile.Entry, _ names: Set<String>, _ files: inout ForeignFiles, at offset: Int
    ) -> String {
        let value = entry.value
        var (result, rest) = ("", value[...])
        while let open = rest.firstRange(of: "${"), let end = rest[open.upperBound...].firstIndex(of: "}") {
            let inner = rest[open.upperBound..<end]
            let mark = inner.firstRange(of: ":-")
            let name = String(inner[..<(mark?.lowerBound ?? inner.endIndex)])
            result += TemplateText.literal(String(rest[..<open.lowerBound]))
            if name != entry.name, names.contains(name) {
                result += "{{\(name)}}"
            } else {
                let standard = mark.map { String(inner[$0.upperBound...]) } ?? ""
                result += TemplateText.literal(standard)
                files.log.loss(
                    offset, "${\(name)}".excerpted,
                    "\(standard.isEmpty ? "nothing" : "the default") stands in for the variable of the process")
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + TemplateText.literal(String(rest))
    }

    /// The environments of the `.env` files beside the requests.
    private static func environments(of folder: ImportFolder, _ files: inout ForeignFiles) -> [Environment] {
        var environments: [Environment] = []
        for name in folder.names() where name.hasSuffix(environment) && !folder.hasFolder(name) {
            guard let (file, offset) = files.text(name, in: folder) else { continue }
            do throws(EnvFile.Failure) {
                let entries = try EnvFile(file.bytes).entries
                let stem = String(name.dropLast(environment.count))
                let names = Set(entries.map(\.name))
                let variables = entries.map { Field($0.name, interpolated($0, names, &files, at: offset)) }
                environments.append(Environment(name: stem.isEmpty ? "default" : stem, host: "", variables: variables))
            } catch {
                files.log.loss(offset, name.excerpted, "left out: line \(error.line): \(error.message)")
            }
        }
        return environments
    }
}

/// Makes requests of the files of posting, and notes what has no counterpart.
struct PostingReader {
    private(set) var log: ImportLog
    /// The offsets at which variables are named first.
    private var named: [(name: String, offset: Int)] = []
    private var names: Set<String> = []

    init(log: ImportLog) { self.log = log }

    /// The collection with its environments and the variables that none of them has.
    mutating func imported(_ collection: Collection, _ environments: [Environment]) -> Imported {
        var collection = collection
        collection.environments = environments
        let known = Set(environments.flatMap { $0.variables.map(\.name) })
        for (name, offset) in named where !known.contains(name) {
            collection.variables.append(Field(name, ""))
            log.loss(offset, "$\(name)", "no .env file beside the requests has this variable; give it a value")
        }
        return Imported(collection, secretNames: known.filter { ForeignText.namesSecret($0) }).noted(log)
    }

    // MARK: Requests

    mutating func request(_ value: ForeignValue, named stem: String) -> SavedRequest {
        var request = SavedRequest(name: "", path: "")
        request.method = RequestMethod.imported(
            value["method"]?.text ?? "", &log, at: value["method"]?.offset ?? value.offset)
        request.description = value["description"]?.string ?? ""
        let offset = value["url"]?.offset ?? value.offset
        let written = ForeignText.line(value["url"]?.text ?? "").trimmed
        let values = value["path_params"]
        let url = replaced(Self.filled(written, values?.elements ?? []), at: offset) { $0 }
        request.setAddress(url, hasParameters: true, &log, at: offset)
        if ForeignText.split(written).query != nil {
            log.remark(offset, "?", "the query of the URL is sent; posting sends that of params alone")
        }
        request.query += rows(value["params"])
        let fields = rows(values)
        request.setPathParameters(&log, at: offset) { name in fields.last { $0.name == name } }
        let place = value["headers"]?.offset ?? offset
        request.headers = rows(value["headers"]).filter { log.isHeader($0.name, at: place) }
        request.cookies = rows(value["cookies"])
        request.name = ForeignText.name(value["name"]?.text ?? stem, or: stem)
        if let body = value["body"] { setBody(body, of: &request) }
        request.authentication = authentication(value["auth"])
        if let auth = value["auth"] {
            log.noteEmptyParts(of: request.authentication, auth["type"]?.text ?? "", at: auth.offset)
        }
        setOptions(value["options"], of: &request)
        for (phase, script) in value["scripts"]?.members ?? [] where script.kind != .null {
            log.loss(script.offset, phase.excerpted, "left out: scripts are not run")
        }
        log.loseMembers(of: value, besides: Self.known)
        return request
    }

    /// Returns a URL with the values of those path parameters that Ombi would send in another way: amid a segment, or
    /// with marks of URLs, which posting does not encode. `::` is a colon.
    private static func filled(_ url: String, _ rows: [ForeignValue]) -> String {
        guard !rows.isEmpty else { return url }
        let values = Dictionary(rows.map { ($0["name"]?.text ?? "", $0["value"]?.text ?? "") }) { $1 }
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "?#".contains($0) } ?? url.endIndex
        var (result, rest) = (String(url[..<start]), url[start..<end])
        while let character = rest.popFirst() {
            guard character == ":" else {
                result.append(character)
                continue
            }
            let isSegment = result.last == "/"
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            if rest.first == ":" {
                rest.removeFirst()
                result += isSegment ? "%3A" : ":"
            } else if let first = name.first, !first.isNumber, let value = values[String(name)],
                !isSegment || value.contains(where: { "/?#%".contains($0) })
            {
                result += ForeignText.line(value)
                rest = rest[name.endIndex...]
            } else {
                result.append(character)
            }
        }
        return result + url[end...]
    }

    private static let known: Set<String> = [
        "name", "description", "method", "url", "params", "path_params", "headers", "cookies", "body", "auth",
        "options", "scripts", "posting_version",
    ]

    private mutating func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            let name = template(row["name"]?.text.trimmed ?? "", at: row.offset)
            guard !name.isEmpty else { return nil }
            let value = template(ForeignText.line(row["value"]?.text ?? ""), at: row.offset)
            return Field(name, value, enabled: Self.bool(row["enabled"]) ?? true)
        }
    }

    /// posting reads YAML 1.1, in which `no` and `off` are false.
    private static func bool(_ value: ForeignValue?) -> Bool? {
        value?.bool ?? (["no", "off"].contains(value?.string?.lowercased()) ? false : nil)
    }

    // MARK: Bodies

    private mutating func setBody(_ body: ForeignValue, of request: inout SavedRequest) {
        if let form = body["form_data"], form.kind == .array {
            request.body = .form(FormContent(rows(form)))
        } else if let content = body["content"], !content.text.isEmpty {
            let type = body["content_type"]?.string ?? request.sentContentType
            request.body = self.body(content.text, type, at: content.offset)
            log.noteType(of: request, from: "posting", at: content.offset)
        }
        request.dropContentType()
    }

    private mutating func body(_ text: String, _ type: String?, at offset: Int) -> SavedBody {
        if ForeignBody.isJSON(ForeignBody.kind(of: type ?? "")), let value = try? JSONValue.parse(text) {
            return .json(JSONContent(value.mappingTexts { template($0, at: offset) }))
        }
        // Braces are no templates there.
        if text.contains("{{") { return .text(TextContent(template(text, at: offset), contentType: type)) }
        return ForeignBody().body(replaced(text, at: offset) { $0 }, type)
    }

    // MARK: Settings

    private mutating func authentication(_ value: ForeignValue?) -> SavedAuthentication? {
        guard let value, let type = value["type"]?.string else { return nil }
        let kinds = ["basic": "basic", "digest": "digest", "bearer_token": "bearer"]
        let parts = value[type]
        let known = SavedAuthentication(foreign: kinds[type] ?? "") { part in
            template(parts?[part]?.text ?? "", at: value.offset)
        }
        return known ?? log.unknownAuthentication(type, at: value.offset)
    }

    private mutating func setOptions(_ value: ForeignValue?, of request: inout SavedRequest) {
        guard let value else { return }
        var connection = SavedConnection()
        if Self.bool(value["follow_redirects"]) == false { connection.maximumRedirects = 0 }
        if let proxy = value["proxy_url"]?.string, !proxy.isEmpty {
            let url = template(proxy, at: value.offset)
            if log.passes(url, ConnectionText.checkProxy, "proxy_url", at: value.offset) { connection.proxy = url }
        }
        if Self.bool(value["verify_ssl"]) == false { log.noteUnchecked("verify_ssl", at: value.offset) }
        if Self.bool(value["attach_cookies"]) == false { connection.cookies = false }
        if connection != SavedConnection() { request.connection = connection }
        if let seconds = value["timeout"].flatMap({ Double($0.text) }), seconds > 0, seconds <= 86_400 {
            request.policy = RequestPolicy(timeout: .milliseconds(Int(seconds * 1000)))
        }
    }

    // MARK: Variables

    /// Returns a text as a template of Ombi: `$name` and `${name}` are variables, `$$` is a dollar sign.
    private mutating func template(_ text: String, at offset: Int) -> String {
        replaced(text, at: offset) { TemplateText.literal($0) }
    }

    /// - Parameter plain: returns what stands for a text between two variables.
    private mutating func replaced(_ text: String, at offset: Int, _ plain: (String) -> String) -> String {
        guard text.contains("$") else { return plain(text) }
        var (result, pending) = ("", "")
        var rest = text[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            guard character == "$" else {
                pending.append(character)
                continue
            }
            if rest.first == "$" {
                pending.append("$")
                rest = rest.dropFirst()
            } else if let (name, end) = Self.name(rest) {
                // A single brace in front would be one of the template's.
                let hasBrace = pending.last == "{" && !pending.hasSuffix("{{")
                if hasBrace { pending.removeLast() }
                let before = plain(pending)
                let slashes = before.reversed().prefix { $0 == "\\" }.count
                result += before + String(repeating: "\\", count: slashes) + (hasBrace ? "{" : "") + "{{\(name)}}"
                pending = ""
                rest = rest[end...]
                if names.insert(name).inserted { named.append((name, offset)) }
            } else {
                pending.append("$")
            }
        }
        return result + plain(pending)
    }

    /// The name at the start of a text, which may be in braces, and its end.
    private static func name(_ text: Substring) -> (name: String, end: String.Index)? {
        let isInBraces = text.first == "{"
        let inner = isInBraces ? text.dropFirst() : text
        let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber else { return nil }
        guard isInBraces else { return (String(name), name.endIndex) }
        let rest = inner[name.endIndex...]
        return rest.first == "}" ? (String(name), rest.index(after: rest.startIndex)) : nil
    }
}
