/// The files of a collection of Postman 3 as the one document of 2.1.
struct PostmanTree {
    /// The end of the names of files with saved responses.
    static let example = ".example.yaml"
    /// The end of the names of files with messages of WebSockets.
    static let message = ".message.yaml"
    /// The member of an item that has the messages of a WebSocket, which 2.1 does not know.
    static let messages = "x-ombi-messages"

    private(set) var log: ImportLog
    /// The names of the folders and of the requests in each folder.
    private var children: [String: [String]] = [:]
    private var added: Set<String> = []
    private var byPath: [String: ForeignValue] = [:]
    /// The files with saved responses, by the path of the folder that they are in.
    private var examples: [String: [ForeignFiles.File]] = [:]
    /// The files with messages by the path of the folder with the parts of a request.
    private var messageFiles: [String: [ForeignFiles.File]] = [:]

    /// - Parameter log: that of the files.
    init(_ files: [ForeignFiles.File], _ log: ImportLog) {
        self.log = log
        for file in files {
            byPath[file.path] = file.value
            if file.path.hasSuffix(Self.example), let slash = file.path.lastIndex(of: "/") {
                let folder = String(file.path[..<slash])
                examples[folder, default: []].append(file)
            }
            if file.path.hasSuffix(Self.message), let folder = Self.partsFolder(of: file.path) {
                messageFiles[folder, default: []].append(file)
            }
            let end = "/" + PostmanFolder.definition
            if file.path.hasSuffix(PostmanFolder.request) {
                add(file.path)
            } else if file.path.hasSuffix(end) {
                add(String(file.path.dropLast(end.count)))
            }
        }
    }

    /// Returns `a/.resources/b.resources` for a file in that folder.
    private static func partsFolder(of path: String) -> String? {
        let parts = path.split(separator: "/")
        let index = parts.lastIndex { $0.hasSuffix(".resources") && $0 != ".resources" }
        return index.map { parts[...$0].joined(separator: "/") }
    }

