import OmbiDocument

/// The bodies of requests.
extension BrunoReader {
    mutating func setBody(_ body: BrunoBody, of request: inout SavedRequest) {
        defer { request.dropContentType() }
        let rows = body.rows[body.mode] ?? []
        switch body.mode {
        case "none": break
        case "json", "text", "xml", "sparql": setText(body, of: &request)
        case "graphql": request.body = .graphql(graphQL(body))
        case "form-urlencoded": request.body = .form(FormContent(fields(rows)))
        case "multipart-form":
            var parts: [MultipartPart] = []
            for row in rows { parts += self.parts(row) }
            request.body = .multipart(MultipartContent(parts))
        case "file": setFile(rows, of: &request, at: body.modeOffset)
        default:
            log.loss(body.modeOffset, body.mode.excerpted, "an unknown kind of body is left out")
        }
    }

    // MARK: Texts

    private mutating func setText(_ body: BrunoBody, of request: inout SavedRequest) {
        guard let text = body.texts[body.mode], !text.text.isEmpty else { return }
        let header = request.headers.last { $0.enabled && $0.name.lowercased() == "content-type" }?.value
        let type = header ?? Self.types[body.mode]
        let named = renamed(text.text, at: text.offset)
        request.body = ForeignBody().body(named, type)
        if body.mode == "json", case .text? = request.body {
            log.remark(text.offset, "body", "kept as text, as it is no JSON yet")
        }
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "text": "text/plain",
        "sparql": "application/sparql-query",
    ]

    private mutating func graphQL(_ body: BrunoBody) -> GraphQLContent {
        let query = body.texts["graphql"]
        var content = GraphQLContent(template(query?.text ?? "", at: query?.offset ?? body.modeOffset))
        guard let variables = body.texts["graphql:vars"] else { return content }
        let text = renamed(variables.text, at: variables.offset)
        if case .json(let json) = JSONContent.parse(text).body, case .object = json.value {
            content.variables = TemplateText.escaped(foreign: json.value)
        } else if text.contains(where: { !$0.isWhitespace }) {
            log.loss(variables.offset, "variables", "left out: they are no JSON object")
        }
        return content
    }

    // MARK: Parts and files

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: BrunoRow) -> [MultipartPart] {
        let name = template(row.name, at: row.offset)
        guard !name.isEmpty else { return [] }
        let text = row.description
        let type = contentType(of: row)
        guard let files = row.files else {
            let value = template(row.value, at: row.offset)
            return [MultipartPart(name, .text(value), contentType: type, enabled: row.isEnabled).described(text)]
        }
        guard !files.isEmpty else {
            log.loss(row.offset, name.excerpted, "no file is chosen; choose one")
            return [MultipartPart(name, .text(""), contentType: type, enabled: row.isEnabled).described(text)]
        }
        notePaths(at: row.offset)
        var parts: [MultipartPart] = []
        for file in files {
            let path = template(file, at: row.offset)
            let part = MultipartPart(name, .file(path), contentType: type, enabled: row.isEnabled)
            parts.append(part.described(text))
        }
        return parts
    }

    /// Of several files, the one that is selected is sent.
    private mutating func setFile(_ rows: [BrunoRow], of request: inout SavedRequest, at offset: Int) {
        for row in rows { noteDescription(of: row) }
        guard let row = rows.first(where: \.isEnabled), let file = row.files?.first else {
            return log.loss(rows.first?.offset ?? offset, "body", "no file is chosen; choose one")
        }
        if rows.count > 1 { log.loss(row.offset, "body:file", "the files that are not selected are left out") }
        notePaths(at: row.offset)
        request.body = .file(FileContent(template(file, at: row.offset), contentType: contentType(of: row)))
    }

    /// Nil for none, and for a text that is none.
    private mutating func contentType(of row: BrunoRow) -> String? {
        guard let written = row.contentType, !written.isEmpty else { return nil }
        let type = template(written, at: row.offset)
        do throws(FieldError) { try Field.checkContentType(type) } catch {
            log.loss(row.offset, type.excerpted, "left out: \(error.message)")
            return nil
        }
        return type
    }

    private mutating func notePaths(at offset: Int) {
        log.remark(offset, "file", "its path is read from the folder of the collection")
    }
}
