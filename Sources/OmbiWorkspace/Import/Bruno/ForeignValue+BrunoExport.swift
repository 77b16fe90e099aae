import OmbiDocument

/// The parts of a collection in a JSON export of Bruno.
extension ForeignValue {
    /// Nil for a value that is no request.
    var exportedRequest: BrunoRequest? {
        guard let kind = self["type"]?.string, BrunoRequest.isKind(kind) else { return nil }
        var request = BrunoRequest()
        request.offset = offset
        request.name = self["name"]?.text ?? ""
        request.kind = kind
        request.tags = self["tags"]?.elements.map(\.text) ?? []
        request.settings = self["settings"]?.brunoTexts ?? [:]
        let saved = self["examples"]?.elements ?? []
        request.examples = saved.compactMap { SavedExample($0) }
        request.lostExamples = saved.count - request.examples.count
        guard let part = self["request"] else { return request }
        request.method = part["method"]?.text ?? ""
        request.url = part["url"]?.text ?? ""
        request.urlOffset = part["url"]?.offset ?? part.offset
        request.scope = part.exportedScope
        // Before there were parameters of a path, those of the query had a list of their own.
        let parameters = (part["params"] ?? part["query"])?.elements ?? []
        request.query = parameters.filter { $0["type"]?.string != "path" }.map(\.brunoRow)
        request.pathParameters = parameters.filter { $0["type"]?.string == "path" }.map(\.brunoRow)
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
        for name in ["json", "text", "xml", "sparql"] {
            guard let value = self[name] else { continue }
            request.body.texts[name] = BrunoBody.Text(text: value.text, offset: value.offset)
        }
        for (key, name) in [("query", "graphql"), ("variables", "graphql:vars")] {
            guard let value = self["graphql"]?[key] else { continue }
            request.body.texts[name] = BrunoBody.Text(text: value.text, offset: value.offset)
        }
        for key in ["formUrlEncoded", "multipartForm", "file"] {
            let mode = BrunoBody.mode(key)
            request.body.rows[mode] = self[key]?.elements.map { $0.brunoPart(of: mode) } ?? []
        }
        let sent = request.body.mode
        for (name, text) in request.body.texts.sorted(by: { $0.value.offset < $1.value.offset })
        where name != sent && !text.text.isEmpty && !(sent == "graphql" && name == "graphql:vars") {
            request.unused.append(BrunoPart(name: "body:" + name, offset: text.offset))
        }
        for (mode, rows) in request.body.rows.sorted(by: { $0.key < $1.key }) where mode != sent {
            guard let first = rows.first else { continue }
            request.unused.append(BrunoPart(name: "body:" + mode, offset: first.offset))
        }
    }
}