    /// Adds a path and the folders that it is in.
    private mutating func add(_ path: String) {
        var path = path
        while !path.isEmpty {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[..<$0]) } ?? ""
            let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
            guard added.insert(path).inserted else { return }
            children[folder, default: []].append(name)
            path = folder
        }
    }

    /// Returns `Get user` for `users/Get user.request.yaml`.
    static func stem(of path: String, _ suffix: String) -> String {
        String((path.split(separator: "/").last.map(String.init) ?? path).dropLast(suffix.count))
    }

    func folders(in folder: String) -> [String] {
        (children[folder] ?? []).filter { !$0.hasSuffix(PostmanFolder.request) }.sorted()
    }

    // MARK: Folders

    mutating func collection(of request: ForeignValue, named name: String) -> ForeignTree {
        let items = [item(request, named: name, in: "")].compactMap { $0 }
        let offset = request.offset
        return ForeignTree(
            at: offset, ("name", ForeignTree(name, at: offset)), ("item", ForeignTree(.list(items), at: offset)))
    }

    /// The folder or the collection at a path.
    mutating func folder(_ path: String, named name: String) -> ForeignTree {
        let definition = byPath[path.isEmpty ? PostmanFolder.definition : "\(path)/\(PostmanFolder.definition)"]
        let offset = definition?.offset ?? 0
        var items: [(order: Double, name: String, tree: ForeignTree)] = []
        for child in children[path] ?? [] {
            let childPath = path.isEmpty ? child : "\(path)/\(child)"
            if let value = byPath[childPath] {
                let stem = Self.stem(of: child, PostmanFolder.request)
                if let tree = item(value, named: stem, in: path) { items.append((Self.order(value), stem, tree)) }
            } else {
                let order = byPath["\(childPath)/\(PostmanFolder.definition)"].map(Self.order) ?? .infinity
                items.append((order, child, self.folder(childPath, named: child)))
            }
        }
        items.sort { ($0.order, $0.name) < ($1.order, $1.name) }
        if let definition { noteOther(definition) }
        return ForeignTree(
            at: offset, ("name", ForeignTree(definition?["name"]) ?? ForeignTree(name, at: offset)),
            ("item", ForeignTree(.list(items.map(\.tree)), at: offset)),
            ("description", ForeignTree(definition?["description"])), ("variable", rows(definition?["variables"])),
            ("auth", authentication(definition?["auth"])), ("event", scripts(definition?["scripts"])),
            ("protocolProfileBehavior", ForeignTree(definition?["settings"])))
    }

    /// The number that a part is sorted by.
    private static func order(_ value: ForeignValue) -> Double { Double(value["order"]?.text ?? "") ?? .infinity }

    // MARK: Requests

    private mutating func item(_ value: ForeignValue, named stem: String, in folder: String) -> ForeignTree? {
        let kind = value["$kind"]?.string ?? "http-request"
        guard ["http-request", "graphql-request", "websocket-request"].contains(kind) else {
            log.loss(value.offset, kind.excerpted, "left out: it is no request over HTTP")
            return nil
        }
        noteOther(value)
        let isGraphQL = kind == "graphql-request"
        let request = ForeignTree(
            at: value.offset, ("url", url(of: value)),
            ("method", ForeignTree(value["method"]) ?? (isGraphQL ? ForeignTree("POST", at: value.offset) : nil)),
            ("header", rows(value["headers"])), ("description", ForeignTree(value["description"])),
            ("auth", authentication(value["auth"])),
            ("body", isGraphQL ? graphQL(value, at: value.offset) : body(value["body"])))
        let parent = folder.isEmpty ? "" : folder + "/"
        let parts = parent + ".resources/\(stem).resources"
        let messages = kind == "websocket-request" ? messages(in: parts, at: value.offset) : nil
        let named = value["examples"]?.string.flatMap { ImportFolder.path(of: $0, from: parent + stem) }
        return ForeignTree(
            at: value.offset, ("name", ForeignTree(value["name"]) ?? ForeignTree(stem, at: value.offset)),
            ("request", request), ("event", scripts(value["scripts"])),
            ("protocolProfileBehavior", ForeignTree(value["settings"])), (Self.messages, messages),
            ("response", responses(value["examples"], named ?? parts + "/examples")))
    }

    /// The saved responses of a request, which are files of their own or a list. A text is the path of a folder.
    private func responses(_ list: ForeignValue?, _ folder: String) -> ForeignTree? {
        if let list, list.kind != .string {
            let elements = list.kind == .array ? list.elements : [list]
            return ForeignTree(.list(elements.map { ForeignTree($0) }), at: list.offset)
        }
        let files = (examples[folder] ?? []).sorted { $0.path < $1.path }
        guard let first = files.first else { return nil }
        let trees = files.map { file in
            var tree = ForeignTree(file.value)
            if tree["name"] == nil {
                tree["name"] = ForeignTree(Self.stem(of: file.path, Self.example), at: file.value.offset)
            }
            return tree
        }
        return ForeignTree(.list(trees), at: first.value.offset)
    }

    /// The messages of a WebSocket, which are files of their own.
    private mutating func messages(in folder: String, at offset: Int) -> ForeignTree {
        let files = (messageFiles[folder] ?? []).sorted {
            (Self.order($0.value), $0.path) < (Self.order($1.value), $1.path)
        }
        var messages: [ForeignTree] = []
        for file in files {
            let texts = [file.value["content"], file.value["message"], file.value["payload"]]
            guard let text = texts.lazy.compactMap({ $0 }).first else {
                log.loss(file.value.offset, "message", "left out: it has no content")
                continue
            }
            let name = ForeignTree(Self.stem(of: file.path, Self.message), at: text.offset)
            messages.append(
                ForeignTree(at: text.offset, ("name", name), ("text", ForeignTree(text.text, at: text.offset))))
        }
        return ForeignTree(.list(messages), at: offset)
    }

    private static let known: Set<String> = [
        "$kind", "$schema", "id", "uid", "name", "order", "description", "url", "method", "headers", "queryParams",
        "pathVariables", "body", "query", "variables", "operationName", "auth", "scripts", "settings", "examples",
        "messages",
    ]

    private mutating func noteOther(_ value: ForeignValue) {
        for (key, member) in value.members where !Self.known.contains(key) && member.kind != .null {
            // Ombi asks the server for the types of GraphQL, too.
            if key == "schema", member["source"]?.string == "auto" { continue }
            log.loss(member.offset, key.excerpted, "left out: it has no counterpart")
        }
    }

    private func url(of value: ForeignValue) -> ForeignTree {
        let offset = value["url"]?.offset ?? value.offset
        return ForeignTree(
            at: offset, ("raw", ForeignTree(value["url"]?.text ?? "", at: offset)),
            ("query", rows(value["queryParams"])),
            ("variable", rows(value["pathVariables"])))
    }

    /// A list of rows; a mapping has their values by their names.
    private func rows(_ value: ForeignValue?) -> ForeignTree? {
        guard let value, value.kind == .object else { return ForeignTree(value) }
        let rows = value.members.map { name, member in
            var row = member.kind == .object ? ForeignTree(member) : ForeignTree(at: member.offset)
            if member.kind != .object, member.kind != .null { row["value"] = ForeignTree(member) }
            row["key"] = ForeignTree(name, at: member.offset)
            return row
        }
        return ForeignTree(.list(rows), at: value.offset)
    }

    // MARK: Bodies

    private func body(_ value: ForeignValue?) -> ForeignTree? {
        guard let value, let type = value["type"]?.string, type != "none" else { return nil }
        let content = value["content"]
        switch type {
        case "urlencoded", "formdata": return Self.body(type, rows(content), at: value.offset)
        case "file", "binary": return Self.body("file", ForeignTree(content ?? value["src"]), at: value.offset)
        case "graphql": return content.map { graphQL($0, at: value.offset) }
        default:
            var body = Self.body("raw", ForeignTree(content), at: value.offset)
            let raw = ForeignTree(at: value.offset, ("language", ForeignTree(type, at: value.offset)))
            body["options"] = ForeignTree(at: value.offset, ("raw", raw))
            return body
        }
    }

    /// A body of 2.1 with its content.
    static func body(_ mode: String, _ content: ForeignTree?, at offset: Int) -> ForeignTree {
        ForeignTree(at: offset, ("mode", ForeignTree(mode, at: offset)), (mode, content))
    }

    private func graphQL(_ value: ForeignValue, at offset: Int) -> ForeignTree {
        var content = ForeignTree(at: offset)
        for key in ["query", "variables", "operationName"] { content[key] = ForeignTree(value[key]) }
        return Self.body("graphql", content, at: offset)
    }

    // MARK: Settings

    private mutating func authentication(_ value: ForeignValue?) -> ForeignTree? {
        guard let value else { return nil }
        if value.kind == .array {
            if value.elements.count > 1 {
                log.loss(value.offset, "auth", "only the first of several is taken")
            }
            return authentication(value.elements.first)
        }
        guard let type = value["type"]?.string, type != "inherit" else { return nil }
        var authentication = ForeignTree(at: value.offset, ("type", ForeignTree(type, at: value.offset)))
        authentication[type] = rows(value["credentials"])
        return authentication
    }

    private func scripts(_ value: ForeignValue?) -> ForeignTree? {
        guard let value else { return nil }
        let events = value.elements.map { script in
            let isTest = script["type"]?.string?.hasSuffix("afterResponse") ?? false
            return ForeignTree(
                at: script.offset, ("listen", ForeignTree(isTest ? "test" : "prerequest", at: script.offset)),
                ("script", ForeignTree(at: script.offset, ("exec", ForeignTree(script["code"])))))
        }
        return ForeignTree(.list(events), at: value.offset)
    }
}

extension SavedRequest {
    /// Adds an expectation; returns false for one without a counterpart, or that contradicts an earlier one.
    mutating func expects(_ assertion: BrunoAssertion, of value: ScriptValue) -> Bool {
        var all = BrunoExpectations(expect ?? Expectation())
        guard all.add(assertion, of: value) else { return false }
        expect = all.expect
        return true
    }

    /// Takes the expectations and captures of a script.
    mutating func take(_ script: PostmanScript, _ log: inout ImportLog, at offset: Int) {
        if let known = expect {
            var all = BrunoExpectations(known)
            if !all.add(script.expect) {
                log.loss(offset, name.excerpted, "what contradicts an earlier expectation is left out")
            }
            expect = all.expect
        } else if script.expect.count > 0 {
            expect = script.expect
        }
        for var capture in script.captures {
            capture.name = log.variableName(capture.name, at: offset)
            captures.removeAll { $0.name == capture.name }
            captures.append(capture)
        }
    }
}
