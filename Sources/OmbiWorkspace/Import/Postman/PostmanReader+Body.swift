import OmbiDocument

/// The bodies of requests.
extension PostmanReader {
    mutating func body(_ body: ForeignValue?, of request: inout SavedRequest) {
        guard let body, let mode = body["mode"]?.string else { return }
        if body["disabled"]?.bool ?? false {
            return log.loss(body.offset, "body", "a disabled body is left out")
        }
        switch mode {
        case "raw": raw(body, of: &request)
        case "urlencoded":
            request.body = .form(FormContent(rows(body["urlencoded"])))
            request.dropContentType("application/x-www-form-urlencoded")
        case "formdata":
            request.body = .multipart(MultipartContent((body["formdata"]?.elements ?? []).flatMap { parts($0) }))
            request.dropContentType("multipart/form-data")
        case "file": file(body["file"], of: &request, at: body.offset)
        case "graphql": graphQL(body["graphql"], of: &request)
        default: log.loss(body.offset, mode.excerpted, "an unknown kind of body is left out")
        }
    }

    // MARK: Texts

    private mutating func raw(_ body: ForeignValue, of request: inout SavedRequest) {
        let text = body["raw"]?.text ?? ""
        guard !text.isEmpty else { return }
        let offset = body["raw"]?.offset ?? body.offset
        let language = body["options"]?["raw"]?["language"]?.string
        let header = request.headers.last { $0.enabled && $0.name.lowercased() == "content-type" }?.value
        let named = renamed(text, at: offset)
        if header.map({ $0.lowercased().contains("json") }) ?? (language == "json") {
            if case .json(let content) = JSONContent.parse(named).body {
                request.body = .json(JSONContent(Self.escaped(content.value)))
                return request.dropContentType(JSONContent.note)
            }
            log.remark(offset, "body", "kept as text, as it is no JSON yet")
        }
        let type = header ?? language.flatMap { Self.types[$0] } ?? "text/plain"
        if let header { request.dropContentType(header) }
        request.body = .text(TextContent(Self.escaped(named), contentType: type))
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
            if case .json(let json) = JSONContent.parse(text).body, case .object = json.value {
                content.variables = Self.escaped(json.value)
            } else if !text.trimmed.isEmpty {
                log.loss(variables.offset, "variables", "left out: they are no JSON object")
            }
        }
        if let name = value["operationName"]?.string, !name.isEmpty { content.operationName = name }
        request.body = .graphql(content)
        request.dropContentType(JSONContent.note)
    }

    // MARK: Rows

    private mutating func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            noteDescription(of: row)
            let name = template(row["key"]?.text ?? "", at: row.offset)
            guard !name.isEmpty else { return nil }
            return Field(
                name, template(row["value"]?.text ?? "", at: row.offset), enabled: !(row["disabled"]?.bool ?? false))
        }
    }

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: ForeignValue) -> [MultipartPart] {
        noteDescription(of: row)
        let name = template(row["key"]?.text ?? "", at: row.offset)
        guard !name.isEmpty else { return [] }
        let isEnabled = !(row["disabled"]?.bool ?? false)
        let written = row["contentType"]?.string ?? ""
        let type = written.isEmpty ? nil : template(written, at: row.offset)
        guard row["type"]?.string == "file" else {
            let value = template(row["value"]?.text ?? "", at: row.offset)
            return [MultipartPart(name, .text(value), contentType: type, enabled: isEnabled)]
        }
        let paths = paths(row["src"])
        guard !paths.isEmpty else {
            log.loss(row.offset, name.excerpted, "no file is chosen; choose one")
            return [MultipartPart(name, .text(""), contentType: type, enabled: isEnabled)]
        }
        notePaths(at: row.offset)
        return paths.map { path in
            MultipartPart(name, .file(template(path, at: row.offset)), contentType: type, enabled: isEnabled)
        }
    }

    private func paths(_ value: ForeignValue?) -> [String] {
        guard let value else { return [] }
        let texts = value.kind == .array ? value.elements.map(\.text) : [value.text]
        return texts.filter { !$0.isEmpty }
    }

    private mutating func file(_ value: ForeignValue?, of request: inout SavedRequest, at offset: Int) {
        if let path = value.flatMap({ paths($0["src"] ?? ($0.string == nil ? nil : $0)).first }) {
            notePaths(at: offset)
            request.body = .file(FileContent(template(path, at: offset)))
        } else if let content = value?["content"]?.string, !content.isEmpty {
            request.body = .text(TextContent(template(content, at: offset)))
        } else {
            log.loss(offset, "body", "no file is chosen; choose one")
        }
    }

    private mutating func notePaths(at offset: Int) {
        log.remark(offset, "file", "its path is read from the folder of the collection, not from Postman's")
    }
}
