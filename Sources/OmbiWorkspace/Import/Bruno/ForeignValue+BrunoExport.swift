/// The parts of a collection in a JSON export of Bruno.
extension ForeignValue {
    /// Nil for a value that is no request.
    var exportedRequest: BrunoRequest? {
        guard let kind = self["type"]?.string, BrunoRequest.isKind(kind) else { return nil }
        var request = BrunoRequest()
        let written = self["request"]
        // Before there were parameters of a path, those of the query had a list of their own.
        readShared(written, parameters: written?["params"] ?? written?["query"], into: &request)
        request.name = self["name"]?.text ?? ""
        request.kind = kind
        request.tags = self["tags"]?.elements.map(\.text) ?? []
        guard let part = written else { return request }
        request.method = part["method"]?.text ?? ""
        request.scope = part.exportedScope
        request.assertions = part["assertions"]?.brunoRows ?? []
        if let body = part["body"] { body.readExportedBody(into: &request) }
        if request.isGraphQL, request.body.mode == "none" { request.body.mode = "graphql" }
        return request
    }

    /// The parts of a request, or of the `request` in the root of a collection or a folder.
    var exportedScope: BrunoScope {
        var scope = BrunoScope()
        scope.headers = self["headers"]?.brunoRows ?? []
        scope.variables = self["vars"]?["req"]?.brunoRows ?? []
        scope.captures = self["vars"]?["res"]?.brunoRows ?? []
        let scripts = [
            (self["script"]?["req"], true), (self["script"]?["res"], false), (self["tests"], false),
        ]
        for case (let script?, let runsBefore) in scripts {
            guard let text = script.string, !text.isEmpty else { continue }
            scope.scripts.append(BrunoScript(runsBefore: runsBefore, text: text, offset: script.offset))
        }
        scope.credentials = self["auth"]?.brunoCredentials
        scope.documentation = self["docs"]?.string ?? ""
        return scope
    }

    private func readExportedBody(into request: inout BrunoRequest) {
        request.body.mode = BrunoBody.mode(self["mode"]?.string ?? "")
        request.body.modeOffset = offset
        for name in ["json", "text", "xml", "sparql"] { request.body.texts[name] = self[name]?.located }
        self["graphql"]?.readQuery(into: &request)
        for key in ["formUrlEncoded", "multipartForm", "file"] {
            let mode = BrunoBody.mode(key)
            request.body.rows[mode] = self[key]?.elements.map { $0.brunoPart(of: mode) } ?? []
        }
        request.body.messages = (self["ws"]?.elements ?? []).map { $0.brunoMessage("name", $0["content"]) }
        let sent = request.body.mode
        for (name, text) in request.body.texts.sorted(by: { $0.value.offset < $1.value.offset })
        where name != sent && !text.text.isEmpty && !(sent == "graphql" && name == "graphql:vars") {
            request.unused.append(("body:" + name, text.offset))
        }
        for (mode, rows) in request.body.rows.sorted(by: { $0.key < $1.key }) where mode != sent {
            guard let first = rows.first else { continue }
            request.unused.append(("body:" + mode, first.offset))
        }
    }
}

/// The parts of a collection in a YAML text of OpenCollection.
extension ForeignValue {
    /// Nil for a value that is no request.
    var openRequest: BrunoRequest? {
        let kind = self["info"]?["type"]?.string ?? ""
        let parts = ["http", "graphql", "grpc", "websocket"]
        let hasURL = parts.contains { self[$0]?["url"]?.string != nil }
        guard BrunoRequest.isKind(kind) || kind.isEmpty && hasURL else { return nil }
        var request = BrunoRequest()
        let part = parts.lazy.compactMap { self[$0] }.first ?? self
        readShared(part, parameters: part["params"], into: &request)
        request.name = self["info"]?["name"]?.text ?? ""
        request.kind = kind.isEmpty ? (parts.first { has($0) } ?? "http") : kind
        request.tags = (self["info"]?["tags"] ?? self["tags"])?.elements.map(\.text) ?? []
        request.method = part["method"]?.text ?? (request.isGraphQL ? "POST" : "")
        let runtime = self["runtime"]
        request.scope.headers = part["headers"]?.brunoRows ?? []
        request.scope.variables = runtime?["variables"]?.brunoRows ?? []
        request.scope.scripts = runtime?["scripts"]?.openScripts ?? []
        request.scope.captures = runtime?["actions"]?.openCaptures ?? []
        request.scope.credentials = (part["auth"] ?? runtime?["auth"])?.brunoCredentials
        request.scope.documentation = openDocumentation
        request.assertions = (runtime?["assertions"]?.elements ?? []).map(\.openAssertion)
        if let body = part["body"] { body.readOpenBody(into: &request) }
        if let message = part["message"] {
            let messages = message.kind == .array ? message.elements : [message]
            request.body.messages = messages.map { $0.brunoMessage("title", ($0["message"] ?? $0)["data"]) }
        }
        return request
    }

