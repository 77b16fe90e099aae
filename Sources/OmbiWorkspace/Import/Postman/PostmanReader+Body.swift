extension PostmanReader {
    mutating func body(_ body: ForeignValue?, of request: inout SavedRequest) {
        guard let body, let mode = body["mode"]?.string else { return }
        if body["disabled"]?.bool ?? false {
            return log.loss(body.offset, "body", "a disabled body is left out")
        }
        defer { request.dropContentType() }
        switch mode {
        case "raw": raw(body, of: &request)
        case "urlencoded":
            if let form = body["urlencoded"], let text = form.string {
                // It is written as it is sent.
                if !text.isEmpty {
                    request.body = ForeignBody().body(renamed(text, at: form.offset), FormContent.note)
                }
                return
            }
            let fields = rows(body["urlencoded"])
            guard hasRows(fields.map(\.enabled), at: body.offset) else { return }
            noteSignIn(fields.map(\.name))
            request.body = .form(FormContent(fields))
        case "formdata":
            let all = (body["formdata"]?.elements ?? []).flatMap { parts($0) }
            guard hasRows(all.map(\.enabled), at: body.offset) else { return }
            noteSignIn(all.map(\.name))
            request.body = .multipart(MultipartContent(all))
        case "file": file(body["file"], of: &request, at: body.offset)
        case "graphql": graphQL(body["graphql"], of: &request)
        case "none": break
        default: log.loss(body.offset, mode.excerpted, "an unknown kind of body is left out")
        }
    }

    /// A form with a password is answered with a cookie.
    private mutating func noteSignIn(_ names: [String]) {
        if names.contains(where: { ["password", "passwd", "pwd"].contains($0.lowercased()) }) { usesCookies = true }
    }

    /// Returns false for a form without a row, which is no body.
    private mutating func hasRows(_ areEnabled: [Bool], at offset: Int) -> Bool {
        if !areEnabled.isEmpty, !areEnabled.contains(true) {
            log.remark(offset, "body", "an empty body is sent, as all rows are disabled; Postman sends none")
        }
        return !areEnabled.isEmpty
    }

    /// Notes a body that Postman does not send with the method, and a type that it does not send.
    mutating func notePruning(_ body: ForeignValue?, of request: SavedRequest) {
        guard let body, request.body != nil else { return }
        if behavior.omitsContentType, request.sentContentType == nil {
            log.loss(body.offset, "disabledSystemHeaders", "Content-Type is sent all the same")
        }
        guard !behavior.keepsBodies,
            PostmanBehavior.methodsWithoutBody.contains(request.method.rawValue)
        else { return }
        log.remark(
            body.offset, "body of \(request.method.rawValue)", "is sent; Postman leaves it out unless it is told")
    }

    // MARK: Texts

    private mutating func raw(_ body: ForeignValue, of request: inout SavedRequest) {
        let text = body["raw"]?.text ?? ""
        guard !text.isEmpty else { return }
        let offset = body["raw"]?.offset ?? body.offset
        let language = body["options"]?["raw"]?["language"]?.string
        let header = request.sentContentType
        var named = renamed(text, at: offset)
        let isJSON = header.map { $0.lowercased().contains("json") } ?? (language == "json")
        // Postman sends no comments.
        if language.map({ $0 == "json" }) ?? isJSON { named = log.withoutComments(named, at: offset) }
        if isJSON {
            if case .json(let content) = JSONContent.parse(named).body {
                request.body = .json(JSONContent(TemplateText.escaped(foreign: content.value)))
                return
            }
            log.remark(offset, "body", "kept as text, as it is no JSON yet")
        }
        let type = header ?? language.flatMap { Self.types[$0] } ?? "text/plain"
        request.body = .text(TextContent(TemplateText.escaped(foreign: named), contentType: type))
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain",
        "javascript": "application/javascript",
    ]

    private mutating func graphQL(_ value: ForeignValue?, of request: inout SavedRequest) {
        guard let value else { return }
        var content = GraphQLContent(template(value["query"]?.text ?? value.string ?? "", at: value.offset))
        if let variables = value["variables"] {
            let text = renamed(variables.text, at: variables.offset)
            content.variables = log.graphQLVariables(text, at: variables.offset)
        }
        if let name = value["operationName"], name.string?.isEmpty == false {
            content.operationName = template(name.text, at: name.offset)
        }
        request.body = .graphql(content)
    }

    // MARK: Rows

    private mutating func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            let name = template(row["key"]?.text ?? "", at: row.offset)
            guard !name.isEmpty else {
                noteNameless(row)
                return nil
            }
            let value = template(row["value"]?.text ?? "", at: row.offset)
            return Field(name, value, enabled: !(row["disabled"]?.bool ?? false)).described(description(of: row))
        }
    }

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: ForeignValue) -> [MultipartPart] {
        let name = template(row["key"]?.text ?? "", at: row.offset)
        guard !name.isEmpty else {
            noteNameless(row)
            return []
        }
        let written = row["contentType"]?.string ?? ""
        let type = written.isEmpty ? nil : template(written, at: row.offset)
        let paths = row["type"]?.string == "file" ? self.paths(row["src"]) : nil
        let value = paths == nil ? template(row["value"]?.text ?? "", at: row.offset) : ""
        let fileName = self.fileName(row["fileName"]?.string ?? "", of: paths).map { template($0, at: row.offset) }
        let part = MultipartPart(
            name, .text(value), contentType: type, fileName: fileName, enabled: !(row["disabled"]?.bool ?? false)
        ).described(description(of: row))
        if paths?.isEmpty == false { log.notePath(of: "Postman", at: row.offset) }
        let files = paths?.map { template($0, at: row.offset) }
        return log.parts(part, files: files, at: row.offset)
    }

    /// Returns a name that a part is sent with; nil where it is that of its file, or there are several files.
    private func fileName(_ name: String, of paths: [String]?) -> String? {
        guard !name.isEmpty, (paths?.count ?? 1) == 1 else { return nil }
        return name == paths?.first?.split(separator: "/").last.map(String.init) ? nil : name
    }

    /// Notes a row with a value and without a name; one with neither is none.
    private mutating func noteNameless(_ row: ForeignValue) {
        guard row["disabled"]?.bool != true, !(row["value"]?.text ?? "").isEmpty else { return }
        log.loss(row.offset, "body", "a row without a name is left out")
    }

    private func paths(_ value: ForeignValue?) -> [String] {
        guard let value else { return [] }
        let texts = value.kind == .array ? value.elements.map(\.text) : [value.text]
        return texts.filter { !$0.isEmpty }
    }

    private mutating func file(_ value: ForeignValue?, of request: inout SavedRequest, at offset: Int) {
        if let path = value.flatMap({ paths($0["src"] ?? ($0.string == nil ? nil : $0)).first }) {
            log.notePath(of: "Postman", at: offset)
            request.body = .file(FileContent(template(path, at: offset)))
        } else if let content = value?["content"]?.string, !content.isEmpty {
            request.body = .text(TextContent(template(content, at: offset)))
        } else {
            log.noteMissingFile(at: offset)
        }
    }
}

