/// Exports of Insomnia 5, a tree in YAML, as the list of resources that format 4 has.
struct InsomniaFive {
    private var resources: [ForeignTree] = []
    private var identifiers = UniqueNames(separator: "#")

    /// Returns `collection` and `5.0` for `collection.insomnia.rest/5.0`; nil for the text of another format.
    static func type(of root: ForeignValue) -> (kind: String, version: String)? {
        let parts = (root["type"]?.string ?? "").split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].hasSuffix(".insomnia.rest") else { return nil }
        return (String(parts[0].dropLast(".insomnia.rest".count)), parts[1])
    }

    /// Returns the resources, and notes what has no counterpart.
    static func resources(of root: ForeignValue, _ log: inout ImportLog) throws(ImportError) -> ForeignTree {
        var reader = InsomniaFive()
        let id = reader.identifier(of: root)
        var members: [String: ForeignValue] = [:]
        members["name"] = root["name"]
        members["description"] = description(of: root)
        reader.add("workspace", root, id: id, parent: nil, members)
        for item in root["collection"]?.elements ?? [] { try reader.add(item, to: id, depth: 0, log) }
        if let base = root["environments"] { reader.addEnvironments(base, to: id) }
        if let jar = root["cookieJar"] {
            let own = reader.identifier(of: jar)
            reader.add("cookie_jar", jar, id: own, parent: id, jar["cookies"].map { ["cookies": $0] } ?? [:])
        }
        reader.addTests(root["testSuites"])
        noteOther(root, &log)
        return ForeignTree(.list(reader.resources), at: root.offset)
    }

    private static func noteOther(_ root: ForeignValue, _ log: inout ImportLog) {
        for certificate in root["certificates"]?.elements ?? [] {
            log.loss(certificate.offset, "certificates", "left out: name it in the connection of the environment")
        }
        if let contents = root["spec"]?["contents"], !contents.text.isEmpty {
            log.loss(contents.offset, "spec", "left out: save the OpenAPI document as a file, and import that")
        }
        for suite in root["testSuites"]?.elements ?? [] where suite["tests"]?.elements.isEmpty ?? true {
            log.loss(suite.offset, "testSuites", "left out: unit tests are not run")
        }
        let known: Set<String> = [
            "type", "schema_version", "name", "meta", "collection", "environments", "cookieJar", "certificates", "spec",
            "testSuites",
        ]
        log.loseMembers(of: root, besides: known)
    }

    // MARK: Items

    private mutating func add(
        _ item: ForeignValue, to parent: String, depth: Int, _ log: ImportLog
    ) throws(ImportError) {
        guard item.kind == .object else { return }
        let id = identifier(of: item)
        guard let children = item["children"], children.kind == .array else {
            add(Self.kind(of: item, id), item, id: id, parent: parent, Self.request(item))
            return
        }
        try log.checkDepth(depth, at: item.offset)
        var members = Self.scripts(of: item)
        for key in ["name", "environment", "authentication", "headers"] { members[key] = item[key] }
        members["description"] = Self.description(of: item)
        add("request_group", item, id: id, parent: parent, members)
        for child in children.elements { try add(child, to: id, depth: depth + 1, log) }
    }

    /// The type of a resource of format 4.
    private static func kind(of item: ForeignValue, _ id: String) -> String {
        let url = item["url"]?.text.lowercased() ?? ""
        let isProto = item["protoMethodName"] != nil || item["protoFileId"] != nil
        if isProto || id.hasPrefix("greq") { return "grpc_request" }
        if id.hasPrefix("ws-req") || url.hasPrefix("ws://") || url.hasPrefix("wss://") { return "websocket_request" }
        if id.hasPrefix("socketio") || item["eventListeners"] != nil { return "socketio_request" }
        if item["transportType"] != nil || id.hasPrefix("mcp") { return "mcp_request" }
        return item["url"] == nil && item["method"] == nil ? "resource" : "request"
    }

    private static func request(_ item: ForeignValue) -> [String: ForeignValue] {
        var members = scripts(of: item)
        let same = [
            "name", "url", "method", "headers", "parameters", "pathParameters", "body", "authentication",
        ]
        for key in same { members[key] = item[key] }
        members["description"] = description(of: item)
        members["settingFollowRedirects"] = item["settings"]?["followRedirects"]
        members["settingEncodeUrl"] = item["settings"]?["encodeUrl"]
        members["settingSendCookies"] = item["settings"]?["cookies"]?["send"]
        members["settingRenderRequestBody"] = item["settings"]?["renderRequestBody"]
        return members
    }

    private static func scripts(of item: ForeignValue) -> [String: ForeignValue] {
        var scripts: [String: ForeignValue] = [:]
        scripts["preRequestScript"] = item["scripts"]?["preRequest"]
        scripts["afterResponseScript"] = item["scripts"]?["afterResponse"]
        return scripts
    }

    private static func description(of item: ForeignValue) -> ForeignValue? {
        item["meta"]?["description"] ?? item["description"]
    }

    private mutating func addTests(_ suites: ForeignValue?) {
        for test in (suites?.elements ?? []).flatMap({ $0["tests"]?.elements ?? [] }) {
            var members: [String: ForeignValue] = [:]
            for key in ["name", "requestId", "code"] { members[key] = test[key] }
            add("unit_test", test, id: identifier(of: test), parent: nil, members)
        }
    }

    // MARK: Environments

    private mutating func addEnvironments(_ base: ForeignValue, to workspace: String) {
        let id = identifier(of: base)
        addEnvironment(base, id: id, to: workspace)
        for part in base["subEnvironments"]?.elements ?? [] {
            addEnvironment(part, id: identifier(of: part), to: id)
        }
    }

    private mutating func addEnvironment(_ environment: ForeignValue, id: String, to parent: String) {
        var members: [String: ForeignValue] = [:]
        for key in ["name", "data", "kvPairData"] { members[key] = environment[key] }
        members["isPrivate"] = environment["meta"]?["isPrivate"] ?? environment["isPrivate"]
        add("environment", environment, id: id, parent: parent, members)
    }

    // MARK: Resources

    /// The identifier of a part, which no other part has.
    private mutating func identifier(of part: ForeignValue) -> String {
        let written = part["meta"]?["id"]?.text ?? ""
        return identifiers.take(written.isEmpty ? "id\(part.offset)" : written)
    }

    private mutating func add(
        _ type: String, _ part: ForeignValue, id: String, parent: String?, _ members: [String: ForeignValue]
    ) {
        let offset = part.offset
        var resource = ForeignTree(
            at: offset, ("_type", ForeignTree(type, at: offset)), ("_id", ForeignTree(id, at: offset)),
            ("parentId", parent.map { ForeignTree($0, at: offset) }),
            ("metaSortKey", ForeignTree(part["meta"]?["sortKey"])))
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { resource[key] = ForeignTree(value) }
        resources.append(resource)
    }
}