    /// The parts of a collection or a folder.
    var openScope: BrunoScope {
        var scope = BrunoScope()
        let defaults = self["request"]
        scope.headers = defaults?["headers"]?.brunoRows ?? []
        scope.variables = defaults?["variables"]?.brunoRows ?? []
        scope.scripts = defaults?["scripts"]?.openScripts ?? []
        scope.captures = defaults?["actions"]?.openCaptures ?? []
        scope.settings = defaults?["settings"]?["http"]?.brunoTexts ?? [:]
        scope.credentials = defaults?["auth"]?.brunoCredentials
        scope.documentation = openDocumentation
        return scope
    }

    private var openDocumentation: String {
        let text = self["docs"]?.description ?? ""
        return text.isEmpty ? self["info"]?["description"]?.description ?? "" : text
    }

    private var openScripts: [BrunoScript] {
        elements.compactMap { script in
            guard let code = script["code"]?.string else { return nil }
            let type = script["type"]?.string ?? ""
            return BrunoScript(runsBefore: type == "before-request", text: code, offset: script.offset)
        }
    }

    private var openCaptures: [BrunoRow] {
        elements.compactMap { action in
            guard action["type"]?.string == "set-variable", let name = action["variable"]?["name"]?.string else {
                return nil
            }
            let selector = action["selector"]
            let expression = selector?.string ?? selector?["expression"]?.string ?? ""
            let isEnabled = action["disabled"]?.bool != true && action["phase"]?.string != "before-request"
            return BrunoRow(name: name, value: expression, isEnabled: isEnabled, offset: action.offset)
        }
    }

    private var openAssertion: BrunoRow {
        let words = [self["operator"]?.text ?? "eq", self["value"]?.text ?? ""]
        return BrunoRow(
            name: self["expression"]?.text ?? "", value: words.joined(separator: " "),
            isEnabled: self["disabled"]?.bool != true, offset: offset,
            description: self["description"]?.description ?? "")
    }

    // MARK: Bodies

    /// The body is one, a list of which one is selected, or that of a GraphQL request.
    private func readOpenBody(into request: inout BrunoRequest) {
        guard kind != .array else {
            let chosen = elements.first { $0["selected"]?.bool == true } ?? elements.first
            for other in elements where other.offset != chosen?.offset {
                request.unused.append(("body", other.offset))
            }
            (chosen?["body"] ?? chosen)?.readOpenBody(into: &request)
            return
        }
        let data = self["data"]
        request.body.modeOffset = offset
        if request.isGraphQL || has("query") {
            request.body.mode = "graphql"
            return readQuery(into: &request)
        }
        request.body.mode = BrunoBody.mode(self["type"]?.string ?? "")
        let mode = request.body.mode
        if ["form-urlencoded", "multipart-form", "file"].contains(mode) {
            request.body.rows[mode] = (data?.elements ?? []).map { $0.brunoPart(of: mode) }
        } else if let data {
            request.body.texts[mode] = data.located
        }
    }
}

/// Parts that both formats have.
extension ForeignValue {
    /// - Parameters:
    ///   - part: the part of the request that has the URL.
    ///   - parameters: those of the query and of the path.
    private func readShared(
        _ part: ForeignValue?, parameters: ForeignValue?, into request: inout BrunoRequest
    ) {
        request.offset = offset
        request.settings = self["settings"]?.brunoTexts ?? [:]
        let saved = self["examples"]?.elements ?? []
        request.examples = saved.compactMap { SavedExample($0) }
        request.lostExamples = saved.count - request.examples.count
        request.url = part?["url"]?.text ?? ""
        request.urlOffset = (part?["url"] ?? part)?.offset ?? 0
        let rows = parameters?.elements ?? []
        request.query = rows.filter { $0["type"]?.string != "path" }.map(\.brunoRow)
        request.pathParameters = rows.filter { $0["type"]?.string == "path" }.map(\.brunoRow)
    }

