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
        let type = request.sentContentType ?? Self.types[body.mode]
        var named = renamed(text.text, at: text.offset)
        // Bruno sends no comments.
        if body.mode == "json" { named = log.withoutComments(named, at: text.offset) }
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
        content.variables = log.graphQLVariables(text, at: variables.offset)
        return content
    }

    // MARK: Parts and files

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: BrunoRow) -> [MultipartPart] {
        let name = template(row.name, at: row.offset)
        guard !name.isEmpty else { return [] }
        let type = contentType(of: row)
        let value = row.files == nil ? template(row.value, at: row.offset) : ""
        let part = MultipartPart(name, .text(value), contentType: type, enabled: row.isEnabled)
            .described(row.description)
        if row.files?.isEmpty == false { log.notePath(at: row.offset) }
        let files = row.files?.map { template($0, at: row.offset) }
        return log.parts(part, files: files, at: row.offset)
    }

    /// Of several files, the one that is selected is sent.
    private mutating func setFile(_ rows: [BrunoRow], of request: inout SavedRequest, at offset: Int) {
        for row in rows { noteDescription(of: row) }
        guard let row = rows.first(where: \.isEnabled), let file = row.files?.first else {
            return log.noteMissingFile(at: rows.first?.offset ?? offset)
        }
        if rows.count > 1 { log.loss(row.offset, "body:file", "the files that are not selected are left out") }
        log.notePath(at: row.offset)
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
}