/// The templates of Postman: `{{name}}`, `{{$guid}}`, `{{vault:name}}`.
extension PostmanReader: TemplateReader {
    mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let name = inner.trimmed
        guard !name.isEmpty, !name.contains(where: { $0.isNewline || $0 == "{" || $0 == "\"" }) else { return nil }
        if name.hasPrefix("$") { return log.dynamicVariable(name, among: &samples, at: offset) }
        if name.hasPrefix("vault:") {
            let secret = log.variableName(String(name.dropFirst("vault:".count)), at: offset)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        return "{{\(log.variableName(name, at: offset))}}"
    }
}

/// Scripts, which are read and never run: the usual lines become expectations and captures.
extension PostmanReader {
    mutating func scripts(_ events: ForeignValue?, of request: inout SavedRequest) {
        for event in events?.elements ?? [] {
            guard let text = script(of: event) else { continue }
            let listen = event["listen"]?.string ?? "script"
            guard listen == "test" else {
                log.loss(event.offset, "\(listen) of \(request.name)".excerpted, ForeignText.leftOut(script: text))
                continue
            }
            let reader = PostmanScript(text)
            guard reader.statements > 0 else { continue }
            add(reader, to: &request, at: event.offset)
            if let left = reader.remainder { log.loss(event.offset, "test of \(request.name)".excerpted, left) }
        }
    }

    mutating func add(_ script: PostmanScript, to request: inout SavedRequest, at offset: Int) {
        request.take(script, &log, at: offset)
        if script.expect.within != nil {
            log.remark(offset, "responseTime", "a limit of the whole run, in which retries count, too")
        }
    }

    /// Takes the tests of a collection or a folder for each request in it. Other scripts are losses, and so is one that
    /// sets a variable: not each response has its value.
    mutating func takeTests(_ events: ForeignValue?) {
        for event in events?.elements ?? [] {
            guard let text = script(of: event) else { continue }
            let listen = event["listen"]?.string ?? "script"
            let reader = PostmanScript(listen == "test" ? text : "")
            if reader.left.isEmpty, reader.captures.isEmpty, reader.expect.count > 0 {
                tests.append((reader, event.offset))
                continue
            }
            log.loss(event.offset, "\(listen) of a folder", ForeignText.leftOut(script: text))
        }
    }

    mutating func addTests(to request: inout SavedRequest) {
        for test in tests where testEffort > 0 {
            add(test.script, to: &request, at: test.offset)
            testEffort -= test.script.expect.count
            if testEffort <= 0 {
                log.loss(test.offset, "test of a folder", "further requests are left without it: they are too many")
            }
        }
    }

    /// The text of a script; nil for one that does nothing. One of another file is a loss.
    private mutating func script(of event: ForeignValue) -> String? {
        guard event["disabled"]?.bool != true, let script = event["script"] else { return nil }
        guard let exec = script["exec"] else {
            if script["src"] != nil { log.loss(script.offset, "src", "the script of another file is left out") }
            return nil
        }
        let text = exec.kind == .array ? exec.elements.map(\.text).joined(separator: "\n") : exec.text
        guard !ScriptToken.tokens(of: text).isEmpty else { return nil }
        if ["pm.cookies", "getResponseCookie"].contains(where: { text.contains($0) }) { usesCookies = true }
        return text
    }
}