    /// The query of a GraphQL request with its variables.
    private func readQuery(into request: inout BrunoRequest) {
        request.body.texts["graphql"] = self["query"]?.located
        request.body.texts["graphql:vars"] = self["variables"]?.located
    }

    private var located: (text: String, offset: Int) { (text, offset) }

    var brunoRows: [BrunoRow] { elements.map(\.brunoRow) }

    /// A name and a value, which may be an object with a type, or a list of which one is selected.
    var brunoRow: BrunoRow {
        let isEnabled = self["enabled"]?.bool ?? !(self["disabled"]?.bool ?? false)
        return BrunoRow(
            name: self["name"]?.text ?? "", value: self["value"]?.brunoValue ?? "", isEnabled: isEnabled,
            offset: offset, isSecret: self["secret"]?.bool ?? false,
            description: self["description"]?.description ?? "")
    }

    private var brunoValue: String {
        switch kind {
        case .object: self["data"]?.text ?? self["value"]?.text ?? text
        case .array where elements.contains(where: { $0.has("value") }):
            (elements.first { $0["selected"]?.bool == true } ?? elements.first)?["value"]?.brunoText ?? ""
        default: text
        }
    }

    /// The data of a value with a type, or the value.
    private var brunoText: String { self["data"]?.text ?? text }

    /// A message of a WebSocket.
    private func brunoMessage(
        _ name: String, _ text: ForeignValue?
    ) -> (name: String, text: String, offset: Int) {
        (self[name]?.text ?? "", text?.text ?? "", text?.offset ?? offset)
    }

    /// A row of a form, or of the files of which one is sent.
    func brunoPart(of mode: String) -> BrunoRow {
        var row = brunoRow
        let type = self["contentType"]?.string ?? ""
        row.contentType = type.isEmpty ? nil : type
        if mode == "file" {
            row.files = [self["filePath"]?.text ?? ""].filter { !$0.isEmpty }
            row.isEnabled = self["selected"]?.bool ?? true
        } else if self["type"]?.string == "file" {
            let value = self["value"]
            let paths = value?.kind == .array ? value?.elements.map(\.text) ?? [] : [value?.text ?? ""]
            row.files = paths.filter { !$0.isEmpty }
        } else if mode == "multipart-form" {
            row.files = BrunoRow.files(row.value)
        }
        return row
    }

    /// `inherit`, or an object with the mode and its values.
    var brunoCredentials: BrunoCredentials {
        guard string == nil else { return BrunoCredentials(mode: string ?? "", offset: offset) }
        let mode = (self["mode"] ?? self["type"])?.string ?? "none"
        var credentials = BrunoCredentials(mode: mode, offset: offset)
        // An export has the values in an object of the name of the mode.
        let values = self[mode]?.kind == .object ? self[mode] : self
        for (name, value) in values?.members ?? [] {
            guard value.kind == .object else {
                credentials.values[name] = value.kind == .array ? "" : value.text
                continue
            }
            for (inner, value) in value.members where value.kind != .object && value.kind != .array {
                credentials.values["\(name).\(inner)"] = value.text
                if credentials.values[inner] == nil { credentials.values[inner] = value.text }
            }
        }
        let token = values?["tokenConfig"]
        if token?["placement"]?.has("query") == true { credentials.values["tokenPlacement"] = "query" }
        credentials.values["tokenHeaderPrefix"] =
            token?["placement"]?["header"]?.text ?? credentials.values["tokenHeaderPrefix"]
        credentials.values["tokenSource"] = token?["source"]?.text ?? credentials.values["tokenSource"]
        let further = values?["additionalParameters"] ?? values?["additional_parameters"]
        if further?.elements.isEmpty == false { credentials.values["parameter:"] = "some" }
        for (request, list) in further?.members ?? [] {
            for row in list.elements where row.brunoRow.isEnabled {
                let place = (row["placement"] ?? row["sendIn"])?.string ?? ""
                credentials.addParameter(row.brunoRow, of: request, in: place)
            }
        }
        return credentials
    }

    /// The members that are texts, numbers and booleans.
    var brunoTexts: [String: String] {
        var texts: [String: String] = [:]
        for (name, value) in members where value.kind != .object && value.kind != .array { texts[name] = value.text }
        return texts
    }
}
